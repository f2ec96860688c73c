// Post queries: pages of posts, single posts, dates for sitemaps, and unread counts.

import type { Unread } from '../../../contract/api.ts';
import type { Words } from '../../../contract/extra.ts';
import { MAX_KEPT_UNREAD } from '../../../contract/kept-unread.ts';
import type { Post } from '../../../contract/post.ts';
import { assemble, excerptOf, type KeptMessage, type PostChannel } from '../../domain/assemble-post.ts';
import type { Audience, DateRange, PostDate, PostsQuery, ReadState } from '../../domain/model.ts';
import { closedTo, readable } from './access.ts';
import type { Dialect, Place } from './dialect.ts';
import { MANY_CHANNELS, pageOfChannel, pageOfMany, pageOfNewest } from './paging.ts';
import { pageOfMatches } from './search.ts';
import { all, get, integer, integerOrNull, type Row, text, textOrNull, together, type Work } from './statements.ts';

const COLUMNS = 'message, date, album, gap, gone, body';
const MAX_UNREAD_COUNT = 100;

const keptMessage = (channelId: string, row: Row): KeptMessage => ({
  channelId,
  id: integer(row, 'message'),
  date: integer(row, 'date'),
  album: textOrNull(row, 'album'),
  gap: integer(row, 'gap'),
  gone: integerOrNull(row, 'gone'),
  body: JSON.parse(text(row, 'body')),
});

function* membersOf(head: KeptMessage): Work<[KeptMessage, ...KeptMessage[]]> {
  if (head.album === null) return [head];
  const rows = yield* all(
    `SELECT ${COLUMNS} FROM messages WHERE channel = ? AND album = ? AND message > ? ORDER BY message`,
    head.channelId,
    head.album,
    head.id,
  );
  return [head, ...rows.map((row) => keptMessage(head.channelId, row))];
}

const WORDLESS: Words = { text: '', entities: [] };

/** Returns the text of the post that contains a message: empty if the message is not stored, null if it is hidden. */
function* wordsOf(channel: string, message: number): Work<Words | null> {
  const row = yield* get(`SELECT hidden, ${COLUMNS} FROM messages WHERE channel = ? AND message = ?`, channel, message);
  if (!row) return WORDLESS;
  if (row.hidden !== null) return null;
  const kept = keptMessage(channel, row);
  if (kept.body.text !== '' || kept.album === null) return kept.body;
  const rows = yield* all('SELECT body FROM messages WHERE channel = ? AND album = ? ORDER BY message', channel, kept.album);
  const members: readonly Words[] = rows.map((member) => JSON.parse(text(member, 'body')));
  return members.find((member) => member.text !== '') ?? WORDLESS;
}

const withoutExcerpt = (post: Post, { excerpt: _excerpt, ...reply }: NonNullable<Post['reply']>): Post => ({ ...post, reply });

function* withExcerpt(post: Post, audience: Audience, channels: ReadonlyMap<string, PostChannel>): Work<Post> {
  if (!post.reply) return post;
  const from = post.reply.channelId ?? post.channelId;
  if (!channels.has(from) && (yield* readable(audience, [from])).size === 0) {
    // The excerpt from the source belongs to a channel that this caller may not read, if that channel is stored here at all.
    const held = (yield* get('SELECT 1 FROM channels WHERE id = ?', from)) !== undefined;
    return held ? withoutExcerpt(post, post.reply) : post;
  }
  const answered = yield* wordsOf(from, post.reply.id);
  // If the post is hidden here, the excerpt from the source is hidden too.
  if (answered === null) return withoutExcerpt(post, post.reply);
  const excerpt = excerptOf(answered);
  return excerpt === '' ? post : { ...post, reply: { ...post.reply, excerpt } };
}

function* postOf(head: KeptMessage, audience: Audience, channels: ReadonlyMap<string, PostChannel>): Work<Post[]> {
  const channel = channels.get(head.channelId);
  return channel ? [yield* withExcerpt(assemble(yield* membersOf(head), channel), audience, channels)] : [];
}

