// Virtual list: a feed with a thousand posts, scroll anchoring and focus.

import { expect, waitUntil } from '@open-wc/testing';
import '../../../elements/changer-feed.ts';
import type { Post } from '../../../contract/post.ts';
import type { ChangerElement } from '../../../elements/element-types.ts';
import type { LineupRow, Loadable } from '../../../src/data/model/types.ts';
import { createPostGroups, groupsOf } from '../../../src/features/post-list/post-groups.ts';
import { createSignal } from '../../../src/lib/signal.ts';
import { loaded, post, posts, type Reading, reading, stubList } from './reading-services.ts';

const MANY = 1000;

let standing: ChangerElement | null = null;
afterEach(() => {
  standing?.remove();
  standing = null;
  window.scrollTo(0, 0);
  history.replaceState(null, '');
});

function stand(services: Reading): ShadowRoot {
  const element = document.createElement('changer-feed');
  standing = element;
  element.services = services;
  document.body.append(element);
  if (element.shadowRoot === null) throw new Error('no shadow root');
  return element.shadowRoot;
}

const drawn = (root: ShadowRoot): HTMLElement[] => [...root.querySelectorAll<HTMLElement>('article')];
const find = (root: ShadowRoot, id: number): HTMLElement | null => root.querySelector(`[data-key="1/${id}"]`);
const article = (root: ShadowRoot, id: number): HTMLElement => {
  const found = find(root, id);
  if (found === null) throw new Error(`post ${id} is not drawn`);
  return found;
};
const fromTop = (element: HTMLElement): number => element.getBoundingClientRect().top + window.scrollY;
/** Returns a post in the middle of the window, regardless of the positions of the gaps between posts. */
const amid = (root: ShadowRoot) =>
  drawn(root).find((each) => {
    const { top, bottom } = each.getBoundingClientRect();
    return top < 350 && bottom > 250;
  });
const few = (root: ShadowRoot) => waitUntil(() => drawn(root).length < 150, 'distant groups are unmounted');
const scrollTo = async (root: ShadowRoot, top: number): Promise<void> => {
  window.scrollTo(0, top);
  await waitUntil(() => amid(root) !== undefined, 'posts are drawn there');
};

