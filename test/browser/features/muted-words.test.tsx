// Muted words in the feed.

import { aTimeout, expect, waitUntil } from '@open-wc/testing';
import '../../../elements/changer-feed.ts';
import type { Post } from '../../../contract/post.ts';
import type { ChangerElement } from '../../../elements/element-types.ts';
import type { NewPostsWithView } from '../../../src/data/context.ts';
import type { MutedWordsFilter } from '../../../src/data/model/types.ts';
import { NewPostsPill } from '../../../src/features/post-list/NewPostsPill.tsx';
import { createSignal } from '../../../src/lib/signal.ts';
import { loaded, post, posts, type ReadingServices, readingServices, type StubList, stubList } from './reading-services.ts';

const mounted: ChangerElement[] = [];
afterEach(() => {
  for (const element of mounted.splice(0)) element.remove();
  window.scrollTo(0, 0);
});

function mount(services: ReadingServices, params: Readonly<Record<string, string>> = {}): ShadowRoot {
  const element = document.createElement('changer-feed');
  mounted.push(element);
  element.services = services;
  element.params = params;
  document.body.append(element);
  if (element.shadowRoot === null) throw new Error('no shadow root');
  return element.shadowRoot;
}
const keys = (root: ShadowRoot): string =>
  [...root.querySelectorAll<HTMLElement>('article')].map((article) => article.dataset.key?.split('/')[1]).join(' ');
const pill = (root: ShadowRoot): HTMLElement | null => root.querySelector('.fresh .pill');
const AD = 'An ad.';
const muting = { mutedWords: createSignal<MutedWordsFilter | null>(({ text }) => text.includes(AD)) };

/** Replaces the listener for events of the server by one over a list in memory. */
function withPendingPosts(list: StubList): { readonly fresh: NewPostsWithView; readonly receive: (...posts: Post[]) => void } {
  const pending = createSignal<readonly Post[]>([]);
  const show = () => {
    const now = list.state.get();
    if (now.type === 'loaded') list.state.set(loaded([...pending.get(), ...now.posts]));
    pending.set([]);
  };
  return {
    fresh: { pendingFor: () => pending, show, View: NewPostsPill },
    receive: (...posts) => pending.set([...posts, ...pending.get()]),
  };
}

describe('a post muted by words', () => {
  it('is passed by the read marker, at any position between posts that were seen', async () => {
    const short = { text: 'Ebb.' };
    const list = stubList(loaded([post(40, { text: AD }), post(39, short), post(38, { text: AD }), post(37, short), post(36)]));
    const services = readingServices(list, { ...muting, marks: { 1: 36 } });
    mount(services);
    await waitUntil(() => services.calls.includes('read 1 40'), 'the mark goes on');
  });

  it('marks nothing as read in a channel without a read marker, or in a list of media', async () => {
    const list = stubList(loaded([post(40, { text: AD }), ...posts(39, 30)]));
    const media = readingServices(list, { ...muting, marks: { 1: 38 } });
    mount(media, { show: 'media' });
    const unknown = readingServices(list, muting);
    mount(unknown);
    const marked = readingServices(list, { ...muting, marks: { 1: 38 } });
    mount(marked);
    await waitUntil(() => marked.calls.includes('read 1 40'), 'the mark of the third list');
    await aTimeout(0);
    for (const { calls } of [media, unknown]) expect(calls.filter((call) => call.startsWith('read'))).to.deep.equal([]);
  });

  it('shows no pill when it arrives, and is passed by the read marker', async () => {
    const list = stubList(loaded(posts(40, 31)));
    const { fresh, receive } = withPendingPosts(list);
    const services = readingServices(list, {
      ...muting,
      marks: { 1: 40 },
      newPosts: createSignal<NewPostsWithView | null>(fresh),
    });
    const root = mount(services);
    await waitUntil(() => keys(root).startsWith('40'));
    receive(post(41, { text: AD }));
    await waitUntil(() => services.calls.includes('read 1 41'), 'the mark goes on');
    expect(pill(root)).to.equal(null);
    expect(keys(root).startsWith('40')).to.equal(true);
  });

  it('is not counted by the pill, which leads to the newest visible post', async () => {
    const list = stubList(loaded(posts(40, 31)));
    const { fresh, receive } = withPendingPosts(list);
    const root = mount(
      readingServices(list, { ...muting, marks: { 1: 40 }, newPosts: createSignal<NewPostsWithView | null>(fresh) }),
    );
    await waitUntil(() => keys(root).startsWith('40'));
    receive(post(42, { text: AD }), post(41));
    await waitUntil(() => pill(root) !== null);
    expect(pill(root)?.textContent).to.equal('1 new post');
    pill(root)?.click();
    await waitUntil(() => root.activeElement?.getAttribute('data-key') === '1/41');
  });

  it('stays among the starred posts', () => {
    const root = mount(readingServices(stubList(loaded([post(40, { text: AD }), post(39)])), muting), { show: 'starred' });
    expect(keys(root)).to.equal('40 39');
  });
});
