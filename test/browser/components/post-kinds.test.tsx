// Rendering of rare kinds of posts: polls, checklists, giveaways, rich messages and others.

import { expect, waitUntil } from '@open-wc/testing';
import '../../../elements/changer-channel.ts';
import '../../../elements/changer-feed.ts';
import type { ContentBlock, PostExtra } from '../../../contract/extra.ts';
import type { Post } from '../../../contract/post.ts';
import type { ChangerElement } from '../../../elements/element-types.ts';
import { closeDataClients, openMemoryDataClient } from '../data/data-client-fixture.ts';
import { FakeServer, makeChannel, makePost } from '../data/fake-server.ts';
import { loaded, post, readingServices, stubList } from '../features/reading-services.ts';
import { BLOCKS, entityOver, heading, POST_KINDS, paragraph, richText } from './post-kinds.ts';

let mounted: ChangerElement | null = null;
afterEach(async () => {
  mounted?.remove();
  mounted = null;
  await closeDataClients();
  window.scrollTo(0, 0);
});

function mount(params: Readonly<Record<string, string>>, ...fields: readonly Partial<Post>[]): ShadowRoot {
  const element = document.createElement('changer-channel');
  mounted = element;
  element.services = readingServices(stubList(loaded(fields.map((each, index) => post(40 - index, each)))));
  element.params = params;
  element.setAttribute('channel-id', 'u1');
  document.body.append(element);
  if (element.shadowRoot === null) throw new Error('no shadow root');
  return element.shadowRoot;
}

/** Searches in a channel with these posts. */
function search(q: string, ...fields: readonly Partial<Post>[]): ShadowRoot {
  const server = new FakeServer();
  server.channels = [makeChannel('1', { username: 'u1' })];
  server.posts = fields.map((each, index) => makePost('1', 40 - index, each));
  const root = mount({ q }, ...fields);
  if (mounted !== null && 'services' in mounted)
    Object.assign(mounted, { services: { ...readingServices(stubList(loaded([]))), dataClient: openMemoryDataClient(server) } });
  return root;
}

/** Shows a post as the one in the address, so that nothing of it is folded. */
async function show(fields: Partial<Post>): Promise<HTMLElement> {
  const root = mount({ post: '40' }, fields);
  await waitUntil(() => root.querySelector('article') !== null);
  const article = root.querySelector('article');
  if (article === null) throw new Error('no article');
  return article;
}

const rich = (...blocks: ContentBlock[]): Partial<Post> => ({ text: '', extra: { type: 'rich', blocks } satisfies PostExtra });
const textOf = (within: ParentNode, selector: string): (string | null)[] =>
  [...within.querySelectorAll(selector)].map((each) => each.textContent);
const hrefOf = (within: ParentNode, selector: string) => within.querySelector(selector)?.getAttribute('href');

describe('a poll', () => {
  it('aligns its text with the start of its bars, whatever the text direction', async () => {
    const article = await show({ poll: { question: 'High?', closed: false, options: [{ text: 'High', votes: 3 }] } });
    await waitUntil(() => article.querySelector('.poll'));
    const sides = () =>
      [...article.querySelectorAll('.poll [dir=auto]')].map((textElement) => {
        const { direction, textAlign } = getComputedStyle(textElement);
        return `${direction} ${textAlign}`;
      });
    expect(sides()).to.deep.equal(['ltr left', 'ltr left']);
    mounted?.setAttribute('lang', 'ar');
    await waitUntil(() => sides().join() === 'ltr right,ltr right');
  });
});

