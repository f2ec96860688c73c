import type { Database } from './database.ts';

/** A device that kept a change longer than that (seconds) while it does not know whether it was heard may make it twice. */
const REMEMBERED = 30 * 86_400;
/** So many changes of a reader are remembered: hours of reading, in which a mark moves every second. */
const MOST = 10_000;

/**
 * Makes a change unless one of its name was made before, which is remembered in the same transaction as the change; without a
 * name it is made each time. Call it within a transaction.
 */
export const makeOnce = (database: Database, readerId: string, key: string | undefined, change: () => void): void => {
  if (key !== undefined && !remember(database, readerId, key)) return;
  change();
};

/** Notes a name; false where it is known. The oldest ones make room. */
function remember(database: Database, readerId: string, key: string): boolean {
  const noted = database.sql('INSERT INTO heard (reader, key, at) VALUES (?, ?, unixepoch()) ON CONFLICT DO NOTHING');
  if (Number(noted.run(readerId, key).changes) === 0) return false;
  database.sql('DELETE FROM heard WHERE reader = ? AND at < unixepoch() - ?').run(readerId, REMEMBERED);
  database
    .sql(
      `DELETE FROM heard WHERE reader = ? AND (at, key) <= (
         SELECT at, key FROM heard WHERE reader = ? ORDER BY at DESC, key DESC LIMIT 1 OFFSET ?
       )`,
    )
    .run(readerId, readerId, MOST);
  return true;
}
