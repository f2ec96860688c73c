/** Hostile documents that take long to parse, of at most a given number of bytes. */
export type Documents = Readonly<Record<string, (bytes: number) => string>>;

/** Repeats a text as often as it fits into this number of bytes. */
const repeatWithin = (text: string, bytes: number): string =>
  text.repeat(Math.max(0, Math.floor(bytes / Buffer.byteLength(text))));

/** Generates different items, and joins as many as fit into this number of bytes. */
const generateWithin = (bytes: number, itemOf: (index: number) => string): string => {
  const items: string[] = [];
  for (let [index, remainingBytes] = [0, bytes]; remainingBytes > 0; index += 1) {
    const item = itemOf(index);
    remainingBytes -= Buffer.byteLength(item);
    if (remainingBytes > 0) items.push(item);
  }
  return items.join('');
};

/**
 * Upper limit of the size of the elements around the items of a feed. Other subtracted numbers are limits of the same
 * kind.
 */
const ENVELOPE_BYTES = 400;
/**
 * Number of items in a feed of equally large items. It is a little above the number of items that the parser accepts
 * (500).
 */
const FEED_ITEMS = 520;
const rssFeed = (bytes: number, itemsOf: (remainingBytes: number) => string) =>
  `<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>T</title>${itemsOf(bytes - ENVELOPE_BYTES)}</channel></rss>`;
const rssItem = (part: (remainingBytes: number) => string) => (remainingBytes: number) =>
  `<item><guid>1</guid>${part(remainingBytes - 60)}</item>`;
const rssItemWithHtml = (open: string) =>
  rssItem((remainingBytes) => `<content:encoded><![CDATA[${repeatWithin(open, remainingBytes - 60)}]]></content:encoded>`);
/** Returns `FEED_ITEMS` items, each with a text of the same type. */
const rssItemsWithText = (text: string) => (remainingBytes: number) =>
  generateWithin(
    remainingBytes,
    (index) =>
      `<item><guid>${index}</guid><description><![CDATA[${repeatWithin(text, remainingBytes / FEED_ITEMS)}]]></description></item>`,
  );
/** Returns words that no text of another index has. No text has more than 5000 words. */
const differentWords = (index: number, bytes: number): string =>
  generateWithin(bytes, (wordIndex) => `${(index * 5000 + wordIndex).toString(36)} `);
const atomFeed = (bytes: number, entriesOf: (remainingBytes: number) => string) =>
  `<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><id>urn:f</id>${entriesOf(bytes - ENVELOPE_BYTES)}</feed>`;
const jsonFeed = (bytes: number, itemsOf: (remainingBytes: number) => string) =>
  `{"version":"https://jsonfeed.org/version/1.1","title":"T","items":[${itemsOf(bytes - ENVELOPE_BYTES)}]}`;
const repeatInList = (text: string, bytes: number) => repeatWithin(`${text},`, bytes).slice(0, -1);

