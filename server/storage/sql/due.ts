// Backfills after migrations: recompute a derived value of every post, once.

import { all, get, inParallel, integer, type Operation, type Row, run } from './statements.ts';

/** Posts per step. */
const POSTS_PER_BATCH = 500;

/** Returns whether a migration stored this key, which marks a derived value of every post as outdated. */
export function* isRebuildDue(fact: string): Operation<boolean> {
  return (yield* get('SELECT 1 FROM facts WHERE name = ?', fact)) !== undefined;
}

/** Visits the next posts after a row id; `only` can narrow them. Returns the row id of the last one, or null at the end. */
export function* visitPostBatch(after: number, visit: (head: Row) => Operation<void>, only = ''): Operation<number | null> {
  const heads = yield* all(
    `SELECT id, channel, message, album FROM messages WHERE id > ? AND head = 1 ${only} ORDER BY id LIMIT ?`,
    ...[after, POSTS_PER_BATCH],
  );
  yield* inParallel(heads.map(visit));
  const last = heads.at(-1);
  return last === undefined ? null : integer(last, 'id');
}

/** Runs a pending backfill once, in one transaction: first `begin`, then `some` until it returns null. */
export function* rebuildIfDue(
  fact: string,
  some: (after: number) => Operation<number | null>,
  begin?: () => Operation<void>,
): Operation<void> {
  // Another process may have finished it while this process waited for the lock.
  if (!(yield* isRebuildDue(fact))) return;
  if (begin) yield* begin();
  for (let last: number | null = -1; last !== null; ) last = yield* some(last);
  yield* run('DELETE FROM facts WHERE name = ?', fact);
}
