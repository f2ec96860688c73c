// Feed parser: RSS, Atom and JSON Feed, encodings, and hostile documents.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeText } from '../../../../server/sources/rss/parse/charset.ts';
import { parseFeedDate } from '../../../../server/sources/rss/parse/fields.ts';
import { parseFeedDocument } from '../../../../server/sources/rss/parse/parse-feed.ts';
import { composeText } from '../../../../server/sources/rss/text/item-text.ts';
import { FeedError, type FeedItem, type ParsedFeed } from '../../../../server/sources/rss/types.ts';
import { measureRelativeCpuTime } from '../../../support/machine-speed.ts';

const ADDRESS = 'https://blog.example/feeds/all.xml';

const itemOf = (feed: ParsedFeed, at = 0): FeedItem => {
  const item = feed.items[at];
  assert.ok(item, `item ${at}`);
  return item;
};

const rss = (
  items: string,
  head = '<title>Blog</title><link>https://blog.example/</link>',
) => `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"
  xmlns:sy="http://purl.org/rss/1.0/modules/syndication/" xmlns:media="http://search.yahoo.com/mrss/"
  xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>${head}${items}</channel></rss>`;

describe('parseFeedDocument', () => {
  it('reads RSS 2.0 with content:encoded, as WordPress writes it', () => {
    const feed = parseFeedDocument(
      rss(
        `<item><title>Caf&#233; &amp;amp; Bar &#8211; open</title><link>https://blog.example/2024/cafe/?a=1&amp;b=2</link>
         <dc:creator><![CDATA[Ann]]></dc:creator><pubDate>Tue, 05 Mar 2024 10:00:00 +0300</pubDate>
         <guid isPermaLink="false">https://blog.example/?p=7</guid>
         <description><![CDATA[<p>Short &#8230; <a href="/2024/cafe/">Read more</a></p>]]></description>
         <content:encoded><![CDATA[<p>Long &amp; <strong>good</strong> &lt;3.</p><img src="/a.jpg" width="600" height="400">]]></content:encoded></item>`,
        `<title>Blog &amp; co</title><link>https://blog.example/</link><description>All of it</description><ttl>90</ttl>
         <image><url>/logo.png</url><title>Blog</title><link>https://blog.example/</link></image>`,
      ),
      ADDRESS,
    );
    assert.deepEqual(
      { ...feed, items: [] },
      {
        title: { html: 'Blog & co' },
        about: { html: 'All of it' },
        picture: 'https://blog.example/logo.png',
        everySeconds: 5400,
        items: [],
      },
    );
    const item = itemOf(feed);
    assert.equal(item.guid, 'https://blog.example/?p=7');
    assert.equal(item.link, 'https://blog.example/2024/cafe/?a=1&b=2');
    assert.equal(item.author, 'Ann');
    assert.equal(item.date, Date.UTC(2024, 2, 5, 7) / 1000);
    const { text, entities, images } = composeText(item);
    assert.equal(text, 'Café & Bar – open\n\nLong & good <3.');
    assert.deepEqual(entities, [
      { type: 'bold', offset: 0, length: 17 },
      { type: 'bold', offset: 26, length: 4 },
    ]);
    assert.deepEqual(images, ['https://blog.example/a.jpg']);
  });

  it('reads Atom with xhtml, html and text, and links against xml:base', () => {
    const feed = parseFeedDocument(
      `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://atom.example/b/"><title type="html">A &amp;lt;b&amp;gt; c</title>
       <subtitle>Sub</subtitle><id>urn:f</id><updated>2024-01-02T03:04:05Z</updated><icon>i.png</icon>
       <entry><title>1 &lt; 2 &amp; "3"</title><id>urn:1</id><link rel="self" href="x.atom"/><link href="post/1"/>
         <link rel="enclosure" type="audio/mpeg" length="1000" href="/a.mp3"/><author><name>Bob</name></author>
         <published>2024-01-01T00:00:00+02:00</published><updated>2024-01-02T00:00:00Z</updated>
         <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Hi <em>x</em> &lt;y&gt;, <a href="../z">z</a></p></div></content></entry>
       <entry><title>t</title><id>urn:2</id><updated>2024-01-02T00:00:00Z</updated><summary>a &lt; b</summary></entry></feed>`,
      ADDRESS,
    );
    assert.deepEqual(feed.title, { html: 'A &lt;b&gt; c' });
    assert.equal(feed.picture, 'https://atom.example/b/i.png');
    const item = itemOf(feed);
    assert.equal(item.link, 'https://atom.example/b/post/1');
    assert.equal(item.date, Date.UTC(2023, 11, 31, 22) / 1000);
    assert.equal(item.updated, Date.UTC(2024, 0, 2) / 1000);
    assert.deepEqual(item.files, [{ url: 'https://atom.example/a.mp3', type: 'audio', mime: 'audio/mpeg', size: 1000 }]);
    const { text, entities } = composeText(item);
    assert.equal(text, '1 < 2 & "3"\n\nHi x <y>, z');
    assert.deepEqual(entities.at(-1), { type: 'text_link', url: 'https://atom.example/b/z', offset: 23, length: 1 });
    assert.equal(composeText(itemOf(feed, 1)).text, 't\n\na < b');
  });

  it('resolves the links of an RSS item against its xml:base, also if it is relative or empty', () => {
    const imageOf = (base: string) => {
      const content = '<description>&lt;img src="a.jpg"></description>';
      const item = `<item xml:base="${base}"><link>https://blog.example/posts/1</link>${content}</item>`;
      return composeText(itemOf(parseFeedDocument(rss(item), ADDRESS))).images;
    };
    assert.deepEqual(imageOf('https://cdn.example/x/'), ['https://cdn.example/x/a.jpg']);
    assert.deepEqual(imageOf('/files/'), ['https://blog.example/files/a.jpg']);
    assert.deepEqual(imageOf(''), ['https://blog.example/posts/a.jpg']);
  });

  it('reads RDF 1.0', () => {
    const feed = parseFeedDocument(
      `<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
       xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/">
       <channel rdf:about="https://rdf.example/"><title>R</title><link>https://rdf.example/</link><description>D</description>
       <sy:updatePeriod>hourly</sy:updatePeriod><sy:updateFrequency>2</sy:updateFrequency></channel>
       <item rdf:about="https://rdf.example/1"><title>One</title><link>https://rdf.example/1</link>
       <description>&lt;b&gt;bold&lt;/b&gt; words</description><dc:date>2024-05-06T07:08:09Z</dc:date></item></rdf:RDF>`,
      ADDRESS,
    );
    assert.equal(feed.everySeconds, 1800);
    assert.equal(itemOf(feed).guid, 'https://rdf.example/1');
    assert.equal(itemOf(feed).date, Date.UTC(2024, 4, 6, 7, 8, 9) / 1000);
    assert.equal(composeText(itemOf(feed)).text, 'One\n\nbold words');
  });

  it('reads JSON Feed 1.1', () => {
    const feed = parseFeedDocument(
      JSON.stringify({
        version: 'https://jsonfeed.org/version/1.1',
        title: 'J',
        home_page_url: 'https://json.example/',
        icon: 'https://json.example/icon.png',
        items: [
          { id: 1, content_text: 'Plain <b> https://x.example/y_(z).\nTwo', url: '/1', date_published: '2024-01-01T00:00:00Z' },
          { id: '2', content_html: '<p>x</p>', attachments: [{ url: 'javascript:x', mime_type: 'audio/mpeg' }] },
        ],
      }),
      ADDRESS,
    );
    const item = itemOf(feed);
    assert.equal(item.guid, '1');
    assert.equal(item.link, 'https://json.example/1');
    const { text, entities } = composeText(item);
    assert.equal(text, 'Plain <b> https://x.example/y_(z).\nTwo');
    assert.deepEqual(entities, [{ type: 'url', offset: 10, length: 23 }]);
    assert.deepEqual(itemOf(feed, 1).files, []);
  });

  it('reads the files of YouTube and podcast feeds', () => {
    const video = parseFeedDocument(
      `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns:media="http://search.yahoo.com/mrss/">
       <title>Y</title><entry><id>yt:video:x</id><title>V</title><link rel="alternate" href="https://www.youtube.com/watch?v=x"/>
       <published>2024-01-01T00:00:00+00:00</published><media:group><media:title>V</media:title>
       <media:content url="https://www.youtube.com/v/x?version=3" type="application/x-shockwave-flash"/>
       <media:thumbnail url="https://i.ytimg.com/vi/x/hq.jpg" width="480" height="360"/>
       <media:description>Line one
line two</media:description></media:group></entry></feed>`,
      ADDRESS,
    );
    assert.deepEqual(itemOf(video).files, [{ url: 'https://i.ytimg.com/vi/x/hq.jpg', type: 'photo' }]);
    assert.equal(composeText(itemOf(video)).text, 'V\n\nLine one\nline two');
    const podcast = parseFeedDocument(
      rss(
        `<item><title>E</title><enclosure url="https://pod.example/e.mp3?x=1" length="0" type="audio/mpeg"/><itunes:duration>01:02:03</itunes:duration></item>`,
      ),
      ADDRESS,
    );
    assert.deepEqual(itemOf(podcast).files, [
      { url: 'https://pod.example/e.mp3?x=1', type: 'audio', mime: 'audio/mpeg', duration: 3723 },
    ]);
  });

  it('explains in a sentence why a document is no feed', () => {
    const cases: Record<string, RegExp> = {
      '': /empty/,
      ' \n': /empty/,
      'not a feed': /not an RSS, Atom or JSON feed/,
      '<!doctype html><html><body><p>A page</p></body></html>': /not an RSS, Atom or JSON feed/,
      '{"title": ': /not an RSS, Atom or JSON feed/,
      '{"hello": "world"}': /not an RSS, Atom or JSON feed/,
      '<?xml version="1.0"?><rss version="2.0"><channel><item><': /malformed/,
    };
    for (const [document, message] of Object.entries(cases))
      assert.throws(
        () => parseFeedDocument(document, ADDRESS),
        (error) => error instanceof FeedError && message.test(error.message),
        document,
      );
  });

  it('parses hostile documents without delay, and expands no entities', () => {
    const lol = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('');
    const hostile = [
      `<!DOCTYPE x [<!ENTITY l0 "lol">${lol}]>${rss('<item><title>&l9;</title></item>')}`,
      `<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>${rss('<item><title>&f;</title></item>')}`,
      rss('<a>'.repeat(200_000)),
      rss('<item>'.repeat(200_000)),
      rss(`<item><description>${'&lt;div&gt;'.repeat(100_000)}</description></item>`),
      rss(`<item><title>${'&amp;'.repeat(300_000)}</title></item>`),
      rss('<item><title>x</title></item>'.repeat(50_000)),
    ];
    for (const document of hostile) {
      const megabytes = measureRelativeCpuTime(() => {
        try {
          for (const item of parseFeedDocument(document, ADDRESS).items) {
            const { text } = composeText(item);
            assert.ok(text.length < 9000 && !text.includes('root:') && !text.includes('lollol'), text.slice(0, 100));
          }
        } catch (error) {
          assert.ok(error instanceof FeedError, String(error));
        }
      });
      assert.ok(megabytes < 500, `${document.slice(0, 100)}: as much work as ${megabytes} megabytes of JSON`);
    }
  });
});

