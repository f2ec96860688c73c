// Feed filters: presets and muted words.

import { aTimeout, expect, waitUntil } from '@open-wc/testing';
import '../../../elements/changer-feed.ts';
import type { Preset } from '../../../contract/lineup.ts';
import type { ChangerElement } from '../../../elements/element-types.ts';
import { createSignal } from '../../../src/lib/signal.ts';
import { loaded, posts, type ReadingServices, readingServices, stubList } from './reading-services.ts';

let mounted: ChangerElement | null = null;
afterEach(() => {
  mounted?.remove();
  mounted = null;
});

function mount(services: ReadingServices, params: Readonly<Record<string, string>> = {}): ChangerElement {
  mounted = document.createElement('changer-feed');
  mounted.services = services;
  mounted.params = params;
  return document.body.appendChild(mounted);
}
const all = (feed: Element, selector: string): readonly HTMLElement[] => [
  ...(feed.shadowRoot?.querySelectorAll<HTMLElement>(selector) ?? []),
];
const keys = (feed: Element): string =>
  all(feed, 'article')
    .map((article) => article.dataset.key?.split('/')[1])
    .join(' ');
const MORNING: Preset = { id: 'm', name: 'Morning', channelIds: ['2', '5', '9'] };
const WORK: Preset = { id: 'w', name: 'Work', channelIds: ['7'] };

describe('a preset on the feed', () => {
  it('shows its followed channels, and is a chip among the filters', async () => {
    const services = readingServices(stubList(loaded(posts(40, 38))), {
      presets: createSignal<readonly Preset[]>([MORNING, WORK]),
    });
    const feed = mount(services, { preset: 'm' });
    expect(services.calls).to.include('feed {"show":"all","channelIds":["2","5"]}');
    await waitUntil(() => all(feed, '.chip').length === 6);
    const chips = all(feed, '.chip');
    expect(
      chips.filter((chip) => chip.ariaCurrent === 'page').map((chip) => chip.querySelector('bdi')?.textContent),
    ).to.deep.equal(['Morning']);
    expect(chips[5]?.getAttribute('href')).to.equal('/main?preset=w');
  });

  it('is combined with the filters for unread, starred and media, and its chip counts the unread posts that it leads to', async () => {
    const services = readingServices(stubList(loaded(posts(40, 38))), {
      presets: createSignal<readonly Preset[]>([MORNING, WORK]),
    });
    const feed = mount(services, { preset: 'm', show: 'unread' });
    expect(services.calls).to.include('feed {"show":"unread","channelIds":["2","5"]}');
    await waitUntil(() => all(feed, '.chip').length === 6);
    const on = () => all(feed, '.chip[aria-current]').map((chip) => chip.firstChild?.textContent);
    const hrefs = () => all(feed, '.chip').map((chip) => chip.getAttribute('href')?.replace('/main', ''));
    expect(on()).to.deep.equal(['Unread', 'Morning']);
    // Only the filter is the current page.
    expect(all(feed, '.chip[aria-current]').map((chip) => chip.ariaCurrent)).to.deep.equal(['page', 'true']);
    expect(hrefs()).to.deep.equal([
      ...['', '?preset=m&show=unread', '?preset=m&show=starred', '?preset=m&show=media'],
      ...['?preset=m', '?preset=w&show=unread'],
    ]);
    const counts = () => all(feed, '.chip b [aria-hidden]').map((count) => count.textContent);
    expect(counts()).to.deep.equal(['4', '99+']);
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'p', cancelable: true }));
    expect(services.calls.at(-1)).to.equal('navigate /main?preset=w&show=unread');
    feed.params = { preset: 'm', show: 'starred' };
    await waitUntil(() => on().join() === 'Starred,Morning');
    expect(services.calls).to.include('feed {"show":"starred","channelIds":["2","5"]}');
    // Starred posts are not counted.
    expect(counts()).to.deep.equal([]);
  });

  it('scrolls its chip fully into view, however far along the strip it is', async () => {
    const many = Array.from({ length: 9 }, (_, at): Preset => ({ ...MORNING, id: `p${at}`, name: `Preset number ${at}` }));
    const services = readingServices(stubList(loaded(posts(40, 38))), { presets: createSignal<readonly Preset[]>(many) });
    const feed = mount(services, { preset: 'p7' });
    feed.style.inlineSize = '360px';
    await waitUntil(() => {
      const [chip] = all(feed, '.chip[aria-current]');
      const [strip] = all(feed, '.chips');
      if (chip === undefined || strip === undefined) return false;
      const [inner, outer] = [chip.getBoundingClientRect(), strip.getBoundingClientRect()];
      return strip.scrollLeft > 0 && inner.left >= outer.left && inner.right <= outer.right;
    });
  });

  it('changes on P', async () => {
    const services = readingServices(stubList(loaded(posts(40, 38))), {
      presets: createSignal<readonly Preset[]>([MORNING, WORK]),
    });
    const feed = mount(services);
    await waitUntil(() => all(feed, '.chip').length === 6);
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'p', cancelable: true }));
    expect(services.calls.at(-1)).to.equal('navigate /main?preset=m');
    feed.params = { preset: 'w' };
    await waitUntil(() => all(feed, '[role=status]').some((status) => status.textContent === 'Preset Work, 1 channel'));
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'p', cancelable: true }));
    expect(services.calls.at(-1)).to.equal('navigate /main');
  });
});

describe('posts muted by words', () => {
  const muting = (more = {}) => ({
    mutedWords: createSignal<((post: { text: string }) => boolean) | null>(({ text }) => /Post (39|37)\b/.test(text)),
    ...more,
  });

  it('stay out of the feed, are counted, and are shown on request', async () => {
    const feed = mount(readingServices(stubList(loaded(posts(40, 36))), muting()));
    await waitUntil(() => keys(feed) === '40 38 36');
    await waitUntil(() => all(feed, '.notice').some((notice) => notice.textContent?.includes('2 posts muted by words')));
    all(feed, '.notice button').at(0)?.click();
    await waitUntil(() => keys(feed) === '40 39 38 37 36');
  });

  it('count as read together with the posts before them', async () => {
    const services = readingServices(stubList(loaded(posts(40, 36))), muting({ marks: { 1: 36 } }));
    mount(services);
    await waitUntil(() => services.calls.includes('read 1 37'));
    await aTimeout(0);
    expect(services.calls).not.to.include('read 1 39');
  });

  it('make the feed load more when they leave few posts', async () => {
    const list = stubList(loaded(posts(40, 36), { older: 'idle' }), posts(35, 31));
    const feed = mount(readingServices(list, muting()));
    await waitUntil(() => list.loadCalls.includes('older') && keys(feed).endsWith('31'));
  });
});
