// Fuzz properties of feeds: parsers, discovery, and addresses (SSRF).

import assert from 'node:assert/strict';
import { BlockList } from 'node:net';
import fc from 'fast-check';
import { parseOwnChannelUrl } from '../../server/readers/feeds.ts';
import { FetchError } from '../../server/sources/fetch/errors.ts';
import { isPublicAddress, parseUntrustedUrl } from '../../server/sources/fetch/ssrf-protection.ts';
import { findFeedLinks } from '../../server/sources/rss/add-feed.ts';
import { composeFeed, composeItems, messageOf } from '../../server/sources/rss/items.ts';
import { decodeText } from '../../server/sources/rss/parse/charset.ts';
import { parseFeedDate } from '../../server/sources/rss/parse/fields.ts';
import { parseFeedDocument } from '../../server/sources/rss/parse/parse-feed.ts';
import { htmlToText } from '../../server/sources/rss/text/html-text.ts';
import { findAddresses } from '../../server/sources/rss/text/item-text.ts';
import { FeedError } from '../../server/sources/rss/types.ts';
import { checkPost } from '../server/sources/telegram/messages.ts';
import { orNullIfRejected, property } from './property.ts';
import { checkPublished } from './published.ts';
import { json, mutated, mutatedText, text } from './values.ts';

const ADDRESS = 'https://blog.example/feeds/all.xml';
const HTML = `<p>One <b>two</b> <a href="/x">three</a></p><ul><li value="3">four<ol start="2"><li>five</ol></ul>
<pre><code class="language-ts">a &lt; b</code></pre><img src="/a.jpg" width="600"><table><tr><td>1<td>2</table><q>six</q>`;
const IN_RSS = `<title>T</title><link>https://blog.example/1</link><guid>1</guid><pubDate>Tue, 05 Mar 2024 10:00:00 +0300</pubDate>
<description><![CDATA[${HTML}]]></description><enclosure url="https://blog.example/a.mp3" length="9" type="audio/mpeg"/>
<media:content url="https://blog.example/b.jpg" medium="image"/><dc:creator>Ann</dc:creator>`;

const FEEDS = [
  `<?xml version="1.0"?><rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
<title>Blog</title><link>https://blog.example/</link><ttl>60</ttl><image><url>/l.png</url></image><item>${IN_RSS}</item><item>${IN_RSS}</item></channel></rss>`,
  `<feed xmlns="http://www.w3.org/2005/Atom"><title>Blog</title><updated>2024-03-05T10:00:00Z</updated><entry><id>urn:1</id><title type="html">T</title>
<link rel="alternate" href="/1"/><link rel="enclosure" href="/a.mp4" type="video/mp4"/><updated>2024-03-05T10:00:00Z</updated><content type="xhtml"><div>${HTML.replaceAll('<li>five</ol>', '<li>five</li></ol>')}</div></content>
<author><name>Ann</name></author></entry></feed>`,
  `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel rdf:about="/"><title>B</title></channel>
<item rdf:about="/1"><title>T</title><link>/1</link><description>d</description></item></rdf:RDF>`,
];

const FRAGMENTS = [
  ...[
    '<',
    '>',
    '&',
    ']]>',
    '<![CDATA[',
    '<!--',
    '-->',
    '<item>',
    '</item>',
    '<entry/>',
    '<title>',
    '</channel>',
    '<a href="',
    '" x="',
  ],
  ...[
    '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>',
    '&b;',
    '&#x110000;',
    '&#0;',
    '<?xml encoding="utf-7"?>',
    '<div>',
    '<svg>',
  ],
  ...[
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<a href="javascript:alert(1)">',
    '<template>',
    '<p hidden>',
    '<blockquote>',
    '<length>5000000</length>',
  ],
];

