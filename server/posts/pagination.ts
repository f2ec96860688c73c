/** Pagination: pages of posts by cursor, around a post or at a date. */
import { Type } from 'typebox';
import { POST_KINDS, type PostKind, type PostPage } from '../../contract/api.ts';
import type { Channel } from '../../contract/channel.ts';
import type { Post } from '../../contract/post.ts';
import { presentChannels, type SerializeDeps } from '../channels/serialize.ts';
import type { Audience, Position, PostsQuery } from '../domain/model.ts';
import { hitsIn, wordsToFind } from '../domain/search.ts';
import { notFound, Refusal } from '../http/errors.ts';
import { ChannelList, OnlyMedia } from '../http/schemas.ts';
import type { Store } from '../storage/ports/store.ts';
import { presentPosts } from './serialize.ts';

/** Services that this module uses. */
export type PaginationDeps = SerializeDeps & {
  readonly store: Pick<Store, 'channelsNamed' | 'post' | 'posts'>;
};

/** Request for a list of posts, with its cursors not parsed yet. */
export interface PostsAsked {
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
export async function postsPage(asked: PostsAsked, audience: Audience, deps: PaginationDeps): Promise<PostPage> {
  if (asked.before !== undefined && asked.after !== undefined)
    throw new Refusal(400, 'Only one of before and after can be asked for.');
  if (asked.channels.length === 0) return pageOf([], asked, { hasNewer: false, hasOlder: false }, audience, deps);
  if (asked.after !== undefined) return newerPage(asked, asked.after, audience, deps);
  const before = asked.before === undefined ? {} : { before: readCursor(asked.before, 'before') };
  const found = await deps.store.posts({ ...queryOf(asked), ...before, limit: asked.limit + 1 }, audience);
  const hasOlder = found.length > asked.limit;
  return pageOf(found.slice(0, asked.limit), asked, { hasNewer: asked.before !== undefined, hasOlder }, audience, deps);
}

async function newerPage(asked: PostsAsked, cursor: string, audience: Audience, deps: PaginationDeps): Promise<PostPage> {
  const after = readCursor(cursor, 'after');
  const found = await deps.store.posts({ ...queryOf(asked), after, limit: asked.limit + 1 }, audience);
  const ends = { hasNewer: found.length > asked.limit, hasOlder: true };
  return pageOf(found.slice(-asked.limit), asked, ends, audience, deps);
}

/** Returns the page with a message's post in its middle. */
export async function postsAround(
  messageId: number,
  channel: Channel,
  asked: PostsAsked,
  audience: Audience,
  deps: PaginationDeps,
) {
  const middle = await deps.store.post(channel.id, messageId, audience);
  if (middle === null) throw notFound(`Post ${messageId} of ${channel.title}`);
  const place = { date: middle.date, channelId: channel.id, id: middle.id };
  const newerWanted = Math.floor((asked.limit - 1) / 2);
  const olderWanted = asked.limit - 1 - newerWanted;
  const query = queryOf(asked);
  const newer = await deps.store.posts({ ...query, after: place, limit: newerWanted + 1 }, audience);
  const older = await deps.store.posts({ ...query, before: place, limit: olderWanted + 1 }, audience);
  const { posts, ends } = joinSides({ found: newer, wanted: newerWanted }, [middle], { found: older, wanted: olderWanted });
  return pageOf(posts, asked, ends, audience, deps);
}

/** Returns the page around the newest post at or before a date (unix seconds); the oldest posts if none is that old. */
export async function postsAt(date: number, asked: PostsAsked, audience: Audience, deps: PaginationDeps): Promise<PostPage> {
  const query = queryOf(asked);
  // No channel precedes '' in the order of one second.
  const start = { date: date + 1, channelId: '', id: 0 };
  const newerUsual = Math.floor((asked.limit - 1) / 2);
  const olderWanted = asked.limit - newerUsual;
  const older = await deps.store.posts({ ...query, before: start, limit: olderWanted + 1 }, audience);
  const newerWanted = older.length === 0 ? asked.limit : newerUsual;
  const newer = await deps.store.posts({ ...query, after: start, limit: newerWanted + 1 }, audience);
  const { posts, ends } = joinSides({ found: newer, wanted: newerWanted }, [], { found: older, wanted: olderWanted });
  return pageOf(posts, asked, ends, audience, deps);
}

/** Posts on one side of a position, newest first: one more than wanted if there are more. */
interface Side {
  readonly found: readonly Post[];
  readonly wanted: number;
}

/** Joins the posts on both sides of a position to a page. */
function joinSides(newer: Side, middle: readonly Post[], older: Side) {
  const nearest = newer.wanted === 0 ? [] : newer.found.slice(-newer.wanted);
  return {
    posts: [...nearest, ...middle, ...older.found.slice(0, older.wanted)],
    ends: { hasNewer: newer.found.length > newer.wanted, hasOlder: older.found.length > older.wanted },
  };
}

const isKind = (word: string): word is PostKind => POST_KINDS.some((kind) => kind === word);

function mediaOf(asked: string): Pick<PostsQuery, 'media' | 'kinds'> {
  if (asked === '1' || asked === 'true') return { media: true };
  if (asked === '0' || asked === 'false') return {};
  const kinds = asked.split(',').map((kind) => kind.trim());
  if (kinds.every(isKind)) return { kinds };
  throw new Refusal(400, `media=${asked} is not known; it should be 1, or any of ${POST_KINDS.join(', ')} with commas between.`);
}

function queryOf(asked: PostsAsked): Omit<PostsQuery, 'limit'> {
  return {
    ...(asked.channels !== 'all' && { channelIds: asked.channels.map((channel) => channel.id) }),
    ...(asked.media !== undefined && mediaOf(asked.media)),
    ...(asksWords(asked) && { match: asked.q }),
    ...(asked.from !== undefined && { from: asked.from }),
    ...(asked.to !== undefined && { to: asked.to }),
  };
}

const asksWords = (asked: PostsAsked): asked is PostsAsked & { q: string } => asked.q !== undefined && asked.q.trim() !== '';

/** Returns the search hits in the texts of these posts, by post. The caller may read these posts. */
function hitsOf(posts: readonly Post[], q: string): Record<string, number[]> {
  const wanted = wordsToFind(q);
  const hits = posts.map((post): [string, number[]] => [`${post.channelId}/${post.id}`, hitsIn(post.text, wanted)]);
  return Object.fromEntries(hits.filter(([, offsets]) => offsets.length > 0));
}

/** Returns the channels that a page includes: the requested one, or those of its posts. */
async function channelsOf(posts: readonly Post[], { channels }: PostsAsked, audience: Audience, { store }: PaginationDeps) {
  const shown = new Set(posts.map((post) => post.channelId));
  if (channels !== 'all') return channels.length === 1 ? channels : channels.filter((channel) => shown.has(channel.id));
  return store.channelsNamed([...shown], audience);
}

interface Ends {
  readonly hasNewer: boolean;
  readonly hasOlder: boolean;
}

async function pageOf(
  posts: readonly Post[],
  asked: PostsAsked,
  ends: Ends,
  audience: Audience,
  deps: PaginationDeps,
): Promise<PostPage> {
  const { hasNewer, hasOlder } = ends;
  const channels = await channelsOf(posts, asked, audience, deps);
  const first = posts[0];
  const last = posts.at(-1);
  return {
    items: presentPosts(posts, channels, deps),
    next: hasOlder && last ? cursorOf(last) : null,
    previous: hasNewer && first ? cursorOf(first) : null,
    channels: presentChannels(channels, deps),
    ...(asksWords(asked) && { hits: hitsOf(posts, asked.q) }),
  };
}

/** Creates the opaque cursor of a position in a list of posts. */
export function cursorOf(position: Position): string {
  return Buffer.from(JSON.stringify([position.date, position.channelId, position.id])).toString('base64url');
}

/** Parses a cursor. Throws a `Refusal`, 400, if this API did not create it. */
export function readCursor(cursor: string, field: string): Position {
  const place = parse(Buffer.from(cursor, 'base64url').toString());
  if (Array.isArray(place) && place.length === 3) {
    const [date, channelId, id]: unknown[] = place;
    if (Number.isSafeInteger(date) && typeof channelId === 'string' && Number.isSafeInteger(id)) {
      return { date: Number(date), channelId, id: Number(id) };
    }
  }
  throw new Refusal(400, `${field} is not a cursor of this API: take it from the "next" or "previous" of a page.`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const Instant = Type.Integer({ minimum: 0, maximum: 1e11, description: 'Unix seconds' });

/** Query parameters of a search. */
export const SearchFields = {
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Words, which must all be there in any form, or #hashtags. A last word that nothing follows, not even a space, may be unfinished.',
    }),
  ),
  channels: Type.Optional(ChannelList),
  media: Type.Optional(OnlyMedia),
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
};

/** Throws a `Refusal`, 400, if the search has no criteria. */
export function requireSearch({ q, media, from, to }: Pick<PostsAsked, 'q' | 'media' | 'from' | 'to'>): void {
  if (!q?.trim() && [media, from, to].every((each) => each === undefined))
    throw new Refusal(400, 'Nothing to search for: ask for words (q), a kind of posts (media) or a time (from, to).');
}
