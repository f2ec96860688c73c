import type { Channel } from '../../../contract/channel.ts';
import type { Audience, ChannelChange } from '../store.ts';
import { mayRead } from './audience.ts';
import { type Database, integer, present, type Row, text } from './database.ts';
import { noteEvent } from './events.ts';

const SOURCES = { bot: 'bot', export: 'export', feed: 'feed' } as const;
const STATES = { live: 'live', paused: 'paused', archived: 'archived' } as const;

const one = <T>(values: Readonly<Record<string, T>>, name: string): T => {
  const value = values[name];
  if (value === undefined) throw new Error(`The store holds an unknown word: ${name}`);
  return value;
};

/** The post that holds the pinned message; nothing while that message is not held. */
const PINNED = `(
  SELECT coalesce(h.message, p.message) FROM messages p
  LEFT JOIN messages h ON h.channel = p.channel AND h.album = p.album AND h.head = 1
  WHERE p.channel = c.id AND p.message = c.pinned AND p.hidden IS NULL
)`;

const latestOf = (database: Database, id: string) => {
  const row = database
    .sql('SELECT message, date FROM messages WHERE channel = ? AND head = 1 ORDER BY date DESC, message DESC LIMIT 1')
    .get(id);
  return row ? { id: integer(row, 'message'), date: integer(row, 'date') } : null;
};

const channelOf = (database: Database, row: Row): Channel => ({
  id: text(row, 'id'),
  title: text(row, 'title'),
  ...present('username', row.username === null ? null : text(row, 'username')),
  ...present('about', row.about === null ? null : text(row, 'about')),
  ...present('picture', row.picture === null ? null : JSON.parse(text(row, 'picture'))),
  ...present('members', row.members === null ? null : integer(row, 'members')),
  source: one(SOURCES, text(row, 'source')),
  state: one(STATES, text(row, 'state')),
  private: row.private === 1,
  demo: row.demo === 1,
  ...present('since', row.since === null ? null : integer(row, 'since')),
  ...present('latest', latestOf(database, text(row, 'id'))),
  ...present('pinned', row.pinned_post === null ? null : integer(row, 'pinned_post')),
  ...present('elsewhere', row.elsewhere === 1 || null),
});

/**
 * Lists the channels that an audience may see, in the order in which they were added: the default line-up; after them those from
 * elsewhere that are named.
 */
export const readChannels = (database: Database, audience: Audience, also: readonly string[] = []): Channel[] =>
  database
    .sql(
      `SELECT c.*, ${PINNED} AS pinned_post FROM channels c
       WHERE c.elsewhere = 0 OR c.id IN (SELECT value FROM json_each(?)) ORDER BY c.elsewhere, c.rowid`,
    )
    .all(JSON.stringify(also))
    .filter((row) => mayRead(row, audience))
    .map((row) => channelOf(database, row));

/** Finds a channel by id, else by a username that it has or had. */
export const readChannel = (database: Database, idOrUsername: string, audience: Audience): Channel | null => {
  const select = `SELECT c.*, ${PINNED} AS pinned_post FROM channels c WHERE c.id = `;
  const row =
    database.sql(`${select} ?`).get(idOrUsername) ??
    database.sql(`${select} (SELECT channel FROM usernames WHERE name = ?)`).get(idOrUsername.replace(/^@/, '').toLowerCase());
  return row && mayRead(row, audience) ? channelOf(database, row) : null;
};

const putUsername = (database: Database, id: string, username: string): void => {
  const name = username.toLowerCase();
  database.sql('UPDATE channels SET username = NULL WHERE lower(username) = ? AND id <> ?').run(name, id);
  database
    .sql('INSERT INTO usernames (name, channel) VALUES (?, ?) ON CONFLICT DO UPDATE SET channel = excluded.channel')
    .run(name, id);
};

/** A field's new value: what is absent stays as it was, null goes. */
const changed = <T>(given: T | null | undefined, held: T | null | undefined): T | null =>
  given === undefined ? (held ?? null) : given;

/** Notes which file a channel shows as its picture. */
export const notePicture = (database: Database, id: string, src: string | undefined): void => {
  database.sql('DELETE FROM media_uses WHERE channel = ? AND message = 0').run(id);
  if (src)
    database
      .sql('INSERT INTO media_uses (key, channel, message) VALUES (?, ?, 0) ON CONFLICT DO NOTHING')
      .run(src.replace(/^\/media\//, ''), id);
};

const FIELDS = 'title, username, about, picture, members, source, state, private, demo, since';

/** Adds or changes a channel; what is absent stays as it was, what is null goes. */
export const writeChannel = (database: Database, channel: ChannelChange): void => {
  const { id, title, username, source, state } = channel;
  const row = database.sql('SELECT * FROM channels WHERE id = ?').get(id);
  const held = row && channelOf(database, row);
  const picture = changed(channel.picture, held?.picture);
  const values = [
    ...[title, changed(username, held?.username), changed(channel.about, held?.about)],
    ...[picture && JSON.stringify(picture), changed(channel.members, held?.members), source, state],
    ...[channel.private ? 1 : 0, channel.demo ? 1 : 0, changed(channel.since, held?.since)],
  ];
  if (row && FIELDS.split(', ').every((field, at) => row[field] === values[at])) return;
  database
    .sql(
      `INSERT INTO channels (id, ${FIELDS}, elsewhere) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET (${FIELDS}) = (
         excluded.title, excluded.username, excluded.about, excluded.picture, excluded.members, excluded.source, excluded.state,
         excluded.private, excluded.demo, excluded.since
       )`,
    )
    .run(id, ...values, channel.elsewhere === true ? 1 : 0);
  if (username) putUsername(database, id, username);
  notePicture(database, id, picture?.src);
  noteEvent(database, 'channel', id, null);
};

/** Takes a channel out of every answer, or brings it back. */
export const writeWithdrawn = (database: Database, id: string, withdrawn: boolean): void => {
  database.sql('UPDATE channels SET withdrawn = ? WHERE id = ?').run(withdrawn ? 1 : 0, id);
  noteEvent(database, withdrawn ? 'hidden' : 'channel', id, null);
};

/** Pins a message, or none, unless a later pin is known. */
export const writePin = (database: Database, channelId: string, messageId: number | null, at: number): void => {
  const held = database.sql('SELECT pinned, pinned_at FROM channels WHERE id = ?').get(channelId);
  if (!held || integer(held, 'pinned_at') > at) return;
  database.sql('UPDATE channels SET pinned = ?, pinned_at = ? WHERE id = ?').run(messageId, at, channelId);
  if (held.pinned !== messageId) noteEvent(database, 'channel', channelId, null);
};

/** Deletes some of a channel's messages; false when none is left, and the channel is gone with the last. */
export const removeSome = (database: Database, id: string, most: number): boolean => {
  const keys = database.sql('SELECT id FROM messages WHERE channel = ? LIMIT ?').all(id, most);
  for (const row of keys) {
    database.sql('DELETE FROM words WHERE rowid = ?').run(integer(row, 'id'));
    database.sql('DELETE FROM messages WHERE id = ?').run(integer(row, 'id'));
  }
  if (keys.length === 0) {
    database.sql('DELETE FROM reactions WHERE channel = ?').run(id);
    if (database.sql('DELETE FROM channels WHERE id = ?').run(id).changes) noteEvent(database, 'hidden', id, null);
  }
  return keys.length > 0;
};
