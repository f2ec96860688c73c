/** Hostile documents that take long to parse, of at most a given number of bytes. */
export type Documents = Readonly<Record<string, (bytes: number) => string>>;

const repeatWithin = (text: string, bytes: number): string =>
  text.repeat(Math.max(0, Math.floor(bytes / Buffer.byteLength(text))));
const generateWithin = (bytes: number, itemOf: (at: number) => string): string => {
  const items: string[] = [];
  for (let [at, remainingBytes] = [0, bytes]; remainingBytes > 0; at += 1) {
    const item = itemOf(at);
    remainingBytes -= Buffer.byteLength(item);
    if (remainingBytes > 0) items.push(item);
  }
  return items.join('');
};

const ENVELOPE_BYTES = 400;
const rss = (bytes: number, itemsOf: (remainingBytes: number) => string) =>
  `<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>T</title>${itemsOf(bytes - ENVELOPE_BYTES)}</channel></rss>`;
const item = (part: (remainingBytes: number) => string) => (remainingBytes: number) =>
  `<item><guid>1</guid>${part(remainingBytes - 60)}</item>`;
const content = (open: string) =>
  item((remainingBytes) => `<content:encoded><![CDATA[${repeatWithin(open, remainingBytes - 60)}]]></content:encoded>`);
/** Returns about as many items as are read of a feed, each with a text of the same type. */
const items = (text: string) => (remainingBytes: number) =>
  generateWithin(
    remainingBytes,
    (at) => `<item><guid>${at}</guid><description><![CDATA[${repeatWithin(text, remainingBytes / 520)}]]></description></item>`,
  );
const atom = (bytes: number, entriesOf: (remainingBytes: number) => string) =>
  `<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><id>urn:f</id>${entriesOf(bytes - ENVELOPE_BYTES)}</feed>`;
const json = (bytes: number, itemsOf: (remainingBytes: number) => string) =>
  `{"version":"https://jsonfeed.org/version/1.1","title":"T","items":[${itemsOf(bytes - ENVELOPE_BYTES)}]}`;
const repeatInList = (text: string, bytes: number) => repeatWithin(`${text},`, bytes).slice(0, -1);