export const FEEDS: Documents = {
  'RSS: many identical items': (bytes) =>
    rssFeed(bytes, (remainingBytes) => repeatWithin('<item><title>a</title></item>', remainingBytes)),
  'RSS: many different items': (bytes) =>
    rssFeed(bytes, (remainingBytes) =>
      generateWithin(remainingBytes, (index) => `<item><guid>${index}</guid><title>${index}</title></item>`),
    ),
  'RSS: long title': (bytes) =>
    rssFeed(
      bytes,
      rssItem((remainingBytes) => `<title>${'a'.repeat(remainingBytes - 20)}</title>`),
    ),
  'RSS: parentheses in an author': (bytes) =>
    rssFeed(
      bytes,
      rssItem((remainingBytes) => `<author>${'('.repeat(remainingBytes - 20)}</author>`),
    ),
  'RSS: many categories': (bytes) =>
    rssFeed(
      bytes,
      rssItem((remainingBytes) => repeatWithin('<category>a</category>', remainingBytes)),
    ),
  'RSS: many enclosures': (bytes) =>
    rssFeed(
      bytes,
      rssItem((remainingBytes) =>
        generateWithin(remainingBytes, (index) => `<enclosure url="https://a.test/${index}.jpg" type="image/jpeg"/>`),
      ),
    ),
  'RSS: many pictures': (bytes) =>
    rssFeed(
      bytes,
      rssItem((remainingBytes) =>
        generateWithin(remainingBytes, (index) => `<media:content url="https://a.test/${index}.jpg" medium="image"/>`),
      ),
    ),
  'RSS: deeply nested elements': (bytes) =>
    rssFeed(
      bytes,
      rssItem((remainingBytes) => repeatWithin('<a>', remainingBytes)),
    ),
  'RSS: many unknown elements': (bytes) =>
    rssFeed(
      bytes,
      rssItem((remainingBytes) => generateWithin(remainingBytes, (index) => `<k${index}/>`)),
    ),
  'RSS: many attributes': (bytes) =>
    rssFeed(
      bytes,
      rssItem((remainingBytes) => `<link ${generateWithin(remainingBytes - 20, (index) => `k${index}="" `)}/>`),
    ),
  'RSS: many character references': (bytes) =>
    rssFeed(
      bytes,
      rssItem((remainingBytes) => `<title>${repeatWithin('&amp;', remainingBytes - 20)}</title>`),
    ),
  'RSS: unclosed CDATA': (bytes) =>
    rssFeed(
      bytes,
      rssItem((remainingBytes) => repeatWithin('<![CDATA[', remainingBytes)),
    ),
  'RSS: elements with the name length': (bytes) =>
    rssFeed(
      bytes,
      rssItem((remainingBytes) => repeatWithin('<length>', remainingBytes)),
    ),
  'RSS: deeply nested HTML': (bytes) => rssFeed(bytes, rssItemWithHtml('<div>')),
  'RSS: nested links': (bytes) => rssFeed(bytes, rssItemWithHtml('<a href="https://a.test/">a')),
  'RSS: nested text styles': (bytes) => rssFeed(bytes, rssItemWithHtml('<b>a<i>')),
  'RSS: many pictures in a text': (bytes) =>
    rssFeed(
      bytes,
      rssItem(
        (remainingBytes) =>
          `<description><![CDATA[${generateWithin(remainingBytes - 60, (index) => `<img src="/${index}">`)}]]></description>`,
      ),
    ),
  'RSS: end tags without start tags': (bytes) => rssFeed(bytes, rssItemWithHtml('</p>')),
  'RSS: texts of URLs': (bytes) => rssFeed(bytes, rssItemsWithText('http://a.test/ ')),
  'RSS: texts of dots': (bytes) => rssFeed(bytes, rssItemsWithText('a.a.')),
  'RSS: texts of line breaks': (bytes) => rssFeed(bytes, rssItemsWithText('<br>')),
  'RSS: texts of spaces': (bytes) => rssFeed(bytes, rssItemsWithText('&nbsp;')),
  'RSS: texts of deeply nested HTML': (bytes) => rssFeed(bytes, rssItemsWithText('<ul><li>')),
  'RSS: texts of bold words': (bytes) => rssFeed(bytes, rssItemsWithText('<b>a</b> ')),
  'RSS: texts of different words': (bytes) =>
    rssFeed(bytes, (remainingBytes) =>
      generateWithin(
        remainingBytes,
        (index) =>
          `<item><guid>${index}</guid><description>${differentWords(index, remainingBytes / FEED_ITEMS)}</description></item>`,
      ),
    ),
  'Atom: many entries': (bytes) =>
    atomFeed(bytes, (remainingBytes) =>
      generateWithin(remainingBytes, (index) => `<entry><id>${index}</id><title>a</title></entry>`),
    ),
  'Atom: many links': (bytes) =>
    atomFeed(
      bytes,
      (remainingBytes) =>
        `<entry><id>1</id>${generateWithin(remainingBytes - 40, (index) => `<link rel="enclosure" href="/${index}.jpg" type="image/jpeg"/>`)}</entry>`,
    ),
  'Atom: XHTML': (bytes) =>
    atomFeed(
      bytes,
      (remainingBytes) =>
        `<entry><id>1</id><content type="xhtml"><div>${repeatWithin('<p><b>a</b></p>', remainingBytes - 90)}</div></content></entry>`,
    ),
  'JSON: deeply nested lists': (bytes) =>
    jsonFeed(bytes, (remainingBytes) => '['.repeat(remainingBytes / 2) + ']'.repeat(remainingBytes / 2)),
  'JSON: many items': (bytes) =>
    jsonFeed(bytes, (remainingBytes) => repeatInList('{"id":"1","content_text":"a"}', remainingBytes)),
  'JSON: many attachments': (bytes) =>
    jsonFeed(
      bytes,
      (remainingBytes) =>
        `{"id":"1","content_text":"a","attachments":[${repeatInList('{"url":"https://a.test/1.mp3","mime_type":"audio/mpeg"}', remainingBytes - 60)}]}`,
    ),
  'JSON: many keys': (bytes) =>
    jsonFeed(bytes, (remainingBytes) => `{"id":"1"${generateWithin(remainingBytes - 20, (index) => `,"k${index}":0`)}}`),
  'JSON: long text': (bytes) =>
    jsonFeed(bytes, (remainingBytes) => `{"id":"1","content_html":"${'<p>a'.repeat(remainingBytes / 4 - 20)}"}`),
  'page: many links to feeds': (bytes) =>
    `<html>${generateWithin(bytes - 20, (index) => `<link rel="alternate" type="application/rss+xml" href="/${index}.xml">`)}`,
  'page: angle brackets': (bytes) => '<'.repeat(bytes),
  'page: many base elements': (bytes) => `<html>${repeatWithin('<base href="/a/">', bytes - 20)}`,
  'page: many attributes': (bytes) => `<html><link ${generateWithin(bytes - 40, (index) => `k${index} `)}>`,
  'page: spaces': (bytes) => `${' '.repeat(bytes - 1)}x`,
  'page: unclosed comments': (bytes) => repeatWithin('<!--', bytes),
  'page: text': (bytes) => 'a'.repeat(bytes),
};

