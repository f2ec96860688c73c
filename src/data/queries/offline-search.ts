// Offline search: finds words in the posts that this device stores, and counts their hashtags.

import type { PostKind } from '../../../contract/api.ts';
import type { Channel } from '../../../contract/channel.ts';
import { foldText } from '../../../contract/fold.ts';
import * as parse from '../../../contract/parse.ts';
import type { Media, Post } from '../../../contract/post.ts';
import { list, number, shape, string } from '../../../contract/shape.ts';
import type { KeyValueStore } from '../../storage/key-value-store.ts';
import { postKey } from '../model/post-key.ts';
import { DIRECTORY_KEY, postPrefix } from '../offline/keys.ts';
import { type Cached, cached, type OfflineStore, tryParse } from '../offline/offline-store.ts';
import type { PostListPage } from './post-list/types.ts';
import type { SearchQuery } from './search-types.ts';

/** Number of found posts per page. */
const PAGE_POSTS = 100;
/** Maximum number of suggested hashtags. */
const MAX_HASHTAGS = 8;
/** Maximum number of posts per channel in which hashtags are counted. */
const MAX_HASHTAG_POSTS = 40;
/** Time that the stored posts stay in memory after a search, ms. */
const MEMORY_LIFETIME_MS = 60_000;
/** Number of posts that are read and folded in one step: some milliseconds, so that key presses are handled in between. */
const SLICE_POSTS = 200;

/** A stored post, parsed only as far as the search needs. */
interface SearchablePost {
  readonly channelId: string;
  readonly date: number;
  /** Normalized text for comparison. */
  readonly text: string;
  readonly raw: unknown;
}

/**
 * Finds the stored posts that contain each word of the query as it was typed, newest first. It has no stemming, and finds no
 * post that was never loaded on this device. The time of the result is when the server returned the channels; posts may be
 * newer.
 */
export async function searchOffline(offline: OfflineStore, query: SearchQuery): Promise<Cached<PostListPage>> {
  const directory = await readChannels(offline);
  const channels = directory?.value ?? [];
  const { items, isEnd } = await findPosts(offline, channels, query, null);
  return { value: { items, channels, next: isEnd ? null : undefined, previous: null }, at: directory?.at ?? Date.now() };
}

/** Finds the next results after a post. */
export async function searchOfflineOlder(
  offline: OfflineStore,
  query: SearchQuery,
  last: Post,
): Promise<Pick<PostListPage, 'items' | 'channels'>> {
  const channels = (await readChannels(offline))?.value ?? [];
  const { items } = await findPosts(offline, channels, query, postKey(last));
  return { items, channels };
}

async function findPosts(offline: OfflineStore, channels: readonly Channel[], query: SearchQuery, afterKey: string | null) {
  const channelIds = new Set(channels.flatMap((channel) => (isSearchedChannel(channel, query.channelIds) ? channel.id : [])));
  const searchTerms = (query.q ?? '').split(/\s+/).map(normalizeText).filter(Boolean);
  const items: Post[] = [];
  let isAfter = afterKey === null;
  for (const { channelId, date, text, raw } of await searchablePostsOf(offline, channels)) {
    if (!channelIds.has(channelId) || !isInRange(date, query) || !searchTerms.every((term) => text.includes(term))) continue;
    const post = tryParse(parseCachedPost, raw)?.value;
    if (post === undefined || !matchesKinds(post, query)) continue;
    if (isAfter && items.length === PAGE_POSTS) return { items, isEnd: false };
    if (isAfter) items.push(post);
    else isAfter = postKey(post) === afterKey;
  }
  return { items, isEnd: true };
}

const readChannels = (offline: OfflineStore): Promise<Cached<Channel[]> | null> =>
  offline.read(DIRECTORY_KEY, list(parse.channel));

const parseCachedPost = cached(parse.post);
const parseSearchablePost = shape<{ value: Pick<Post, 'date' | 'text'> }>({
  value: shape<Pick<Post, 'date' | 'text'>>({ date: number, text: string }),
});

/** Loads the stored posts into memory, before a probable search. */
export async function preloadSearchablePosts(offline: OfflineStore): Promise<void> {
  await searchablePostsOf(offline, (await readChannels(offline))?.value ?? []);
}

/** Stored posts in memory, until the timer expires. */
interface SearchMemory {
  readonly posts: Promise<readonly SearchablePost[]>;
  expiryTimer?: ReturnType<typeof setTimeout>;
}

