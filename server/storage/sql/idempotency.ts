import { execute, executeAndCount, type Operation } from './statements.ts';

/**
 * Maximum number of idempotency keys per reader: enough for hours of reading, in which a read marker moves every
 * second.
 */
const MAX_KEYS_PER_READER = 10_000;

/**
 * Idempotency keys: applies a change unless its key was already applied. The key is stored in the same transaction as
 * the change. A change without a key is always applied. Must run within a transaction.
 */
export function* runOnce(readerId: string, key: string | undefined, change: () => Operation<void>): Operation<void> {
  if (key === undefined || (yield* recordIdempotencyKey(readerId, key))) yield* change();
}

/** Stores a key. Returns false if the key is already known. Deletes the oldest keys above the limit. */
function* recordIdempotencyKey(readerId: string, key: string): Operation<boolean> {
  const now = Math.floor(Date.now() / 1000);
  const inserted = yield* executeAndCount(
    'INSERT INTO heard (reader, key, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    ...[readerId, key, now],
  );
  if (inserted === 0) return false;
  yield* execute(
    `DELETE FROM heard WHERE reader = ? AND (at, key) <= (
       SELECT at, key FROM heard WHERE reader = ? ORDER BY at DESC, key DESC LIMIT 1 OFFSET ?
     )`,
    ...[readerId, readerId, MAX_KEYS_PER_READER],
  );
  return true;
}