describe('changer-feed with a thousand posts', function (this: { timeout(ms: number): void }) {
  this.timeout(240_000);
  it('renders the posts near the viewport, and keeps the height of the rest', async () => {
    const root = stand(reading(stubList(loaded(posts(MANY, 1)))));
    const before = document.documentElement.scrollHeight;
    const [near, far] = [fromTop(article(root, MANY - 20)), fromTop(article(root, 300))];
    await few(root);
    expect(document.documentElement.scrollHeight).to.equal(before);
    await scrollTo(root, far - 200);
    await waitUntil(() => find(root, MANY - 20) === null && find(root, 300) !== null);
    expect(fromTop(article(root, 300))).to.be.closeTo(far, 0.5);
    expect(article(root, 300).getAttribute('aria-posinset')).to.equal(String(MANY - 299));
    expect(article(root, 300).getAttribute('aria-setsize')).to.equal(String(MANY));
    await few(root);
    await scrollTo(root, near - 200);
    await waitUntil(() => find(root, MANY - 20) !== null);
    expect(fromTop(article(root, MANY - 20))).to.be.closeTo(near, 0.5);
    expect(document.documentElement.scrollHeight).to.equal(before);
  });
  it('renders a group again at once when the user returns while it is being unmounted', async () => {
    const list = stubList(loaded(posts(MANY, 1)));
    const root = stand(reading(list));
    await few(root);
    const former = article(root, MANY - 7);
    const leaf = former.closest<HTMLElement>('.leaf');
    if (leaf === null) throw new Error('no leaf');
    const { height } = leaf.getBoundingClientRect();
    groupsOf(list).setPlaceholderHeight(leaf, height);
    await waitUntil(() => !former.isConnected && leaf.childElementCount > 0, 'the list is rendered again');
    expect(leaf.getBoundingClientRect().height).to.equal(height);
  });
  it('renders the posts that the user scrolls to, however fast the scrolling', async () => {
    const root = stand(reading(stubList(loaded(posts(MANY, 1)))));
    await few(root);
    for (const frames of [0, 1, 2, 3, 4, 6, 8, 12]) {
      for (const place of [60_000, 0, 90_000, 30_000, 60_000, 0]) {
        window.scrollTo(0, place);
        for (let frame = 0; frame < frames; frame++) await new Promise(requestAnimationFrame);
      }
      await scrollTo(root, 60_000 + frames * 4000);
    }
  });
  it('moves through all posts with Page Down', async () => {
    const root = stand(reading(stubList(loaded(posts(MANY, 1)))));
    await few(root);
    article(root, MANY).focus();
    for (let id = MANY - 1; id >= MANY - 120; id--) {
      await waitUntil(() => {
        root.activeElement?.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'PageDown', bubbles: true, composed: true, cancelable: true }),
        );
        return root.activeElement?.getAttribute('data-key') !== `1/${id + 1}`;
      });
      expect(root.activeElement?.getAttribute('data-key')).to.equal(`1/${id}`);
    }
    await few(root);
  });
  it('keeps the focus in place, however far the user scrolls', async () => {
    const root = stand(reading(stubList(loaded(posts(MANY, 1)))));
    const star = article(root, MANY - 3).querySelector<HTMLElement>('[aria-label=Star]');
    star?.focus();
    await few(root);
    await scrollTo(root, fromTop(article(root, MANY - 3)) + 60_000);
    await waitUntil(() => find(root, MANY - 60) === null);
    expect(root.activeElement).to.equal(star);
  });
  it('keeps expanded posts expanded', async () => {
    const long = post(MANY, { text: 'A long story of the harbour. '.repeat(120) });
    const root = stand(reading(stubList(loaded([long, ...posts(MANY - 1, 1)]))));
    await few(root);
    article(root, MANY).querySelector<HTMLElement>('.more')?.click();
    await waitUntil(() => article(root, MANY).querySelector('[aria-expanded=true]') !== null);
    await scrollTo(root, 60_000);
    await waitUntil(() => find(root, MANY - 60) === null);
    window.scrollTo(0, 0);
    expect(article(root, MANY).querySelector('[aria-expanded=true]')).to.not.equal(null);
  });
  it('keeps a playing video mounted', async () => {
    const film = { type: 'video', src: '/none.mp4', messageId: MANY, width: 640, height: 360 } as const;
    const root = stand(reading(stubList(loaded([post(MANY, { media: [film] }), ...posts(MANY - 1, 1)]))));
    await waitUntil(() => root.querySelector('video') !== null);
    const video = root.querySelector('video');
    Object.defineProperty(video, 'paused', { value: false });
    await few(root);
    await scrollTo(root, 60_000);
    await waitUntil(() => find(root, MANY - 60) === null);
    expect(video?.isConnected).to.equal(true);
  });
  it('keeps a post with an open dialog mounted', async () => {
    const root = stand(reading(stubList(loaded(posts(MANY, 1)))));
    const dialog = document.createElement('dialog');
    article(root, MANY).append(dialog);
    dialog.showModal();
    await few(root);
    await scrollTo(root, 60_000);
    await waitUntil(() => find(root, MANY - 60) === null);
    expect(dialog.isConnected).to.equal(true);
  });
  it('keeps the visible posts in place when content is added above all posts', async () => {
    const root = stand(reading(stubList(loaded(posts(MANY, 1)))));
    await few(root);
    await scrollTo(root, 60_000);
    await few(root);
    const seen = amid(root);
    const { top } = seen?.getBoundingClientRect() ?? { top: Number.NaN };
    const notice = document.createElement('p');
    notice.style.blockSize = '80px';
    root.querySelector('.column')?.prepend(notice);
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    expect(seen?.getBoundingClientRect().top).to.be.closeTo(top, 1);
  });
  it('keeps the posts below the bar in place when the group under the bar is rendered with a larger height', async () => {
    const root = stand(reading(stubList(loaded(posts(MANY, 1)))));
    const leaf = article(root, 300).closest<HTMLElement>('.leaf');
    const above = leaf?.previousElementSibling;
    if (!leaf || !(above instanceof HTMLElement)) throw new Error('no leaves');
    await few(root);
    expect([leaf.childElementCount, above.childElementCount]).to.deep.equal([0, 0]);
    above.style.blockSize = `${above.offsetHeight / 2}px`;
    window.scrollTo(0, fromTop(leaf) - 90);
    await waitUntil(() => leaf.childElementCount > 0 && above.childElementCount > 0, 'both groups are rendered');
    expect(leaf.getBoundingClientRect().top).to.be.closeTo(90, 1);
  });
  it('keeps the visible posts in place when a group above is rendered with a larger height', async () => {
    const root = stand(reading(stubList(loaded(posts(MANY, 1)))));
    const far = fromTop(article(root, 300));
    await few(root);
    await scrollTo(root, far - 200);
    await few(root);
    const seen = article(root, 300);
    let above = seen.closest('.leaf')?.previousElementSibling;
    while (above && above.childElementCount > 0) above = above.previousElementSibling;
    // The nearest group may be about to be mounted.
    above = above?.previousElementSibling?.previousElementSibling;
    if (!(above instanceof HTMLElement)) throw new Error('nothing is away above');
    above.style.blockSize = `${above.offsetHeight / 2}px`;
    const { top } = seen.getBoundingClientRect();
    let scrolled = 0;
    await waitUntil(() => {
      if (above.childElementCount > 0) return true;
      window.scrollBy(0, -100);
      scrolled += 100;
      return false;
    }, 'it is drawn');
    expect(seen.getBoundingClientRect().top).to.be.closeTo(top + scrolled, 1);
  });
  it('jumps to an unmounted post, and back to the reply, with the focus', async () => {
    const answer = post(MANY - 3, { reply: { id: 50, excerpt: 'Post 50.' } });
    const root = stand(reading(stubList(loaded([...posts(MANY, MANY - 2), answer, ...posts(MANY - 4, 1)]))));
    await waitUntil(() => root.querySelector('.post-reply') !== null, 'all posts are rendered');
    await few(root);
    expect(find(root, 50)).to.equal(null);
    const { top } = article(root, MANY - 3).getBoundingClientRect();
    root.querySelector<HTMLElement>('.post-reply')?.click();
    expect(root.activeElement).to.equal(article(root, 50));
    await waitUntil(() => root.querySelector('.way-back') !== null, 'the button that returns is shown');
    expect(article(root, 50).getBoundingClientRect().top).to.be.within(0, window.innerHeight);
    root.querySelector<HTMLElement>('.way-back')?.click();
    expect(root.activeElement?.className).to.equal('post-reply');
    expect(article(root, MANY - 3).getBoundingClientRect().top).to.be.closeTo(top, 1);
  });
  it('keeps its posts and their position when some are added above and some are removed', async () => {
    const list = stubList(loaded(posts(MANY, 1)));
    const root = stand(reading(list));
    await few(root);
    await scrollTo(root, 60_000);
    await few(root);
    const inSight = drawn(root).findIndex((each) => each.getBoundingClientRect().top > 110);
    const [gone, seen] = [drawn(root)[inSight - 4], drawn(root)[inSight]];
    const top = seen?.getBoundingClientRect().top ?? 0;
    const rest = posts(MANY, 1).filter(({ id }) => `1/${id}` !== gone?.dataset.key);
    list.cell.set(loaded([...posts(MANY + 30, MANY + 1), ...rest]));
    await waitUntil(() => gone?.isConnected === false);
    expect(seen?.getBoundingClientRect().top).to.be.closeTo(top, 1);
    await few(root);
    expect(seen?.getBoundingClientRect().top).to.be.closeTo(top, 1);
    expect(seen?.isConnected).to.equal(true);
    expect(seen?.getAttribute('aria-setsize')).to.equal(String(MANY + 29));
  });
  it('restores the last position of the user, seven hundred posts down', async () => {
    const list = stubList(loaded(posts(MANY, 1)));
    const rows = reading(list).dataClient.lineup.get();
    const value = rows.type !== 'loaded' ? [] : rows.value.filter(({ channel }) => channel.id === '1');
    const latest = { id: MANY, date: MANY * 100 };
    const own = value.map((row) => ({ ...row, channel: { ...row.channel, latest } }));
    const lineup = createSignal<Loadable<readonly LineupRow[]>>({ type: 'loaded', value: own, cachedAt: null });
    const services = reading(list, { marks: { 1: MANY - 700 }, lineup });
    const root = stand(services);
    await few(root);
    await waitUntil(() => root.querySelector('.float .pill') !== null, 'the button to continue is shown');
    root.querySelector<HTMLElement>('.float .pill')?.click();
    await waitUntil(() => root.activeElement?.getAttribute('data-key') === `1/${MANY - 699}`, 'the last new post has the focus');
    const divider = root.querySelector('.divider')?.getBoundingClientRect();
    expect(divider?.top).to.be.within(0, window.innerHeight);
    expect(services.calls.filter((call) => call.startsWith('read'))).to.deep.equal([]);
  });
  it('marks the visible posts as read when the posts down to the read marker are loaded', async () => {
    const short = [40, 39].map((id) => post(id, { text: 'Short.' }));
    const list = stubList(loaded(short, { older: 'loading' }));
    const services = reading(list, { marks: { 1: 38 } });
    stand(services);
    let looks = 0;
    await waitUntil(() => ++looks > 30, 'two seconds went by');
    expect(services.marks.get().get('1')).to.equal(38);
    list.cell.set(loaded([...short, post(38)], { older: 'idle' }));
    await waitUntil(() => services.marks.get().get('1') === 40, 'the mark moved');
  });
});

