// Rich text: nesting of entities, folding and safe links.

import { expect, waitUntil } from '@open-wc/testing';
import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import type { Entity } from '../../../contract/post.ts';
import { toTextRuns } from '../../../contract/runs.ts';
import { loadAllChunks } from '../../../src/components/lazy-chunks/chunk-loaders.tsx';
import { createHighlightFinder } from '../../../src/components/rich-text/highlight.ts';
import { type Branch, nestRuns } from '../../../src/components/rich-text/nest-runs.ts';
import { RichText } from '../../../src/components/rich-text/RichText.tsx';
import { findTruncationPoint } from '../../../src/components/rich-text/truncate-text.ts';

const entity = (type: Entity['type'], offset: number, length: number, more: Partial<Entity> = {}): Entity => ({
  type,
  offset,
  length,
  ...more,
});

const serialize = (branches: readonly Branch[]): string =>
  branches
    .map((branch) => (typeof branch === 'string' ? branch : `<${branch.run.type}>${serialize(branch.children)}</>`))
    .join('');
const tree = (text: string, ...entities: Entity[]): string =>
  serialize(nestRuns(text, toTextRuns(text, entities), 0, text.length));

describe('nestRuns', () => {
  it('nests an entity inside another', () => {
    expect(tree('one two three', entity('italic', 4, 3), entity('bold', 0, 13))).to.equal('<bold>one <italic>two</> three</>');
  });
  it('splits the later of two entities that overlap', () => {
    expect(tree('abcdef', entity('bold', 0, 4), entity('italic', 2, 4))).to.equal('<bold>ab<italic>cd</></><italic>ef</>');
  });
  it('counts in UTF-16 code units and never splits a character', () => {
    expect(tree('⛴🎉x', entity('bold', 2, 1))).to.equal('⛴<bold>🎉</>x');
  });
  it('clips an entity that ends after the text, and drops one outside the text', () => {
    expect(tree('abc', entity('bold', 1, 99), entity('italic', 7, 2))).to.equal('a<bold>bc</>');
  });
  it('supports a thousand nested entities', () => {
    const many = Array.from({ length: 1000 }, () => entity('bold', 0, 3));
    expect(tree('abc', ...many)).to.contain('abc');
  });
});

describe('findTruncationPoint', () => {
  it('returns null for a short text', () => {
    expect(findTruncationPoint('A tide.')).to.equal(null);
  });
  it('cuts a long text after a word', () => {
    const text = 'word '.repeat(300);
    const end = findTruncationPoint(text) ?? 0;
    expect(end).to.be.lessThan(700);
    expect(text[end]).to.equal(' ');
  });
  it('cuts a list of many short lines after a line', () => {
    const text = 'a line\n'.repeat(40);
    expect(text[findTruncationPoint(text) ?? 0]).to.equal('\n');
  });
  it('leaves 12 lines of a list with more than 18 lines', () => {
    expect(findTruncationPoint('a line\n'.repeat(17))).to.equal(null);
    const text = 'a line\n'.repeat(18);
    expect(text.slice(0, findTruncationPoint(text) ?? 0).split('\n').length).to.equal(12);
  });
});

