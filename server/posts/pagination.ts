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
export async function loadPostPage(asked: PostListQuery, audience: AccessScope, deps: PaginationDeps): Promise<PagedPosts> {
  if (asked.before !== undefined && asked.after !== undefined)
    throw new HttpError(400, 'Only one of before and after can be asked for.');
  if (asked.channels.length === 0) return buildPage([], asked, { hasNewer: false, hasOlder: false }, audience, deps);
  if (asked.after !== undefined) return loadNewerPage(asked, asked.after, audience, deps);
  const before = asked.before === undefined ? {} : { before: decodeCursor(asked.before, 'before') };
  const found = await deps.store.posts({ ...toPostsQuery(asked), ...before, limit: asked.limit + 1 }, audience);
  const hasOlder = found.length > asked.limit;
  return buildPage(found.slice(0, asked.limit), asked, { hasNewer: asked.before !== undefined, hasOlder }, audience, deps);
}

async function loadNewerPage(
  asked: PostListQuery,
  cursor: string,
  audience: AccessScope,
  deps: PaginationDeps,
): Promise<PagedPosts> {
  const after = decodeCursor(cursor, 'after');
  const found = await deps.store.posts({ ...toPostsQuery(asked), after, limit: asked.limit + 1 }, audience);
  const ends = { hasNewer: found.length > asked.limit, hasOlder: true };
  return buildPage(found.slice(-asked.limit), asked, ends, audience, deps);
}

/** Returns the page with a message's post in its middle. */
export async function loadPostsAround(
  messageId: number,
  channel: Channel,
  asked: PostListQuery,
  audience: AccessScope,
  deps: PaginationDeps,
) {
  const middle = await deps.store.post(channel.id, messageId, audience);
  if (middle === null) throw notFound(`Post ${messageId} of ${channel.title}`);
  const place = { date: middle.date, channelId: channel.id, id: middle.id };
  const newerWanted = Math.floor((asked.limit - 1) / 2);
  const olderWanted = asked.limit - 1 - newerWanted;
  const query = toPostsQuery(asked);
  const newer = await deps.store.posts({ ...query, after: place, limit: newerWanted + 1 }, audience);
  const older = await deps.store.posts({ ...query, before: place, limit: olderWanted + 1 }, audience);
  const { posts, ends } = joinSides({ found: newer, wanted: newerWanted }, [middle], { found: older, wanted: olderWanted });
  return buildPage(posts, asked, ends, audience, deps);
}

/** Returns the page around the newest post at or before a date (unix seconds); the oldest posts if none is that old. */
export async function loadPostsAt(
  date: number,
  asked: PostListQuery,
  audience: AccessScope,
  deps: PaginationDeps,
): Promise<PagedPosts> {
  const query = toPostsQuery(asked);
  // No channel precedes '' in the order of one second.
  const start = { date: date + 1, channelId: '', id: 0 };
  const newerUsual = Math.floor((asked.limit - 1) / 2);
  const olderWanted = asked.limit - newerUsual;
  const older = await deps.store.posts({ ...query, before: start, limit: olderWanted + 1 }, audience);
  const newerWanted = older.length === 0 ? asked.limit : newerUsual;
  const newer = await deps.store.posts({ ...query, after: start, limit: newerWanted + 1 }, audience);
  const { posts, ends } = joinSides({ found: newer, wanted: newerWanted }, [], { found: older, wanted: olderWanted });
  return buildPage(posts, asked, ends, audience, deps);
}

/** Posts on one side of a position, newest first: one more than wanted if there are more. */
interface PageSide {
  readonly found: readonly Post[];
  readonly wanted: number;
}

/** Joins the posts on both sides of a position to a page. */
function joinSides(newer: PageSide, middle: readonly Post[], older: PageSide) {
  const nearest = newer.wanted === 0 ? [] : newer.found.slice(-newer.wanted);
  return {
    posts: [...nearest, ...middle, ...older.found.slice(0, older.wanted)],
    ends: { hasNewer: newer.found.length > newer.wanted, hasOlder: older.found.length > older.wanted },
  };
}

const isPostKind = (word: string): word is PostKind => POST_KINDS.some((kind) => kind === word);

