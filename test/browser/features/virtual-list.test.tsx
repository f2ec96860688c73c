// Virtual list: a feed with a thousand posts, scroll anchoring and focus.

import { expect, waitUntil } from '@open-wc/testing';
import '../../../elements/changer-feed.ts';
import type { Post } from '../../../contract/post.ts';
import type { ChangerElement } from '../../../elements/element-types.ts';
import type { LineupRow, Loadable } from '../../../src/data/model/types.ts';
import { createPostGroups, groupsOf } from '../../../src/features/post-list/post-groups.ts';
import { createSignal } from '../../../src/lib/signal.ts';
import { loaded, post, posts, type ReadingServices, readingServices, stubList } from './reading-services.ts';

const POST_COUNT = 1000;

let mounted: ChangerElement | null = null;
afterEach(() => {
  mounted?.remove();
  mounted = null;
  window.scrollTo(0, 0);
  history.replaceState(null, '');
});

function mount(services: ReadingServices): ShadowRoot {
  const element = document.createElement('changer-feed');
  mounted = element;
  element.services = services;
  document.body.append(element);
  if (element.shadowRoot === null) throw new Error('no shadow root');
  return element.shadowRoot;
}

const rendered = (root: ShadowRoot): HTMLElement[] => [...root.querySelectorAll<HTMLElement>('article')];
const find = (root: ShadowRoot, id: number): HTMLElement | null => root.querySelector(`[data-key="1/${id}"]`);
const article = (root: ShadowRoot, id: number): HTMLElement => {
  const found = find(root, id);
  if (found === null) throw new Error(`post ${id} is not drawn`);
  return found;
};
const fromTop = (element: HTMLElement): number => element.getBoundingClientRect().top + window.scrollY;
/** Returns a post in the middle of the window, regardless of the positions of the gaps between posts. */
const postInMiddle = (root: ShadowRoot) =>
  rendered(root).find((each) => {
    const { top, bottom } = each.getBoundingClientRect();
    return top < 350 && bottom > 250;
  });
const waitUntilUnmounted = (root: ShadowRoot) => waitUntil(() => rendered(root).length < 150, 'distant groups are unmounted');
const scrollTo = async (root: ShadowRoot, top: number): Promise<void> => {
  window.scrollTo(0, top);
  await waitUntil(() => postInMiddle(root) !== undefined, 'posts are drawn there');
};