describe('RichText', () => {
  let box: HTMLElement;
  let root: Root;
  before(loadAllChunks);
  beforeEach(() => {
    box = document.body.appendChild(document.createElement('div'));
    root = createRoot(box);
  });
  afterEach(() => {
    root.unmount();
    box.remove();
  });
  const show = (text: string, entities: readonly Entity[] = [], query?: string): HTMLElement => {
    const linkContext = { baseUrl: '', embedded: false };
    flushSync(() =>
      root.render(
        <RichText
          {...{ text, entities, linkContext }}
          findHighlights={query === undefined ? undefined : createHighlightFinder(query)}
          channel={{ id: '1', username: 'gazette' }}
        />,
      ),
    );
    return box;
  };
  const href = (): string | null | undefined => box.querySelector('a')?.getAttribute('href');

  it('shows markup as text', () => {
    const text = '<img src=x onerror=alert(1)><script>1</script>';
    show(text, [entity('bold', 0, text.length)]);
    expect(box.querySelectorAll('img, script').length).to.equal(0);
    expect(box.textContent).to.equal(text);
  });
  it('renders no link for a URL that runs code', () => {
    for (const url of ['javascript:alert(1)', 'data:text/html,x', ' java\nscript:alert(1)', 'vbscript:x']) {
      show('here', [entity('text_link', 0, 4, { url })]);
      expect(href() ?? 'https:', url).to.match(/^https:/);
    }
  });
  it('shows a URL with a user name or a password as text', () => {
    for (const url of [
      'https://bank.example@evil.example/',
      'https://a:b@evil.example',
      'http://:b@evil.example',
      'a:b@evil.example',
    ]) {
      show('here', [entity('text_link', 0, 4, { url })]);
      expect(href(), url).to.equal(undefined);
      show(url, [entity('url', 0, url.length)]);
      expect(href(), url).to.equal(undefined);
      expect(box.textContent).to.equal(url);
    }
    for (const url of ['https://site.example/@city', 'https://site.example/?to=a@b', 'site.example/#a@b']) {
      show('here', [entity('text_link', 0, 4, { url })]);
      expect(href(), url).to.match(/^https:..site\.example/);
    }
  });
  it('renders links without a referrer', () => {
    show('example.org/a', [entity('url', 0, 13)]);
    expect(href()).to.equal('https://example.org/a');
    expect(box.querySelector('a')?.rel).to.equal('noopener noreferrer nofollow');
    show('@gazette', [entity('mention', 0, 8)]);
    expect(href()).to.equal('https://t.me/gazette');
    show('a@b.example', [entity('email', 0, 11)]);
    expect(href()).to.equal('mailto:a@b.example');
    show('a?bcc=x@b.example', [entity('email', 0, 17)]);
    expect(href()).to.equal('mailto:a%3Fbcc%3Dx@b.example');
    show('+44 (0) 20', [entity('phone_number', 0, 10)]);
    expect(href()).to.equal('tel:+44020');
  });
  it('renders superscript, subscript, marked text and math', () => {
    show('H2O m2 seen E=mc', [
      entity('subscript', 1, 1),
      entity('superscript', 5, 1),
      entity('marked', 7, 4),
      entity('math', 12, 4),
    ]);
    expect(['sub', 'sup', 'mark', 'code'].map((tag) => box.querySelector(tag)?.textContent)).to.deep.equal([
      '2',
      '2',
      'seen',
      'E=mc',
    ]);
  });
  it('links a hashtag to a search in all channels', () => {
    show('#tides', [entity('hashtag', 0, 6)]);
    expect(href()).to.equal('/main?search=%23tides');
  });
  it('hides a spoiler, and the link inside it, until the user opens it', () => {
    show('psst secret', [entity('spoiler', 5, 6), entity('url', 5, 6)]);
    const button = box.querySelector<HTMLElement>('[role=button]');
    expect(box.querySelectorAll('a').length).to.equal(0);
    expect(button?.getAttribute('aria-label')).to.not.contain('secret');
    flushSync(() => button?.click());
    expect(box.querySelector('a')?.textContent).to.equal('secret');
  });
  for (const key of ['Enter', ' '])
    it(`opens all spoilers of a text on ${key === ' ' ? 'Space' : key}, and keeps the focus there`, async () => {
      show('one two three', [entity('spoiler', 0, 3), entity('spoiler', 8, 5)]);
      await waitUntil(() => box.querySelectorAll('[role=button]').length === 2);
      const [, second] = box.querySelectorAll<HTMLElement>('[role=button]');
      second?.focus();
      const press = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
      flushSync(() => second?.dispatchEvent(press));
      expect(press.defaultPrevented).to.equal(true);
      await waitUntil(() => box.querySelectorAll('[role=button]').length === 0);
      expect(document.activeElement?.textContent).to.equal('three');
    });
  it('wraps a spoiler over lines as normal text', () => {
    const text = 'all of it is hidden '.repeat(20);
    show(text, [entity('spoiler', 4, text.length - 4)]);
    box.style.inlineSize = '200px';
    expect(box.querySelector('[role=button]')?.getClientRects().length).to.be.greaterThan(2);
  });
  it('confirms that code was copied, and selects the code when copying is forbidden', async () => {
    const clipboard = navigator.clipboard;
    const written: string[] = [];
    const allow = (allowed: boolean) =>
      Object.defineProperty(navigator, 'clipboard', {
        configurable: true,
        value: { writeText: async (text: string) => (allowed ? written.push(text) : Promise.reject(new Error('no'))) },
      });
    try {
      show('let tide = 1;', [entity('pre', 0, 13)]);
      allow(true);
      box.querySelector('button')?.click();
      await waitUntil(() => box.querySelector('[role=status]')?.textContent === 'Copied');
      expect(written).to.deep.equal(['let tide = 1;']);
      allow(false);
      box.querySelector('button')?.click();
      await waitUntil(() => getSelection()?.toString().trim() === 'let tide = 1;');
    } finally {
      Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard });
    }
  });
  it('collapses a long expandable quote and expands it', async () => {
    const text = `${'quoted words '.repeat(30)}the end`;
    show(text, [entity('expandable_blockquote', 0, text.length)]);
    expect(box.textContent).to.not.contain('the end');
    box.querySelector<HTMLElement>('blockquote button')?.click();
    await waitUntil(() => box.textContent?.includes('the end'));
  });
  it('expands a collapsed quote when the only search match is below its fold', () => {
    const text = `${'quoted words '.repeat(30)}the end`;
    show(text, [entity('expandable_blockquote', 0, text.length)], 'end');
    expect(box.querySelector('mark')?.textContent).to.equal('end');
    expect(box.querySelector('button')?.getAttribute('aria-expanded')).to.equal('true');
    show(text, [entity('expandable_blockquote', 0, text.length)], 'quoted');
    expect(box.querySelector('button')?.getAttribute('aria-expanded')).to.equal('false');
  });
  it('renders paragraphs, quotes and code as separate blocks', () => {
    const text = 'One.\n\nTwo\nlines.\nQuote.\nlet x = 1;';
    show(text, [entity('blockquote', 17, 6), entity('pre', 24, 10, { language: 'js' })]);
    expect([...box.querySelectorAll('.text > p')].map((each) => each.textContent)).to.deep.equal(['One.', 'Two\nlines.']);
    expect(box.querySelector('blockquote')?.textContent).to.equal('Quote.');
    expect(box.querySelector('pre')?.textContent).to.equal('let x = 1;');
    expect(box.querySelector('figcaption')?.textContent).to.equal('js');
  });
  it('highlights the search terms, also inside other entities', () => {
    show('Apples, an apple and a pear', [entity('bold', 0, 6)], 'apple');
    expect([...box.querySelectorAll('mark')].map((each) => each.textContent)).to.deep.equal(['Apples', 'apple']);
  });
  it('gives a quote the direction of its text', () => {
    const text = '«مرحبا» hello';
    for (const [quoted, dir] of [
      [text, 'rtl'],
      ['1. Hello مرحبا', 'ltr'],
    ] as const) {
      show(quoted, [entity('blockquote', 0, quoted.length)]);
      expect(getComputedStyle(box.querySelector('blockquote') ?? box).direction, quoted).to.equal(dir);
    }
  });
  it('gives each paragraph its own direction', () => {
    show('Hello.\n\nمرحبا');
    expect([...box.querySelectorAll('p')].map((each) => getComputedStyle(each).direction)).to.deep.equal(['ltr', 'rtl']);
  });
});
