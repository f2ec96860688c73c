import type { Mark, Merge, Star } from '../../../contract/api.ts';
import type { Lineup, LineupChange, LineupContents } from '../../../contract/lineup.ts';
import { mergeLineups } from '../../../contract/merge-lineup.ts';
import { type Database, integer, present, type Row, text } from './database.ts';
import { makeOnce } from './heard.ts';

/** A reader as the store keeps one. */
export interface ReaderRow {
  id: string;
  name: string;
  username?: string;
  language?: string;
}

/** Keeps a session under its token's hash; the ones that are over go with it. */
export const writeSession = (database: Database, tokenHash: string, readerId: string, expires: number): void => {
  database.sql('DELETE FROM sessions WHERE expires < unixepoch()').run();
  database
    .sql(
      `INSERT INTO sessions (token_hash, reader, expires) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET reader = excluded.reader, expires = excluded.expires`,
    )
    .run(tokenHash, readerId, expires);
};

/** Finds a live session's reader; its expiry is moved at most once a minute, as a durable write costs more than the answer. */
export const readSession = (database: Database, tokenHash: string, now: number, expires: number): { readerId: string } | null => {
  const row = database.sql('SELECT reader, expires FROM sessions WHERE token_hash = ? AND expires > ?').get(tokenHash, now);
  if (!row) return null;
  if (Math.abs(expires - integer(row, 'expires')) >= 60)
    database.sql('UPDATE sessions SET expires = ? WHERE token_hash = ?').run(expires, tokenHash);
  return { readerId: text(row, 'reader') };
};

/** Adds or changes a reader; an absent field is one that the reader no longer has. */
export const writeReader = (database: Database, reader: ReaderRow): void => {
  database
    .sql(
      `INSERT INTO readers (id, name, username, language) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET name = excluded.name, username = excluded.username, language = excluded.language`,
    )
    .run(reader.id, reader.name, reader.username ?? null, reader.language ?? null);
};

/** Finds a reader. */
export const readReader = (database: Database, id: string): ReaderRow | null => {
  const row = database.sql('SELECT * FROM readers WHERE id = ?').get(id);
  if (!row) return null;
  return {
    id,
    name: text(row, 'name'),
    ...present('username', row.username === null ? null : text(row, 'username')),
    ...present('language', row.language === null ? null : text(row, 'language')),
  };
};

/** Erases everything that is kept of a reader. */
export const eraseReader = (database: Database, id: string): void => {
  for (const table of ['sessions', 'lineups', 'marks', 'stars', 'heard'])
    database.sql(`DELETE FROM ${table} WHERE reader = ?`).run(id);
  database.sql('DELETE FROM readers WHERE id = ?').run(id);
};

/** Reads a line-up; one never saved is empty, version 0. */
export const readLineup = (database: Database, readerId: string): Lineup => {
  const row = database.sql('SELECT version, contents FROM lineups WHERE reader = ?').get(readerId);
  return row ? { ...JSON.parse(text(row, 'contents')), version: integer(row, 'version') } : { entries: [], version: 0 };
};

const writeContents = (database: Database, readerId: string, contents: LineupContents): void => {
  database
    .sql(
      `INSERT INTO lineups (reader, version, contents) VALUES (?, 1, ?)
       ON CONFLICT DO UPDATE SET version = version + 1, contents = excluded.contents`,
    )
    .run(readerId, JSON.stringify(contents));
};

/** Saves a line-up and numbers it: merged where it was changed from another version, else whole. */
export const writeLineup = (database: Database, readerId: string, { version, ...sent }: LineupChange, key?: string): Lineup => {
  makeOnce(database, readerId, key, () => {
    const { version: present, ...held } = readLineup(database, readerId);
    const isApart = version !== undefined && version !== present;
    writeContents(database, readerId, isApart ? mergeLineups(held, sent) : sent);
  });
  return readLineup(database, readerId);
};

const markOf = (row: Row): Mark => ({ channelId: text(row, 'channel'), messageId: integer(row, 'message') });

