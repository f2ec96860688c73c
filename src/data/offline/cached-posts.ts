/*
 * Cached posts: reads lists of posts from the device when no server responds. A separate chunk, loaded after a request
 * failed, or in advance if no service worker stores it.
 */
import type { PagedPosts } from '../../../contract/api.ts';
import type { Channel } from '../../../contract/channel.ts';
import type { Post } from '../../../contract/post.ts';
import { showsMedia } from '../../../contract/shown-media.ts';
import { newestFirst, postKey } from '../model/post-key.ts';
import type { ChannelPostsQuery, FeedFilter } from '../model/types.ts';
import type { PostSourceContext } from '../queries/page-source.ts';
import { uniquePosts } from '../queries/post-list/merge-page.ts';
import type { ListEnd, OfflineList, PostListContent, PostListPage } from '../queries/post-list/types.ts';
import type { Cached, OfflineStore } from './offline-store.ts';

/** Position of a post in the sort order of lists. */
type Position = Pick<Post, 'channelId' | 'id' | 'date'>;

/** Pages of posts that this device stores. A page without items means that there are no more. */
export interface CachedPages {
  first?(): Promise<Cached<PostListPage> | null>;
  older(last: Post): Promise<CachedPage>;
  newer?(first: Post): Promise<CachedPage>;
}

type CachedPage = Pick<PostListPage, 'items' | 'channels'>;

/** Creates a list from the pages of this device. */
export const offlineList = (pages: CachedPages): OfflineList => ({
  async first(shown) {
    const page = (await pages.first?.()) ?? null;
    const isOlder = shown !== undefined && (page?.value.items.findIndex((post) => postKey(post) === postKey(shown)) ?? 0) <= 0;
    return isOlder ? null : page;
  },
  async grow(list, end) {
    const edge = list.items.at(end === 'older' ? -1 : 0);
    const page = edge && (await pages[end]?.(edge));
    const knownKeys = new Set(list.items.map(postKey));
    const added = page?.items.filter((post) => !knownKeys.has(postKey(post))) ?? [];
    if (page === undefined || added.length === 0) return null;
    return {
      ...list,
      items: end === 'older' ? [...list.items, ...added] : [...added, ...list.items],
      channels: page.channels,
      cachedKeys: new Set([...list.cachedKeys, ...added.map(postKey)]),
    };
  },
  merge: mergeServerPage,
});

/**
 * Merges the page that the server returned for a cursor into the list. Cached posts at that end remain only if the page
 * reaches them, and only those beyond the page. Otherwise the server may have posts in between that this device never stored.
 */
function mergeServerPage(list: PostListContent, end: ListEnd, page: PagedPosts): PostListContent {
  const freshKeys = new Set(page.items.map(postKey));
  const isCached = (post: Post): boolean => list.cachedKeys.has(postKey(post));
  const isFresh = (post: Post): boolean => freshKeys.has(postKey(post));
  const cachedKeys = new Set([...list.cachedKeys].filter((key) => !freshKeys.has(key)));
  const { channels } = page;
  if (end === 'older') {
    const boundary = list.items.findLastIndex((post) => !isCached(post)) + 1;
    const [above, below] = [list.items.slice(0, boundary), list.items.slice(boundary)];
    const last = below.findLastIndex(isFresh);
    const remaining = page.next === null || last < 0 ? [] : below.slice(last + 1);
    return {
      ...list,
      items: uniquePosts([...above, ...page.items, ...remaining]),
      next: page.next,
      channels,
      cachedKeys,
    };
  }
  const firstFromServer = list.items.findIndex((post) => !isCached(post));
  const boundary = firstFromServer < 0 ? list.items.length : firstFromServer;
  const [above, below] = [list.items.slice(0, boundary), list.items.slice(boundary)];
  const remaining = page.previous === null ? [] : above.slice(0, Math.max(0, above.findIndex(isFresh)));
  return {
    ...list,
    items: uniquePosts([...remaining, ...page.items, ...below]),
    previous: page.previous,
    channels,
    cachedKeys,
  };
}

