// Content of a post list, and the state that pages observe.

import type { Channel } from '../../../../contract/channel.ts';
import type { Post } from '../../../../contract/post.ts';
import { createSignal, type WritableSignal } from '../../../lib/signal.ts';
import { postKey } from '../../model/post-key.ts';
import type { PostList, PostListState } from '../../model/types.ts';
import type { Cached } from '../../offline/offline-store.ts';
import { uniquePosts } from './merge-page.ts';
import { createPageBoundaries, type PageBoundaries } from './page-boundaries.ts';
import type { ListEnd, OfflineList, PostListContent, PostListPage, PostSource } from './types.ts';

/** Loading state of one end of a list. */
export type EndState = 'idle' | 'loading' | 'failed';

/** Content that is shown. `cachedAt` is set if it comes from this device: the time when it was stored, unix ms. */
export interface ShownContent extends PostListContent {
  readonly cachedAt: number | null;
}

export const NO_KEYS: ReadonlySet<string> = new Set();

/** The parts of a post list that its functions share. */
export interface ListModel {
  readonly state: WritableSignal<PostListState>;
  /** Null until the first page is loaded. */
  content: ShownContent | null;
  channels: ReadonlyMap<string, Channel>;
  readonly ends: Record<ListEnd, EndState>;
  readonly boundaries: PageBoundaries;
  scrollAnchor: PostList['scrollAnchor'];
  /** The newest post that was ever at the start of the list; null before the start was loaded. */
  newest: Post | null;
  /** Time when the content was loaded or stored, unix ms. */
  loadedAt: number;
  /** Counts the restarts: a page that was requested in a previous epoch is discarded. */
  epoch: number;
}

export const createListModel = (now: number): ListModel => ({
  state: createSignal<PostListState>({ type: 'loading' }),
  content: null,
  channels: new Map(),
  ends: { older: 'idle', newer: 'idle' },
  boundaries: createPageBoundaries(),
  scrollAnchor: null,
  newest: null,
  loadedAt: now,
  epoch: 0,
});

/** Replaces the content, and updates the state that pages observe. */
export function showContent(model: ListModel, content: ShownContent): void {
  const { ends, state } = model;
  // An unchanged channel remains the same object, so that displayed posts are not rendered again.
  for (const channel of content.channels)
    if (JSON.stringify(channel) !== JSON.stringify(model.channels.get(channel.id)))
      model.channels = new Map(model.channels).set(channel.id, channel);
  model.content = content;
  if (content.previous === null) model.newest = content.items[0] ?? model.newest;
  state.set({
    type: 'loaded',
    posts: content.items,
    channels: model.channels,
    older: content.next === null ? 'end' : ends.older,
    newer: content.previous === null ? 'end' : ends.newer,
    cachedAt: content.cachedAt,
  });
}

/** Shows a page from the device. */
export function showCached(model: ListModel, { value, at }: Cached<PostListPage>): void {
  model.loadedAt = at;
  const items = uniquePosts(value.items);
  const cachedKeys = value.next === undefined ? new Set(items.map(postKey)) : NO_KEYS;
  showContent(model, { ...value, items, cachedAt: at, cachedKeys });
}

/** Reads cached posts. Without a network, their chunk may fail to load; the result is then null. */
export const readOfflineList = async <Value>(
  source: PostSource,
  read: (list: OfflineList) => Promise<Value>,
): Promise<Value | null> =>
  source
    .loadOfflineList?.()
    .then(read)
    .catch(() => null) ?? null;
