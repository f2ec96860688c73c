// HTML of feeds: conversion to text with entities.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Entity } from '../../../../contract/post.ts';
import { htmlToText } from '../../../../server/sources/rss/text/html-text.ts';
import { composeText, feedTextToLine } from '../../../../server/sources/rss/text/item-text.ts';
import type { FeedItem } from '../../../../server/sources/rss/types.ts';
import { measureRelativeCpuTime } from '../../../support/machine-speed.ts';

const BASE = 'https://site.example/posts/';
const read = (html: string) => htmlToText(html, BASE, 8192);
const textOf = (html: string) => read(html).text;

/** Returns each entity as its type, its text and its other fields. */
const describeEntities = (text: string, entities: readonly Entity[]): string[] =>
  entities.map(({ type, offset, length, url, language }) =>
    [type, JSON.stringify(text.slice(offset, offset + length)), url, language].filter(Boolean).join(' '),
  );
const describeHtml = (html: string) => {
  const { text, entities } = read(html);
  return describeEntities(text, entities);
};

describe('htmlToText', () => {
  it('lays out text like a browser', () => {
    assert.equal(
      textOf('<p>One\n  two</p>\n<p>Three<br>four</p><div>five</div><div>six</div>'),
      'One two\n\nThree\nfour\n\nfive\nsix',
    );
    assert.equal(textOf('<h2>Head</h2><p>&nbsp;</p><p>a&nbsp;b</p><p> </p>'), 'Head\n\na\u00a0b');
    assert.equal(textOf('x<br><br><br><br>y<hr>z'), 'x\n\ny\n\nz');
    assert.equal(textOf('<table><tr><th>A<td>B<tr><td>1</td><td>2</td></table>'), 'A | B\n1 | 2');
    assert.equal(textOf('say <q>hi</q>'), 'say “hi”');
  });

  it('decodes entities once', () => {
    assert.equal(textOf('&lt;b&gt; &amp;lt; &#1071; &#x1F600; &eacute; &nope; &#0;'), '<b> &lt; Я 😀 é &nope; \ufffd');
  });

  it('keeps formatting, with offsets in UTF-16 units', () => {
    assert.deepEqual(
      describeHtml('😀<b>b<i>bi</i></b> <u>u</u> <del>s</del> <code>c</code> <sub>1</sub><sup>2</sup> <mark>m</mark>'),
      [
        'italic "bi"',
        'bold "bbi"',
        'underline "u"',
        'strikethrough "s"',
        'code "c"',
        'subscript "1"',
        'superscript "2"',
        'marked "m"',
      ],
    );
    assert.deepEqual(read('😀😀 <b> x </b> y').entities, [{ type: 'bold', offset: 5, length: 1 }]);
    assert.deepEqual(describeHtml('<b><strong>x</strong></b><i> </i><em></em>'), ['bold "x"']);
    assert.deepEqual(describeHtml('<blockquote><p>a</p><p>b</p></blockquote>c'), ['blockquote "a\\n\\nb"']);
  });

  it('keeps code unchanged, with its language', () => {
    const { text, entities } = read('<pre><code class="language-TS">if (a &lt; b) {\n\tc();\n\n}\n</code></pre>after');
    assert.equal(text, 'if (a < b) {\n    c();\n\n}\n\nafter');
    assert.deepEqual(describeEntities(text, entities), ['pre "if (a < b) {\\n    c();\\n\\n}" ts']);
  });

  it('converts lists to lines', () => {
    assert.equal(
      textOf('<p>x</p><ul><li>a<li><p>b</p><ol start="9"><li>c</li><li value="20">d</li><li>e</li></ol></li><li></li></ul>y'),
      'x\n\n• a\n\n• b\n\n   9. c\n   20. d\n   21. e\n\ny',
    );
    assert.deepEqual(describeHtml('<blockquote><ul><li><a href="/x">l</a></ul></blockquote>'), [
      'text_link "l" https://site.example/x',
      'blockquote "• l"',
    ]);
  });

  it('links only to web pages, mail and telephone numbers', () => {
    const links = describeHtml(
      '<a href="../a?b=1&amp;c">a</a> <a href="//x.example">b</a> <a href="mailto:a@b.c">c</a> <a href=" tel:+1 ">d</a>',
    );
    assert.deepEqual(links, [
      'text_link "a" https://site.example/a?b=1&c',
      'text_link "b" https://x.example/',
      'text_link "c" mailto:a@b.c',
      'text_link "d" tel:+1',
    ]);
    const unsafeUrls = [
      'javascript:alert(1)',
      ' JaVaScRiPt:alert(1)',
      'java\nscript:alert(1)',
      '&#106;&#97;vascript&colon;alert(1)',
      '\u0001javascript:alert(1)',
      'data:text/html,<script>alert(1)</script>',
      'vbscript:x',
      'file:///etc/passwd',
      'https://bank.example@evil.example/',
      'blob:https://x/y',
      'tg://resolve?domain=x',
      'intent://x',
      'http://[bad',
      `https://x.example/${'a'.repeat(3000)}`,
    ];
    for (const href of unsafeUrls) assert.deepEqual(read(`<a href="${href}">x</a>`).entities, [], href);
  });

  it('removes scripts, frames, drawings, form controls and hidden content', () => {
    const dropped = [
      '<script>alert(1)</script>',
      '<SCRIPT SRC=//x.example/x.js></SCRIPT>',
      '<script>a</script b>',
      '<style>p{}</style>',
      '<iframe src="https://x.example"><p>frame</p></iframe>',
      '<svg><script>alert(1)</script><text>drawn</text></svg>',
      '<svg/onload=alert(1)></svg>',
      '<math><mtext><img src=x onerror=alert(1)></mtext></math>',
      '<object data="x"><embed src="y">inside</object>',
      '<noscript><img src="https://x.example/a.png">no</noscript>',
      '<template><b>t</b></template>',
      '<button>Subscribe</button><select><option>1</select><textarea><b></textarea>',
      '<span style="display:none">d</span>',
      '<span style="color:red; Display : NONE">d</span>',
      '<p style="font-size:0">d</p>',
      '<p style="visibility:hidden">d<b>e</b></p>',
      '<p hidden>d</p>',
      '<span aria-hidden="true">#</span>',
      '<span class="x sr-only">d</span>',
      '<img src="x.png" hidden>',
      '<!-- comment --><![CDATA[ c ]]><?php x ?>',
      '<head><title>t</title><meta http-equiv="refresh" content="0;url=javascript:alert(1)"></head>',
      '<audio src="x" autoplay>a</audio><video poster="x"><source src="y">v</video>',
    ];
    for (const html of dropped) {
      const { text, entities, images } = read(`a ${html} b`);
      assert.equal(text.replace(/\s+/g, ' '), 'a b', html);
      assert.deepEqual([entities, images], [[], []], html);
    }
    assert.equal(textOf('<p style="font-size:0.9em">shown</p>'), 'shown');
  });

  it('continues after broken markup', () => {
    const broken = [
      '<b',
      '</nope>',
      '<a href="',
      '<p <p>',
      '<![CDATA[',
      '<!--',
      '<img """><script>alert("x")</script>"\\>',
      '<<b>>',
    ];
    for (const html of broken) assert.ok(textOf(`start ${html}`).startsWith('start'), html);
    assert.equal(textOf('<div><b>x</div>y'), 'x\ny');
  });

  it('keeps pictures, but no tracking pixels, ornaments or smileys', () => {
    const { text, images } = read(
      `<img src="/a.jpg"><img src="/a.jpg"><img src="t.gif" width="1" height="1"><img src="s.png" width=16>
       <img class="wp-smiley" alt="🙂" src="x.png"><img alt="😀" src="y.png"><img src="data:image/png;base64,AA">
       <img src="data:image/gif;base64,AA" data-src="lazy.jpg"><img src="javascript:alert(1)" onerror="alert(1)">`,
    );
    assert.deepEqual(images, ['https://site.example/a.jpg', 'https://site.example/posts/lazy.jpg']);
    assert.equal(text, '🙂😀');
  });

  it('returns no invisible text', () => {
    assert.equal(textOf('a\u0000b\u0007c\u001bd\ufeffe\u009ff'), 'abcdef');
  });

  it('parses hostile HTML without delay, whatever its size', () => {
    const hostile = {
      nested: '<div>'.repeat(60_000),
      closed: `${'<i>'.repeat(150)}${'</b>'.repeat(70_000)}`,
      attributes: `<p ${'a=b '.repeat(70_000)}>`,
      style: `<p style="${'display '.repeat(37_000)}">`,
      angles: '<'.repeat(300_000),
      marks: '<b>x</b>'.repeat(37_000),
      breaks: '<br>'.repeat(70_000),
      spaces: `<p>${' '.repeat(290_000)}</p>`,
      entities: '&amp;'.repeat(60_000),
      long: 'word '.repeat(1_000_000),
    };
    for (const [name, html] of Object.entries(hostile)) {
      let text = '';
      const megabytes = measureRelativeCpuTime(() => (text = read(html).text));
      assert.ok(text.length < 300_001, name);
      assert.ok(megabytes < 100, `${name}: as much work as ${megabytes} megabytes of JSON`);
    }
  });
});

