import type { ChannelConnection, ChannelCounts, ConnectionStatus, Standing } from '../connections.ts';
import { writeChannel, writeWithdrawn } from './channels.ts';
import { type Database, integer, type Row, text } from './database.ts';

const orNull = (row: Row, column: string): number | null => (row[column] === null ? null : integer(row, column));
const textOrNull = (row: Row, column: string): string | null => (row[column] === null ? null : text(row, column));

/** Whether a standing was told after another, by the second and then by the update. */
const isAfter = (one: Pick<Standing, 'at' | 'turn'>, other: Pick<Standing, 'at' | 'turn'>): boolean =>
  one.at > other.at || (one.at === other.at && one.turn > other.turn);

const toldIn = (row: Row) => ({ at: integer(row, 'at'), turn: integer(row, 'turn') });
const endedIn = (row: Row) => ({ at: integer(row, 'ended'), turn: integer(row, 'ended_turn') });

/** What a row says together: who was accepted is followed, and what was told before it was left says nothing any more. */
const statusOf = (row: Row): ConnectionStatus => {
  if (row.ending !== null) return 'leaving';
  if (row.accepted === 1) return row.rights === null ? 'lost' : 'connected';
  return row.rights !== null && isAfter(toldIn(row), endedIn(row)) ? 'asking' : 'left';
};

const connectionOf = (row: Row): ChannelConnection => ({
  channelId: text(row, 'channel'),
  status: statusOf(row),
  title: text(row, 'title'),
  username: textOrNull(row, 'username'),
  since: orNull(row, 'ending') ?? integer(row, 'at'),
  rights: row.rights === null ? null : JSON.parse(text(row, 'rights')),
  by: textOrNull(row, 'actor'),
  heardAt: orNull(row, 'heard'),
  readAt: orNull(row, 'read'),
  checkedAt: orNull(row, 'checked'),
  stale: integer(row, 'stale'),
  photo: textOrNull(row, 'photo'),
  due: orNull(row, 'due'),
  removes: row.removes === 1,
  recheck: orNull(row, 'recheck'),
});

const rowOf = (database: Database, channel: string): Row | undefined =>
  database.sql('SELECT * FROM connections WHERE channel = ?').get(channel);

/** Finds how the bot stands to a channel. */
export const readConnection = (database: Database, channel: string): ChannelConnection | null => {
  const row = rowOf(database, channel);
  return row ? connectionOf(row) : null;
};

/** Lists the connections that are not over. */
export const readConnections = (database: Database): ChannelConnection[] =>
  database
    .sql('SELECT * FROM connections ORDER BY at, channel')
    .all()
    .map(connectionOf)
    .filter(({ status }) => status !== 'left');

/** Makes the channel's own row say what its connection says. */
const show = (database: Database, channel: string): void => {
  const connection = readConnection(database, channel);
  if (connection?.status !== 'connected' && connection?.status !== 'lost') return;
  const { username, title, status, since } = connection;
  const held = database.sql('SELECT * FROM channels WHERE id = ?').get(channel);
  const followed = held?.source === 'bot';
  const state = status === 'connected' ? 'live' : 'paused';
  writeChannel(database, {
    id: channel,
    title: followed ? text(held, 'title') : title,
    ...(followed ? {} : { username }),
    source: 'bot',
    state,
    private: followed ? held.private === 1 : username === null,
    demo: false,
    since: state === 'live' ? null : since,
  });
  if (held?.withdrawn === 1) writeWithdrawn(database, channel, false);
};