function parseMediaFilter(asked: string): Pick<PostsQuery, 'media' | 'kinds'> {
  if (asked === '1' || asked === 'true') return { media: true };
  if (asked === '0' || asked === 'false') return {};
  const kinds = asked.split(',').map((kind) => kind.trim());
  if (kinds.every(isPostKind)) return { kinds };
  throw new HttpError(
    400,
    `media=${asked} is not known; it should be 1, or any of ${POST_KINDS.join(', ')} with commas between.`,
  );
}

function toPostsQuery(asked: PostListQuery): Omit<PostsQuery, 'limit'> {
  return {
    ...(asked.channels !== 'all' && { channelIds: asked.channels.map((channel) => channel.id) }),
    ...(asked.media !== undefined && parseMediaFilter(asked.media)),
    ...(hasSearchText(asked) && { match: asked.q }),
    ...(asked.from !== undefined && { from: asked.from }),
    ...(asked.to !== undefined && { to: asked.to }),
  };
}

const hasSearchText = (asked: PostListQuery): asked is PostListQuery & { q: string } =>
  asked.q !== undefined && asked.q.trim() !== '';

/** Returns the search hits in the texts of these posts, by post. The caller may read these posts. */
function findHitsInPosts(posts: readonly Post[], q: string): Record<string, number[]> {
  const wanted = parseSearchQuery(q);
  const hits = posts.map((post): [string, number[]] => [`${post.channelId}/${post.id}`, findHits(post.text, wanted)]);
  return Object.fromEntries(hits.filter(([, offsets]) => offsets.length > 0));
}

/** Returns the channels that a page includes: the requested one, or those of its posts. */
async function loadPageChannels(
  posts: readonly Post[],
  { channels }: PostListQuery,
  audience: AccessScope,
  { store }: PaginationDeps,
) {
  const shown = new Set(posts.map((post) => post.channelId));
  if (channels !== 'all') return channels.length === 1 ? channels : channels.filter((channel) => shown.has(channel.id));
  return store.channelsNamed([...shown], audience);
}

interface PageEnds {
  readonly hasNewer: boolean;
  readonly hasOlder: boolean;
}

async function buildPage(
  posts: readonly Post[],
  asked: PostListQuery,
  ends: PageEnds,
  audience: AccessScope,
  deps: PaginationDeps,
): Promise<PagedPosts> {
  const { hasNewer, hasOlder } = ends;
  const channels = await loadPageChannels(posts, asked, audience, deps);
  const first = posts[0];
  const last = posts.at(-1);
  return {
    items: serializePosts(posts, channels, deps),
    next: hasOlder && last ? encodeCursor(last) : null,
    previous: hasNewer && first ? encodeCursor(first) : null,
    channels: serializeChannels(channels, deps),
    ...(hasSearchText(asked) && { hits: findHitsInPosts(posts, asked.q) }),
  };
}

/** Creates the opaque cursor of a position in a list of posts. */
export function encodeCursor(position: PostPosition): string {
  return Buffer.from(JSON.stringify([position.date, position.channelId, position.id])).toString('base64url');
}

/** Parses a cursor. Throws a `Refusal`, 400, if this API did not create it. */
export function decodeCursor(cursor: string, field: string): PostPosition {
  const place = parseJson(Buffer.from(cursor, 'base64url').toString());
  if (Array.isArray(place) && place.length === 3) {
    const [date, channelId, id]: unknown[] = place;
    if (Number.isSafeInteger(date) && typeof channelId === 'string' && Number.isSafeInteger(id)) {
      return { date: Number(date), channelId, id: Number(id) };
    }
  }
  throw new HttpError(400, `${field} is not a cursor of this API: take it from the "next" or "previous" of a page.`);
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
        'Words, which must all be there in any form, or #hashtags. A last word that nothing follows, not even a space, may be unfinished.',
    }),
  ),
  channels: Type.Optional(ChannelListParam),
  media: Type.Optional(MediaFilterParam),
  from: Type.Optional(UnixSeconds),
  to: Type.Optional(UnixSeconds),
};

/** Throws a `Refusal`, 400, if the search has no criteria. */
export function requireSearch({ q, media, from, to }: Pick<PostListQuery, 'q' | 'media' | 'from' | 'to'>): void {
  if (!q?.trim() && [media, from, to].every((each) => each === undefined))
    throw new HttpError(400, 'Nothing to search for: ask for words (q), a kind of posts (media) or a time (from, to).');
}