describe('a post of a rare kind', () => {
  it('is not rendered until all its chunks are loaded', async () => {
    const root = mount({}, { text: 'Plain' }, POST_KINDS.checklist);
    const counts: number[] = [];
    const recordCount = () => counts.push(root.querySelectorAll('article').length - root.querySelectorAll('.checklist').length);
    const observer = new MutationObserver(recordCount);
    observer.observe(root, { childList: true, subtree: true });
    recordCount();
    await waitUntil(() => root.querySelector('.checklist'));
    observer.disconnect();
    expect(Math.max(...counts)).to.equal(1);
  });
  it('shows a checklist with the tasks that are done', async () => {
    const article = await show(POST_KINDS.checklist);
    expect(textOf(article, 'li')).to.deep.equal(['Done: Tie the boats', 'To do: Close the gate', 'To do: Call Ida']);
    expect(article.textContent).to.contain('1 of 3 done');
  });
  it('shows the result of a die', async () => {
    expect((await show(POST_KINDS.dice)).textContent).to.contain('🎲Result: 5');
  });
  it('shows the prize of a giveaway, the number of winners, the end date and the countries', async () => {
    const text = (await show(POST_KINDS.giveaway)).textContent;
    for (const part of ['6 months of Telegram Premium', 'and a tin of biscuits', '3 winners', '2026', 'Night Sky'])
      expect(text).to.contain(part);
  });
  it('shows the winners, and links to the announcement', async () => {
    const article = await show(POST_KINDS['giveaway over']);
    for (const part of ['The giveaway is over', '500 stars', '2 winners', 'unclaimed: 1', 'Olav'])
      expect(article.textContent).to.contain(part);
    expect(hrefOf(article, '.giveaway a')).to.equal('/channel/u1?post=3');
  });
  it('links to a story, but never with a URL that runs code', async () => {
    expect(hrefOf(await show(POST_KINDS.story), '.file a')).to.equal('https://t.me/gazette/s/4');
    mounted?.remove();
    const hostile = await show({ extra: { type: 'story', name: 'x', url: 'javascript:alert(1)' } });
    expect(hostile.querySelectorAll('.file a').length).to.equal(0);
  });
  it('shows paid media as locked, with the price', async () => {
    const article = await show(POST_KINDS.paid);
    expect(textOf(article, '.locked .hidden')).to.deep.equal(['Locked photo', 'Locked video', 'Locked file']);
    expect(article.textContent).to.contain('Unlock for 250 stars');
    expect(article.textContent).to.contain('The whole album');
    expect(hrefOf(article, '.paid a')).to.equal('https://t.me/gazette/7');
  });
  it('shows a price in its own currency', async () => {
    const price = async (amount: number, currency: string): Promise<string | null | undefined> => {
      mounted?.remove();
      const article = await show({ extra: { type: 'invoice', title: 'A', about: '', amount, currency } });
      return article.querySelector('.file small')?.textContent?.replace(/\u00a0/g, ' ');
    };
    expect(await price(1250, 'EUR')).to.equal('€12.50');
    expect(await price(1250, 'JPY')).to.equal('¥1,250');
    expect(await price(1250, 'KWD')).to.equal('KWD 1.250');
    expect(await price(1, 'XTR')).to.equal('1 star');
    expect(await price(1250, '<b>')).to.equal('12.50 <b>');
  });
  it('shows the name of a game', async () => {
    const article = await show(POST_KINDS.game);
    expect(article.querySelector('.file-text')?.textContent).to.equal('Catch the tideGame · Five minutes');
  });
  it('names an unknown kind as its source does, next to the text', async () => {
    const article = await show(POST_KINDS.unknown);
    expect(article.textContent).to.contain('Words beside it.');
    expect(article.querySelector('.file-text')?.textContent).to.equal('Not supported yettelepathy');
    expect(hrefOf(article, '.file a')).to.equal('https://t.me/gazette/7');
  });
  it('shows the same message for malformed content and for content that is nested too deeply', async () => {
    let nested: ContentBlock = paragraph('deep');
    for (let depth = 0; depth < 20_000; depth++) nested = { type: 'quote', blocks: [nested] };
    for (const extra of [{ type: 'rich', blocks: 'none' }, 7, { type: 'rich', blocks: [nested] }]) {
      const article = await show({ text: 'Its words', extra });
      expect(article.textContent).to.contain('Not supported yet');
      expect(article.textContent).to.contain('Its words');
      mounted?.remove();
    }
  });
  it('names where its original is: not Telegram for a feed', async () => {
    const name = async (link: string) => (await show({ link })).querySelector('.post-actions > a')?.getAttribute('aria-label');
    expect(await name('https://t.me/gazette/7')).to.equal('Open in Telegram');
    mounted?.remove();
    expect(await name('https://gazette.example/7')).to.equal('Open the original');
  });
  it('says that it was deleted at its source, and keeps its text', async () => {
    const article = await show(POST_KINDS.gone);
    expect(article.querySelector('.gone')?.textContent).to.match(/^Deleted at its source, .*2026/);
    expect(article.textContent).to.contain('Taken back.');
  });
});

