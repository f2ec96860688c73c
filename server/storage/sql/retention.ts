// Data retention: deletes inactive readers and expired rows, exports a reader's data, and corrects times in the future.

import { setImmediate as breathe } from 'node:timers/promises';
import { BELIEVED_TIME, type Kept, MEMBER_FOR, type RetentionStore, SESSION_FOR } from '../ports/store.ts';
import { forgetAdders } from './connections.ts';
import type { Engine } from './engine.ts';
import { readFact } from './settings.ts';
import { all, get, run, text, type Work } from './statements.ts';

/** Tables with data of a reader, and the column with the reader's id. `keptOf` exports them, and `eraseReader` empties them. */
const OF_READERS = {
  readers: 'id',
  sessions: 'reader',
  lineups: 'reader',
  marks: 'reader',
  stars: 'reader',
  kept_unread: 'reader',
  heard: 'reader',
  intents: 'reader',
  members: '"user"',
} as const;

/** Columns that no export contains: a token hash would act as a key to the session. */
const SEALED = new Set(['token_hash']);

/** Readers per query. Each is deleted in a separate transaction. */
const READERS_PER_BATCH = 500;
/** Seconds for which an administrator's request to connect a channel is valid. */
const INTENT = 3600;
/** Seconds for which idempotency keys are stored. A retry of an unconfirmed change after a longer time may apply it twice. */
const HEARD = 30 * 86_400;
/** Seconds for which an update waits for its channel to be connected. Telegram drops its own updates at that age. */
const PARKED = 86_400;
/** Seconds for which an update that could not be parsed is stored, for debugging. */
const BAD = 30 * 86_400;
/** Seconds for which operators' audit events are stored. */
const ACTS = 365 * 86_400;

/** Seconds: nothing is scheduled further ahead. */
const MAX_WAIT_SECONDS = 2 * 86_400;

/**
 * Deletes everything that is stored about a reader. Audit events of an operator keep the id for their year. The id is also
 * removed from the connections that this person made.
 */
export function* eraseReader(id: string): Work<void> {
  for (const [table, column] of Object.entries(OF_READERS)) yield* run(`DELETE FROM ${table} WHERE ${column} = ?`, id);
  yield* run('UPDATE connections SET actor = NULL WHERE actor = ?', id);
}

function* eraseUnseen(id: string, day: number): Work<boolean> {
  // The reader may have returned since the list was read.
  if (!(yield* get('SELECT 1 FROM readers WHERE id = ? AND seen < ?', id, day))) return false;
  yield* eraseReader(id);
  return true;
}

function* eraseOver(now: number): Work<void> {
  yield* run('DELETE FROM sessions WHERE expires < ?', now);
  yield* run('DELETE FROM members WHERE until < ?', now);
  yield* run('DELETE FROM intents WHERE at < ?', now - INTENT);
  yield* run('DELETE FROM heard WHERE at < ?', now - HEARD);
  yield* run('DELETE FROM parked_updates WHERE at < ?', now - PARKED);
  yield* run('DELETE FROM bad_updates WHERE at < ?', now - BAD);
  yield* run('DELETE FROM acts WHERE at < ?', now - ACTS);
  // Deletes rows of writes that were in progress when their reader was deleted.
  for (const table of ['lineups', 'marks', 'stars', 'kept_unread', 'heard'])
    yield* run(`DELETE FROM ${table} WHERE NOT EXISTS (SELECT 1 FROM readers r WHERE r.id = ${table}.reader)`);
}

function* settleFuture(now: number): Work<void> {
  const latest = now + MAX_WAIT_SECONDS;
  yield* run('UPDATE feeds SET due = ? WHERE due > ?', now, latest);
  yield* run('UPDATE feeds SET taken_until = 0 WHERE taken_until > ?', latest);
  yield* run('UPDATE source_files SET due = ? WHERE due > ?', now * 1000, latest * 1000);
  yield* run('DELETE FROM members WHERE until > ?', now + MEMBER_FOR);
  const believed = Math.floor(Number(yield* readFact(BELIEVED_TIME)) / 1000);
  const end = Math.max(now, believed) + SESSION_FOR;
  yield* run('UPDATE sessions SET expires = ? WHERE expires > ?', end, end);
}

function* readKept(id: string): Work<Kept> {
  const kept: Kept = {};
  for (const [table, column] of Object.entries(OF_READERS)) {
    const rows = yield* all(`SELECT * FROM ${table} WHERE ${column} = ?`, id);
    kept[table] = rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !SEALED.has(name))));
  }
  kept.connections = [...(yield* all('SELECT channel, title FROM connections WHERE actor = ? ORDER BY channel', id))];
  kept.acts = [...(yield* all('SELECT * FROM acts WHERE actor = ? ORDER BY id', id))];
  return kept;
}

/** Retention methods of the store. */
export const retentionStore = ({ read, write }: Engine): RetentionStore => ({
  async dropUnseen(day) {
    await write(forgetAdders(day * 86_400));
    let count = 0;
    for (;;) {
      const rows = await read(all('SELECT id FROM readers WHERE seen < ? LIMIT ?', day, READERS_PER_BATCH));
      for (const row of rows) if (await write(eraseUnseen(text(row, 'id'), day), text(row, 'id'))) count += 1;
      if (rows.length < READERS_PER_BATCH) return count;
      await breathe();
    }
  },
  dropOver: (now) => write(eraseOver(now)),
  settleFuture: (now) => write(settleFuture(now)),
  keptOf: (readerId) => read(readKept(readerId)),
});
