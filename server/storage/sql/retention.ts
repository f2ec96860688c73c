// Data retention: deletes inactive readers and expired rows, exports a reader's data, and corrects times in the future.

import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import {
  MEMBER_CACHE_SECONDS,
  type RetentionStore,
  type RowsByTable,
  SESSION_LIFETIME_SECONDS,
  TRUSTED_TIME_SETTING,
} from '../ports/store.ts';
import { clearInactiveAdders } from './connections.ts';
import type { Engine } from './engine.ts';
import { deleteExpiredNotifications, deleteNotificationsOf } from './notification-devices.ts';
import { readSetting } from './settings.ts';
import { execute, type Operation, queryAll, queryFirst, text } from './statements.ts';

/**
 * Tables with data of a reader, and the column with the reader's id. `readReaderData` and `deleteReaderData` use them.
 */
const READER_TABLES = {
  readers: 'id',
  sessions: 'reader',
  lineups: 'reader',
  marks: 'reader',
  stars: 'reader',
  kept_unread: 'reader',
  heard: 'reader',
  intents: 'reader',
  members: '"user"',
  notification_settings: 'owner',
  notification_choices: 'owner',
  notification_words: 'owner',
  notification_devices: 'owner',
  notification_queue: 'owner',
} as const;

/**
 * Columns that no export contains: a token hash would act as a key to the session, and the keys of a Web Push
 * subscription encrypt its messages.
 */
const SECRET_COLUMNS = new Set(['token_hash', 'auth', 'p256dh']);

const DAY_SECONDS = 86_400;

/** Readers per query. Each is deleted in a separate transaction. */
const READERS_PER_BATCH = 500;
/** Seconds for which an administrator's request to connect a channel is valid. */
const CONNECT_INTENT_RETENTION_SECONDS = 3600;
/**
 * Seconds for which idempotency keys are stored. A retry of an unconfirmed change after a longer time may apply it
 * twice.
 */
const IDEMPOTENCY_KEY_RETENTION_SECONDS = 30 * DAY_SECONDS;
/** Seconds for which an update waits for its channel to be connected. Telegram drops its own updates at that age. */
const PARKED_UPDATE_RETENTION_SECONDS = DAY_SECONDS;
/** Seconds for which an update that could not be parsed is stored, for debugging. */
const BAD_UPDATE_RETENTION_SECONDS = 30 * DAY_SECONDS;
/** Seconds for which operators' audit events are stored. */
const AUDIT_LOG_RETENTION_SECONDS = 365 * DAY_SECONDS;

/** Maximum seconds from now to a scheduled time. */
const MAX_WAIT_SECONDS = 2 * DAY_SECONDS;

/**
 * Deletes everything that is stored about a reader. Audit events of an operator keep the id for their year. The id is
 * also removed from the connections that this person made.
 */
export function* deleteReaderData(id: string): Operation<void> {
  yield* deleteNotificationsOf(id);
  for (const [table, column] of Object.entries(READER_TABLES)) yield* execute(`DELETE FROM ${table} WHERE ${column} = ?`, id);
  yield* execute('UPDATE connections SET actor = NULL WHERE actor = ?', id);
}

function* deleteReaderIfInactive(id: string, day: number): Operation<boolean> {
  // The reader may have returned since the list was read.
  if (!(yield* queryFirst('SELECT 1 FROM readers WHERE id = ? AND seen < ?', id, day))) return false;
  yield* deleteReaderData(id);
  return true;
}

function* deleteExpiredRows(now: number): Operation<void> {
  yield* execute('DELETE FROM sessions WHERE expires < ?', now);
  yield* execute('DELETE FROM members WHERE until < ?', now);
  yield* execute('DELETE FROM intents WHERE at < ?', now - CONNECT_INTENT_RETENTION_SECONDS);
  yield* execute('DELETE FROM heard WHERE at < ?', now - IDEMPOTENCY_KEY_RETENTION_SECONDS);
  yield* execute('DELETE FROM parked_updates WHERE at < ?', now - PARKED_UPDATE_RETENTION_SECONDS);
  yield* execute('DELETE FROM bad_updates WHERE at < ?', now - BAD_UPDATE_RETENTION_SECONDS);
  yield* execute('DELETE FROM acts WHERE at < ?', now - AUDIT_LOG_RETENTION_SECONDS);
  yield* deleteExpiredNotifications(now);
  // Deletes rows of writes that were in progress when their reader was deleted.
  for (const table of ['lineups', 'marks', 'stars', 'kept_unread', 'heard'])
    yield* execute(`DELETE FROM ${table} WHERE NOT EXISTS (SELECT 1 FROM readers r WHERE r.id = ${table}.reader)`);
}

function* clampFutureTimes(now: number): Operation<void> {
  const latest = now + MAX_WAIT_SECONDS;
  yield* execute('UPDATE feeds SET due = ? WHERE due > ?', now, latest);
  yield* execute('UPDATE feeds SET taken_until = 0 WHERE taken_until > ?', latest);
  yield* execute('UPDATE source_files SET due = ? WHERE due > ?', now * 1000, latest * 1000);
  yield* execute('DELETE FROM members WHERE until > ?', now + MEMBER_CACHE_SECONDS);
  const boundedTime = Math.floor(Number(yield* readSetting(TRUSTED_TIME_SETTING)) / 1000);
  const maxExpires = Math.max(now, boundedTime) + SESSION_LIFETIME_SECONDS;
  yield* execute('UPDATE sessions SET expires = ? WHERE expires > ?', maxExpires, maxExpires);
}

function* readReaderData(id: string): Operation<RowsByTable> {
  const rowsByTable: RowsByTable = {};
  for (const [table, column] of Object.entries(READER_TABLES)) {
    const rows = yield* queryAll(`SELECT * FROM ${table} WHERE ${column} = ?`, id);
    rowsByTable[table] = rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !SECRET_COLUMNS.has(name))));
  }
  rowsByTable.connections = [...(yield* queryAll('SELECT channel, title FROM connections WHERE actor = ? ORDER BY channel', id))];
  rowsByTable.acts = [...(yield* queryAll('SELECT * FROM acts WHERE actor = ? ORDER BY id', id))];
  return rowsByTable;
}

/** Retention methods of the store. */
export const createRetentionStore = ({ read, write }: Engine): RetentionStore => ({
  async deleteInactiveReaders(day) {
    await write(clearInactiveAdders(day * DAY_SECONDS));
    let count = 0;
    for (;;) {
      const rows = await read(queryAll('SELECT id FROM readers WHERE seen < ? LIMIT ?', day, READERS_PER_BATCH));
      for (const row of rows) if (await write(deleteReaderIfInactive(text(row, 'id'), day), text(row, 'id'))) count += 1;
      if (rows.length < READERS_PER_BATCH) return count;
      await yieldToEventLoop();
    }
  },
  deleteExpired: (now) => write(deleteExpiredRows(now)),
  clampFutureTimes: (now) => write(clampFutureTimes(now)),
  readerData: (readerId) => read(readReaderData(readerId)),
});
