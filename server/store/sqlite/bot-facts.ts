import type { ConnectionStore, MemberLevel, ParkedUpdate } from '../connections.ts';
import {
  readConnection,
  readConnections,
  readCounts,
  writeAccepted,
  writeDisconnected,
  writeLeft,
  writePresence,
  writeReconnected,
  writeStanding,
} from './connections.ts';
import { type Database, integer, text } from './database.ts';

/** Updates that wait: for one channel, for all together, and for how long (seconds), the age at which Telegram drops its own. */
const MOST_PARKED = 1000;
const MOST_PARKED_OF_ALL = 20_000;
const PARKED_FOR = 86_400;
/** The newest updates that could not be read are kept. */
const MOST_BAD = 1000;

const LEVELS: readonly MemberLevel[] = [0, 1, 2];

const park = (database: Database, { channelId, updateId, body }: ParkedUpdate, at: number): boolean => {
  const status = readConnection(database, channelId)?.status;
  if (status === 'connected' || status === 'lost') return false;
  database
    .sql('INSERT INTO parked_updates (id, channel, at, body) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING')
    .run(updateId, channelId, at, body);
  database.sql('DELETE FROM parked_updates WHERE at < ?').run(at - PARKED_FOR);
  const drop = 'DELETE FROM parked_updates WHERE id IN (SELECT id FROM parked_updates';
  database.sql(`${drop} WHERE channel = ? ORDER BY id DESC LIMIT -1 OFFSET ${MOST_PARKED})`).run(channelId);
  database.sql(`${drop} ORDER BY id DESC LIMIT -1 OFFSET ${MOST_PARKED_OF_ALL})`).run();
  return true;
};

const takeLease = (database: Database, name: string, holder: string, now: number, until: number): string => {
  const row = database.sql('SELECT holder, until FROM leases WHERE name = ?').get(name);
  if (row && text(row, 'holder') !== holder && integer(row, 'until') > now) return text(row, 'holder');
  database
    .sql(
      `INSERT INTO leases (name, holder, until) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET holder = excluded.holder, until = excluded.until`,
    )
    .run(name, holder, until);
  return holder;
};

const keepBad = (database: Database, update: { updateId: number; body: string; reason: string }, at: number): void => {
  database
    .sql('INSERT OR REPLACE INTO bad_updates (id, at, reason, body) VALUES (?, ?, ?, ?)')
    .run(update.updateId, at, update.reason, update.body);
  database
    .sql(`DELETE FROM bad_updates WHERE id IN (SELECT id FROM bad_updates ORDER BY at DESC, id DESC LIMIT -1 OFFSET ${MOST_BAD})`)
    .run();
};

const putMember = (database: Database, values: readonly [string, string, number, number]): void => {
  database
    .sql(
      `INSERT INTO members (channel, user, level, until) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET level = excluded.level, until = excluded.until`,
    )
    .run(...values);
};

/** The store's part of connections; `write` runs a transaction and tells of its events. */
export const connectionStore = (database: Database, write: <T>(work: () => T) => Promise<T>): ConnectionStore => ({
  connections: async () => readConnections(database),
  connection: async (channelId) => readConnection(database, channelId),
  noteStanding: (standing, trusted) => write(() => writeStanding(database, standing, trusted)),
  notePresence: (channelId, rights) => write(() => writePresence(database, channelId, rights)),
  accept: (channelId, by) => write(() => writeAccepted(database, channelId, by)),
  disconnect: (channelId, how) => write(() => writeDisconnected(database, channelId, how)),
  reconnect: (channelId) => write(() => writeReconnected(database, channelId)),
  noteLeft: (channelId) => write(() => writeLeft(database, channelId)),
  noteHeard: async (channelId, at) =>
    void database.sql('UPDATE connections SET heard = ? WHERE channel = ? AND coalesce(heard, 0) < ?').run(at, channelId, at),
  markStale: async (channelId) =>
    void database.sql('UPDATE connections SET stale = stale + 1 WHERE channel = ? AND accepted = 1').run(channelId),
  factsRead: async (channelId, { at, stale, photo }) =>
    void database
      .sql('UPDATE connections SET read = ?, photo = ?, stale = CASE stale WHEN ? THEN 0 ELSE stale END WHERE channel = ?')
      .run(at, photo, stale, channelId),
  setRecheck: async (channelId, below, at) =>
    void database
      .sql('UPDATE connections SET recheck = ?, checked = coalesce(?, checked) WHERE channel = ?')
      .run(below, below === null ? at : null, channelId),
  counts: async (channelId) => readCounts(database, channelId),

  park: (update, at) => write(() => park(database, update, at)),
  parked: async (channelId) =>
    database
      .sql('SELECT id, body FROM parked_updates WHERE channel = ? ORDER BY id')
      .all(channelId)
      .map((row) => ({ channelId, updateId: integer(row, 'id'), body: text(row, 'body') })),
  unpark: async (updateId) => void database.sql('DELETE FROM parked_updates WHERE id = ?').run(updateId),
  followedParked: async () =>
    database
      .sql(
        `SELECT DISTINCT p.channel FROM parked_updates p JOIN connections n ON n.channel = p.channel
         WHERE n.accepted = 1 AND n.ending IS NULL`,
      )
      .all()
      .map((row) => text(row, 'channel')),
  strangersParked: async (before) =>
    database
      .sql(
        `SELECT channel FROM parked_updates p WHERE NOT EXISTS (SELECT 1 FROM connections n WHERE n.channel = p.channel)
         GROUP BY channel HAVING min(at) <= ?`,
      )
      .all(before)
      .map((row) => text(row, 'channel')),
  keepBadUpdate: (update, at) => write(() => keepBad(database, update, at)),
  badUpdates: async () =>
    database
      .sql('SELECT id, body, reason FROM bad_updates ORDER BY id')
      .all()
      .map((row) => ({ updateId: integer(row, 'id'), body: text(row, 'body'), reason: text(row, 'reason') })),

  putIntent: async (readerId, at) =>
    void database
      .sql('INSERT INTO intents (reader, at) VALUES (?, ?) ON CONFLICT DO UPDATE SET at = excluded.at')
      .run(readerId, at),
  intent: async (readerId) => {
    const row = database.sql('SELECT at FROM intents WHERE reader = ?').get(readerId);
    return row ? integer(row, 'at') : null;
  },

  member: async (channelId, userId, now) => {
    const row = database
      .sql('SELECT level FROM members WHERE channel = ? AND user = ? AND until > ?')
      .get(channelId, userId, now);
    return row ? (LEVELS[integer(row, 'level')] ?? null) : null;
  },
  putMember: (channelId, userId, level, until) =>
    write(() => {
      putMember(database, [channelId, userId, level, until]);
      database.sql('DELETE FROM members WHERE until < ?').run(until - 3600);
    }),
  forgetMember: async (channelId, userId) =>
    void database.sql('DELETE FROM members WHERE channel = ? AND user = ?').run(channelId, userId),
  followedPrivately: async () =>
    database
      .sql(
        `SELECT c.id FROM channels c JOIN connections n ON n.channel = c.id
         WHERE c.private = 1 AND c.withdrawn = 0 AND n.accepted = 1 AND n.ending IS NULL AND n.rights IS NOT NULL ORDER BY c.id`,
      )
      .all()
      .map((row) => text(row, 'id')),

  lease: (name, holder, now, until) => write(() => takeLease(database, name, holder, now, until)),
  endLease: async (name, holder) => void database.sql('DELETE FROM leases WHERE name = ? AND holder = ?').run(name, holder),
});
