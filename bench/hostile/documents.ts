/** Hostile documents that take long to parse, of at most a given number of bytes. */
export type Documents = Readonly<Record<string, (bytes: number) => string>>;

const many = (text: string, bytes: number): string => text.repeat(Math.max(0, Math.floor(bytes / Buffer.byteLength(text))));
const counted = (bytes: number, itemOf: (at: number) => string): string => {
  const items: string[] = [];
  for (let [at, room] = [0, bytes]; room > 0; at += 1) {
    const item = itemOf(at);
    room -= Buffer.byteLength(item);
    if (room > 0) items.push(item);
  }
  return items.join('');
};

const HEAD = 400;
const rss = (bytes: number, itemsOf: (room: number) => string) =>
  `<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>T</title>${itemsOf(bytes - HEAD)}</channel></rss>`;
const item = (part: (room: number) => string) => (room: number) => `<item><guid>1</guid>${part(room - 60)}</item>`;
const content = (open: string) => item((room) => `<content:encoded><![CDATA[${many(open, room - 60)}]]></content:encoded>`);
/** Returns about as many items as are read of a feed, each with a text of the same type. */
const items = (text: string) => (room: number) =>
  counted(room, (at) => `<item><guid>${at}</guid><description><![CDATA[${many(text, room / 520)}]]></description></item>`);
const atom = (bytes: number, entriesOf: (room: number) => string) =>
  `<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><id>urn:f</id>${entriesOf(bytes - HEAD)}</feed>`;
const json = (bytes: number, itemsOf: (room: number) => string) =>
  `{"version":"https://jsonfeed.org/version/1.1","title":"T","items":[${itemsOf(bytes - HEAD)}]}`;
const listed = (text: string, bytes: number) => many(`${text},`, bytes).slice(0, -1);

export const FEEDS: Documents = {
  'RSS: many items': (n) => rss(n, (room) => many('<item><title>a</title></item>', room)),
  'RSS: many items, each another': (n) =>
    rss(n, (room) => counted(room, (at) => `<item><guid>${at}</guid><title>${at}</title></item>`)),
  'RSS: a long title': (n) =>
    rss(
      n,
      item((room) => `<title>${'a'.repeat(room - 20)}</title>`),
    ),
  'RSS: brackets in an author': (n) =>
    rss(
      n,
      item((room) => `<author>${'('.repeat(room - 20)}</author>`),
    ),
  'RSS: many categories': (n) =>
    rss(
      n,
      item((room) => many('<category>a</category>', room)),
    ),
  'RSS: many enclosures': (n) =>
    rss(
      n,
      item((room) => counted(room, (at) => `<enclosure url="https://a.test/${at}.jpg" type="image/jpeg"/>`)),
    ),
  'RSS: many pictures': (n) =>
    rss(
      n,
      item((room) => counted(room, (at) => `<media:content url="https://a.test/${at}.jpg" medium="image"/>`)),
    ),
  'RSS: deep elements': (n) =>
    rss(
      n,
      item((room) => many('<a>', room)),
    ),
  'RSS: other elements': (n) =>
    rss(
      n,
      item((room) => counted(room, (at) => `<k${at}/>`)),
    ),
  'RSS: attributes': (n) =>
    rss(
      n,
      item((room) => `<link ${counted(room - 20, (at) => `k${at}="" `)}/>`),
    ),
  'RSS: references': (n) =>
    rss(
      n,
      item((room) => `<title>${many('&amp;', room - 20)}</title>`),
    ),
  'RSS: CDATA that does not close': (n) =>
    rss(
      n,
      item((room) => many('<![CDATA[', room)),
    ),
  'RSS: elements named length': (n) =>
    rss(
      n,
      item((room) => many('<length>', room)),
    ),
  'RSS: deep HTML': (n) => rss(n, content('<div>')),
  'RSS: links in each other': (n) => rss(n, content('<a href="https://a.test/">a')),
  'RSS: marks in each other': (n) => rss(n, content('<b>a<i>')),
  'RSS: pictures in a text': (n) =>
    rss(
      n,
      item((room) => `<description><![CDATA[${counted(room - 60, (at) => `<img src="/${at}">`)}]]></description>`),
    ),
  'RSS: ends of elements that did not begin': (n) => rss(n, content('</p>')),
  'RSS: texts of addresses': (n) => rss(n, items('http://a.test/ ')),
  'RSS: texts of dots': (n) => rss(n, items('a.a.')),
  'RSS: texts of line ends': (n) => rss(n, items('<br>')),
  'RSS: texts of spaces': (n) => rss(n, items('&nbsp;')),
  'RSS: texts of deep HTML': (n) => rss(n, items('<ul><li>')),
  'RSS: texts of marks': (n) => rss(n, items('<b>a</b> ')),
  'RSS: texts of words': (n) =>
    rss(n, (room) =>
      counted(
        room,
        (at) =>
          `<item><guid>${at}</guid><description>${counted(room / 520, (word) => `${(at * 5000 + word).toString(36)} `)}</description></item>`,
      ),
    ),
  'Atom: many entries': (n) => atom(n, (room) => counted(room, (at) => `<entry><id>${at}</id><title>a</title></entry>`)),
  'Atom: many links': (n) =>
    atom(
      n,
      (room) =>
        `<entry><id>1</id>${counted(room - 40, (at) => `<link rel="enclosure" href="/${at}.jpg" type="image/jpeg"/>`)}</entry>`,
    ),
  'Atom: XHTML': (n) =>
    atom(
      n,
      (room) => `<entry><id>1</id><content type="xhtml"><div>${many('<p><b>a</b></p>', room - 90)}</div></content></entry>`,
    ),
  'JSON: deep lists': (n) => json(n, (room) => '['.repeat(room / 2) + ']'.repeat(room / 2)),
  'JSON: many items': (n) => json(n, (room) => listed('{"id":"1","content_text":"a"}', room)),
  'JSON: many attachments': (n) =>
    json(
      n,
      (room) =>
        `{"id":"1","content_text":"a","attachments":[${listed('{"url":"https://a.test/1.mp3","mime_type":"audio/mpeg"}', room - 60)}]}`,
    ),
  'JSON: many keys': (n) => json(n, (room) => `{"id":"1"${counted(room - 20, (at) => `,"k${at}":0`)}}`),
  'JSON: a long text': (n) => json(n, (room) => `{"id":"1","content_html":"${'<p>a'.repeat(room / 4 - 20)}"}`),
  'page: names of feeds': (n) =>
    `<html>${counted(n - 20, (at) => `<link rel="alternate" type="application/rss+xml" href="/${at}.xml">`)}`,
  'page: brackets': (n) => '<'.repeat(n),
  'page: bases': (n) => `<html>${many('<base href="/a/">', n - 20)}`,
  'page: attributes': (n) => `<html><link ${counted(n - 40, (at) => `k${at} `)}>`,
  'page: spaces': (n) => `${' '.repeat(n - 1)}x`,
  'page: comments': (n) => many('<!--', n),
  'page: text': (n) => 'a'.repeat(n),
};

