// Pinned posts bar of a channel.

import { expect, waitUntil } from '@open-wc/testing';
import '../../../elements/changer-channel.ts';
import * as parse from '../../../contract/parse.ts';
import type { Post } from '../../../contract/post.ts';
import type { ChangerElement } from '../../../elements/element-types.ts';
import type { DataClient } from '../../../src/data/model/client.ts';
import type { Loadable } from '../../../src/data/model/types.ts';
import { createSignal, type WritableSignal } from '../../../src/lib/signal.ts';
import { GAZETTE, loaded, post, posts, readingServices, stubList } from './reading-services.ts';

type LoadablePost = Loadable<{ readonly post: Post; readonly channel: typeof GAZETTE }>;

let mounted: ChangerElement | null = null;
afterEach(() => {
  mounted?.remove();
  mounted = null;
  window.scrollTo(0, 0);
});

interface Options {
  readonly pins?: readonly number[];
  /** The post in the address. */
  readonly named?: string;
  readonly embedded?: boolean;
  /** The result for each pinned post. A pinned post without an entry loads with its number as its text. */
  readonly found?: ReadonlyMap<number, LoadablePost>;
}

function mount({ pins = [40, 30, 20], named, embedded = false, found }: Options = {}) {
  const channel = { ...GAZETTE, pinned: pins[0] ?? 0, pinnedPosts: [...pins] };
  const cells = new Map<number, WritableSignal<LoadablePost>>();
  const read: DataClient['post'] = (_channelId, id) => {
    const pinnedPost: LoadablePost = {
      type: 'loaded',
      value: { post: post(id, { text: `Pinned ${id}` }), channel },
      cachedAt: null,
    };
    const signal = cells.get(id) ?? createSignal<LoadablePost>(found?.get(id) ?? pinnedPost);
    cells.set(id, signal);
    return signal;
  };
  const services = readingServices(stubList(loaded(posts(40, 11))), { found: channel, post: read, embedded });
  const element = document.createElement('changer-channel');
  mounted = element;
  element.services = services;
  element.params = named === undefined ? {} : { post: named };
  element.setAttribute('channel-id', 'u1');
  document.body.append(element);
  const root = element.shadowRoot;
  if (root === null) throw new Error('no shadow root');
  const line = () => root.querySelector('.pinned-line');
  const button = () => root.querySelector<HTMLButtonElement>('.pinned-line button');
  const text = () => line()?.querySelector('a')?.textContent;
  const status = () => line()?.querySelector('[role=status]')?.textContent;
  const address = () => line()?.querySelector('a')?.getAttribute('href');
  return { element, root, line, button, text, status, address, cells };
}

describe('the pinned posts bar', () => {
  it('shows the newest of several posts with its position and the count, and links to it', async () => {
    const { text, address, button } = mount();
    await waitUntil(() => text() === 'Pinned 1 of 3 Pinned 40');
    expect(address()).to.equal('/channel/u1?post=40');
    expect(button()?.getAttribute('aria-label')).to.equal('Next pinned post');
  });

  it('steps to the next older post with its button, which keeps the focus, announces the post, and wraps', async () => {
    const { root, text, address, button, status } = mount();
    await waitUntil(() => text() === 'Pinned 1 of 3 Pinned 40');
    expect(status()).to.equal('');
    button()?.focus();
    button()?.click();
    await waitUntil(() => text() === 'Pinned 2 of 3 Pinned 30');
    expect(address()).to.equal('/channel/u1?post=30');
    expect(status()).to.equal('2 of 3: Pinned 30');
    expect(root.activeElement).to.equal(button());
    button()?.click();
    await waitUntil(() => text() === 'Pinned 3 of 3 Pinned 20');
    button()?.click();
    await waitUntil(() => text() === 'Pinned 1 of 3 Pinned 40');
  });

  it('shows the next older post when the URL names a pinned post, whatever was shown before', async () => {
    const { element, text, button } = mount({ named: '30' });
    await waitUntil(() => text() === 'Pinned 3 of 3 Pinned 20');
    button()?.click();
    await waitUntil(() => text() === 'Pinned 1 of 3 Pinned 40');
    button()?.click();
    await waitUntil(() => text() === 'Pinned 2 of 3 Pinned 30');
    element.params = { post: '40' };
    await waitUntil(() => text() === 'Pinned 2 of 3 Pinned 30');
    element.params = { post: '20' };
    await waitUntil(() => text() === 'Pinned 1 of 3 Pinned 40');
    element.params = { post: '25' };
    await waitUntil(() => text() === 'Pinned 1 of 3 Pinned 40');
  });

  it('has no button for a single post, and is hidden when the user is at that post', async () => {
    const one = mount({ pins: [40] });
    await waitUntil(() => one.text() === 'Pinned Pinned 40');
    expect(one.button()).to.equal(null);
    one.element.params = { post: '40' };
    await waitUntil(() => one.line() === null);
    one.element.remove();
    const none = mount({ pins: [] });
    await waitUntil(() => none.root.querySelector('article') !== null);
    expect(none.line()).to.equal(null);
  });

  it('hides spoilers, also in announcements', async () => {
    const spoilerPost = post(30, { text: 'The butler did it', entities: [{ type: 'spoiler', offset: 4, length: 6 }] });
    const found = new Map<number, LoadablePost>([
      [30, { type: 'loaded', value: { post: spoilerPost, channel: GAZETTE }, cachedAt: null }],
    ]);
    const { line, button, status } = mount({ found });
    await waitUntil(() => button() !== null);
    button()?.click();
    await waitUntil(() => status() === '2 of 3: The ▒▒▒ did it');
    expect(line()?.outerHTML).not.to.contain('butler');
  });

  it('says when a post cannot be loaded, and still steps on', async () => {
    const failed: LoadablePost = { type: 'failed', message: 'Gone', status: null };
    const { text, button } = mount({ found: new Map([[30, failed]]) });
    await waitUntil(() => button() !== null);
    button()?.click();
    await waitUntil(() => text() === 'Pinned 2 of 3 Post not found');
    button()?.click();
    await waitUntil(() => text() === 'Pinned 3 of 3 Pinned 20');
  });

  it('links to the server of the site on a host page, and steps there too', async () => {
    const { text, address, button } = mount({ embedded: true });
    await waitUntil(() => text() === 'Pinned 1 of 3 Pinned 40');
    button()?.click();
    await waitUntil(() => address() === 'https://app.example/channel/u1?post=30');
  });

  it('is parsed from the response of a channel, with or without the list', () => {
    const { pinned, ...without } = { ...GAZETTE, pinned: 40 };
    expect(parse.channel({ ...without, pinned, pinnedPosts: [40, 30] }, 'channel').pinnedPosts).to.deep.equal([40, 30]);
    expect(parse.channel({ ...without, pinned }, 'channel').pinnedPosts).to.equal(undefined);
    expect(() => parse.channel({ ...without, pinned, pinnedPosts: ['40'] }, 'channel')).to.throw();
  });
});