/** A query for cached posts of several channels. */
interface CachedQuery {
  readonly channelIds: () => Promise<readonly string[]>;
  readonly channel: (id: string) => Promise<Channel | null>;
  /** Returns a filter for the list's posts. It is called again whenever the list restarts. */
  readonly filter: () => Promise<(post: Post) => boolean>;
  /** Number of posts per page. */
  readonly limit: number;
}

const hasMedia = ({ media }: Post): boolean => showsMedia(media);

/** Returns the cached feed over the line-up, or over the given channels. `pageSize` is the default number of posts per page. */
export const cachedFeed = (sources: PostSourceContext, { channelIds, show, limit }: FeedFilter, pageSize: number): CachedPages =>
  mergedPages(sources.offline, {
    channelIds: async () => channelIds?.map(sources.idOf) ?? sources.cachedChannelIds(),
    channel: sources.channel,
    filter: async () => {
      if (show !== 'unread') return show === 'media' ? hasMedia : acceptAny;
      const readMarkers = await sources.readMarkers();
      const keptUnread = sources.keptUnread.get();
      return (post) => post.id > (readMarkers.get(post.channelId) ?? 0) || keptUnread.has(postKey(post));
    },
    limit: limit ?? pageSize,
  });

const acceptAny = (): boolean => true;

/**
 * Merges cached pages of several channels by date. Each channel is read in pages, so that the first page costs one page of
 * each channel.
 */
function mergedPages(offline: OfflineStore, query: CachedQuery): CachedPages & { older(last: Position): Promise<CachedPage> } {
  /** The rest of the merged posts, and the key of the last post before it. */
  let merged: { readonly last: string | null; readonly rest: AsyncGenerator<Post> } | null = null;

  async function readPage(above: Position | null): Promise<CachedPage> {
    const channelIds = await query.channelIds();
    const key = above && postKey(above);
    // Continues where the last page ended. For any other position, the channels are merged again from there.
    const remaining = above !== null && merged?.last === key ? merged.rest : mergeBelow(offline, channelIds, query, above);
    const items: Post[] = [];
    while (items.length < query.limit) {
      const { value, done } = await remaining.next();
      if (done) break;
      items.push(value);
    }
    const last = items.at(-1);
    merged = { last: last ? postKey(last) : key, rest: remaining };
    const channels = await Promise.all([...new Set(items.map((post) => post.channelId))].map(query.channel));
    return { items, channels: channels.filter((channel) => channel !== null) };
  }
  return {
    async first() {
      const { items, channels } = await readPage(null);
      if (items.length === 0) return null;
      return { value: { items, channels, next: undefined, previous: null }, at: await storedAt(offline, items) };
    },
    older: readPage,
  };
}

/** Returns the time when the newest of these posts was stored, unix ms. */
async function storedAt(offline: OfflineStore, posts: readonly Post[]): Promise<number> {
  const stored = await Promise.all(posts.map(({ channelId, id }) => offline.post(channelId, id)));
  return Math.max(0, ...stored.map((post) => post?.at ?? 0));
}

/** Yields the matching posts of several channels that come after `above` in the list, newest first. */
async function* mergeBelow(
  offline: OfflineStore,
  channelIds: readonly string[],
  { limit, filter }: CachedQuery,
  above: Position | null,
): AsyncGenerator<Post> {
  const matches = await filter();
  const iterators = channelIds.map((id) => channelBelow(offline, id, limit, above));
  const heads = await Promise.all(iterators.map(async (posts) => ({ posts, post: await nextPost(posts) })));
  for (;;) {
    const [newest] = heads.flatMap((head) => (head.post === null ? [] : { head, post: head.post })).sort(byPost);
    if (newest === undefined) return;
    newest.head.post = await nextPost(newest.head.posts);
    if (matches(newest.post)) yield newest.post;
  }
}

