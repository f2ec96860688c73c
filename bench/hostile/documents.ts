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
  'RSS: many identical items': (bytes) =>
    rss(bytes, (remainingBytes) => repeatWithin('<item><title>a</title></item>', remainingBytes)),
  'RSS: many different items': (bytes) =>
    rss(bytes, (remainingBytes) => generateWithin(remainingBytes, (at) => `<item><guid>${at}</guid><title>${at}</title></item>`)),
  'RSS: long title': (bytes) =>
    rss(
      bytes,
      item((remainingBytes) => `<title>${'a'.repeat(remainingBytes - 20)}</title>`),
    ),
  'RSS: parentheses in an author': (bytes) =>
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
  'RSS: deeply nested elements': (bytes) =>
    rss(
      bytes,
      item((remainingBytes) => repeatWithin('<a>', remainingBytes)),
    ),
  'RSS: many unknown elements': (bytes) =>
    rss(
      bytes,
      item((remainingBytes) => generateWithin(remainingBytes, (at) => `<k${at}/>`)),
    ),
  'RSS: many attributes': (bytes) =>
    rss(
      bytes,
      item((remainingBytes) => `<link ${generateWithin(remainingBytes - 20, (at) => `k${at}="" `)}/>`),
    ),
  'RSS: many character references': (bytes) =>
    rss(
      bytes,
      item((remainingBytes) => `<title>${repeatWithin('&amp;', remainingBytes - 20)}</title>`),
    ),
  'RSS: unclosed CDATA': (bytes) =>
    rss(
      bytes,
      item((remainingBytes) => repeatWithin('<![CDATA[', remainingBytes)),
    ),
  'RSS: elements with the name length': (bytes) =>
    rss(
      bytes,
      item((remainingBytes) => repeatWithin('<length>', remainingBytes)),
    ),
  'RSS: deeply nested HTML': (bytes) => rss(bytes, content('<div>')),
  'RSS: nested links': (bytes) => rss(bytes, content('<a href="https://a.test/">a')),
  'RSS: nested text styles': (bytes) => rss(bytes, content('<b>a<i>')),
  'RSS: many pictures in a text': (bytes) =>
    rss(
      bytes,
      item(
        (remainingBytes) =>
          `<description><![CDATA[${generateWithin(remainingBytes - 60, (at) => `<img src="/${at}">`)}]]></description>`,
      ),
    ),
  'RSS: end tags without start tags': (bytes) => rss(bytes, content('</p>')),
  'RSS: texts of URLs': (bytes) => rss(bytes, items('http://a.test/ ')),
  'RSS: texts of dots': (bytes) => rss(bytes, items('a.a.')),
  'RSS: texts of line breaks': (bytes) => rss(bytes, items('<br>')),
  'RSS: texts of spaces': (bytes) => rss(bytes, items('&nbsp;')),
  'RSS: texts of deeply nested HTML': (bytes) => rss(bytes, items('<ul><li>')),
  'RSS: texts of bold words': (bytes) => rss(bytes, items('<b>a</b> ')),
  'RSS: texts of different words': (bytes) =>
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
  'JSON: deeply nested lists': (bytes) =>
    json(bytes, (remainingBytes) => '['.repeat(remainingBytes / 2) + ']'.repeat(remainingBytes / 2)),
  'JSON: many items': (bytes) => json(bytes, (remainingBytes) => repeatInList('{"id":"1","content_text":"a"}', remainingBytes)),
  'JSON: many attachments': (bytes) =>
    json(
      bytes,
      (remainingBytes) =>
        `{"id":"1","content_text":"a","attachments":[${repeatInList('{"url":"https://a.test/1.mp3","mime_type":"audio/mpeg"}', remainingBytes - 60)}]}`,
    ),
  'JSON: many keys': (bytes) =>
    json(bytes, (remainingBytes) => `{"id":"1"${generateWithin(remainingBytes - 20, (at) => `,"k${at}":0`)}}`),
  'JSON: long text': (bytes) =>
    json(bytes, (remainingBytes) => `{"id":"1","content_html":"${'<p>a'.repeat(remainingBytes / 4 - 20)}"}`),
  'page: many links to feeds': (bytes) =>
    `<html>${generateWithin(bytes - 20, (at) => `<link rel="alternate" type="application/rss+xml" href="/${at}.xml">`)}`,
  'page: angle brackets': (bytes) => '<'.repeat(bytes),
  'page: many base elements': (bytes) => `<html>${repeatWithin('<base href="/a/">', bytes - 20)}`,
  'page: many attributes': (bytes) => `<html><link ${generateWithin(bytes - 40, (at) => `k${at} `)}>`,
  'page: spaces': (bytes) => `${' '.repeat(bytes - 1)}x`,
  'page: unclosed comments': (bytes) => repeatWithin('<!--', bytes),
  'page: text': (bytes) => 'a'.repeat(bytes),
};