describe('changer-feed with a thousand posts', function (this: { timeout(ms: number): void }) {
  this.timeout(240_000);
  it('renders the posts near the viewport, and keeps the height of the rest', async () => {
    const root = mount(readingServices(stubList(loaded(posts(POST_COUNT, 1)))));
    const before = document.documentElement.scrollHeight;
    const [near, far] = [fromTop(article(root, POST_COUNT - 20)), fromTop(article(root, 300))];
    await waitUntilUnmounted(root);
    expect(document.documentElement.scrollHeight).to.equal(before);
    await scrollTo(root, far - 200);
    await waitUntil(() => find(root, POST_COUNT - 20) === null && find(root, 300) !== null);
    expect(fromTop(article(root, 300))).to.be.closeTo(far, 0.5);
    expect(article(root, 300).getAttribute('aria-posinset')).to.equal(String(POST_COUNT - 299));
    expect(article(root, 300).getAttribute('aria-setsize')).to.equal(String(POST_COUNT));
    await waitUntilUnmounted(root);
    await scrollTo(root, near - 200);
    await waitUntil(() => find(root, POST_COUNT - 20) !== null);
    expect(fromTop(article(root, POST_COUNT - 20))).to.be.closeTo(near, 0.5);
    expect(document.documentElement.scrollHeight).to.equal(before);
  });
  it('renders a group again at once when the user returns while it is being unmounted', async () => {
    const list = stubList(loaded(posts(POST_COUNT, 1)));
    const root = mount(readingServices(list));
    await waitUntilUnmounted(root);
    const previous = article(root, POST_COUNT - 7);
    const group = previous.closest<HTMLElement>('.leaf');
    if (group === null) throw new Error('no leaf');
    const { height } = group.getBoundingClientRect();
    groupsOf(list).setPlaceholderHeight(group, height);
    await waitUntil(() => !previous.isConnected && group.childElementCount > 0, 'the list is rendered again');
    expect(group.getBoundingClientRect().height).to.equal(height);
  });
  it('renders the posts that the user scrolls to, however fast the scrolling', async () => {
    const root = mount(readingServices(stubList(loaded(posts(POST_COUNT, 1)))));
    await waitUntilUnmounted(root);
    for (const frames of [0, 1, 2, 3, 4, 6, 8, 12]) {
      for (const top of [60_000, 0, 90_000, 30_000, 60_000, 0]) {
        window.scrollTo(0, top);
        for (let frame = 0; frame < frames; frame++) await new Promise(requestAnimationFrame);
      }
      await scrollTo(root, 60_000 + frames * 4000);
    }
  });
  it('renders the groups far below the window of a prerendered page later, at the same height', async () => {
    const services = readingServices(stubList(loaded(posts(20, 1))));
    const expected = mount(services);
    const heights = [...expected.querySelectorAll<HTMLElement>('.leaf')].map((group) => group.getBoundingClientRect().height);
    const prerendered = document.createElement('div').attachShadow({ mode: 'open' });
    prerendered.innerHTML = expected.querySelector('.stream')?.innerHTML ?? '';
    for (const [index, group] of [...prerendered.querySelectorAll<HTMLElement>('.leaf')].entries()) {
      group.dataset.height = String(heights[index]);
      if (index > 1) group.dataset.far = '';
    }
    mounted?.remove();
    const environment = { ...services.environment, prerenderedRoot: () => prerendered };
    const root = mount({ ...readingServices(stubList(loaded(posts(20, 1)))), environment });
    const heightsNow = () => [...root.querySelectorAll('.leaf')].map((group) => group.getBoundingClientRect().height);
    await waitUntil(() => rendered(root).length > 0);
    expect(rendered(root)).to.have.length(10);
    expect([...root.querySelectorAll<HTMLElement>('[data-posts]')].map(({ dataset }) => dataset.posts)).to.deep.equal(['5', '5']);
    expect(heightsNow()).to.deep.equal(heights);
    await waitUntil(() => rendered(root).length === 20, 'all are rendered');
    expect(heightsNow()).to.deep.equal(heights);
  });
  it('moves through all posts with Page Down', async () => {
    const root = mount(readingServices(stubList(loaded(posts(POST_COUNT, 1)))));
    await waitUntilUnmounted(root);
    article(root, POST_COUNT).focus();
    for (let id = POST_COUNT - 1; id >= POST_COUNT - 120; id--) {
      await waitUntil(() => {
        root.activeElement?.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'PageDown', bubbles: true, composed: true, cancelable: true }),
        );
        return root.activeElement?.getAttribute('data-key') !== `1/${id + 1}`;
      });
      expect(root.activeElement?.getAttribute('data-key')).to.equal(`1/${id}`);
    }
    await waitUntilUnmounted(root);
  });
  it('keeps the focus in place, however far the user scrolls', async () => {
    const root = mount(readingServices(stubList(loaded(posts(POST_COUNT, 1)))));
    const star = article(root, POST_COUNT - 3).querySelector<HTMLElement>('[aria-label=Star]');
    star?.focus();
    await waitUntilUnmounted(root);
    await scrollTo(root, fromTop(article(root, POST_COUNT - 3)) + 60_000);
    await waitUntil(() => find(root, POST_COUNT - 60) === null);
    expect(root.activeElement).to.equal(star);
  });
  it('keeps expanded posts expanded', async () => {
    const long = post(POST_COUNT, { text: 'A long story of the harbour. '.repeat(120) });
    const root = mount(readingServices(stubList(loaded([long, ...posts(POST_COUNT - 1, 1)]))));
    await waitUntilUnmounted(root);
    article(root, POST_COUNT).querySelector<HTMLElement>('.more')?.click();
    await waitUntil(() => article(root, POST_COUNT).querySelector('[aria-expanded=true]') !== null);
    await scrollTo(root, 60_000);
    await waitUntil(() => find(root, POST_COUNT - 60) === null);
    window.scrollTo(0, 0);
    expect(article(root, POST_COUNT).querySelector('[aria-expanded=true]')).to.not.equal(null);
  });
  it('keeps a playing video mounted', async () => {
    const film = { type: 'video', src: '/none.mp4', messageId: POST_COUNT, width: 640, height: 360 } as const;
    const root = mount(readingServices(stubList(loaded([post(POST_COUNT, { media: [film] }), ...posts(POST_COUNT - 1, 1)]))));
    await waitUntil(() => root.querySelector('video') !== null);
    const video = root.querySelector('video');
    Object.defineProperty(video, 'paused', { value: false });
    await waitUntilUnmounted(root);
    await scrollTo(root, 60_000);
    await waitUntil(() => find(root, POST_COUNT - 60) === null);
    expect(video?.isConnected).to.equal(true);
  });
  it('keeps a post with an open dialog mounted', async () => {
    const root = mount(readingServices(stubList(loaded(posts(POST_COUNT, 1)))));
    const dialog = document.createElement('dialog');
    article(root, POST_COUNT).append(dialog);
    dialog.showModal();
    await waitUntilUnmounted(root);
    await scrollTo(root, 60_000);
    await waitUntil(() => find(root, POST_COUNT - 60) === null);
    expect(dialog.isConnected).to.equal(true);
  });
  it('keeps the visible posts in place when content is added above all posts', async () => {
    const root = mount(readingServices(stubList(loaded(posts(POST_COUNT, 1)))));
    await waitUntilUnmounted(root);
    await scrollTo(root, 60_000);
    await waitUntilUnmounted(root);
    const visiblePost = postInMiddle(root);
    const { top } = visiblePost?.getBoundingClientRect() ?? { top: Number.NaN };
    const notice = document.createElement('p');
    notice.style.blockSize = '80px';
    root.querySelector('.column')?.prepend(notice);
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    expect(visiblePost?.getBoundingClientRect().top).to.be.closeTo(top, 1);
  });
  it('keeps the posts below the bar in place when the group under the bar is rendered with a larger height', async () => {
    const root = mount(readingServices(stubList(loaded(posts(POST_COUNT, 1)))));
    const group = article(root, 300).closest<HTMLElement>('.leaf');
    const above = group?.previousElementSibling;
    if (!group || !(above instanceof HTMLElement)) throw new Error('no leaves');
    await waitUntilUnmounted(root);
    expect([group.childElementCount, above.childElementCount]).to.deep.equal([0, 0]);
    above.style.blockSize = `${above.offsetHeight / 2}px`;
    window.scrollTo(0, fromTop(group) - 90);
    await waitUntil(() => group.childElementCount > 0 && above.childElementCount > 0, 'both groups are rendered');
    expect(group.getBoundingClientRect().top).to.be.closeTo(90, 1);
  });
  it('keeps the visible posts in place when a group above is rendered with a larger height', async () => {
    const root = mount(readingServices(stubList(loaded(posts(POST_COUNT, 1)))));
    const far = fromTop(article(root, 300));
    await waitUntilUnmounted(root);
    await scrollTo(root, far - 200);
    await waitUntilUnmounted(root);
    const visiblePost = article(root, 300);
    let above = visiblePost.closest('.leaf')?.previousElementSibling;
    while (above && above.childElementCount > 0) above = above.previousElementSibling;
    // The nearest group may be about to be mounted.
    above = above?.previousElementSibling?.previousElementSibling;
    if (!(above instanceof HTMLElement)) throw new Error('nothing is away above');
    above.style.blockSize = `${above.offsetHeight / 2}px`;
    const { top } = visiblePost.getBoundingClientRect();
    let scrolled = 0;
    await waitUntil(() => {
      if (above.childElementCount > 0) return true;
      window.scrollBy(0, -100);
      scrolled += 100;
      return false;
    }, 'it is drawn');
    expect(visiblePost.getBoundingClientRect().top).to.be.closeTo(top + scrolled, 1);
  });
  it('jumps to an unmounted post, and back to the reply, with the focus', async () => {
    const reply = post(POST_COUNT - 3, { reply: { id: 50, excerpt: 'Post 50.' } });
    const root = mount(
      readingServices(stubList(loaded([...posts(POST_COUNT, POST_COUNT - 2), reply, ...posts(POST_COUNT - 4, 1)]))),
    );
    await waitUntil(() => root.querySelector('.post-reply') !== null, 'all posts are rendered');
    await waitUntilUnmounted(root);
    expect(find(root, 50)).to.equal(null);
    const { top } = article(root, POST_COUNT - 3).getBoundingClientRect();
    root.querySelector<HTMLElement>('.post-reply')?.click();
    expect(root.activeElement).to.equal(article(root, 50));
    await waitUntil(() => root.querySelector('.way-back') !== null, 'the button that returns is shown');
    expect(article(root, 50).getBoundingClientRect().top).to.be.within(0, window.innerHeight);
    root.querySelector<HTMLElement>('.way-back')?.click();
    expect(root.activeElement?.className).to.equal('post-reply');
    expect(article(root, POST_COUNT - 3).getBoundingClientRect().top).to.be.closeTo(top, 1);
  });
  it('keeps its posts and their position when some are added above and some are removed', async () => {
    const list = stubList(loaded(posts(POST_COUNT, 1)));
    const root = mount(readingServices(list));
    await waitUntilUnmounted(root);
    await scrollTo(root, 60_000);
    await waitUntilUnmounted(root);
    const firstVisible = rendered(root).findIndex((each) => each.getBoundingClientRect().top > 110);
    const [removed, visiblePost] = [rendered(root)[firstVisible - 4], rendered(root)[firstVisible]];
    const top = visiblePost?.getBoundingClientRect().top ?? 0;
    const remaining = posts(POST_COUNT, 1).filter(({ id }) => `1/${id}` !== removed?.dataset.key);
    list.state.set(loaded([...posts(POST_COUNT + 30, POST_COUNT + 1), ...remaining]));
    await waitUntil(() => removed?.isConnected === false);
    expect(visiblePost?.getBoundingClientRect().top).to.be.closeTo(top, 1);
    await waitUntilUnmounted(root);
    expect(visiblePost?.getBoundingClientRect().top).to.be.closeTo(top, 1);
    expect(visiblePost?.isConnected).to.equal(true);
    expect(visiblePost?.getAttribute('aria-setsize')).to.equal(String(POST_COUNT + 29));
  });
  it('restores the last position of the user, seven hundred posts down', async () => {
    const list = stubList(loaded(posts(POST_COUNT, 1)));
    const rows = readingServices(list).dataClient.lineup.get();
    const value = rows.type !== 'loaded' ? [] : rows.value.filter(({ channel }) => channel.id === '1');
    const latest = { id: POST_COUNT, date: POST_COUNT * 100 };
    const shownRows = value.map((row) => ({ ...row, channel: { ...row.channel, latest } }));
    const lineup = createSignal<Loadable<readonly LineupRow[]>>({ type: 'loaded', value: shownRows, cachedAt: null });
    const services = readingServices(list, { marks: { 1: POST_COUNT - 700 }, lineup });
    const root = mount(services);
    await waitUntilUnmounted(root);
    await waitUntil(() => root.querySelector('.float .pill') !== null, 'the button to continue is shown');
    root.querySelector<HTMLElement>('.float .pill')?.click();
    await waitUntil(
      () => root.activeElement?.getAttribute('data-key') === `1/${POST_COUNT - 699}`,
      'the last new post has the focus',
    );
    const divider = root.querySelector('.divider')?.getBoundingClientRect();
    expect(divider?.top).to.be.within(0, window.innerHeight);
    expect(services.calls.filter((call) => call.startsWith('read'))).to.deep.equal([]);
  });
  it('marks the visible posts as read when the posts down to the read marker are loaded', async () => {
    const short = [40, 39].map((id) => post(id, { text: 'Short.' }));
    const list = stubList(loaded(short, { older: 'loading' }));
    const services = readingServices(list, { marks: { 1: 38 } });
    mount(services);
    let checks = 0;
    await waitUntil(() => ++checks > 30, 'two seconds went by');
    expect(services.marks.get().get('1')).to.equal(38);
    list.state.set(loaded([...short, post(38)], { older: 'idle' }));
    await waitUntil(() => services.marks.get().get('1') === 40, 'the mark moved');
  });
});

