// Connection store: SQL of channel connections, parked updates, updates that could not be parsed, cached memberships, and
// leases.

import type { ConnectionStore, MemberLevel, ParkedUpdate } from '../ports/connections.ts';
import {
  readChannelCounts,
  readConnection,
  readConnections,
  writeAccepted,
  writeBotRights,
  writeDisconnected,
  writeLeft,
  writeMembership,
  writeReconnected,
} from './connections.ts';
import type { Engine } from './engine.ts';
import { execute, integer, type Operation, queryAll, queryFirst, type Row, type SqlValue, text } from './statements.ts';

/** Limits of parked updates, for one channel and for all channels together. `retention.ts` deletes old ones. */
const MAX_PARKED_UPDATES_PER_CHANNEL = 1000;
const MAX_PARKED_UPDATES = 20_000;
/** The newest updates that could not be parsed are stored, at most this many. */
const MAX_BAD_UPDATES = 1000;

/** PostgreSQL needs an explicit limit, where SQLite accepts a negative limit for "no limit". */
const NO_LIMIT = 1_000_000_000;

const MEMBER_LEVELS: readonly MemberLevel[] = [0, 1, 2];

function* parkUpdate({ channelId, updateId, body }: ParkedUpdate, at: number): Operation<boolean> {
  const status = (yield* readConnection(channelId))?.status;
  if (status === 'connected' || status === 'lost') return false;
  yield* execute(
    'INSERT INTO parked_updates (id, channel, at, body) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    updateId,
    channelId,
    at,
    body,
  );
  const deletePrefix = 'DELETE FROM parked_updates WHERE id IN (SELECT id FROM parked_updates';
  yield* execute(
    `${deletePrefix} WHERE channel = ? ORDER BY id DESC LIMIT ${NO_LIMIT} OFFSET ${MAX_PARKED_UPDATES_PER_CHANNEL})`,
    channelId,
  );
  yield* execute(`${deletePrefix} ORDER BY id DESC LIMIT ${NO_LIMIT} OFFSET ${MAX_PARKED_UPDATES})`);
  return true;
}

/**
 * Milliseconds. A lease that ends later than the caller's own lease would, by more than this, is from a clock that was
 * ahead.
 */
const MAX_CLOCK_SKEW_MS = 60_000;

function* acquireLease(name: string, holder: string, now: number, until: number): Operation<string> {
  const row = yield* queryFirst('SELECT holder, until FROM leases WHERE name = ?', name);
  const leaseEnd = row ? integer(row, 'until') : 0;
  if (row && text(row, 'holder') !== holder && leaseEnd > now && leaseEnd <= until + MAX_CLOCK_SKEW_MS)
    return text(row, 'holder');
  yield* execute(
    `INSERT INTO leases (name, holder, until) VALUES (?, ?, ?)
       ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until`,
    name,
    holder,
    until,
  );
  return holder;
}

function* saveBadUpdate(update: { updateId: number; body: string; reason: string }, at: number): Operation<void> {
  yield* execute(
    `INSERT INTO bad_updates (id, at, reason, body) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET at = excluded.at, reason = excluded.reason, body = excluded.body`,
    update.updateId,
    at,
    update.reason,
    update.body,
  );
  yield* execute(
    `DELETE FROM bad_updates WHERE id IN (SELECT id FROM bad_updates ORDER BY at DESC, id DESC LIMIT ${NO_LIMIT} OFFSET ${MAX_BAD_UPDATES})`,
  );
}

/** Memberships that end this many seconds before a new one have expired, and are deleted. */
const MEMBER_CLEANUP_MARGIN_SECONDS = 3600;

function* writeMemberLevel(channel: string, user: string, level: MemberLevel, until: number): Operation<void> {
  yield* execute(
    `INSERT INTO members (channel, "user", level, until) VALUES (?, ?, ?, ?)
     ON CONFLICT (channel, "user") DO UPDATE SET level = excluded.level, until = excluded.until`,
    ...[channel, user, level, until],
  );
  yield* execute('DELETE FROM members WHERE until < ?', until - MEMBER_CLEANUP_MARGIN_SECONDS);
}

const columnValues = (rows: readonly Row[], column: string): string[] => rows.map((row) => text(row, column));

const FOLLOWED_WITH_PARKED_UPDATES = `
  SELECT DISTINCT p.channel FROM parked_updates p JOIN connections n ON n.channel = p.channel
  WHERE n.accepted = 1 AND n.ending IS NULL`;

const UNKNOWN_WITH_PARKED_UPDATES = `
  SELECT channel FROM parked_updates p WHERE NOT EXISTS (SELECT 1 FROM connections n WHERE n.channel = p.channel)
  GROUP BY channel HAVING min(at) <= ?`;

const FOLLOWED_PRIVATE_CHANNELS = `
  SELECT c.id FROM channels c JOIN connections n ON n.channel = c.id
  WHERE c.private = 1 AND c.withdrawn = 0 AND n.accepted = 1 AND n.ending IS NULL AND n.rights IS NOT NULL ORDER BY c.id`;

