// Readers and sessions: SQL of accounts, session tokens, and the times at which readers ended sessions.

import {
  execute,
  integer,
  jsonListOf,
  type Operation,
  optionalField,
  queryAll,
  queryFirst,
  text,
  textOrNull,
} from './statements.ts';

/** A row of `readers`. */
export interface ReaderRow {
  id: string;
  name: string;
  username?: string;
  language?: string;
}

const DAY_SECONDS = 86_400;
/** A session is written again when its end changes by at least this many seconds. */
const MIN_EXTENSION_SECONDS = 60;

/**
 * Converts unix seconds to days since 1970. The store records only the day on which a reader was last seen
 * (`readers.seen`), because a finer time would reveal habits.
 */
const dayNumberOf = (seconds: number): number => Math.floor(seconds / DAY_SECONDS);

/** Stores a session under the hash of its token. */
export function* writeSession(tokenHash: string, readerId: string, expires: number): Operation<void> {
  yield* execute(
    `INSERT INTO sessions (token_hash, reader, expires) VALUES (?, ?, ?)
       ON CONFLICT (token_hash) DO UPDATE SET reader = excluded.reader, expires = excluded.expires`,
    tokenHash,
    readerId,
    expires,
  );
}

/** Finds a session that has not expired. */
export function* readSession(tokenHash: string, now: number): Operation<{ readerId: string; expires: number } | null> {
  const row = yield* queryFirst('SELECT reader, expires FROM sessions WHERE token_hash = ? AND expires > ?', tokenHash, now);
  return row ? { readerId: text(row, 'reader'), expires: integer(row, 'expires') } : null;
}

/**
 * Finds the reader of a session that has not expired, extends the session to `expires`, and records the day. It writes
 * at most once a minute, because a durable write costs more than the rest of the request. It never shortens a session:
 * if the clock is behind for a while, a shortened session would expire as soon as the clock is corrected.
 */
export function* touchSession(tokenHash: string, now: number, expires: number): Operation<{ readerId: string } | null> {
  const session = yield* readSession(tokenHash, now);
  if (session === null) return null;
  const { readerId } = session;
  const extensionSeconds = expires - session.expires;
  if (Math.abs(extensionSeconds) >= MIN_EXTENSION_SECONDS) {
    if (extensionSeconds > 0) yield* execute('UPDATE sessions SET expires = ? WHERE token_hash = ?', expires, tokenHash);
    yield* execute('UPDATE readers SET seen = ? WHERE id = ? AND seen < ?', dayNumberOf(now), readerId, dayNumberOf(now));
  }
  return { readerId };
}

/**
 * Ends sessions of a reader, and stores the time `now`, unix seconds. Launch data from before that time no longer signs
 * in: otherwise a thief of a token who also has its launch data could sign in again.
 */
export function* deleteSessions(readerId: string, tokenHashes: readonly string[], now: number): Operation<void> {
  yield* execute(
    'DELETE FROM sessions WHERE reader = ? AND token_hash IN (SELECT value FROM json_each(?))',
    ...[readerId, jsonListOf(tokenHashes)],
  );
  yield* execute('UPDATE readers SET signed_out = ? WHERE id = ?', now, readerId);
}

/** Returns when a reader last ended sessions, in unix seconds; 0 for never. */
export function* readSessionsEndedAt(readerId: string): Operation<number> {
  return integer((yield* queryFirst('SELECT signed_out FROM readers WHERE id = ?', readerId)) ?? {}, 'signed_out');
}

/** Lists a reader's sessions that have not expired, most recently used first. */
export function* readSessions(readerId: string, now: number): Operation<{ tokenHash: string; expires: number }[]> {
  const rows = yield* queryAll(
    'SELECT token_hash, expires FROM sessions WHERE reader = ? AND expires > ? ORDER BY expires DESC, token_hash',
    readerId,
    now,
  );
  return rows.map((row) => ({ tokenHash: text(row, 'token_hash'), expires: integer(row, 'expires') }));
}

/** Inserts or updates a reader, who counts as seen today. An absent field is set to null. */
export function* writeReader(reader: ReaderRow): Operation<void> {
  yield* execute(
    `INSERT INTO readers (id, name, username, language, seen) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE
       SET name = excluded.name, username = excluded.username, language = excluded.language, seen = excluded.seen`,
    reader.id,
    reader.name,
    reader.username ?? null,
    reader.language ?? null,
    dayNumberOf(Math.floor(Date.now() / 1000)),
  );
}

/** Finds a reader. */
export function* readReader(id: string): Operation<ReaderRow | null> {
  const row = yield* queryFirst('SELECT * FROM readers WHERE id = ?', id);
  if (!row) return null;
  return {
    id,
    name: text(row, 'name'),
    ...optionalField('username', textOrNull(row, 'username')),
    ...optionalField('language', textOrNull(row, 'language')),
  };
}
