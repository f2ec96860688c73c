// Backfills after migrations: recompute a derived value of every post, once.

import { all, get, integer, type Row, run, together, type Work } from './statements.ts';

/** Posts per step. */
const STEP = 500;

/** Returns whether a migration stored this key, which marks a derived value of every post as outdated. */
export function* isDue(fact: string): Work<boolean> {
  return (yield* get('SELECT 1 FROM facts WHERE name = ?', fact)) !== undefined;
}

/** Visits the next posts after a row id; `only` can narrow them. Returns the row id of the last one, or null at the end. */
export function* visitSome(after: number, visit: (head: Row) => Work<void>, only = ''): Work<number | null> {
  const heads = yield* all(
    `SELECT id, channel, message, album FROM messages WHERE id > ? AND head = 1 ${only} ORDER BY id LIMIT ?`,
    ...[after, STEP],
  );
  yield* together(heads.map(visit));
  const last = heads.at(-1);
  return last === undefined ? null : integer(last, 'id');
}

/** Runs a pending backfill once, in one transaction: first `begin`, then `some` until it returns null. */
export function* makeDue(fact: string, some: (after: number) => Work<number | null>, begin?: () => Work<void>): Work<void> {
  // Another process may have finished it while this process waited for the lock.
  if (!(yield* isDue(fact))) return;
  if (begin) yield* begin();
  for (let last: number | null = -1; last !== null; ) last = yield* some(last);
  yield* run('DELETE FROM facts WHERE name = ?', fact);
}