/** Lists a reader's marks. */
export const readMarks = (database: Database, readerId: string): Mark[] =>
  database.sql('SELECT channel, message FROM marks WHERE reader = ? ORDER BY channel').all(readerId).map(markOf);

/** Moves a mark forwards, or exactly to where it is told: exactly to 0 takes it back, as if the channel had never been looked at. */
export const writeMark = (database: Database, readerId: string, mark: Mark, exact: boolean, key?: string): Mark => {
  const { channelId } = mark;
  makeOnce(database, readerId, key, () => moveMark(database, readerId, mark, exact));
  const row = database.sql('SELECT channel, message FROM marks WHERE reader = ? AND channel = ?').get(readerId, channelId);
  return row ? markOf(row) : { channelId, messageId: 0 };
};

function moveMark(database: Database, readerId: string, { channelId, messageId }: Mark, exact: boolean): void {
  if (exact && messageId === 0) {
    database.sql('DELETE FROM marks WHERE reader = ? AND channel = ?').run(readerId, channelId);
    return;
  }
  const moved = exact ? 'excluded.message' : 'max(message, excluded.message)';
  database
    .sql(`INSERT INTO marks (reader, channel, message) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET message = ${moved}`)
    .run(readerId, channelId, messageId);
}

const starOf = (row: Row): Star => ({ channelId: text(row, 'channel'), postId: integer(row, 'post'), at: integer(row, 'at') });

/** Lists a reader's stars, the latest first. */
export const readStars = (
  database: Database,
  readerId: string,
  before: { at: number; channelId: string; postId: number } | null,
  limit: number,
): Star[] => {
  const from = before ?? { at: Number.MAX_SAFE_INTEGER, channelId: '', postId: 0 };
  return database
    .sql(
      `SELECT channel, post, at FROM stars WHERE reader = ? AND (at, channel, post) < (?, ?, ?)
       ORDER BY at DESC, channel DESC, post DESC LIMIT ?`,
    )
    .all(readerId, from.at, from.channelId, from.postId, limit)
    .map(starOf);
};

/** Stars a post; one that is starred keeps its time. */
export const writeStar = (database: Database, readerId: string, { channelId, postId, at }: Star, key?: string): void =>
  makeOnce(database, readerId, key, () => {
    database
      .sql('INSERT INTO stars (reader, channel, post, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING')
      .run(readerId, channelId, postId, at);
  });

/** Takes a star back. */
export const eraseStar = (database: Database, readerId: string, channelId: string, postId: number, key?: string): void =>
  makeOnce(database, readerId, key, () => {
    database.sql('DELETE FROM stars WHERE reader = ? AND channel = ? AND post = ?').run(readerId, channelId, postId);
  });

/** Unites what an anonymous device had with what the reader has. */
export const mergeDevice = (database: Database, readerId: string, merge: Merge, key?: string): void =>
  makeOnce(database, readerId, key, () => unite(database, readerId, merge));

function unite(database: Database, readerId: string, { entries, presets = [], marks, stars }: Merge): void {
  const { version: _, ...held } = readLineup(database, readerId);
  const come = lacking(held.entries, entries, ({ channelId }) => channelId);
  const named = lacking(held.presets ?? [], presets, ({ id }) => id);
  if (come.length + named.length > 0)
    writeContents(database, readerId, {
      ...held,
      entries: [...held.entries, ...come],
      ...(named.length > 0 && { presets: [...(held.presets ?? []), ...named] }),
    });
  for (const mark of marks) moveMark(database, readerId, mark, false);
  for (const star of stars) writeStar(database, readerId, star);
}

/** What comes and is not among what is held. */
function lacking<Item>(held: readonly Item[], come: readonly Item[], keyOf: (item: Item) => string): Item[] {
  const known = new Set(held.map(keyOf));
  return come.filter((item) => !known.has(keyOf(item)) && known.add(keyOf(item)));
}