const memories = new WeakMap<OfflineStore, SearchMemory>();

/** Returns all stored posts, newest first. They are read once, then stay in memory while searches continue. */
function searchablePostsOf(offline: OfflineStore, channels: readonly Channel[]): Promise<readonly SearchablePost[]> {
  const memory: SearchMemory = memories.get(offline) ?? { posts: readSearchablePosts(offline, channels) };
  memories.set(offline, memory);
  clearTimeout(memory.expiryTimer);
  memory.expiryTimer = setTimeout(() => memories.delete(offline), MEMORY_LIFETIME_MS);
  return memory.posts;
}

async function readSearchablePosts(offline: OfflineStore, channels: readonly Channel[]): Promise<readonly SearchablePost[]> {
  const { reader, public: publicStore } = await offline.storage;
  const postsByKey = new Map<string, SearchablePost>();
  // Posts in the reader's store replace those in the public store.
  for (const store of [publicStore, reader]) await Promise.all(channels.map(({ id }) => readChannel(store, id, postsByKey)));
  // An empty result is not cached: the database may open later, and reading an empty one is fast.
  if (postsByKey.size === 0) memories.delete(offline);
  return [...postsByKey.values()].sort((one, other) => other.date - one.date);
}

async function readChannel(store: KeyValueStore, channelId: string, postsByKey: Map<string, SearchablePost>): Promise<void> {
  let belowKey: string | undefined;
  do {
    const batch = await store.list(postPrefix(channelId), {
      last: SLICE_POSTS,
      ...(belowKey !== undefined && { below: belowKey }),
    });
    for (const [key, raw] of batch) {
      const post = tryParse(parseSearchablePost, raw)?.value;
      if (post !== undefined) postsByKey.set(key, { channelId, date: post.date, text: normalizeText(post.text), raw });
    }
    belowKey = batch[SLICE_POSTS - 1]?.[0];
  } while (belowKey !== undefined);
}

/**
 * Matches a text in which folding changes only the case and the letter ё. This shortcut saves most of the time of a search in
 * Russian, where folding would decompose each й.
 */
const SIMPLE_TEXT_PATTERN = /^[\x20-\x7e\s\u0400-\u045f«»–—‘’“”„\u{1f300}-\u{1faff}]*$/u;
const ALEF_VARIANTS = /[آأإ]/g;

/**
 * Normalizes a text for comparison, both posts and search input. In Arabic, letters are often written without their marks.
 */
const normalizeText = (text: string): string =>
  SIMPLE_TEXT_PATTERN.test(text)
    ? text.toLowerCase().replaceAll('ё', 'е')
    : foldText(text).replace(ALEF_VARIANTS, 'ا').replaceAll('ى', 'ي').replaceAll('ة', 'ه');

const isSearchedChannel = ({ id, username }: Channel, names: readonly string[] | undefined): boolean =>
  names === undefined || names.includes(id) || (username !== undefined && names.includes(username));

const isInRange = (date: number, { from = 0, to = Number.POSITIVE_INFINITY }: SearchQuery): boolean => date >= from && date <= to;

const matchesKinds = (post: Post, { kinds }: SearchQuery): boolean =>
  post.service === undefined && (kinds === undefined || kinds.some((kind) => isOfKind(post, kind)));

const MEDIA_KINDS: Partial<Record<Media['type'], PostKind>> = { animation: 'video', video_note: 'video' };

function isOfKind(post: Post, kind: PostKind): boolean {
  if (kind === 'poll') return post.poll !== undefined;
  if (kind === 'link') return post.entities.some(({ type }) => type === 'url' || type === 'text_link');
  return post.media.some(({ type }) => (MEDIA_KINDS[type] ?? type) === kind);
}

/** Returns the most frequent hashtags of the newest stored posts, the most frequent first. */
export async function offlineHashtags(offline: OfflineStore): Promise<readonly string[]> {
  const channels = (await readChannels(offline))?.value ?? [];
  const posts = await Promise.all(channels.map(async ({ id }) => (await offline.posts(id, MAX_HASHTAG_POSTS)).value));
  const counts = new Map<string, number>();
  for (const { text, entities } of posts.flat()) {
    for (const { type, offset, length } of entities) {
      if (type !== 'hashtag') continue;
      const tag = text.slice(offset, offset + length).split('@', 1)[0] ?? '';
      counts.set(tag, (counts.get(tag) ?? 0) + 1);
    }
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_HASHTAGS)
    .map(([tag]) => tag);
}
