import { all, get, integer, listOf, present, run, text, textOrNull, type Work } from './statements.ts';

/** A reader as the store keeps one. */
export interface ReaderRow {
  id: string;
  name: string;
  username?: string;
  language?: string;
}

/** When a reader was last seen is kept by the day, since more of it would tell of habits. */
const dayOf = (seconds: number): number => Math.floor(seconds / 86_400);

/** Keeps a session under its token's hash. */
export function* writeSession(tokenHash: string, readerId: string, expires: number): Work<void> {
  yield* run(
    `INSERT INTO sessions (token_hash, reader, expires) VALUES (?, ?, ?)
       ON CONFLICT (token_hash) DO UPDATE SET reader = excluded.reader, expires = excluded.expires`,
    tokenHash,
    readerId,
    expires,
  );
}

/** Finds a live session. */
export function* readSession(tokenHash: string, now: number): Work<{ readerId: string; expires: number } | null> {
  const row = yield* get('SELECT reader, expires FROM sessions WHERE token_hash = ? AND expires > ?', tokenHash, now);
  return row ? { readerId: text(row, 'reader'), expires: integer(row, 'expires') } : null;
}

/**
 * Finds a live session's reader; its expiry is moved at most once a minute, as a durable write costs more than the answer, and
 * never back: a clock that is behind would end the session when it is put right.
 */
export function* touchSession(tokenHash: string, now: number, expires: number): Work<{ readerId: string } | null> {
  const session = yield* readSession(tokenHash, now);
  if (session === null) return null;
  const { readerId } = session;
  const longer = expires - session.expires;
  if (Math.abs(longer) >= 60) {
    if (longer > 0) yield* run('UPDATE sessions SET expires = ? WHERE token_hash = ?', expires, tokenHash);
    yield* run('UPDATE readers SET seen = ? WHERE id = ? AND seen < ?', dayOf(now), readerId, dayOf(now));
  }
  return { readerId };
}

/** Ends sessions of a reader, and notes when (unix seconds): who took the launch data beside a token is not to come in again. */
export function* endSessions(readerId: string, tokenHashes: readonly string[], now: number): Work<void> {
  yield* run(
    'DELETE FROM sessions WHERE reader = ? AND token_hash IN (SELECT value FROM json_each(?))',
    ...[readerId, listOf(tokenHashes)],
  );
  yield* run('UPDATE readers SET signed_out = ? WHERE id = ?', now, readerId);
}

/** When a reader last ended sessions, unix seconds; 0 for never. */
export function* readSignedOut(readerId: string): Work<number> {
  return integer((yield* get('SELECT signed_out FROM readers WHERE id = ?', readerId)) ?? {}, 'signed_out');
}

/** Lists a reader's live sessions, the last used first. */
export function* readSessions(readerId: string, now: number): Work<{ tokenHash: string; expires: number }[]> {
  const rows = yield* all(
    'SELECT token_hash, expires FROM sessions WHERE reader = ? AND expires > ? ORDER BY expires DESC, token_hash',
    readerId,
    now,
  );
  return rows.map((row) => ({ tokenHash: text(row, 'token_hash'), expires: integer(row, 'expires') }));
}

/** Adds or changes a reader; an absent field is one that the reader no longer has. */
export function* writeReader(reader: ReaderRow): Work<void> {
  yield* run(
    `INSERT INTO readers (id, name, username, language, seen) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE
       SET name = excluded.name, username = excluded.username, language = excluded.language, seen = excluded.seen`,
    reader.id,
    reader.name,
    reader.username ?? null,
    reader.language ?? null,
    dayOf(Math.floor(Date.now() / 1000)),
  );
}

/** Finds a reader. */
export function* readReader(id: string): Work<ReaderRow | null> {
  const row = yield* get('SELECT * FROM readers WHERE id = ?', id);
  if (!row) return null;
  return {
    id,
    name: text(row, 'name'),
    ...present('username', textOrNull(row, 'username')),
    ...present('language', textOrNull(row, 'language')),
  };
}