const JSON_FEED = {
  ...{
    version: 'https://jsonfeed.org/version/1.1',
    title: 'Blog',
    home_page_url: 'https://blog.example/',
    icon: 'https://blog.example/i.png',
  },
  items: [
    {
      ...{ id: '1', url: 'https://blog.example/1', title: 'T', content_html: HTML, date_published: '2024-03-05T10:00:00Z' },
      ...{ authors: [{ name: 'Ann' }], image: 'https://blog.example/a.jpg' },
      attachments: [{ url: 'https://blog.example/a.mp3', mime_type: 'audio/mpeg', size_in_bytes: 9, duration_in_seconds: 3 }],
    },
  ],
};

const PAGE = `<!doctype html><html><head><base href="/blog/"><title>Blog</title>
<link rel="alternate" type="application/rss+xml" title="All" href="all.xml"><link rel="alternate" type="application/atom+xml"
title="Comments" href="https://blog.example/c"><link rel='home alternate' type=application/feed+json href=//b.example/f.json></head>`;

const NOW = 1_767_225_600;

const readDocument = async (document: string): Promise<void> => {
  const feed = orNullIfRejected(() => parseFeedDocument(document, ADDRESS), FeedError);
  if (feed === null) return;
  for (const [at, item] of (await composeItems(composeFeed(feed).items, 'Blog', NOW)).entries()) {
    const date = Math.min(item.date ?? NOW, NOW);
    const message = messageOf('f-1', item, {
      key: item.key,
      id: (at + 1) * 10,
      date,
      edited: item.updated,
      modifiedAt: NOW,
      shouldFetchFiles: true,
      isChanged: true,
    });
    checkPost(message);
    checkPublished({ ...message.post, media: message.media.map(({ unique: _unique, ...one }) => one) });
  }
};

/** Networks that no fetch may reach, listed independently of the implementation in the server. */
const PRIVATE = new BlockList();
for (const [net, bits] of [
  ...([
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
  ] as const),
  ...([
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
  ] as const),
  ...([
    ['203.0.113.0', 24],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
  ] as const),
] as const)
  PRIVATE.addSubnet(net, bits);

const four = fc.oneof(
  fc.ipV4(),
  fc
    .tuple(
      fc.constantFrom('0', '10', '100.64', '127', '169.254', '172.16', '172.31', '192.168', '198.18', '224', '255'),
      fc.ipV4(),
    )
    .map(([start, rest]) => [...start.split('.'), ...rest.split('.')].slice(0, 4).join('.')),
);
const partsOf = (address: string): number[] => address.split('.').map(Number);
const numberOf = (address: string): number => partsOf(address).reduce((sum, part) => sum * 256 + part, 0);

/** Ways to write an IPv4 address as a host. Browsers and Node parse all of them to the same address. */
const HOST_FORMATS: readonly ((address: string) => string)[] = [
  (address) => address,
  (address) => `${address}.`,
  (address) => String(numberOf(address)),
  (address) => `0x${numberOf(address).toString(16)}`,
  (address) => `0${numberOf(address).toString(8)}`,
  (address) =>
    partsOf(address)
      .map((part) => `0${part.toString(8)}`)
      .join('.'),
  (address) =>
    partsOf(address)
      .map((part) => `0x${part.toString(16)}`)
      .join('.'),
  (address) => address.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
  (address) => address.replaceAll('.', '。'),
  (address) => address.replaceAll('.', '%2e'),
  (address) => `[::ffff:${address}]`,
  (address) => `[64:ff9b::${address}]`,
];