/** As the length of an array this takes a second. With 400 million or 4,000 million, the process crashes. */
const MANY = '5000000';
const rssBy = (author: string, more = '') => rss(`<item${more}><title>a</title><author>${author}</author></item>`);
const named = (prefix: string, name: string, items: string) =>
  `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:${prefix}="http://www.w3.org/2005/Atom"><title>T</title><entry><id>1</id>
   <author><${name}>${items}</${name}></author></entry></feed>`;
const jsonFeed = (more: string) => `{"version": "https://jsonfeed.org/version/1.1", "title": "B", ${more}}`;

describe('a feed with an element that the parser reads as a size', () => {
  const hostile: Record<string, string> = {
    'in JSON': jsonFeed(`"items": [{"id": "1", "tags": {"length": ${MANY}}}]`),
    'in JSON, as a text, escaped': jsonFeed(`"items": {"l\\u0065ngth": "5e6"}`),
    'in JSON, nested deep': jsonFeed(`"a": ${'['.repeat(50_000)}${']'.repeat(50_000)}, "items": {"length": ${MANY}}`),
    'in RSS': rssBy(`<length>${MANY}</length>`),
    'in other letters and spaces': rssBy('<LenGTH\n\t>0x4c4b40</LenGTH>'),
    'in CDATA, with a comment': rssBy('<length><![CDATA[5]]>e<!-- -->6</length>'),
    'after what looks like CDATA': rssBy(`<length>${MANY}</length>`, ' a="<![CDATA["'),
    'after what looks like a comment': rssBy(`<length>${MANY}</length><!-- -->`, ' a="<!--"'),
    'as a list of items': rss(`<item><length>${MANY}</length></item>`),
    'behind a prefix': named('a', 'a:length', MANY),
    'behind prefixes': named('a', 'a:A:Length', MANY),
    'behind a prefix that ends a tag': named('"<>"', '"<>":length', MANY),
    'behind a prefix that begins CDATA': named('"<![CDATA["', '"<![CDATA[":length', MANY),
  };
  for (const [name, document] of Object.entries(hostile))
    it(`is parsed or rejected as fast as any other: ${name}`, () => {
      const megabytes = measureRelativeCpuTime(() => {
        try {
          parseFeedDocument(document, ADDRESS);
        } catch (error) {
          assert.ok(error instanceof FeedError, String(error));
        }
      });
      assert.ok(megabytes < 8, `as much work as ${megabytes} megabytes of JSON`);
    });

  it('keeps all other elements and texts that contain "length"', () => {
    const original = 'a <length> or x:length /, <![x:Length>';
    const texts = [
      `<![CDATA[${original}]]>`,
      original.replaceAll('<', '&lt;'),
      `<![CDATA[a <]]>length<![CDATA[> or x:]]>length /, &lt;<![CDATA[![x:Length>]]>`,
    ];
    for (const text of texts) {
      const feed = parseFeedDocument(
        `<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><entry><id>1</id>
        <title>${text}</title><a:length xmlns:a="urn:a">5</a:length><length>5</length>
        <link rel="enclosure" href="/a.mp3" title="x:length " length="1000"/><summary>s</summary></entry></feed>`,
        ADDRESS,
      );
      const item = itemOf(feed);
      assert.deepEqual(item.title, { plain: original });
      assert.equal(item.files[0]?.size, 1000);
      assert.deepEqual(itemOf(parseFeedDocument(rss(`<item><title>${text}</title><length>5</length></item>`), ADDRESS)).title, {
        html: original,
      });
    }
    const item = itemOf(
      parseFeedDocument(jsonFeed(`"items": [{"id": "1", "length": 5, "title": "<length>", "content_text": "length"}]`), ADDRESS),
    );
    assert.deepEqual(item.title, { plain: '<length>' });
  });
});