describe('post groups', () => {
  const divided = (leaves: ReturnType<typeof createPostGroups>, shown: readonly Post[]) =>
    leaves.divide(shown).map(({ id, start, posts: own }) => ({ id, start, keys: own.map((each) => each.id) }));
  it('contain at most 5 posts', () => {
    expect(divided(createPostGroups(), posts(40, 33)).map(({ start, keys }) => [start, keys.length])).to.deep.equal([
      [0, 5],
      [5, 3],
    ]);
  });
  it('stay the same when posts are added above, between and below, or removed', () => {
    const leaves = createPostGroups();
    const [first, second] = divided(leaves, posts(40, 33));
    const next = divided(leaves, [post(42), ...posts(40, 38), ...posts(36, 29)]);
    expect(next.map(({ id }) => id).slice(0, 2)).to.deep.equal([first?.id, second?.id]);
    expect(next.map(({ keys }) => keys.length)).to.deep.equal([5, 3, 4]);
    const again = divided(leaves, [...posts(60, 41), ...posts(40, 29)]);
    expect(again.slice(-3).map(({ id }) => id)).to.deep.equal(next.map(({ id }) => id));
    expect(again.flatMap(({ keys }) => keys)).to.deep.equal(posts(60, 29).map(({ id }) => id));
  });
});