const byPost = (one: { readonly post: Post }, other: { readonly post: Post }): number => newestFirst(one.post, other.post);

const nextPost = async (posts: AsyncGenerator<Post>): Promise<Post | null> => (await posts.next()).value ?? null;

/** Yields the posts of one channel that come after `above` in the list, newest first. */
async function* channelBelow(
  offline: OfflineStore,
  channelId: string,
  limit: number,
  above: Position | null,
): AsyncGenerator<Post> {
  let below = above?.channelId === channelId ? above.id : undefined;
  let isBelow = above === null || below !== undefined;
  for (;;) {
    const { value } = await offline.posts(channelId, limit, below);
    for (const post of value) {
      isBelow ||= above !== null && newestFirst(above, post) < 0;
      if (isBelow) yield post;
    }
    below = value.at(-1)?.id;
    if (below === undefined) return;
  }
}

/**
 * Returns cached pages of one channel. With `around`, the first page is around that message, and null if it is not stored.
 * With `date` (unix seconds), the first page is around the newest post at or before that time.
 */
export function cachedChannel(
  { offline, channel }: PostSourceContext,
  idOrUsername: string,
  { media, around, date }: ChannelPostsQuery,
  limit: number,
): CachedPages {
  const query: CachedQuery = {
    channelIds: async () => [(await channel(idOrUsername))?.id ?? idOrUsername],
    channel,
    filter: async () => (media ? hasMedia : acceptAny),
    limit,
  };
  const pages = mergedPages(offline, query);

  /** Returns the `count` matching posts that are next newer than a post. */
  async function newer(post: Position, count = limit): Promise<CachedPage> {
    const matches = await query.filter();
    const items: Post[] = [];
    for (let last: number | undefined = post.id; last !== undefined && items.length < count; ) {
      const batch: readonly Post[] = await offline.newerPosts(post.channelId, count, last);
      items.unshift(...batch.filter(matches));
      last = batch[0]?.id;
    }
    const ownChannel = await channel(post.channelId);
    return { items: items.slice(-count), channels: ownChannel === null ? [] : [ownChannel] };
  }
  async function firstAround(messageId: number): Promise<Cached<PostListPage> | null> {
    const [channelId = ''] = await query.channelIds();
    const [target] = (await offline.posts(channelId, 1, messageId + 1)).value;
    if (target === undefined || !containsMessage(target, messageId)) return null;
    const half = limit >> 1;
    const [above, below] = await Promise.all([newer(target, half), pages.older(target)]);
    return firstPage(above, half, [target, ...below.items]);
  }
  async function firstAt(date: number): Promise<Cached<PostListPage> | null> {
    const [channelId = ''] = await query.channelIds();
    // In the list order, '' comes after every channel id of the same second, so that posts of the second `date + 1` are
    // omitted.
    const below = await pages.older({ channelId: '', id: 0, date: date + 1 });
    const [newest] = below.items;
    const half = newest === undefined ? limit : limit >> 1;
    const above = await newer(newest ?? { channelId, id: 0, date: 0 }, half);
    return newest === undefined && above.items.length === 0 ? null : firstPage(above, half, below.items);
  }
  /** Combines a first page. If fewer than `half` posts were found above, the list starts there. */
  async function firstPage(above: CachedPage, half: number, below: readonly Post[]): Promise<Cached<PostListPage>> {
    const items = [...above.items, ...below].slice(0, limit);
    const previous = above.items.length < half ? null : undefined;
    return { value: { items, next: undefined, previous, channels: above.channels }, at: await storedAt(offline, items) };
  }
  return {
    async first() {
      if (around !== undefined) return firstAround(around);
      if (date !== undefined) return firstAt(date);
      return pages.first?.() ?? null;
    },
    older: pages.older,
    newer: (first) => newer(first),
  };
}

/** Returns true if a post is this message, or an album that contains it. */
const containsMessage = ({ id, media }: Post, messageId: number): boolean =>
  id === messageId || media.some((item) => item.messageId === messageId);
