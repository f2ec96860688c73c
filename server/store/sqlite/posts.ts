import type { Mark, Unread } from '../../../contract/api.ts';
import type { Words } from '../../../contract/extra.ts';
import type { Post } from '../../../contract/post.ts';
import { assemble, excerptOf, type KeptMessage, type PostChannel } from '../assemble.ts';
import type { Audience, DateRange, PostDate, PostsQuery } from '../store.ts';
import { readable } from './audience.ts';
import { type Database, integer, type Row, text } from './database.ts';
import { pageOfChannel, pageOfChannels, pageOfMatches } from './pages.ts';

const COLUMNS = 'message, date, album, gap, gone, body';
const MOST_UNREAD = 100;

const keptMessage = (channelId: string, row: Row): KeptMessage => ({
  channelId,
  id: integer(row, 'message'),
  date: integer(row, 'date'),
  album: row.album === null ? null : text(row, 'album'),
  gap: integer(row, 'gap'),
  gone: row.gone === null ? null : integer(row, 'gone'),
  body: JSON.parse(text(row, 'body')),
});

const membersOf = (database: Database, head: KeptMessage): [KeptMessage, ...KeptMessage[]] => {
  if (head.album === null) return [head];
  const rows = database
    .sql(`SELECT ${COLUMNS} FROM messages WHERE channel = ? AND album = ? AND message > ? ORDER BY message`)
    .all(head.channelId, head.album, head.id);
  return [head, ...rows.map((row) => keptMessage(head.channelId, row))];
};

const WORDLESS: Words = { text: '', entities: [] };

/** The words of the post that holds a message: none where it is not held, null where it is hidden. */
const wordsOf = (database: Database, channel: string, message: number): Words | null => {
  const row = database.sql(`SELECT hidden, ${COLUMNS} FROM messages WHERE channel = ? AND message = ?`).get(channel, message);
  if (!row) return WORDLESS;
  if (row.hidden !== null) return null;
  const kept = keptMessage(channel, row);
  if (kept.body.text !== '' || kept.album === null) return kept.body;
  const rows = database
    .sql('SELECT body FROM messages WHERE channel = ? AND album = ? ORDER BY message')
    .all(channel, kept.album);
  const members: readonly Words[] = rows.map((member) => JSON.parse(text(member, 'body')));
  return members.find((member) => member.text !== '') ?? WORDLESS;
};

const withoutExcerpt = (post: Post, { excerpt: _excerpt, ...reply }: NonNullable<Post['reply']>): Post => ({ ...post, reply });

const withExcerpt = (database: Database, post: Post, audience: Audience, channels: ReadonlyMap<string, PostChannel>): Post => {
  if (!post.reply) return post;
  const from = post.reply.channelId ?? post.channelId;
  if (!channels.has(from) && readable(database, audience, [from]).size === 0) {
    // The excerpt that a source gave along is of a channel that this reader may not see, if we hold that channel at all.
    const held = database.sql('SELECT 1 FROM channels WHERE id = ?').get(from) !== undefined;
    return held ? withoutExcerpt(post, post.reply) : post;
  }
  const answered = wordsOf(database, from, post.reply.id);
  // The source's own excerpt of a post that is hidden here is hidden too.
  if (answered === null) return withoutExcerpt(post, post.reply);
  const excerpt = excerptOf(answered);
  return excerpt === '' ? post : { ...post, reply: { ...post.reply, excerpt } };
};

const postOf = (
  database: Database,
  head: KeptMessage,
  audience: Audience,
  channels: ReadonlyMap<string, PostChannel>,
): Post[] => {
  const channel = channels.get(head.channelId);
  return channel ? [withExcerpt(database, assemble(membersOf(database, head), channel), audience, channels)] : [];
};

const otherChannels = (database: Database, channels: ReadonlyMap<string, PostChannel>): string[] =>
  database
    .sql('SELECT id FROM channels')
    .all()
    .map((row) => text(row, 'id'))
    .filter((id) => !channels.has(id));