describe('a rich message', () => {
  it('replaces the plain text and the gallery, and shows all its content', async () => {
    const article = await show(POST_KINDS.rich);
    expect(article.textContent).to.not.contain('Plain words of the rich post');
    for (const part of ['Stones laid', 'Band at noon', 'Linnet', 'two winters', 'last word', 'Math.sin', '\\cos', 'Four metres'])
      expect(article.textContent).to.contain(part);
    expect(article.querySelectorAll('.tile').length).to.equal(4);
    expect(textOf(article, 'sub')).to.deep.equal(['2O']);
    expect(textOf(article, 'sup')).to.deep.equal(['²']);
    expect(textOf(article, 'mark')).to.deep.equal(['Monday']);
    expect(textOf(article, '.file-text')).to.include('Not supported yethologram');
  });
  it('shows the files that no block contains below the blocks', async () => {
    const media = [1, 2].map((name) => ({ type: 'photo' as const, messageId: 1, src: `/${name}.svg`, width: 4, height: 3 }));
    const one: ContentBlock = { type: 'media', layout: 'single', media: [1, 9, -1] };
    const article = await show({ ...rich(one, paragraph('After it')), media });
    expect([...article.querySelectorAll('.rich img')].map((each) => each.getAttribute('src'))).to.deep.equal(['/2.svg']);
    expect(hrefOf(article, '.rich ~ .album a')).to.equal('/1.svg');
  });
  it('keeps the heading outline of the page, whatever the heading sizes are', async () => {
    const inside: ContentBlock = { type: 'details', summary: richText('More'), open: true, blocks: [heading(1, 'Inside')] };
    const article = await show(rich(heading(4, 'One'), heading(6, 'Two'), inside, heading(5, 'Three'), heading(1, 'Four')));
    const levels = [...article.querySelectorAll(':is(h1, h2, h3, h4, h5, h6):not(.day)')].map(
      (each) => `${each.tagName} ${each.textContent}`,
    );
    expect(levels).to.deep.equal(['H2 One', 'H3 Two', 'H2 Inside', 'H3 Three', 'H2 Four']);
  });
  it('gives a table its header cells, its spans and its own scroll area', async () => {
    const wide: ContentBlock = {
      type: 'table',
      rows: [
        Array.from({ length: 12 }, (_, index) => ({ ...richText(`Column number ${index}`), header: true })),
        [{ ...richText('x'), colspan: 1e9, rowspan: -4 }],
      ],
    };
    const article = await show(rich(wide));
    const table = article.querySelector('[role=group]');
    expect(table?.getAttribute('aria-label')).to.equal('Table');
    expect(table?.getAttribute('tabindex')).to.equal('0');
    expect(table?.scrollWidth).to.be.greaterThan(table?.clientWidth ?? Number.POSITIVE_INFINITY);
    expect(article.scrollWidth).to.be.at.most(article.clientWidth);
    expect(article.querySelector('th')?.getAttribute('scope')).to.equal('col');
    const { colSpan, rowSpan } = article.querySelector('td') ?? {};
    expect([colSpan, rowSpan]).to.deep.equal([50, 1]);
  });
  it('says which list items are checked, and nests lists', async () => {
    const article = await show(POST_KINDS.rich);
    const own = [...article.querySelectorAll('.list > li')].map((each) => each.textContent);
    expect(own.slice(0, 2)).to.deep.equal(['Done: Stones laid', 'To do: Lamps up']);
    expect(textOf(article, '.list .list > li')).to.deep.equal(['a.Band at noon', 'b.Boats at two']);
  });
  it('links a button to its URL, and never runs code', async () => {
    const buttons = [
      { text: 'Go', url: 'https://gazette.example/go' },
      { text: 'Run', url: 'javascript:alert(1)' },
      { text: 'Data', url: ' data:text/html,x' },
    ];
    const article = await show({ ...rich({ type: 'buttons', buttons }), link: 'https://t.me/gazette/7' });
    const hrefs = [...article.querySelectorAll('.buttons a')].map((each) => each.getAttribute('href'));
    expect(hrefs[0]).to.equal('https://gazette.example/go');
    expect(hrefs[1]).to.equal('https://t.me/gazette/7');
    for (const href of hrefs) expect(href).to.match(/^https:/);
  });
  it('shows markup as text in every block', async () => {
    const evil = '<img src=x onerror=alert(1)><script>1</script>';
    const evilWords = richText(evil, entityOver(evil, '<img', 'text_link', { url: 'javascript:alert(1)' }));
    const article = await show(
      rich(
        { type: 'paragraph', ...evilWords },
        { type: 'heading', size: 1, ...evilWords },
        { type: 'pre', language: evil, ...evilWords },
        { type: 'math', text: evil },
        { type: 'table', rows: [[evilWords]], caption: evilWords },
        { type: 'list', items: [{ label: evil, blocks: [{ type: 'footer', ...evilWords }] }] },
        { type: 'buttons', buttons: [{ text: evil }] },
        { type: 'details', summary: evilWords, blocks: [{ type: 'unknown', name: evil }] },
      ),
    );
    expect(article.querySelectorAll('img, script').length).to.equal(0);
    expect(article.textContent.split(evil).length - 1).to.equal(12);
    for (const link of article.querySelectorAll('a')) expect(link.protocol).to.not.equal('javascript:');
  });
  it('limits the depth of nested blocks', async () => {
    let nested: ContentBlock = paragraph('the deepest words');
    for (let depth = 0; depth < 100; depth++) nested = { type: 'quote', blocks: [nested] };
    const article = await show(rich(paragraph('the first words'), nested));
    expect(article.textContent).to.contain('the first words');
    expect(article.textContent).to.contain('Not supported yet');
    expect(article.querySelectorAll('blockquote').length).to.be.lessThan(20);
  });
  it('uses the text direction of its source, else the direction of the text of each block', async () => {
    const article = await show(POST_KINDS['rich to the left']);
    const directions = [...article.querySelectorAll('.rich :is(h2, p, ul, blockquote)')].map(
      (each) => getComputedStyle(each).direction,
    );
    expect(new Set(directions)).to.deep.equal(new Set(['rtl']));
    mounted?.remove();
    const mixed = await show(
      rich(paragraph('Hello'), paragraph('مرحبا'), { type: 'list', items: [{ label: '•', blocks: [paragraph('مرحبا')] }] }),
    );
    const each = [...mixed.querySelectorAll('.rich > *')].map((block) => getComputedStyle(block).direction);
    expect(each).to.deep.equal(['ltr', 'rtl', 'rtl']);
  });
  it('is collapsed when it is long, and expands', async () => {
    const root = mount({}, POST_KINDS.rich);
    await waitUntil(() => root.querySelector('.rich'));
    expect(root.textContent).to.not.contain('Corrected at noon.');
    const more = [...root.querySelectorAll<HTMLElement>('article > .more')].at(-1);
    more?.click();
    await waitUntil(() => root.textContent?.includes('Corrected at noon.'));
    expect(more?.getAttribute('aria-expanded')).to.equal('true');
  });
  it('expands by itself when the search match is below the fold', async () => {
    const long = Array.from({ length: 12 }, (_, at) => paragraph(`${at}. ${'A calm sea. '.repeat(12)}`));
    const fields = { ...rich(...long, paragraph('The lighthouse.')), text: 'About the lighthouse' };
    const root = search('lighthouse', fields);
    await waitUntil(() => root.querySelector('.rich mark')?.textContent === 'lighthouse');
    expect(root.querySelector('article > .more')?.getAttribute('aria-expanded')).to.equal('true');
  });
  it('expands a quote that its author collapsed', async () => {
    const quotes = BLOCKS.filter((block) => block.type === 'quote');
    const article = await show(rich(...quotes));
    expect(article.textContent).to.contain('Ida, harbour master');
    expect(article.textContent).to.not.contain('The end of it.');
    article.querySelector<HTMLElement>('blockquote button')?.click();
    await waitUntil(() => article.textContent?.includes('The end of it.'));
  });
  it('shows slides one by one', async () => {
    const article = await show(POST_KINDS.rich);
    const next = article.querySelector<HTMLButtonElement>('.slideshow [aria-label="Next picture"]');
    expect(article.querySelector('.slideshow')?.textContent).to.contain('1 of 2');
    next?.click();
    await waitUntil(() => article.querySelector('.slideshow')?.textContent?.includes('2 of 2'));
    expect(next?.disabled).to.equal(true);
  });
  it('highlights the search terms in its blocks', async () => {
    const root = search('quay', { ...POST_KINDS.rich, text: 'About the quay' });
    await waitUntil(() => root.querySelector('.rich mark'));
    expect(root.querySelector('.rich h2 mark')?.textContent).to.equal('quay');
  });
});

