/** Pagination: pages of posts by cursor, around a post or at a date. */
import { Type } from 'typebox';
import { type PagedPosts, POST_KINDS, type PostKind } from '../../contract/api.ts';
import type { Channel } from '../../contract/channel.ts';
import type { Post } from '../../contract/post.ts';
import { type SerializeDeps, serializeChannels } from '../channels/serialize.ts';
import type { AccessScope, PostPosition, PostsQuery } from '../domain/model.ts';
import { findHits, parseSearchQuery } from '../domain/search.ts';
import { HttpError, notFound } from '../http/errors.ts';
import { ChannelListParam, MediaFilterParam } from '../http/schemas.ts';
import type { Store } from '../storage/ports/store.ts';
import { serializePosts } from './serialize.ts';

/** Services that this module uses. */
export type PaginationDeps = SerializeDeps & {
  readonly store: Pick<Store, 'channelsNamed' | 'post' | 'posts'>;
};

/** Request for a list of posts, with its cursors not parsed yet. */
export interface PostListQuery {
  /** Channels to read. `all` means all listed channels; only those that the page shows are loaded. */
  readonly channels: readonly Channel[] | 'all';
  readonly before?: string;
  readonly after?: string;
  readonly limit: number;
  /** `1`, or kinds separated by commas, not parsed yet. */
  readonly media?: string;
  readonly q?: string;
  readonly from?: number;
  readonly to?: number;
}

/** Returns one page, newest first. It queries one post more than it shows, to know whether there is a next page. */
export async function loadPostPage(query: PostListQuery, accessScope: AccessScope, deps: PaginationDeps): Promise<PagedPosts> {
  if (query.before !== undefined && query.after !== undefined)
    throw new HttpError(400, 'Only one of before and after is allowed.');
  if (query.channels.length === 0) return buildPage([], query, { hasNewer: false, hasOlder: false }, accessScope, deps);
  if (query.after !== undefined) return loadNewerPage(query, query.after, accessScope, deps);
  const before = query.before === undefined ? {} : { before: decodeCursor(query.before, 'before') };
  const found = await deps.store.posts({ ...toPostsQuery(query), ...before, limit: query.limit + 1 }, accessScope);
  const hasOlder = found.length > query.limit;
  return buildPage(found.slice(0, query.limit), query, { hasNewer: query.before !== undefined, hasOlder }, accessScope, deps);
}

async function loadNewerPage(
  query: PostListQuery,
  cursor: string,
  accessScope: AccessScope,
  deps: PaginationDeps,
): Promise<PagedPosts> {
  const after = decodeCursor(cursor, 'after');
  const found = await deps.store.posts({ ...toPostsQuery(query), after, limit: query.limit + 1 }, accessScope);
  const ends = { hasNewer: found.length > query.limit, hasOlder: true };
  return buildPage(found.slice(-query.limit), query, ends, accessScope, deps);
}

/** Returns the page with a message's post in its middle. */
export async function loadPostsAround(
  messageId: number,
  channel: Channel,
  query: PostListQuery,
  accessScope: AccessScope,
  deps: PaginationDeps,
) {
  const middle = await deps.store.post(channel.id, messageId, accessScope);
  if (middle === null) throw notFound(`Post ${messageId} of ${channel.title}`);
  const position = { date: middle.date, channelId: channel.id, id: middle.id };
  const newerLimit = Math.floor((query.limit - 1) / 2);
  const olderLimit = query.limit - 1 - newerLimit;
  const storeQuery = toPostsQuery(query);
  const newer = await deps.store.posts({ ...storeQuery, after: position, limit: newerLimit + 1 }, accessScope);
  const older = await deps.store.posts({ ...storeQuery, before: position, limit: olderLimit + 1 }, accessScope);
  const { posts, ends } = joinSides({ posts: newer, limit: newerLimit }, [middle], { posts: older, limit: olderLimit });
  return buildPage(posts, query, ends, accessScope, deps);
}

/** Returns the page around the newest post at or before a date (unix seconds); the oldest posts if none is that old. */
export async function loadPostsAt(
  date: number,
  query: PostListQuery,
  accessScope: AccessScope,
  deps: PaginationDeps,
): Promise<PagedPosts> {
  const storeQuery = toPostsQuery(query);
  // The start of the next second: no channel id sorts before '' within a second.
  const position = { date: date + 1, channelId: '', id: 0 };
  const defaultNewerLimit = Math.floor((query.limit - 1) / 2);
  const olderLimit = query.limit - defaultNewerLimit;
  const older = await deps.store.posts({ ...storeQuery, before: position, limit: olderLimit + 1 }, accessScope);
  const newerLimit = older.length === 0 ? query.limit : defaultNewerLimit;
  const newer = await deps.store.posts({ ...storeQuery, after: position, limit: newerLimit + 1 }, accessScope);
  const { posts, ends } = joinSides({ posts: newer, limit: newerLimit }, [], { posts: older, limit: olderLimit });
  return buildPage(posts, query, ends, accessScope, deps);
}

/** Posts on one side of a position, newest first: one more than `limit` if there are more. */
interface PageSide {
  readonly posts: readonly Post[];
  readonly limit: number;
}

