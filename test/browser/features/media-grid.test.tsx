// Media grid of a channel.

import { expect, waitUntil } from '@open-wc/testing';
import type { Media, Post } from '../../../contract/post.ts';
import { loadAllChunks } from '../../../src/components/lazy-chunks/chunk-loaders.tsx';
import { channelViewQuery, parseChannelView } from '../../../src/features/channel/channel-params.ts';
import { english } from '../../../src/i18n/i18n.ts';
import { mountChannel } from './channel-fixture.ts';
import { loaded, post, posts, type ReadingServices, readingServices, type StubList, stubList } from './reading-services.ts';

const SRC = URL.createObjectURL(
  new Blob(['<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>'], {
    type: 'image/svg+xml',
  }),
);
const photo = (messageId: number, fields: Partial<Media> = {}): Media => ({
  type: 'photo',
  messageId,
  src: SRC,
  width: 8,
  height: 8,
  ...fields,
});
const NOON = new Date(2024, 2, 12, 12).getTime() / 1000;
const DAY = english.dayName(NOON, Date.now());
const dated = (id: number, fields: Partial<Post>): Post => post(id, { date: NOON, text: '', ...fields });
/** Returns posts with a photo each, newest first, one per day. */
const daily = (from: number, to: number): Post[] =>
  posts(from, to).map((one) => ({
    ...one,
    date: new Date(2024, 2, one.id - 20, 12).getTime() / 1000,
    media: [photo(one.id)],
  }));

before(loadAllChunks);
afterEach(() => waitUntil(() => Reflect.get(Object(history.state), 'changerOver') !== true));

const mount = (services: ReadingServices, params: Readonly<Record<string, string>> = { media: '1', as: 'grid' }): ShadowRoot =>
  mountChannel(services, params);

/** Shows the grid of these posts. Resolves when `count` tiles are rendered. */
async function grid(shownPosts: readonly Post[], count: number, list: StubList = stubList(loaded(shownPosts))) {
  const services = readingServices(list);
  const root = mount(services);
  await waitUntil(() => tiles(root).length === count, `${count} tiles`);
  return { root, services, list };
}

const tiles = (root: ShadowRoot) => [...root.querySelectorAll<HTMLElement>('.media-grid > li > button')];
const nameOf = (tile: HTMLElement | undefined): string =>
  [...(tile?.querySelectorAll('img, .hidden, .badge') ?? [])]
    .map((part) => part.getAttribute('alt') ?? part.textContent)
    .join(' ');
const control = (root: ShadowRoot) => root.querySelector<HTMLElement>('.channel-tools [aria-label="Grid"]');

describe('the media grid button', () => {
  it('is next to the media filter, and navigates to its own URL', async () => {
    const services = readingServices(stubList(loaded(daily(40, 38))));
    const root = mount(services, { media: '1', date: '2024-03-12' });
    await waitUntil(() => control(root) !== null);
    expect(control(root)?.getAttribute('aria-pressed')).to.equal('false');
    control(root)?.click();
    expect(services.calls).to.include('navigate /channel/u1?media=1&date=2024-03-12&as=grid');
  });
  it('returns to the list', async () => {
    const { root, services } = await grid(daily(40, 38), 3);
    expect(control(root)?.getAttribute('aria-pressed')).to.equal('true');
    expect(root.querySelector('[role=feed]')).to.equal(null);
    control(root)?.click();
    expect(services.calls).to.include('navigate /channel/u1?media=1');
  });
  it('is not rendered for all posts or for a search', () => {
    expect(control(mount(readingServices(stubList(loaded(daily(40, 38)))), {}))).to.equal(null);
    expect(parseChannelView({ as: 'grid' }).grid).to.equal(false);
    expect(parseChannelView({ as: 'grid', media: '1', q: 'tide' }).grid).to.equal(false);
    expect(channelViewQuery({ ...parseChannelView({ as: 'grid', media: '1' }), kinds: [] })).to.equal('');
    expect(channelViewQuery({ ...parseChannelView({ as: 'grid', media: '1' }), q: 'tide' })).to.equal('q=tide&media=1');
  });
  it('requests the same pages as the list', async () => {
    const { services } = await grid(daily(40, 38), 3);
    expect(services.calls.filter((call) => call.startsWith('posts'))).to.satisfy((calls: readonly string[]) =>
      calls.every((call) => call === 'posts u1 {"media":true}'),
    );
  });
});