describe('files of a rare kind', () => {
  it('play a live photo without sound when the user taps its badge', async () => {
    const article = await show(POST_KINDS.live);
    const badge = article.querySelector<HTMLElement>('.live button');
    expect(badge?.getAttribute('aria-label')).to.equal('Play live photo');
    expect(article.querySelectorAll('.live video').length).to.equal(0);
    badge?.click();
    await waitUntil(() => article.querySelector('.live video'));
    const video = article.querySelector('video');
    expect([video?.muted, video?.loop, video?.getAttribute('src')]).to.deep.equal([true, true, '/none.mp4']);
    badge?.click();
    await waitUntil(() => article.querySelector('.live video') === null);
  });
  it('play a live photo under the pointer', async () => {
    const article = await show(POST_KINDS.live);
    const photo = article.querySelector('.live');
    const over = (type: string) => photo?.dispatchEvent(new PointerEvent(type, { pointerType: 'mouse', bubbles: true }));
    over('pointerover');
    await waitUntil(() => article.querySelector('.live video'));
    over('pointerout');
    await waitUntil(() => article.querySelector('.live video') === null);
  });
  it('show a video message round, with a name and a duration', async () => {
    const article = await show(POST_KINDS['video message']);
    expect(article.querySelector('video')?.getAttribute('aria-label')).to.equal('Video message');
    expect(article.querySelector('video')?.getAttribute('poster')).to.equal('/hall.svg');
    expect(article.querySelector('.round button')?.getAttribute('aria-label')).to.equal('Play the video message');
    expect(article.querySelector('.round')?.textContent).to.contain('0:14');
  });
  it('show a sticker, or the emoji of a sticker that cannot be rendered', async () => {
    expect((await show(POST_KINDS.sticker)).querySelector('.sticker img')?.getAttribute('alt')).to.equal('Sticker ⛵');
    mounted?.remove();
    expect((await show(POST_KINDS['animated sticker'])).querySelector('.sticker')?.textContent).to.equal('🐟');
    mounted?.remove();
    const [still] = POST_KINDS['animated sticker'].media;
    const poster = { src: '/boat.svg', width: 320, height: 320 };
    const rendered = await show({ media: [{ ...still, type: 'sticker', messageId: 1, poster }] });
    expect(rendered.querySelector('.sticker img')?.getAttribute('src')).to.equal('/boat.svg');
  });
  it('say that they were deleted to save space', async () => {
    expect((await show(POST_KINDS.dropped)).textContent).to.contain('This file was removed to save space.');
  });
});