/** Connection methods of the store. */
export const createConnectionStore = ({ read, write }: Engine): ConnectionStore => {
  const change = (sql: string, ...values: SqlValue[]): Promise<void> => write(execute(sql, ...values));
  return {
    connections: () => read(readConnections()),
    connection: (channelId) => read(readConnection(channelId)),
    recordMembership: (membership, trusted, now = membership.at) => write(writeMembership(membership, trusted, now)),
    recordBotRights: (channelId, rights) => write(writeBotRights(channelId, rights)),
    acceptConnection: (channelId, by) => write(writeAccepted(channelId, by)),
    disconnect: (channelId, options) => write(writeDisconnected(channelId, options)),
    reconnect: (channelId) => write(writeReconnected(channelId)),
    markLeft: (channelId) => write(writeLeft(channelId)),
    recordUpdateReceived: (channelId, at) =>
      change('UPDATE connections SET heard = ? WHERE channel = ? AND coalesce(heard, 0) < ?', at, channelId, at),
    markDetailsStale: (channelId) =>
      change('UPDATE connections SET stale = stale + 1 WHERE channel = ? AND accepted = 1', channelId),
    recordDetailsFetched: (channelId, { at, stale, photo }) =>
      change(
        'UPDATE connections SET read = ?, photo = ?, stale = CASE stale WHEN ? THEN 0 ELSE stale END WHERE channel = ?',
        ...[at, photo, stale, channelId],
      ),
    setRecheck: (channelId, below, at) =>
      change(
        'UPDATE connections SET recheck = ?, checked = coalesce(?, checked) WHERE channel = ?',
        ...[below, below === null ? at : null, channelId],
      ),
    channelCounts: (channelIds) => read(readChannelCounts(channelIds)),

    parkUpdate: (update, at) => write(parkUpdate(update, at)),
    parkedUpdates: async (channelId) =>
      (await read(queryAll('SELECT id, body FROM parked_updates WHERE channel = ? ORDER BY id', channelId))).map((row) => ({
        channelId,
        updateId: integer(row, 'id'),
        body: text(row, 'body'),
      })),
    deleteParkedUpdate: (updateId) => change('DELETE FROM parked_updates WHERE id = ?', updateId),
    followedWithParkedUpdates: async () => columnValues(await read(queryAll(FOLLOWED_WITH_PARKED_UPDATES)), 'channel'),
    unknownWithParkedUpdates: async (before) =>
      columnValues(await read(queryAll(UNKNOWN_WITH_PARKED_UPDATES, before)), 'channel'),
    saveBadUpdate: (update, at) => write(saveBadUpdate(update, at)),
    deleteBadUpdate: (updateId) => change('DELETE FROM bad_updates WHERE id = ?', updateId),
    badUpdates: async () =>
      (await read(queryAll('SELECT id, body, reason FROM bad_updates ORDER BY id'))).map((row) => ({
        updateId: integer(row, 'id'),
        body: text(row, 'body'),
        reason: text(row, 'reason'),
      })),
    newestBadUpdates: async (limit) => {
      const [counted, rows] = await Promise.all([
        read(queryFirst('SELECT count(*) AS n FROM bad_updates')),
        read(queryAll('SELECT id, reason FROM bad_updates ORDER BY id DESC LIMIT ?', limit)),
      ]);
      const newest = rows.map((row) => ({ updateId: integer(row, 'id'), reason: text(row, 'reason') }));
      return { count: counted === undefined ? 0 : integer(counted, 'n'), newest };
    },

    recordConnectIntent: (readerId, at) =>
      change('INSERT INTO intents (reader, at) VALUES (?, ?) ON CONFLICT (reader) DO UPDATE SET at = excluded.at', readerId, at),
    connectIntentAt: async (readerId) => {
      const row = await read(queryFirst('SELECT at FROM intents WHERE reader = ?', readerId));
      return row ? integer(row, 'at') : null;
    },

    memberLevel: async (channelId, userId, now) => {
      const row = await read(
        queryFirst('SELECT level FROM members WHERE channel = ? AND "user" = ? AND until > ?', channelId, userId, now),
      );
      return row ? (MEMBER_LEVELS[integer(row, 'level')] ?? null) : null;
    },
    putMemberLevel: (channelId, userId, level, until) => write(writeMemberLevel(channelId, userId, level, until)),
    deleteMember: (channelId, userId) => change('DELETE FROM members WHERE channel = ? AND "user" = ?', channelId, userId),
    followedPrivateChannels: async () => columnValues(await read(queryAll(FOLLOWED_PRIVATE_CHANNELS)), 'id'),

    acquireLease: (name, holder, now, until) => write(acquireLease(name, holder, now, until)),
    releaseLease: (name, holder) => change('DELETE FROM leases WHERE name = ? AND holder = ?', name, holder),
  };
};