export const FEEDS: Documents = {
  'RSS: many items': (bytes) => rss(bytes, (remainingBytes) => repeatWithin('<item><title>a</title></item>', remainingBytes)),
  'RSS: many items, each another': (bytes) =>
    rss(bytes, (remainingBytes) => generateWithin(remainingBytes, (at) => `<item><guid>${at}</guid><title>${at}</title></item>`)),
  'RSS: a long title': (bytes) =>
    rss(
      bytes,
      item((remainingBytes) => `<title>${'a'.repeat(remainingBytes - 20)}</title>`),
    ),
  'RSS: brackets in an author': (bytes) =>
    rss(
      bytes,
      item((remainingBytes) => `<author>${'('.repeat(remainingBytes - 20)}</author>`),
    ),
  'RSS: many categories': (bytes) =>
    rss(
      bytes,
      item((remainingBytes) => repeatWithin('<category>a</category>', remainingBytes)),
    ),
  'RSS: many enclosures': (bytes) =>
    rss(
      bytes,
      item((remainingBytes) =>
        generateWithin(remainingBytes, (at) => `<enclosure url="https://a.test/${at}.jpg" type="image/jpeg"/>`),
      ),
    ),
  'RSS: many pictures': (bytes) =>
    rss(
      bytes,
      item((remainingBytes) =>
        generateWithin(remainingBytes, (at) => `<media:content url="https://a.test/${at}.jpg" medium="image"/>`),
      ),
    ),
  'RSS: deep elements': (bytes) =>
    rss(
      bytes,
      item((remainingBytes) => repeatWithin('<a>', remainingBytes)),
    ),
  'RSS: other elements': (bytes) =>
    rss(
      bytes,
      item((remainingBytes) => generateWithin(remainingBytes, (at) => `<k${at}/>`)),
    ),
  'RSS: attributes': (bytes) =>
    rss(
      bytes,
      item((remainingBytes) => `<link ${generateWithin(remainingBytes - 20, (at) => `k${at}="" `)}/>`),
    ),
  'RSS: references': (bytes) =>
    rss(
      bytes,
      item((remainingBytes) => `<title>${repeatWithin('&amp;', remainingBytes - 20)}</title>`),
    ),
  'RSS: CDATA that does not close': (bytes) =>
    rss(
      bytes,
      item((remainingBytes) => repeatWithin('<![CDATA[', remainingBytes)),
    ),
  'RSS: elements named length': (bytes) =>
    rss(
      bytes,
      item((remainingBytes) => repeatWithin('<length>', remainingBytes)),
    ),
  'RSS: deep HTML': (bytes) => rss(bytes, content('<div>')),
  'RSS: links in each other': (bytes) => rss(bytes, content('<a href="https://a.test/">a')),
  'RSS: marks in each other': (bytes) => rss(bytes, content('<b>a<i>')),
  'RSS: pictures in a text': (bytes) =>
    rss(
      bytes,
      item(
        (remainingBytes) =>
          `<description><![CDATA[${generateWithin(remainingBytes - 60, (at) => `<img src="/${at}">`)}]]></description>`,
      ),
    ),
  'RSS: ends of elements that did not begin': (bytes) => rss(bytes, content('</p>')),
  'RSS: texts of addresses': (bytes) => rss(bytes, items('http://a.test/ ')),
  'RSS: texts of dots': (bytes) => rss(bytes, items('a.a.')),
  'RSS: texts of line ends': (bytes) => rss(bytes, items('<br>')),
  'RSS: texts of spaces': (bytes) => rss(bytes, items('&nbsp;')),
  'RSS: texts of deep HTML': (bytes) => rss(bytes, items('<ul><li>')),
  'RSS: texts of marks': (bytes) => rss(bytes, items('<b>a</b> ')),
  'RSS: texts of words': (bytes) =>
    rss(bytes, (remainingBytes) =>
      generateWithin(
        remainingBytes,
        (at) =>
          `<item><guid>${at}</guid><description>${generateWithin(remainingBytes / 520, (word) => `${(at * 5000 + word).toString(36)} `)}</description></item>`,
      ),
    ),
  'Atom: many entries': (bytes) =>
    atom(bytes, (remainingBytes) => generateWithin(remainingBytes, (at) => `<entry><id>${at}</id><title>a</title></entry>`)),
  'Atom: many links': (bytes) =>
    atom(
      bytes,
      (remainingBytes) =>
        `<entry><id>1</id>${generateWithin(remainingBytes - 40, (at) => `<link rel="enclosure" href="/${at}.jpg" type="image/jpeg"/>`)}</entry>`,
    ),
  'Atom: XHTML': (bytes) =>
    atom(
      bytes,
      (remainingBytes) =>
        `<entry><id>1</id><content type="xhtml"><div>${repeatWithin('<p><b>a</b></p>', remainingBytes - 90)}</div></content></entry>`,
    ),
  'JSON: deep lists': (bytes) => json(bytes, (remainingBytes) => '['.repeat(remainingBytes / 2) + ']'.repeat(remainingBytes / 2)),
  'JSON: many items': (bytes) => json(bytes, (remainingBytes) => repeatInList('{"id":"1","content_text":"a"}', remainingBytes)),
  'JSON: many attachments': (bytes) =>
    json(
      bytes,
      (remainingBytes) =>
        `{"id":"1","content_text":"a","attachments":[${repeatInList('{"url":"https://a.test/1.mp3","mime_type":"audio/mpeg"}', remainingBytes - 60)}]}`,
    ),
  'JSON: many keys': (bytes) =>
    json(bytes, (remainingBytes) => `{"id":"1"${generateWithin(remainingBytes - 20, (at) => `,"k${at}":0`)}}`),
  'JSON: a long text': (bytes) =>
    json(bytes, (remainingBytes) => `{"id":"1","content_html":"${'<p>a'.repeat(remainingBytes / 4 - 20)}"}`),
  'page: names of feeds': (bytes) =>
    `<html>${generateWithin(bytes - 20, (at) => `<link rel="alternate" type="application/rss+xml" href="/${at}.xml">`)}`,
  'page: brackets': (bytes) => '<'.repeat(bytes),
  'page: bases': (bytes) => `<html>${repeatWithin('<base href="/a/">', bytes - 20)}`,
  'page: attributes': (bytes) => `<html><link ${generateWithin(bytes - 40, (at) => `k${at} `)}>`,
  'page: spaces': (bytes) => `${' '.repeat(bytes - 1)}x`,
  'page: comments': (bytes) => repeatWithin('<!--', bytes),
  'page: text': (bytes) => 'a'.repeat(bytes),
};