describe('a gap between posts', () => {
  const older = { text: 'The older one' };
  it('is shown on the older side of the post that reports it, and is not an article', async () => {
    const root = mount({}, POST_KINDS.gap, older);
    await waitUntil(() => root.querySelector('.gap'));
    const gap = root.querySelector('.gap');
    expect(gap?.textContent).to.equal('3 posts may be missing here');
    expect(gap?.previousElementSibling?.textContent).to.contain('After a gap.');
    expect(gap?.nextElementSibling?.textContent).to.contain('The older one');
    expect(root.querySelectorAll('article').length).to.equal(2);
    expect(root.querySelector('article')?.getAttribute('aria-setsize')).to.equal('2');
  });
  it('is skipped by the keys that move from post to post', async () => {
    const root = mount({}, POST_KINDS.gap, older);
    await waitUntil(() => root.querySelector('.gap'));
    root.querySelector('article')?.focus();
    // The code for the keys is loaded when the first posts are rendered.
    await waitUntil(() => {
      const press = new KeyboardEvent('keydown', { key: 'PageDown', bubbles: true, composed: true, cancelable: true });
      root.activeElement?.dispatchEvent(press);
      return press.defaultPrevented;
    });
    expect(root.activeElement?.textContent).to.contain('The older one');
  });
  it('is not shown in a feed of several channels', async () => {
    const element = document.createElement('changer-feed');
    mounted = element;
    element.services = readingServices(stubList(loaded([post(40, POST_KINDS.gap), post(39)])));
    document.body.append(element);
    const root = element.shadowRoot;
    await waitUntil(() => root?.querySelectorAll('article').length === 2);
    expect(root?.querySelectorAll('.gap').length).to.equal(0);
  });
  it('is not shown in search results or in the media view', async () => {
    const found = [
      () => search('o', { ...POST_KINDS.gap, text: 'Another one' }, older),
      () => mount({ media: '1' }, POST_KINDS.gap, older),
    ];
    for (const find of found) {
      const root = find();
      await waitUntil(() => root.querySelectorAll('article').length === 2);
      expect(root.querySelectorAll('.gap').length).to.equal(0);
      mounted?.remove();
    }
  });
});
