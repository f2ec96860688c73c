import { all, get, integer, type Row, run, together, type Work } from './statements.ts';

/** Posts of one step. */
const STEP = 500;

/** Returns whether a migration left this fact, which says that something of every post is to be made again. */
export function* isDue(fact: string): Work<boolean> {
  return (yield* get('SELECT 1 FROM facts WHERE name = ?', fact)) !== undefined;
}

/** Visits the next posts after a row, which `only` may narrow; returns the last one's row, null after the end. */
export function* visitSome(after: number, visit: (head: Row) => Work<void>, only = ''): Work<number | null> {
  const heads = yield* all(
    `SELECT id, channel, message, album FROM messages WHERE id > ? AND head = 1 ${only} ORDER BY id LIMIT ?`,
    ...[after, STEP],
  );
  yield* together(heads.map(visit));
  const last = heads.at(-1);
  return last === undefined ? null : integer(last, 'id');
}

/** Makes again what is due, once, in one transaction: `begin` first, then `some` after each row. */
export function* makeDue(fact: string, some: (after: number) => Work<number | null>, begin?: () => Work<void>): Work<void> {
  // Another process may have done it while this one waited for the lock.
  if (!(yield* isDue(fact))) return;
  if (begin) yield* begin();
  for (let last: number | null = -1; last !== null; ) last = yield* some(last);
  yield* run('DELETE FROM facts WHERE name = ?', fact);
}