describe('decodeText', () => {
  const CYRILLIC = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]);

  it('uses the byte order mark, else the header, else the XML declaration, else UTF-8', () => {
    const declared = Buffer.concat([Buffer.from('<?xml version="1.0" encoding="windows-1251"?><t>'), CYRILLIC]);
    assert.match(decodeText(declared, 'text/xml'), /<t>Привет$/);
    assert.equal(decodeText(CYRILLIC, 'text/xml; charset="Windows-1251"'), 'Привет');
    assert.match(decodeText(Buffer.from('<?xml version="1.0" encoding="windows-1251"?>я'), 'text/xml; charset=utf-8'), /я$/);
    assert.equal(decodeText(Buffer.from('\ufeffя'), 'text/xml; charset=windows-1251'), 'я');
    assert.equal(decodeText(Buffer.from('\ufeffя', 'utf16le')), 'я');
    assert.equal(decodeText(Buffer.from('я'), 'text/xml; charset=unheard-of'), 'я');
  });
});

describe('parseFeedDate', () => {
  it('reads the date formats of feeds, the same on every machine', () => {
    const noon = Date.UTC(2024, 0, 2, 12) / 1000;
    const spellings = ['2024-01-02T12:00:00Z', '2024-01-02T14:00:00+02:00', '2024-01-02 12:00:00', '2024-01-02T12:00:00'];
    for (const text of [...spellings, 'Tue, 02 Jan 2024 12:00:00 GMT', '2 Jan 2024 12:00:00', 'Tue, 02 Jan 2024 07:00:00 EST'])
      assert.equal(parseFeedDate(text), noon, text);
    assert.equal(parseFeedDate('2024-01-02'), Date.UTC(2024, 0, 2) / 1000);
  });

  it('returns null for an invalid date, or one long before feeds existed', () => {
    for (const text of [undefined, '', 'yesterday', '1970-01-01T00:00:00Z', '0000-00-00', 'Вт, 02 янв 2024'])
      assert.equal(parseFeedDate(text), null);
  });
});