describe('composeText', () => {
  const item = (more: Partial<FeedItem>): FeedItem => ({
    guid: null,
    link: 'https://site.example/1',
    title: null,
    content: null,
    date: null,
    updated: null,
    author: null,
    files: [],
    base: BASE,
    ...more,
  });

  it('puts a title in bold before the content, unless the content already begins with it', () => {
    const both = composeText(item({ title: { html: 'A <i>b</i>\nc' }, content: { html: '<p>x <b>y</b></p>' } }));
    assert.equal(both.text, 'A b c\n\nx y');
    assert.deepEqual(describeEntities(both.text, both.entities), ['bold "A b c"', 'bold "y"']);
    const continued = composeText(
      item({ title: { plain: 'Some words that…' }, content: { html: '<p>Some words, that go on.</p>' } }),
    );
    assert.equal(continued.text, 'Some words, that go on.');
    assert.equal(composeText(item({ title: { plain: 'Alone' } })).text, 'Alone');
    assert.equal(composeText(item({})).text, '');
  });

  it('puts a title without letters and digits before the content, unless the content begins with it', () => {
    const textWithTitle = (title: string, plain: string) =>
      composeText(item({ title: { plain: title }, content: { plain } })).text;
    assert.equal(textWithTitle('🎉', 'We did it'), '🎉\n\nWe did it');
    assert.equal(textWithTitle('???', 'No words'), '???\n\nNo words');
    assert.equal(textWithTitle('🎉', '🎉 We did it'), '🎉 We did it');
  });

  it('finds plain-text URLs outside of links and code', () => {
    const { text, entities } = composeText(
      item({
        content: {
          html: 'See (https://a.example/x), <a href="https://b.example">https://b.example</a> <code>http://c.example</code>',
        },
      }),
    );
    assert.deepEqual(describeEntities(text, entities), [
      'url "https://a.example/x"',
      'text_link "https://b.example" https://b.example/',
      'code "http://c.example"',
    ]);
  });

  it('cuts a very long text at a word, and links to the rest', () => {
    const { text, entities } = composeText(item({ content: { html: `<p>${'слово '.repeat(5000)}</p>` } }));
    assert.match(text, /слово\n\n…$/);
    assert.ok(text.length > 8000 && text.length < 8200);
    assert.deepEqual(entities, [{ type: 'text_link', url: 'https://site.example/1', offset: text.length - 1, length: 1 }]);
    const bold = composeText(item({ content: { html: `<b>${'😀'.repeat(20_000)}</b>` }, link: null }));
    assert.doesNotMatch(bold.text, /\p{Cs}/u);
    assert.deepEqual(bold.entities, [{ type: 'bold', offset: 0, length: bold.text.length - 3 }]);
  });

  it('reduces a title to one line', () => {
    assert.equal(feedTextToLine({ html: '<b>a</b><br> b' }), 'a b');
    assert.equal(feedTextToLine({ plain: 'x'.repeat(400) }).length, 300);
  });
});
