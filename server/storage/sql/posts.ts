// Post queries: pages of posts, single posts, dates for sitemaps, and unread counts.

import type { ChannelUnread } from '../../../contract/api.ts';
import type { FormattedText } from '../../../contract/extra.ts';
import { MAX_KEPT_UNREAD } from '../../../contract/kept-unread.ts';
import type { Post } from '../../../contract/post.ts';
import { assemblePost, excerptOf, type PostChannel, type StoredMessage } from '../../domain/assemble-post.ts';
import type { AccessScope, DateRange, PostDate, PostsQuery, ReadState } from '../../domain/model.ts';
import { readAccessibleChannels, readInaccessibleChannelIds } from './access.ts';
import type { Dialect, PostRowPosition } from './dialect.ts';
import { MIN_CHANNELS_FOR_SCAN, pageByScan, pageOfManyChannels, readPageOfChannel } from './paging.ts';
import { pageOfMatches } from './search.ts';
import { all, get, inParallel, integer, integerOrNull, type Operation, type Row, text, textOrNull } from './statements.ts';

const COLUMNS = 'message, date, album, gap, gone, body';
const MAX_UNREAD_COUNT = 100;

const storedMessageOf = (channelId: string, row: Row): StoredMessage => ({
  channelId,
  id: integer(row, 'message'),
  date: integer(row, 'date'),
  album: textOrNull(row, 'album'),
  gap: integer(row, 'gap'),
  gone: integerOrNull(row, 'gone'),
  body: JSON.parse(text(row, 'body')),
});

function* readAlbumMembers(head: StoredMessage): Operation<[StoredMessage, ...StoredMessage[]]> {
  if (head.album === null) return [head];
  const rows = yield* all(
    `SELECT ${COLUMNS} FROM messages WHERE channel = ? AND album = ? AND message > ? ORDER BY message`,
    head.channelId,
    head.album,
    head.id,
  );
  return [head, ...rows.map((row) => storedMessageOf(head.channelId, row))];
}

const EMPTY_TEXT: FormattedText = { text: '', entities: [] };

/** Returns the text of the post that contains a message: empty if the message is not stored, null if it is hidden. */
function* readPostText(channel: string, message: number): Operation<FormattedText | null> {
  const row = yield* get(`SELECT hidden, ${COLUMNS} FROM messages WHERE channel = ? AND message = ?`, channel, message);
  if (!row) return EMPTY_TEXT;
  if (row.hidden !== null) return null;
  const stored = storedMessageOf(channel, row);
  if (stored.body.text !== '' || stored.album === null) return stored.body;
  const rows = yield* all('SELECT body FROM messages WHERE channel = ? AND album = ? ORDER BY message', channel, stored.album);
  const members: readonly FormattedText[] = rows.map((member) => JSON.parse(text(member, 'body')));
  return members.find((member) => member.text !== '') ?? EMPTY_TEXT;
}

const withoutExcerpt = (post: Post, { excerpt: _excerpt, ...reply }: NonNullable<Post['reply']>): Post => ({ ...post, reply });

function* withExcerpt(post: Post, audience: AccessScope, channels: ReadonlyMap<string, PostChannel>): Operation<Post> {
  if (!post.reply) return post;
  const from = post.reply.channelId ?? post.channelId;
  if (!channels.has(from) && (yield* readAccessibleChannels(audience, [from])).size === 0) {
    // The excerpt from the source belongs to a channel that this caller may not read, if that channel is stored here at all.
    const isStored = (yield* get('SELECT 1 FROM channels WHERE id = ?', from)) !== undefined;
    return isStored ? withoutExcerpt(post, post.reply) : post;
  }
  const answered = yield* readPostText(from, post.reply.id);
  // If the post is hidden here, the excerpt from the source is hidden too.
  if (answered === null) return withoutExcerpt(post, post.reply);
  const excerpt = excerptOf(answered);
  return excerpt === '' ? post : { ...post, reply: { ...post.reply, excerpt } };
}

function* readWholePost(
  head: StoredMessage,
  audience: AccessScope,
  channels: ReadonlyMap<string, PostChannel>,
): Operation<Post[]> {
  const channel = channels.get(head.channelId);
  return channel ? [yield* withExcerpt(assemblePost(yield* readAlbumMembers(head), channel), audience, channels)] : [];
}