/** Notes a standing, inside a transaction; one that comes late still says that someone trusted had connected the channel. */
export const writeStanding = (database: Database, told: Standing, trusted: boolean): ChannelConnection => {
  const { channelId, title, username, at, turn, by } = told;
  const rights = told.rights && JSON.stringify(told.rights);
  const row = rowOf(database, channelId);
  const later = !row || isAfter(told, toldIn(row));
  if (later)
    database
      .sql(
        `INSERT INTO connections (channel, title, username, at, turn, rights, actor) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET title = excluded.title, username = excluded.username, at = excluded.at, turn = excluded.turn,
           rights = excluded.rights, actor = CASE WHEN excluded.rights IS NULL THEN actor ELSE excluded.actor END`,
      )
      .run(channelId, title, username, at, turn, rights, rights === null ? null : by);
  if (trusted && rights !== null)
    database
      .sql(
        `UPDATE connections SET accepted = 1, stale = stale + 1 WHERE channel = ? AND accepted = 0 AND ending IS NULL
         AND (ended, ended_turn) < (?, ?)`,
      )
      .run(channelId, at, turn);
  if (later) database.sql('UPDATE connections SET stale = stale + 1 WHERE channel = ? AND accepted = 1').run(channelId);
  show(database, channelId);
  const noted = readConnection(database, channelId);
  if (!noted) throw new Error(`The connection of the channel ${channelId} was not noted.`);
  return noted;
};

/** Notes rights that were asked for, inside a transaction: later than the update that is known, before the next one. */
export const writePresence = (database: Database, channel: string, rights: readonly string[] | null): void => {
  database
    .sql('UPDATE connections SET rights = ?, turn = turn + 0.5 WHERE channel = ?')
    .run(rights && JSON.stringify(rights), channel);
  show(database, channel);
};

/** Accepts a channel that asks, inside a transaction. */
export const writeAccepted = (database: Database, channel: string, by: string): boolean => {
  if (readConnection(database, channel)?.status !== 'asking') return false;
  database.sql('UPDATE connections SET accepted = 1, stale = stale + 1, actor = ? WHERE channel = ?').run(by, channel);
  show(database, channel);
  return true;
};

const setState = (database: Database, channel: string, state: string): void =>
  void database.sql('UPDATE channels SET state = ? WHERE id = ?').run(state, channel);

/** Disconnects a channel of any source, inside a transaction. */
export const writeDisconnected = (
  database: Database,
  channel: string,
  how: { at: number; due: number; remove: boolean },
): boolean => {
  const held = database.sql('SELECT title, state FROM channels WHERE id = ? AND withdrawn = 0').get(channel);
  const row = rowOf(database, channel);
  if (!held || row?.ending) return false;
  if (!row)
    database.sql('INSERT INTO connections (channel, title, at, turn) VALUES (?, ?, 0, 0)').run(channel, text(held, 'title'));
  database
    .sql('UPDATE connections SET ending = ?, due = ?, removes = ?, former = ?, recheck = NULL WHERE channel = ?')
    .run(how.at, how.due, how.remove ? 1 : 0, text(held, 'state'), channel);
  setState(database, channel, 'archived');
  writeWithdrawn(database, channel, how.remove);
  return true;
};

/** Takes a disconnection back, inside a transaction. */
export const writeReconnected = (database: Database, channel: string): boolean => {
  const row = rowOf(database, channel);
  if (!row || row.ending === null) return false;
  database
    .sql('UPDATE connections SET ending = NULL, due = NULL, removes = 0, stale = stale + accepted WHERE channel = ?')
    .run(channel);
  setState(database, channel, text(row, 'former'));
  writeWithdrawn(database, channel, false);
  show(database, channel);
  return true;
};

/** Ends a connection for good, inside a transaction. */
export const writeLeft = (database: Database, channel: string): void => {
  database
    .sql(
      `UPDATE connections SET accepted = 0, ended = at, ended_turn = turn, ending = NULL, due = NULL, removes = 0, stale = 0, recheck = NULL, photo = NULL
       WHERE channel = ?`,
    )
    .run(channel);
  database.sql('DELETE FROM parked_updates WHERE channel = ?').run(channel);
  database.sql('DELETE FROM members WHERE channel = ?').run(channel);
};

/** Counts what is kept of a channel. */
export const readCounts = (database: Database, channel: string): ChannelCounts => {
  const count = (sql: string): number => integer(database.sql(sql).get(channel) ?? {}, 'n');
  return {
    messages: count('SELECT count(*) AS n FROM messages WHERE channel = ?'),
    hidden: count('SELECT count(*) AS n FROM messages WHERE channel = ? AND hidden IS NOT NULL'),
    missing: count('SELECT sum(gap) AS n FROM messages WHERE channel = ? AND gap > 0'),
    parked: count('SELECT count(*) AS n FROM parked_updates WHERE channel = ?'),
  };
};
