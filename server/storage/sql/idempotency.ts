import { run, type Work } from './statements.ts';

/** So many changes of a reader are remembered: hours of reading, in which a mark moves every second. */
const MOST = 10_000;

/**
 * Makes a change unless one of its name was made before, which is remembered in the same transaction as the change; without a
 * name it is made each time. Call it within a transaction.
 */
export function* makeOnce(readerId: string, key: string | undefined, change: () => Work<void>): Work<void> {
  if (key === undefined || (yield* remember(readerId, key))) yield* change();
}

/** Notes a name; false where it is known. The oldest ones make room. */
function* remember(readerId: string, key: string): Work<boolean> {
  const now = Math.floor(Date.now() / 1000);
  const noted = yield* run(
    'INSERT INTO heard (reader, key, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    ...[readerId, key, now],
  );
  if (noted === 0) return false;
  yield* run(
    `DELETE FROM heard WHERE reader = ? AND (at, key) <= (
       SELECT at, key FROM heard WHERE reader = ? ORDER BY at DESC, key DESC LIMIT 1 OFFSET ?
     )`,
    ...[readerId, readerId, MOST],
  );
  return true;
}
