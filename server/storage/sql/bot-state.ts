// Bot state: SQL of channel connections, parked and unreadable updates, cached memberships, and leases.

import type { ConnectionStore, MemberLevel, ParkedUpdate } from '../ports/connections.ts';
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
import type { Engine } from './engine.ts';
import { all, get, integer, type Row, run, text, type Value, type Work } from './statements.ts';

/** Limits of parked updates, for one channel and for all channels together. `retention.ts` deletes old ones. */
const MAX_PARKED_UPDATES_PER_CHANNEL = 1000;
const MAX_PARKED_UPDATES = 20_000;
/** The newest updates that could not be parsed are stored, at most this many. */
const MAX_BAD_UPDATES = 1000;

/** PostgreSQL needs an explicit limit, where SQLite accepts a negative limit for "no limit". */
const ANY_NUMBER = 1_000_000_000;

const LEVELS: readonly MemberLevel[] = [0, 1, 2];

function* park({ channelId, updateId, body }: ParkedUpdate, at: number): Work<boolean> {
  const status = (yield* readConnection(channelId))?.status;
  if (status === 'connected' || status === 'lost') return false;
  yield* run(
    'INSERT INTO parked_updates (id, channel, at, body) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    updateId,
    channelId,
    at,
    body,
  );
  const drop = 'DELETE FROM parked_updates WHERE id IN (SELECT id FROM parked_updates';
  yield* run(
    `${drop} WHERE channel = ? ORDER BY id DESC LIMIT ${ANY_NUMBER} OFFSET ${MAX_PARKED_UPDATES_PER_CHANNEL})`,
    channelId,
  );
  yield* run(`${drop} ORDER BY id DESC LIMIT ${ANY_NUMBER} OFFSET ${MAX_PARKED_UPDATES})`);
  return true;
}

/** Milliseconds. A lease that ends later than the caller's own lease would, by more than this, is from a clock that was ahead. */
const APART = 60_000;

function* takeLease(name: string, holder: string, now: number, until: number): Work<string> {
  const row = yield* get('SELECT holder, until FROM leases WHERE name = ?', name);
  const held = row ? integer(row, 'until') : 0;
  if (row && text(row, 'holder') !== holder && held > now && held <= until + APART) return text(row, 'holder');
  yield* run(
    `INSERT INTO leases (name, holder, until) VALUES (?, ?, ?)
       ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until`,
    name,
    holder,
    until,
  );
  return holder;
}

function* keepBad(update: { updateId: number; body: string; reason: string }, at: number): Work<void> {
  yield* run(
    `INSERT INTO bad_updates (id, at, reason, body) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET at = excluded.at, reason = excluded.reason, body = excluded.body`,
    update.updateId,
    at,
    update.reason,
    update.body,
  );
  yield* run(
    `DELETE FROM bad_updates WHERE id IN (SELECT id FROM bad_updates ORDER BY at DESC, id DESC LIMIT ${ANY_NUMBER} OFFSET ${MAX_BAD_UPDATES})`,
  );
}

function* putMember(channel: string, user: string, level: MemberLevel, until: number): Work<void> {
  yield* run(
    `INSERT INTO members (channel, "user", level, until) VALUES (?, ?, ?, ?)
     ON CONFLICT (channel, "user") DO UPDATE SET level = excluded.level, until = excluded.until`,
    ...[channel, user, level, until],
  );
  yield* run('DELETE FROM members WHERE until < ?', until - 3600);
}

const namesIn = (rows: readonly Row[], column: string): string[] => rows.map((row) => text(row, column));

const FOLLOWED_PARKED = `
  SELECT DISTINCT p.channel FROM parked_updates p JOIN connections n ON n.channel = p.channel
  WHERE n.accepted = 1 AND n.ending IS NULL`;

const STRANGERS_PARKED = `
  SELECT channel FROM parked_updates p WHERE NOT EXISTS (SELECT 1 FROM connections n WHERE n.channel = p.channel)
  GROUP BY channel HAVING min(at) <= ?`;

const FOLLOWED_PRIVATELY = `
  SELECT c.id FROM channels c JOIN connections n ON n.channel = c.id
  WHERE c.private = 1 AND c.withdrawn = 0 AND n.accepted = 1 AND n.ending IS NULL AND n.rights IS NOT NULL ORDER BY c.id`;