const telegramExport = (messages: string) => `{"name":"Town","type":"public_channel","id":77,"messages":[${messages}]}`;
const exportedMessage = (part: string, id = 1) =>
  `{"id":${id},"type":"message","date_unixtime":"1767225660","from_id":"channel77",${part}}`;

export const EXPORTS: Documents = {
  'many messages': (bytes) =>
    telegramExport(
      generateWithin(bytes - 100, (index) => `${index === 0 ? '' : ','}${exportedMessage('"text":"a"', index + 1)}`),
    ),
  'repeated message': (bytes) => telegramExport(repeatInList(exportedMessage('"text":"a"'), bytes - 100)),
  zeros: (bytes) => telegramExport(repeatInList('0', bytes - 100)),
  'deeply nested lists': (bytes) => telegramExport('['.repeat(bytes / 2) + ']'.repeat(bytes / 2)),
  'unclosed brackets': (bytes) => '['.repeat(bytes),
  'long text': (bytes) => telegramExport(exportedMessage(`"text":"${'a'.repeat(bytes - 200)}"`)),
  'text of escape sequences': (bytes) => telegramExport(exportedMessage(`"text":"${'\\u0000'.repeat(bytes / 6 - 50)}"`)),
  'text of many parts': (bytes) =>
    telegramExport(exportedMessage(`"text_entities":[${repeatInList('{"type":"bold","text":"a"}', bytes - 200)}]`)),
  'many keys': (bytes) => telegramExport(`{"id":1${generateWithin(bytes - 100, (index) => `,"k${index}":0`)}}`),
  'long number': (bytes) => telegramExport('1'.repeat(bytes - 100)),
  spaces: (bytes) => ' '.repeat(bytes),
};

const opml = (outlines: string) => `<?xml version="1.0"?><opml version="2.0"><body>${outlines}</body></opml>`;
const OUTLINE = '<outline type="rss" text="a" xmlUrl="https://a.test/"/>';

export const LISTS: Documents = {
  'repeated feed': (bytes) => opml(repeatWithin(OUTLINE, bytes - 80)),
  'one feed in many categories': (bytes) =>
    opml(generateWithin(bytes - 80, (index) => `<outline xmlUrl="https://a.test/" category="c${index}"/>`)),
  'many feeds': (bytes) => opml(generateWithin(bytes - 80, (index) => `<outline text="a" xmlUrl="https://a.test/${index}"/>`)),
  'many categories': (bytes) =>
    opml(`<outline xmlUrl="https://a.test/" category="${generateWithin(bytes - 160, (index) => `c${index},`)}"/>`),
  'deeply nested folders': (bytes) =>
    opml(repeatWithin('<outline text="a">', (bytes - 80) / 2) + repeatWithin('</outline>', (bytes - 80) / 2)),
  'unclosed folders': (bytes) => opml(repeatWithin('<outline text="a">', bytes - 80)),
  ampersands: (bytes) => opml(`<outline text="${repeatWithin('&', (bytes - 160) / 5)}"/>`),
  'many attributes': (bytes) => opml(`<outline ${generateWithin(bytes - 160, (index) => `k${index}="" `)}/>`),
  'incomplete start tags': (bytes) => '<opm'.repeat(bytes / 4),
  spaces: (bytes) => ' '.repeat(bytes),
};