const exported = (messages: string) => `{"name":"Town","type":"public_channel","id":77,"messages":[${messages}]}`;
const message = (part: string, id = 1) =>
  `{"id":${id},"type":"message","date_unixtime":"1767225660","from_id":"channel77",${part}}`;

export const EXPORTS: Documents = {
  'many messages': (n) => exported(counted(n - 100, (at) => `${at === 0 ? '' : ','}${message('"text":"a"', at + 1)}`)),
  'one message many times': (n) => exported(listed(message('"text":"a"'), n - 100)),
  zeros: (n) => exported(listed('0', n - 100)),
  'deep lists': (n) => exported('['.repeat(n / 2) + ']'.repeat(n / 2)),
  'brackets that do not close': (n) => '['.repeat(n),
  'a long text': (n) => exported(message(`"text":"${'a'.repeat(n - 200)}"`)),
  'a text of escapes': (n) => exported(message(`"text":"${'\\u0000'.repeat(n / 6 - 50)}"`)),
  'many parts of a text': (n) => exported(message(`"text_entities":[${listed('{"type":"bold","text":"a"}', n - 200)}]`)),
  'many keys': (n) => exported(`{"id":1${counted(n - 100, (at) => `,"k${at}":0`)}}`),
  'a long number': (n) => exported('1'.repeat(n - 100)),
  spaces: (n) => ' '.repeat(n),
};

const opml = (outlines: string) => `<?xml version="1.0"?><opml version="2.0"><body>${outlines}</body></opml>`;
const OUTLINE = '<outline type="rss" text="a" xmlUrl="https://a.test/"/>';

export const LISTS: Documents = {
  'one feed many times': (n) => opml(many(OUTLINE, n - 80)),
  'one feed in many categories': (n) => opml(counted(n - 80, (at) => `<outline xmlUrl="https://a.test/" category="c${at}"/>`)),
  'many feeds': (n) => opml(counted(n - 80, (at) => `<outline text="a" xmlUrl="https://a.test/${at}"/>`)),
  'many categories': (n) => opml(`<outline xmlUrl="https://a.test/" category="${counted(n - 160, (at) => `c${at},`)}"/>`),
  'deep folders': (n) => opml(many('<outline text="a">', (n - 80) / 2) + many('</outline>', (n - 80) / 2)),
  'folders without an end': (n) => opml(many('<outline text="a">', n - 80)),
  ampersands: (n) => opml(`<outline text="${many('&', (n - 160) / 5)}"/>`),
  attributes: (n) => opml(`<outline ${counted(n - 160, (at) => `k${at}="" `)}/>`),
  'no list': (n) => '<opml'.slice(0, 4).repeat(n / 4),
  spaces: (n) => ' '.repeat(n),
};