function* readOtherChannelIds(channels: ReadonlyMap<string, PostChannel>): Operation<string[]> {
  return (yield* all('SELECT id FROM channels')).map((row) => text(row, 'id')).filter((id) => !channels.has(id));
}

const isSearch = (query: PostsQuery): boolean => query.match !== undefined || query.kinds !== undefined;

/**
 * Reads the head rows of a page. One channel's rows are read directly. With several channels or a search, complete rows are read
 * only for the posts on the page.
 */
function* readPageHeads(
  dialect: Dialect,
  channels: ReadonlyMap<string, PostChannel>,
  query: PostsQuery,
): Operation<StoredMessage[]> {
  const [id, ...otherIds] = channels.keys();
  if (id === undefined) return [];
  if (!isSearch(query) && otherIds.length === 0)
    return (yield* readPageOfChannel(COLUMNS, id, query)).map((row) => storedMessageOf(id, row));
  return yield* readHeadsAt(
    isSearch(query)
      ? yield* pageOfMatches(dialect, [id, ...otherIds], yield* readOtherChannelIds(channels), query)
      : yield* pageOfManyChannels(dialect, [id, ...otherIds], query),
  );
}

function* readHeadsAt(positions: readonly PostRowPosition[]): Operation<StoredMessage[]> {
  const rows = yield* inParallel(positions.map(({ key }) => get(`SELECT ${COLUMNS} FROM messages WHERE id = ?`, key)));
  return positions.flatMap(({ channelId }, at) => {
    const row = rows[at];
    return row ? [storedMessageOf(channelId, row)] : [];
  });
}

/**
 * Reads a page over a large directory by the channels to exclude, which is the shorter list. Returns null if it is not shorter,
 * or if the posts of the page are too rare.
 */
function* pageOfDirectory(dialect: Dialect, query: PostsQuery, audience: AccessScope): Operation<PostRowPosition[] | null> {
  const count = integer((yield* get('SELECT count(*) AS n FROM channels')) ?? {}, 'n');
  if (count < MIN_CHANNELS_FOR_SCAN) return null;
  const closed = new Set(yield* readInaccessibleChannelIds(audience));
  if (closed.size > count / 2) return null;
  return isSearch(query)
    ? yield* pageOfMatches(dialect, null, [...closed], query)
    : yield* pageByScan((channel) => !closed.has(channel), query);
}

/** Reads a page of posts, newest first. The cost depends on the page, not on the number of stored posts. */
export function* readPosts(dialect: Dialect, query: PostsQuery, audience: AccessScope): Operation<Post[]> {
  const positions = query.channelIds === undefined ? yield* pageOfDirectory(dialect, query, audience) : null;
  const requestedIds = positions ? [...new Set(positions.map(({ channelId }) => channelId))] : query.channelIds;
  const channels = yield* readAccessibleChannels(audience, requestedIds);
  const heads = positions ? yield* readHeadsAt(positions) : yield* readPageHeads(dialect, channels, query);
  return (yield* inParallel(heads.map((head) => readWholePost(head, audience, channels)))).flat();
}

/** Reads the post or album that contains a message. */
export function* readPost(channelId: string, messageId: number, audience: AccessScope): Operation<Post | null> {
  const channels = yield* readAccessibleChannels(audience, [channelId]);
  const row = yield* get(
    `SELECT ${COLUMNS} FROM messages WHERE channel = ? AND message = ? AND hidden IS NULL`,
    channelId,
    messageId,
  );
  if (!row || channels.size === 0) return null;
  const found = storedMessageOf(channelId, row);
  const head =
    found.album === null
      ? row
      : yield* get(`SELECT ${COLUMNS} FROM messages WHERE channel = ? AND album = ? AND head = 1`, channelId, found.album);
  return (yield* readWholePost(storedMessageOf(channelId, head ?? row), audience, channels))[0] ?? null;
}

interface DatedMessage {
  readonly date: number;
  readonly body: { readonly edited?: number };
}

const datedOf = (row: Row): DatedMessage => ({ date: integer(row, 'date'), body: JSON.parse(text(row, 'body')) });

/** Returns when a post last changed: the latest time of its messages. */
const lastChangedAt = (messages: readonly DatedMessage[]): number =>
  Math.max(...messages.map(({ date, body }) => Math.max(date, body.edited ?? 0)));