const telegramExport = (messages: string) => `{"name":"Town","type":"public_channel","id":77,"messages":[${messages}]}`;
const message = (part: string, id = 1) =>
  `{"id":${id},"type":"message","date_unixtime":"1767225660","from_id":"channel77",${part}}`;

export const EXPORTS: Documents = {
  'many messages': (bytes) =>
    telegramExport(generateWithin(bytes - 100, (at) => `${at === 0 ? '' : ','}${message('"text":"a"', at + 1)}`)),
  'repeated message': (bytes) => telegramExport(repeatInList(message('"text":"a"'), bytes - 100)),
  zeros: (bytes) => telegramExport(repeatInList('0', bytes - 100)),
  'deeply nested lists': (bytes) => telegramExport('['.repeat(bytes / 2) + ']'.repeat(bytes / 2)),
  'unclosed brackets': (bytes) => '['.repeat(bytes),
  'long text': (bytes) => telegramExport(message(`"text":"${'a'.repeat(bytes - 200)}"`)),
  'text of escape sequences': (bytes) => telegramExport(message(`"text":"${'\\u0000'.repeat(bytes / 6 - 50)}"`)),
  'text of many parts': (bytes) =>
    telegramExport(message(`"text_entities":[${repeatInList('{"type":"bold","text":"a"}', bytes - 200)}]`)),
  'many keys': (bytes) => telegramExport(`{"id":1${generateWithin(bytes - 100, (at) => `,"k${at}":0`)}}`),
  'long number': (bytes) => telegramExport('1'.repeat(bytes - 100)),
  spaces: (bytes) => ' '.repeat(bytes),
};

const opml = (outlines: string) => `<?xml version="1.0"?><opml version="2.0"><body>${outlines}</body></opml>`;
const OUTLINE = '<outline type="rss" text="a" xmlUrl="https://a.test/"/>';

export const LISTS: Documents = {
  'repeated feed': (bytes) => opml(repeatWithin(OUTLINE, bytes - 80)),
  'one feed in many categories': (bytes) =>
    opml(generateWithin(bytes - 80, (at) => `<outline xmlUrl="https://a.test/" category="c${at}"/>`)),
  'many feeds': (bytes) => opml(generateWithin(bytes - 80, (at) => `<outline text="a" xmlUrl="https://a.test/${at}"/>`)),
  'many categories': (bytes) =>
    opml(`<outline xmlUrl="https://a.test/" category="${generateWithin(bytes - 160, (at) => `c${at},`)}"/>`),
  'deeply nested folders': (bytes) =>
    opml(repeatWithin('<outline text="a">', (bytes - 80) / 2) + repeatWithin('</outline>', (bytes - 80) / 2)),
  'unclosed folders': (bytes) => opml(repeatWithin('<outline text="a">', bytes - 80)),
  ampersands: (bytes) => opml(`<outline text="${repeatWithin('&', (bytes - 160) / 5)}"/>`),
  'many attributes': (bytes) => opml(`<outline ${generateWithin(bytes - 160, (at) => `k${at}="" `)}/>`),
  'incomplete start tags': (bytes) => '<opml'.slice(0, 4).repeat(bytes / 4),
  spaces: (bytes) => ' '.repeat(bytes),
};
