import type { EventLog, LiveEvent } from '../events.ts';
import { type Database, integer, text } from './database.ts';

/** Events that are kept; a reader who was away for longer reads everything anew. */
const KEPT = 50_000;
/** How often another process's writes are looked for. */
const LOOK_MS = 500;

const KINDS = { new: 'new', edited: 'edited', hidden: 'hidden', channel: 'channel', refresh: 'refresh' } as const;

const isKind = (word: string): word is LiveEvent['kind'] => Object.hasOwn(KINDS, word);

/** Writes an event, inside the transaction of what it tells. */
export const noteEvent = (database: Database, kind: LiveEvent['kind'], channel: string, message: number | null): void => {
  database.sql('INSERT INTO events (kind, channel, message) VALUES (?, ?, ?)').run(kind, channel, message);
  const id = lastEvent(database);
  if (id % 1000 === 0) database.sql('DELETE FROM events WHERE id <= ?').run(id - KEPT);
};

const lastEvent = (database: Database): number =>
  integer(database.sql("SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0) AS n").get() ?? {}, 'n');

const eventsAfter = (database: Database, after: number, limit: number): LiveEvent[] | null => {
  const last = lastEvent(database);
  if (after > last) return null;
  const first = database.sql('SELECT min(id) AS n FROM events').get()?.n;
  if (after < last && (typeof first !== 'number' || first > after + 1)) return null;
  return database
    .sql('SELECT * FROM events WHERE id > ? ORDER BY id LIMIT ?')
    .all(after, limit)
    .flatMap((row) => {
      const kind = text(row, 'kind');
      const message = row.message === null ? null : integer(row, 'message');
      return isKind(kind) ? [{ id: integer(row, 'id'), kind, channelId: text(row, 'channel'), messageId: message }] : [];
    });
};

/** The log of events on an open connection; `told` is to be called after each write that may have noted some, `end` before it is closed. */
export const eventLog = (database: Database): EventLog & { told(): void; end(): void } => {
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  const dataVersion = () => database.sql('PRAGMA data_version').get()?.data_version;
  const told = () => {
    for (const listener of listeners) listener();
  };
  const look = () => {
    let seen = dataVersion();
    timer = setInterval(() => {
      const now = dataVersion();
      if (now !== seen) told();
      seen = now;
    }, LOOK_MS).unref();
  };
  return {
    told,
    end() {
      listeners.clear();
      clearInterval(timer);
    },
    events: async (after, limit) => eventsAfter(database, after, limit),
    lastEvent: async () => lastEvent(database),
    announce: async (kind, channelId) => {
      noteEvent(database, kind, channelId, null);
      told();
    },
    watch(listener) {
      listeners.add(listener);
      if (listeners.size === 1) look();
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) clearInterval(timer);
      };
    },
  };
};