const telegramExport = (messages: string) => `{"name":"Town","type":"public_channel","id":77,"messages":[${messages}]}`;
const message = (part: string, id = 1) =>
  `{"id":${id},"type":"message","date_unixtime":"1767225660","from_id":"channel77",${part}}`;

export const EXPORTS: Documents = {
  'many messages': (bytes) =>
    telegramExport(generateWithin(bytes - 100, (at) => `${at === 0 ? '' : ','}${message('"text":"a"', at + 1)}`)),
  'one message many times': (bytes) => telegramExport(repeatInList(message('"text":"a"'), bytes - 100)),
  zeros: (bytes) => telegramExport(repeatInList('0', bytes - 100)),
  'deep lists': (bytes) => telegramExport('['.repeat(bytes / 2) + ']'.repeat(bytes / 2)),
  'brackets that do not close': (bytes) => '['.repeat(bytes),
  'a long text': (bytes) => telegramExport(message(`"text":"${'a'.repeat(bytes - 200)}"`)),
  'a text of escapes': (bytes) => telegramExport(message(`"text":"${'\\u0000'.repeat(bytes / 6 - 50)}"`)),
  'many parts of a text': (bytes) =>
    telegramExport(message(`"text_entities":[${repeatInList('{"type":"bold","text":"a"}', bytes - 200)}]`)),
  'many keys': (bytes) => telegramExport(`{"id":1${generateWithin(bytes - 100, (at) => `,"k${at}":0`)}}`),
  'a long number': (bytes) => telegramExport('1'.repeat(bytes - 100)),
  spaces: (bytes) => ' '.repeat(bytes),
};

const opml = (outlines: string) => `<?xml version="1.0"?><opml version="2.0"><body>${outlines}</body></opml>`;
const OUTLINE = '<outline type="rss" text="a" xmlUrl="https://a.test/"/>';

export const LISTS: Documents = {
  'one feed many times': (bytes) => opml(repeatWithin(OUTLINE, bytes - 80)),
  'one feed in many categories': (bytes) =>
    opml(generateWithin(bytes - 80, (at) => `<outline xmlUrl="https://a.test/" category="c${at}"/>`)),
  'many feeds': (bytes) => opml(generateWithin(bytes - 80, (at) => `<outline text="a" xmlUrl="https://a.test/${at}"/>`)),
  'many categories': (bytes) =>
    opml(`<outline xmlUrl="https://a.test/" category="${generateWithin(bytes - 160, (at) => `c${at},`)}"/>`),
  'deep folders': (bytes) =>
    opml(repeatWithin('<outline text="a">', (bytes - 80) / 2) + repeatWithin('</outline>', (bytes - 80) / 2)),
  'folders without an end': (bytes) => opml(repeatWithin('<outline text="a">', bytes - 80)),
  ampersands: (bytes) => opml(`<outline text="${repeatWithin('&', (bytes - 160) / 5)}"/>`),
  attributes: (bytes) => opml(`<outline ${generateWithin(bytes - 160, (at) => `k${at}="" `)}/>`),
  'no list': (bytes) => '<opml'.slice(0, 4).repeat(bytes / 4),
  spaces: (bytes) => ' '.repeat(bytes),
};