function* readPostDate(channelId: string, row: Row): Operation<PostDate> {
  const album = textOrNull(row, 'album');
  const members =
    album === null ? [row] : yield* all('SELECT date, body FROM messages WHERE channel = ? AND album = ?', channelId, album);
  return { id: integer(row, 'message'), date: integer(row, 'date'), changed: lastChangedAt(members.map(datedOf)) };
}

/** Reads a channel's posts, oldest first, with the time of their last change. */
export function* readPostDates(channelId: string, range: DateRange, audience: AccessScope): Operation<PostDate[]> {
  if ((yield* readAccessibleChannels(audience, [channelId])).size === 0) return [];
  const { from, to, above = Number.MIN_SAFE_INTEGER, limit } = range;
  const rows = yield* all(
    `SELECT message, date, album, body FROM messages
     WHERE channel = ? AND head = 1 AND date BETWEEN ? AND ? AND (date > ? OR message > ?) AND service = 0
     ORDER BY date, message LIMIT ?`,
    ...[channelId, from, to, from, above, limit],
  );
  return yield* inParallel(rows.map((row) => readPostDate(channelId, row)));
}

/** Reads the date of the post at offset `skip` after the oldest one of a start date. It reads only the index. */
export function* readDateAfter(channelId: string, from: number, skip: number, audience: AccessScope): Operation<number | null> {
  if ((yield* readAccessibleChannels(audience, [channelId])).size === 0) return null;
  const row = yield* get(
    'SELECT date FROM messages WHERE channel = ? AND head = 1 AND date >= ? ORDER BY date, message LIMIT 1 OFFSET ?',
    ...[channelId, from, skip],
  );
  return row ? integer(row, 'date') : null;
}

/** Reads a hidden post by the row of its first message. */
export function* readHiddenPost(row: Row): Operation<Post | null> {
  const channelId = text(row, 'channel');
  const everyone: AccessScope = { privateChannels: 'all' };
  const [post] = yield* readWholePost(
    storedMessageOf(channelId, row),
    everyone,
    yield* readAccessibleChannels(everyone, [channelId]),
  );
  return post ?? null;
}

const COUNT_UNREAD = `
  SELECT count(*) AS n FROM (
    SELECT 1 FROM messages WHERE channel = ? AND message > ? AND head = 1 AND service = 0 LIMIT ${MAX_UNREAD_COUNT}
  ) counted`;

/** Builds the query that counts posts kept unread up to a read marker. `posts` is the number of ids. */
const countKeptUnreadSql = (posts: number): string => `
  SELECT count(*) AS n FROM messages
  WHERE channel = ? AND message <= ? AND head = 1 AND service = 0 AND message IN (${Array(posts).fill('?').join(', ')})`;

/** Repeats the last id up to a power of two, so that few distinct statements are prepared. */
const padToPowerOfTwo = (ids: readonly number[]): number[] =>
  Array.from({ length: 2 ** Math.ceil(Math.log2(ids.length)) }, (_, at) => ids[Math.min(at, ids.length - 1)] ?? 0);

/** Counts posts after each read marker and those before it that are kept unread, up to 100. Service messages do not count. */
export function* readUnreadCounts(marks: readonly ReadState[], audience: AccessScope): Operation<ChannelUnread[]> {
  const channels = yield* readAccessibleChannels(
    audience,
    marks.map(({ channelId }) => channelId),
  );
  const last = new Map(marks.map((mark) => [mark.channelId, mark]));
  const counted = [...last.values()].filter(({ channelId }) => channels.has(channelId));
  const rows = yield* inParallel(counted.map(({ channelId, messageId }) => get(COUNT_UNREAD, channelId, messageId)));
  const counts = new Map(counted.map(({ channelId }, at) => [channelId, integer(rows[at] ?? {}, 'n')]));
  for (const { channelId, messageId, keptUnread: ids = [] } of counted) {
    if (ids.length === 0) continue;
    const paddedIds = padToPowerOfTwo(ids.slice(0, MAX_KEPT_UNREAD));
    const row = yield* get(countKeptUnreadSql(paddedIds.length), channelId, messageId, ...paddedIds);
    counts.set(channelId, Math.min(MAX_UNREAD_COUNT, (counts.get(channelId) ?? 0) + integer(row ?? {}, 'n')));
  }
  return [...counts].map(([channelId, count]) => ({ channelId, count }));
}