describe('the media grid', () => {
  it('has a square tile for each visual file that exists, one for each file of an album', async () => {
    const { root } = await grid(
      [
        dated(40, { media: [photo(40), photo(41)] }),
        dated(39, { media: [{ type: 'photo', messageId: 39, missing: 'too-large' }] }),
        dated(38, { media: [{ type: 'voice', messageId: 38, src: '/none.ogg', duration: 7 }] }),
        dated(37, { media: [{ type: 'video_note', messageId: 37, src: '/none.mp4', duration: 61 }] }),
        dated(36, { media: [{ type: 'animation', messageId: 36, src: '/none.mp4', mime: 'video/mp4' }] }),
      ],
      4,
    );
    for (const tile of tiles(root)) {
      const { width, height } = tile.getBoundingClientRect();
      expect(width).to.be.above(40);
      expect(Math.abs(width - height)).to.be.below(1);
    }
    expect(root.querySelectorAll('.media-mark')).to.have.length(2);
  });
  it('names a tile by its kind, its day and its caption without spoilers', async () => {
    const { root } = await grid(
      [
        dated(40, {
          text: 'The butler did it',
          entities: [{ type: 'spoiler', offset: 4, length: 6 }],
          media: [photo(40)],
        }),
        dated(39, { media: [{ type: 'video', messageId: 39, src: '/none.mp4', duration: 61 }] }),
      ],
      2,
    );
    expect(nameOf(tiles(root)[0])).to.equal(`Photo, ${DAY}: The [hidden text] did it`);
    expect(nameOf(tiles(root)[1])).to.equal(`Video, ${DAY} 1:01`);
  });
  it('hides a spoiler until the user opens it, and does not reveal it in its name', async () => {
    const { root } = await grid([dated(40, { text: 'The cat', media: [photo(40, { spoiler: true })] })], 1);
    const [tile] = tiles(root);
    expect(tile?.querySelector('img')).to.equal(null);
    expect(nameOf(tile)).to.equal(`Photo, ${DAY}. Show hidden picture`);
    tile?.focus();
    tile?.click();
    await waitUntil(() => tiles(root)[0]?.querySelector('img') !== null);
    expect(root.activeElement).to.equal(tiles(root)[0]);
    expect(root.querySelector('dialog')).to.equal(null);
    tiles(root)[0]?.click();
    await waitUntil(() => root.querySelector('dialog.viewer[open]') !== null);
  });
  it('opens the viewer at the pressed file, with a link to the post', async () => {
    const { root } = await grid([dated(40, { media: [photo(40), photo(41), photo(42)] })], 3);
    tiles(root)[1]?.focus();
    tiles(root)[1]?.click();
    await waitUntil(() => root.querySelector('dialog.viewer[open]') !== null);
    expect(root.querySelector('dialog.viewer [aria-live]')?.textContent).to.equal('2 of 3');
    expect(root.querySelector('dialog.viewer [aria-label="Open the post"]')?.getAttribute('href')).to.equal(
      '/channel/u1?post=40',
    );
    root.querySelector<HTMLElement>('dialog.viewer [aria-label="Close"]')?.click();
    await waitUntil(() => root.querySelector('dialog.viewer') === null);
    expect(root.activeElement).to.equal(tiles(root)[1]);
  });
  it('plays a round video in the viewer', async () => {
    const { root } = await grid([dated(40, { media: [{ type: 'video_note', messageId: 40, src: '/none.mp4' }] })], 1);
    tiles(root)[0]?.click();
    await waitUntil(() => root.querySelector('dialog.viewer[open] .here > video') !== null);
    root.querySelector<HTMLElement>('dialog.viewer [aria-label="Close"]')?.click();
    await waitUntil(() => root.querySelector('dialog.viewer') === null);
  });
  it('loads more near its end, and says when everything is shown', async () => {
    const list = stubList(loaded(daily(40, 38), { older: 'idle' }), daily(37, 30));
    const { root } = await grid([], 11, list);
    expect(list.loadCalls).to.deep.equal(['older']);
    expect(root.querySelector('.edge')?.textContent).to.equal('No more posts.');
  });
  it('offers a retry when loading at the end failed', async () => {
    const { root, list } = await grid([], 3, stubList(loaded(daily(40, 38), { older: 'failed' })));
    root.querySelector<HTMLElement>('.edge button')?.click();
    expect(list.loadCalls).to.deep.equal(['older']);
  });
  it('says when a list has no pictures, and links to the list', async () => {
    const services = readingServices(
      stubList(loaded([dated(40, { media: [{ type: 'document', messageId: 40, src: '/none.pdf', name: 'tides.pdf' }] })])),
    );
    const root = mount(services);
    await waitUntil(() => root.querySelector('.empty') !== null);
    expect(root.querySelector('.empty')?.textContent).to.contain('No photos or videos yet');
    root.querySelector<HTMLElement>('.empty button')?.click();
    expect(services.calls).to.include('navigate /channel/u1?media=1');
  });
  it('starts at the date in the URL, at the nearest earlier post with a tile', async () => {
    const days = daily(340, 21).map((one) => (one.id === 60 ? { ...one, media: [] } : one));
    const list = stubList(loaded(days, { newer: 'idle' }));
    const root = mount(readingServices(list), { media: '1', as: 'grid', date: '2024-04-09' });
    await waitUntil(() => window.scrollY > 0);
    const top = root.querySelector('[data-key="1/59"]')?.getBoundingClientRect().top;
    expect(top).to.be.within(0, 200);
  });
  it('shows the stored copy of a picture that cannot be loaded', async () => {
    const shown: string[] = [];
    const services = readingServices(stubList(loaded([dated(40, { media: [photo(40, { src: '/none.jpg' })] })])));
    const showKept = async (image: HTMLImageElement) => {
      shown.push(image.getAttribute('src') ?? '');
      image.removeAttribute('srcset');
      image.src = SRC;
    };
    const root = mount({ ...services, environment: { ...services.environment, showOfflineImage: showKept } });
    await waitUntil(() => shown.length === 1);
    expect(shown[0]).to.contain('/none.jpg');
    await waitUntil(() => root.querySelector<HTMLImageElement>('.media-tile img')?.naturalWidth === 8);
    expect(root.querySelector('.media-tile .lost')).to.equal(null);
  });
});