/** One channel's rows are read at once; of many channels or hits, only those that made it onto the page are read whole. */
const headsOfPage = (database: Database, channels: ReadonlyMap<string, PostChannel>, query: PostsQuery): KeptMessage[] => {
  const [id, ...others] = channels.keys();
  if (id === undefined) return [];
  const isSearch = query.match !== undefined || query.kinds !== undefined;
  if (!isSearch && others.length === 0) return pageOfChannel(database, COLUMNS, id, query).map((row) => keptMessage(id, row));
  const places = isSearch
    ? pageOfMatches(database, [id, ...others], otherChannels(database, channels), query)
    : pageOfChannels(database, [id, ...others], query);
  const byKey = database.sql(`SELECT ${COLUMNS} FROM messages WHERE id = ?`);
  return places.flatMap(({ key, channelId }) => {
    const row = byKey.get(key);
    return row ? [keptMessage(channelId, row)] : [];
  });
};

/** Reads a page of posts, newest first; what it costs depends on the page, not on how much there is. */
export const readPosts = (database: Database, query: PostsQuery, audience: Audience): Post[] => {
  const channels = readable(database, audience, query.channelIds);
  return headsOfPage(database, channels, query).flatMap((head) => postOf(database, head, audience, channels));
};

/** Reads the post or album that holds a message. */
export const readPost = (database: Database, channelId: string, messageId: number, audience: Audience): Post | null => {
  const channels = readable(database, audience, [channelId]);
  const row = database
    .sql(`SELECT ${COLUMNS} FROM messages WHERE channel = ? AND message = ? AND hidden IS NULL`)
    .get(channelId, messageId);
  if (!row || channels.size === 0) return null;
  const found = keptMessage(channelId, row);
  const head =
    found.album === null
      ? row
      : database.sql(`SELECT ${COLUMNS} FROM messages WHERE channel = ? AND album = ? AND head = 1`).get(channelId, found.album);
  return postOf(database, keptMessage(channelId, head ?? row), audience, channels)[0] ?? null;
};

/** When a message was last changed. */
const changedOf = (row: string): string => `max(${row}.date, coalesce(${row}.body ->> '$.edited', 0))`;

/** Reads a channel's posts, the oldest first, and when each was last changed, an album with its latest message. */
export const readPostDates = (database: Database, channelId: string, range: DateRange, audience: Audience): PostDate[] => {
  if (readable(database, audience, [channelId]).size === 0) return [];
  const { from, to, above = Number.MIN_SAFE_INTEGER, limit } = range;
  return database
    .sql(
      `SELECT m.message, m.date, CASE WHEN m.album IS NULL THEN ${changedOf('m')} ELSE (
         SELECT max(${changedOf('a')}) FROM messages a WHERE a.channel = m.channel AND a.album = m.album
       ) END AS changed
       FROM messages m
       WHERE m.channel = ? AND m.head = 1 AND m.date BETWEEN ? AND ? AND (m.date > ? OR m.message > ?) AND m.service = 0
       ORDER BY m.date, m.message LIMIT ?`,
    )
    .all(channelId, from, to, from, above, limit)
    .map((row) => ({ id: integer(row, 'message'), date: integer(row, 'date'), changed: integer(row, 'changed') }));
};

/** Reads when the post was posted that comes so many after the oldest from a date on; the index alone is read. */
export const readDateAfter = (database: Database, channelId: string, from: number, skip: number, audience: Audience) => {
  if (readable(database, audience, [channelId]).size === 0) return null;
  const row = database
    .sql('SELECT date FROM messages WHERE channel = ? AND head = 1 AND date >= ? ORDER BY date, message LIMIT 1 OFFSET ?')
    .get(channelId, from, skip);
  return row ? integer(row, 'date') : null;
};

/** Reads a post that is hidden, by the row of its first message. */
export const hiddenPost = (database: Database, row: Row): Post | null => {
  const channelId = text(row, 'channel');
  const all: Audience = { privateChannels: 'all' };
  return postOf(database, keptMessage(channelId, row), all, readable(database, all, [channelId]))[0] ?? null;
};

/** Counts, to 100, the posts after each mark; service messages are nothing to read. */
export const countUnread = (database: Database, marks: readonly Mark[], audience: Audience): Unread[] => {
  const channels = readable(
    database,
    audience,
    marks.map(({ channelId }) => channelId),
  );
  const counted = database.sql(
    `SELECT count(*) AS n FROM (
       SELECT 1 FROM messages WHERE channel = ? AND message > ? AND head = 1 AND service = 0 LIMIT ${MOST_UNREAD}
     )`,
  );
  return marks
    .filter(({ channelId }) => channels.has(channelId))
    .map(({ channelId, messageId }) => ({ channelId, count: integer(counted.get(channelId, messageId) ?? {}, 'n') }));
};