/** Connection methods of the store. */
export const connectionStore = ({ read, write }: Engine): ConnectionStore => {
  const change = async (sql: string, ...values: Value[]): Promise<void> => void (await write(run(sql, ...values)));
  return {
    connections: () => read(readConnections()),
    connection: (channelId) => read(readConnection(channelId)),
    noteStanding: (standing, trusted, now = standing.at) => write(writeStanding(standing, trusted, now)),
    notePresence: (channelId, rights) => write(writePresence(channelId, rights)),
    accept: (channelId, by) => write(writeAccepted(channelId, by)),
    disconnect: (channelId, how) => write(writeDisconnected(channelId, how)),
    reconnect: (channelId) => write(writeReconnected(channelId)),
    noteLeft: (channelId) => write(writeLeft(channelId)),
    noteHeard: (channelId, at) =>
      change('UPDATE connections SET heard = ? WHERE channel = ? AND coalesce(heard, 0) < ?', at, channelId, at),
    markStale: (channelId) => change('UPDATE connections SET stale = stale + 1 WHERE channel = ? AND accepted = 1', channelId),
    factsRead: (channelId, { at, stale, photo }) =>
      change(
        'UPDATE connections SET read = ?, photo = ?, stale = CASE stale WHEN ? THEN 0 ELSE stale END WHERE channel = ?',
        ...[at, photo, stale, channelId],
      ),
    setRecheck: (channelId, below, at) =>
      change(
        'UPDATE connections SET recheck = ?, checked = coalesce(?, checked) WHERE channel = ?',
        ...[below, below === null ? at : null, channelId],
      ),
    counts: (channelId) => read(readCounts(channelId)),

    park: (update, at) => write(park(update, at)),
    parked: async (channelId) =>
      (await read(all('SELECT id, body FROM parked_updates WHERE channel = ? ORDER BY id', channelId))).map((row) => ({
        channelId,
        updateId: integer(row, 'id'),
        body: text(row, 'body'),
      })),
    unpark: (updateId) => change('DELETE FROM parked_updates WHERE id = ?', updateId),
    followedParked: async () => namesIn(await read(all(FOLLOWED_PARKED)), 'channel'),
    strangersParked: async (before) => namesIn(await read(all(STRANGERS_PARKED, before)), 'channel'),
    keepBadUpdate: (update, at) => write(keepBad(update, at)),
    dropBadUpdate: (updateId) => change('DELETE FROM bad_updates WHERE id = ?', updateId),
    badUpdates: async () =>
      (await read(all('SELECT id, body, reason FROM bad_updates ORDER BY id'))).map((row) => ({
        updateId: integer(row, 'id'),
        body: text(row, 'body'),
        reason: text(row, 'reason'),
      })),
    newestBadUpdates: async (limit) => {
      const [counted, rows] = await Promise.all([
        read(get('SELECT count(*) AS n FROM bad_updates')),
        read(all('SELECT id, reason FROM bad_updates ORDER BY id DESC LIMIT ?', limit)),
      ]);
      const newest = rows.map((row) => ({ updateId: integer(row, 'id'), reason: text(row, 'reason') }));
      return { count: counted === undefined ? 0 : integer(counted, 'n'), newest };
    },

    putIntent: (readerId, at) =>
      change('INSERT INTO intents (reader, at) VALUES (?, ?) ON CONFLICT (reader) DO UPDATE SET at = excluded.at', readerId, at),
    intent: async (readerId) => {
      const row = await read(get('SELECT at FROM intents WHERE reader = ?', readerId));
      return row ? integer(row, 'at') : null;
    },

    member: async (channelId, userId, now) => {
      const row = await read(
        get('SELECT level FROM members WHERE channel = ? AND "user" = ? AND until > ?', channelId, userId, now),
      );
      return row ? (LEVELS[integer(row, 'level')] ?? null) : null;
    },
    putMember: (channelId, userId, level, until) => write(putMember(channelId, userId, level, until)),
    forgetMember: (channelId, userId) => change('DELETE FROM members WHERE channel = ? AND "user" = ?', channelId, userId),
    followedPrivately: async () => namesIn(await read(all(FOLLOWED_PRIVATELY)), 'id'),

    lease: (name, holder, now, until) => write(takeLease(name, holder, now, until)),
    endLease: (name, holder) => change('DELETE FROM leases WHERE name = ? AND holder = ?', name, holder),
  };
};