function* otherChannels(channels: ReadonlyMap<string, PostChannel>): Work<string[]> {
  return (yield* all('SELECT id FROM channels')).map((row) => text(row, 'id')).filter((id) => !channels.has(id));
}

const isSearch = (query: PostsQuery): boolean => query.match !== undefined || query.kinds !== undefined;

/**
 * Reads the head rows of a page. One channel's rows are read directly. With several channels or a search, complete rows are read
 * only for the posts on the page.
 */
function* headsOfPage(dialect: Dialect, channels: ReadonlyMap<string, PostChannel>, query: PostsQuery): Work<KeptMessage[]> {
  const [id, ...others] = channels.keys();
  if (id === undefined) return [];
  if (!isSearch(query) && others.length === 0)
    return (yield* pageOfChannel(COLUMNS, id, query)).map((row) => keptMessage(id, row));
  return yield* headsAt(
    isSearch(query)
      ? yield* pageOfMatches(dialect, [id, ...others], yield* otherChannels(channels), query)
      : yield* pageOfMany(dialect, [id, ...others], query),
  );
}

function* headsAt(places: readonly Place[]): Work<KeptMessage[]> {
  const rows = yield* together(places.map(({ key }) => get(`SELECT ${COLUMNS} FROM messages WHERE id = ?`, key)));
  return places.flatMap(({ channelId }, at) => {
    const row = rows[at];
    return row ? [keptMessage(channelId, row)] : [];
  });
}

/**
 * Reads a page over a large directory by the channels to exclude, which is the shorter list. Returns null if it is not shorter,
 * or if the posts of the page are too rare.
 */
function* pageOfDirectory(dialect: Dialect, query: PostsQuery, audience: Audience): Work<Place[] | null> {
  const count = integer((yield* get('SELECT count(*) AS n FROM channels')) ?? {}, 'n');
  if (count < MANY_CHANNELS) return null;
  const closed = new Set(yield* closedTo(audience));
  if (closed.size > count / 2) return null;
  return isSearch(query)
    ? yield* pageOfMatches(dialect, null, [...closed], query)
    : yield* pageOfNewest((channel) => !closed.has(channel), query);
}

/** Reads a page of posts, newest first. The cost depends on the page, not on the number of stored posts. */
export function* readPosts(dialect: Dialect, query: PostsQuery, audience: Audience): Work<Post[]> {
  const places = query.channelIds === undefined ? yield* pageOfDirectory(dialect, query, audience) : null;
  const asked = places ? [...new Set(places.map(({ channelId }) => channelId))] : query.channelIds;
  const channels = yield* readable(audience, asked);
  const heads = places ? yield* headsAt(places) : yield* headsOfPage(dialect, channels, query);
  return (yield* together(heads.map((head) => postOf(head, audience, channels)))).flat();
}

/** Reads the post or album that contains a message. */
export function* readPost(channelId: string, messageId: number, audience: Audience): Work<Post | null> {
  const channels = yield* readable(audience, [channelId]);
  const row = yield* get(
    `SELECT ${COLUMNS} FROM messages WHERE channel = ? AND message = ? AND hidden IS NULL`,
    channelId,
    messageId,
  );
  if (!row || channels.size === 0) return null;
  const found = keptMessage(channelId, row);
  const head =
    found.album === null
      ? row
      : yield* get(`SELECT ${COLUMNS} FROM messages WHERE channel = ? AND album = ? AND head = 1`, channelId, found.album);
  return (yield* postOf(keptMessage(channelId, head ?? row), audience, channels))[0] ?? null;
}

interface Dated {
  readonly date: number;
  readonly body: { readonly edited?: number };
}

const datedOf = (row: Row): Dated => ({ date: integer(row, 'date'), body: JSON.parse(text(row, 'body')) });

/** Returns when a post last changed: the latest time of its messages. */
const changedOf = (messages: readonly Dated[]): number =>
  Math.max(...messages.map(({ date, body }) => Math.max(date, body.edited ?? 0)));