/** Joins the posts on both sides of a position to a page. */
function joinSides(newer: PageSide, middle: readonly Post[], older: PageSide) {
  const nearestNewer = newer.limit === 0 ? [] : newer.posts.slice(-newer.limit);
  return {
    posts: [...nearestNewer, ...middle, ...older.posts.slice(0, older.limit)],
    ends: { hasNewer: newer.posts.length > newer.limit, hasOlder: older.posts.length > older.limit },
  };
}

const isPostKind = (value: string): value is PostKind => POST_KINDS.some((kind) => kind === value);

function parseMediaFilter(value: string): Pick<PostsQuery, 'media' | 'kinds'> {
  if (value === '1' || value === 'true') return { media: true };
  if (value === '0' || value === 'false') return {};
  const kinds = value.split(',').map((kind) => kind.trim());
  if (kinds.every(isPostKind)) return { kinds };
  throw new HttpError(400, `media=${value} is unknown: use 1, or any of ${POST_KINDS.join(', ')}, separated by commas.`);
}

function toPostsQuery(query: PostListQuery): Omit<PostsQuery, 'limit'> {
  return {
    ...(query.channels !== 'all' && { channelIds: query.channels.map((channel) => channel.id) }),
    ...(query.media !== undefined && parseMediaFilter(query.media)),
    ...(hasSearchText(query) && { match: query.q }),
    ...(query.from !== undefined && { from: query.from }),
    ...(query.to !== undefined && { to: query.to }),
  };
}

const hasSearchText = (query: PostListQuery): query is PostListQuery & { q: string } =>
  query.q !== undefined && query.q.trim() !== '';

/**
 * Returns the offsets of the search hits in the texts of posts that the caller may read, by `<channel id>/<post id>`.
 */
function findHitsInPosts(posts: readonly Post[], q: string): Record<string, number[]> {
  const searchQuery = parseSearchQuery(q);
  const hits = posts.map((post): [string, number[]] => [`${post.channelId}/${post.id}`, findHits(post.text, searchQuery)]);
  return Object.fromEntries(hits.filter(([, offsets]) => offsets.length > 0));
}

/** Returns the channels that a page includes: the requested one, or those of its posts. */
async function loadPageChannels(
  posts: readonly Post[],
  { channels }: PostListQuery,
  accessScope: AccessScope,
  { store }: PaginationDeps,
) {
  const shownIds = new Set(posts.map((post) => post.channelId));
  if (channels !== 'all') return channels.length === 1 ? channels : channels.filter((channel) => shownIds.has(channel.id));
  return store.channelsNamed([...shownIds], accessScope);
}

/** Ends of a page: the directions in which the list continues. */
interface PageEnds {
  readonly hasNewer: boolean;
  readonly hasOlder: boolean;
}

async function buildPage(
  posts: readonly Post[],
  query: PostListQuery,
  ends: PageEnds,
  accessScope: AccessScope,
  deps: PaginationDeps,
): Promise<PagedPosts> {
  const { hasNewer, hasOlder } = ends;
  const channels = await loadPageChannels(posts, query, accessScope, deps);
  const first = posts[0];
  const last = posts.at(-1);
  return {
    items: serializePosts(posts, channels, deps),
    next: hasOlder && last ? encodeCursor(last) : null,
    previous: hasNewer && first ? encodeCursor(first) : null,
    channels: serializeChannels(channels, deps),
    ...(hasSearchText(query) && { hits: findHitsInPosts(posts, query.q) }),
  };
}

/** Creates the opaque cursor of a position in a list of posts. */
export function encodeCursor(position: PostPosition): string {
  return Buffer.from(JSON.stringify([position.date, position.channelId, position.id])).toString('base64url');
}

/** Parses a cursor. Throws an `HttpError`, 400, if this API did not create it. */
export function decodeCursor(cursor: string, field: string): PostPosition {
  const parsed = parseJson(Buffer.from(cursor, 'base64url').toString());
  if (Array.isArray(parsed) && parsed.length === 3) {
    const [date, channelId, id]: unknown[] = parsed;
    if (Number.isSafeInteger(date) && typeof channelId === 'string' && Number.isSafeInteger(id)) {
      return { date: Number(date), channelId, id: Number(id) };
    }
  }
  throw new HttpError(400, `${field} is not a cursor of this API: use the "next" or "previous" of a page.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const UnixSeconds = Type.Integer({ minimum: 0, maximum: 1e11, description: 'Unix seconds' });

/** Query parameters of a search. */
export const SearchFields = {
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Search words or #hashtags. A post must contain all of them, in any form. The last word may be incomplete if nothing follows it, not even a space.',
    }),
  ),
  channels: Type.Optional(ChannelListParam),
  media: Type.Optional(MediaFilterParam),
  from: Type.Optional(UnixSeconds),
  to: Type.Optional(UnixSeconds),
};

/** Throws an `HttpError`, 400, if the search has no criteria. */
export function requireSearch({ q, media, from, to }: Pick<PostListQuery, 'q' | 'media' | 'from' | 'to'>): void {
  if (!q?.trim() && [media, from, to].every((value) => value === undefined))
    throw new HttpError(400, 'The search has no criteria: set words (q), a kind of post (media) or a time (from, to).');
}