describe('post groups', () => {
  const divide = (groups: ReturnType<typeof createPostGroups>, shown: readonly Post[]) =>
    groups.divide(shown).map(({ id, start, posts: groupPosts }) => ({ id, start, keys: groupPosts.map((each) => each.id) }));
  it('contain at most 5 posts', () => {
    expect(divide(createPostGroups(), posts(40, 33)).map(({ start, keys }) => [start, keys.length])).to.deep.equal([
      [0, 5],
      [5, 3],
    ]);
  });
  it('stay the same when posts are added above, between and below, or removed', () => {
    const groups = createPostGroups();
    const [first, second] = divide(groups, posts(40, 33));
    const next = divide(groups, [post(42), ...posts(40, 38), ...posts(36, 29)]);
    expect(next.map(({ id }) => id).slice(0, 2)).to.deep.equal([first?.id, second?.id]);
    expect(next.map(({ keys }) => keys.length)).to.deep.equal([5, 3, 4]);
    const again = divide(groups, [...posts(60, 41), ...posts(40, 29)]);
    expect(again.slice(-3).map(({ id }) => id)).to.deep.equal(next.map(({ id }) => id));
    expect(again.flatMap(({ keys }) => keys)).to.deep.equal(posts(60, 29).map(({ id }) => id));
  });
});