function* postDate(channelId: string, row: Row): Work<PostDate> {
  const album = textOrNull(row, 'album');
  const members =
    album === null ? [row] : yield* all('SELECT date, body FROM messages WHERE channel = ? AND album = ?', channelId, album);
  return { id: integer(row, 'message'), date: integer(row, 'date'), changed: changedOf(members.map(datedOf)) };
}

/** Reads a channel's posts, oldest first, with the time of their last change. */
export function* readPostDates(channelId: string, range: DateRange, audience: Audience): Work<PostDate[]> {
  if ((yield* readable(audience, [channelId])).size === 0) return [];
  const { from, to, above = Number.MIN_SAFE_INTEGER, limit } = range;
  const rows = yield* all(
    `SELECT message, date, album, body FROM messages
     WHERE channel = ? AND head = 1 AND date BETWEEN ? AND ? AND (date > ? OR message > ?) AND service = 0
     ORDER BY date, message LIMIT ?`,
    ...[channelId, from, to, from, above, limit],
  );
  return yield* together(rows.map((row) => postDate(channelId, row)));
}

/** Reads the date of the post at offset `skip` after the oldest one of a start date. It reads only the index. */
export function* readDateAfter(channelId: string, from: number, skip: number, audience: Audience): Work<number | null> {
  if ((yield* readable(audience, [channelId])).size === 0) return null;
  const row = yield* get(
    'SELECT date FROM messages WHERE channel = ? AND head = 1 AND date >= ? ORDER BY date, message LIMIT 1 OFFSET ?',
    ...[channelId, from, skip],
  );
  return row ? integer(row, 'date') : null;
}

/** Reads a hidden post by the row of its first message. */
export function* hiddenPost(row: Row): Work<Post | null> {
  const channelId = text(row, 'channel');
  const everyone: Audience = { privateChannels: 'all' };
  const [post] = yield* postOf(keptMessage(channelId, row), everyone, yield* readable(everyone, [channelId]));
  return post ?? null;
}

const UNREAD = `
  SELECT count(*) AS n FROM (
    SELECT 1 FROM messages WHERE channel = ? AND message > ? AND head = 1 AND service = 0 LIMIT ${MAX_UNREAD_COUNT}
  ) counted`;

/** Builds the query that counts posts kept unread up to a read marker. `posts` is the number of ids. */
const keptUnread = (posts: number): string => `
  SELECT count(*) AS n FROM messages
  WHERE channel = ? AND message <= ? AND head = 1 AND service = 0 AND message IN (${Array(posts).fill('?').join(', ')})`;

/** Repeats the last id up to a power of two, so that few distinct statements are prepared. */
const padded = (ids: readonly number[]): number[] =>
  Array.from({ length: 2 ** Math.ceil(Math.log2(ids.length)) }, (_, at) => ids[Math.min(at, ids.length - 1)] ?? 0);

/** Counts posts after each read marker and those before it that are kept unread, up to 100. Service messages do not count. */
export function* countUnread(marks: readonly ReadState[], audience: Audience): Work<Unread[]> {
  const channels = yield* readable(
    audience,
    marks.map(({ channelId }) => channelId),
  );
  const last = new Map(marks.map((mark) => [mark.channelId, mark]));
  const counted = [...last.values()].filter(({ channelId }) => channels.has(channelId));
  const rows = yield* together(counted.map(({ channelId, messageId }) => get(UNREAD, channelId, messageId)));
  const counts = new Map(counted.map(({ channelId }, at) => [channelId, integer(rows[at] ?? {}, 'n')]));
  for (const { channelId, messageId, keptUnread: ids = [] } of counted) {
    if (ids.length === 0) continue;
    const given = padded(ids.slice(0, MAX_KEPT_UNREAD));
    const row = yield* get(keptUnread(given.length), channelId, messageId, ...given);
    counts.set(channelId, Math.min(MAX_UNREAD_COUNT, (counts.get(channelId) ?? 0) + integer(row ?? {}, 'n')));
  }
  return [...counts].map(([channelId, count]) => ({ channelId, count }));
}
