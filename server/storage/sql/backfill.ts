// Backfills after migrations: recompute a derived value of every post, once.

import { execute, inParallel, integer, type Operation, queryAll, queryFirst, type Row } from './statements.ts';

/** Posts per step. */
const POSTS_PER_BATCH = 500;

/** Returns whether a migration stored this key, which marks a derived value of every post as outdated. */
export function* isRebuildDue(settingName: string): Operation<boolean> {
  return (yield* queryFirst('SELECT 1 FROM facts WHERE name = ?', settingName)) !== undefined;
}

/**
 * Visits the next posts after a row id; `condition` can narrow them. Returns the row id of the last one, or null at the
 * end.
 */
export function* visitPostBatch(
  after: number,
  visit: (headRow: Row) => Operation<void>,
  condition = '',
): Operation<number | null> {
  const headRows = yield* queryAll(
    `SELECT id, channel, message, album FROM messages WHERE id > ? AND head = 1 ${condition} ORDER BY id LIMIT ?`,
    ...[after, POSTS_PER_BATCH],
  );
  yield* inParallel(headRows.map(visit));
  const last = headRows.at(-1);
  return last === undefined ? null : integer(last, 'id');
}

/** Runs a pending backfill once, inside a transaction: first `prepare`, then `rebuildBatch` until it returns null. */
export function* rebuildIfDue(
  settingName: string,
  rebuildBatch: (after: number) => Operation<number | null>,
  prepare?: () => Operation<void>,
): Operation<void> {
  // Another process may have finished it while this process waited for the lock.
  if (!(yield* isRebuildDue(settingName))) return;
  if (prepare) yield* prepare();
  for (let last: number | null = -1; last !== null; ) last = yield* rebuildBatch(last);
  yield* execute('DELETE FROM facts WHERE name = ?', settingName);
}