/** Properties of the parsers of untrusted feeds, pages and addresses. */
export const FEED_PROPERTIES = [
  property(
    'feed: RSS, Atom and RDF are parsed or rejected, and parsed posts can be published',
    mutatedText(FRAGMENTS, ...FEEDS),
    readDocument,
    ['<rss version="2.0"><channel><item><title>t</title><author><length>400000000</length></author></item></channel></rss>'],
  ),
  property(
    'feed: JSON Feed is parsed or rejected',
    mutated(JSON_FEED).map((value) => JSON.stringify(value)),
    readDocument,
    [
      ...['1e999', 9.5].map((size) =>
        JSON.stringify(JSON_FEED).replace('"size_in_bytes":9', `"size_in_bytes":${JSON.stringify(size)}`),
      ),
      JSON.stringify({ ...JSON_FEED, items: [{ id: '1', title: 't', authors: { length: 4e8 } }] }),
    ],
  ),
  property(
    'feed: any text or JSON is parsed or rejected',
    fc.oneof(
      text,
      json.map((value) => JSON.stringify(value)),
    ),
    readDocument,
  ),
  property('HTML: gives text, entities within it, and safe links', mutatedText(FRAGMENTS, HTML), (html) => {
    const { text: read, entities, images } = htmlToText(html, ADDRESS, 8192);
    for (const { offset, length, url } of entities) {
      assert.ok(offset >= 0 && length > 0 && offset + length <= read.length);
      assert.match(url ?? 'https:', /^(https?|mailto|tel):/);
    }
    for (const image of images) assert.match(image, /^https?:/);
  }),
  property(
    'feed discovery finds only addresses that can be fetched, each once',
    mutatedText([...FRAGMENTS, '<base href="javascript:', '<base href="https://[">', 'alternate', '<title>', '<!--'], PAGE),
    (html) => {
      const found = findFeedLinks(html, ADDRESS);
      assert.equal(new Set(found).size, found.length);
      for (const address of found) assert.match(new URL(address).protocol, /^https?:$/);
    },
    [PAGE],
  ),
  property(
    'text is decoded from any encoding, whatever encoding it declares',
    fc.tuple(fc.uint8Array({ maxLength: 300 }), fc.oneof(text, fc.constantFrom('utf-7', 'utf-16', 'gbk', 'x')), fc.boolean()),
    ([bytes, label, declared]) => {
      const start = declared ? Buffer.from(`<?xml version="1.0" encoding="${label}"?>`) : Buffer.alloc(0);
      assert.equal(typeof decodeText(Buffer.concat([start, bytes]), `text/xml; charset=${label}`), 'string');
    },
  ),
  property(
    'dates are integer seconds, or missing',
    fc.oneof(text, mutatedText(['Z', '(', '+', ':'], '2024-03-05T10:00:00Z')),
    (date) => {
      const seconds = parseFeedDate(date);
      assert.ok(seconds === null || (Number.isSafeInteger(seconds) && seconds > 0));
    },
  ),
  property(
    'addresses in a text are within it and can be opened',
    mutatedText(['http://', 'https://[', ')', '.'], 'a https://x.example/b c'),
    (input) => {
      for (const { offset, length } of findAddresses(input, []))
        assert.match(new URL(input.slice(offset, offset + length)).protocol, /^https?:$/);
    },
  ),
  property(
    'untrusted addresses are parsed or rejected',
    fc.oneof(text, fc.webUrl(), mutatedText(['@', ':', '%', '[', '\\'], ADDRESS)),
    (input) => {
      parseOwnChannelUrl(input, new Set(['changer.example']));
      const url = orNullIfRejected(() => parseUntrustedUrl(input, new URL(ADDRESS)), FetchError);
      if (url !== null && !url.hostname.endsWith('.')) assert.equal(parseUntrustedUrl(url.href).href, url.href);
    },
  ),
  property(
    'no spelling makes a private IPv4 address public',
    fc.tuple(four, fc.constantFrom(...HOST_FORMATS)),
    ([address, format]) => {
      const host = parseUntrustedUrl(`http://${format(address)}/`).hostname.replace(/^\[|\]$/g, '');
      if (PRIVATE.check(address)) assert.equal(isPublicAddress(host), false, host);
    },
  ),
  property('only global unicast IPv6 addresses are public', fc.oneof(fc.ipV6(), text), (address) => {
    const host = orNullIfRejected(() => parseUntrustedUrl(`http://[${address}]/`), FetchError)?.hostname ?? '';
    if (isPublicAddress(host.slice(1, -1))) assert.match(host, /^\[([23]|64:ff9b::|::ffff:)/);
  }),
];
