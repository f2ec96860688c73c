// Channel connections: the state machine of the bot's connection to a channel. The columns of one row determine the
// status.

import type { VersionStamp } from '../../domain/model.ts';
import {
  type BotMembership,
  type ChannelConnection,
  type ChannelCounts,
  type ConnectionStatus,
  NO_CHANNEL_COUNTS,
  type UpdatedConnection,
} from '../ports/connections.ts';
import { writeChannel, writeSoftDeleted } from './channels.ts';
import { writeAuditEntry } from './operators.ts';
import {
  execute,
  inParallel,
  integer,
  integerOrNull,
  jsonListOf,
  type Operation,
  queryAll,
  queryFirst,
  type Row,
  text,
  textOrNull,
} from './statements.ts';

/** Returns whether one report is newer than another, by its second and then by its update. */
const isAfter = (one: VersionStamp, other: VersionStamp): boolean =>
  one.at > other.at || (one.at === other.at && one.sequence > other.sequence);

const reportedVersionOf = (row: Row): VersionStamp => ({ at: integer(row, 'at'), sequence: integer(row, 'turn') });
const endedVersionOf = (row: Row): VersionStamp => ({ at: integer(row, 'ended'), sequence: integer(row, 'ended_turn') });

/**
 * Derives the status from the columns of a row. An accepted channel is followed. Reports from before its end are
 * ignored.
 */
const statusOf = (row: Row): ConnectionStatus => {
  if (row.ending !== null) return 'leaving';
  if (row.accepted === 1) return row.rights === null ? 'lost' : 'connected';
  return row.rights !== null && isAfter(reportedVersionOf(row), endedVersionOf(row)) ? 'asking' : 'left';
};

/** The condition in which `statusOf` returns 'asking', in SQL. */
const AWAITING_APPROVAL = 'accepted = 0 AND ending IS NULL AND rights IS NOT NULL AND (at, turn) > (ended, ended_turn)';

const connectionOf = (row: Row): ChannelConnection => ({
  channelId: text(row, 'channel'),
  status: statusOf(row),
  title: text(row, 'title'),
  username: textOrNull(row, 'username'),
  since: integerOrNull(row, 'ending') ?? integer(row, 'at'),
  rights: row.rights === null ? null : JSON.parse(text(row, 'rights')),
  by: textOrNull(row, 'actor'),
  lastUpdateAt: integerOrNull(row, 'heard'),
  detailsReadAt: integerOrNull(row, 'read'),
  checkedAt: integerOrNull(row, 'checked'),
  stale: integer(row, 'stale'),
  photo: textOrNull(row, 'photo'),
  due: integerOrNull(row, 'due'),
  removesContent: row.removes === 1,
  recheckBelow: integerOrNull(row, 'recheck'),
});

function* readConnectionRow(channel: string): Operation<Row | undefined> {
  return yield* queryFirst('SELECT * FROM connections WHERE channel = ?', channel);
}

/** Finds the bot's connection to a channel. */
export function* readConnection(channel: string): Operation<ChannelConnection | null> {
  const row = yield* readConnectionRow(channel);
  return row ? connectionOf(row) : null;
}

/** Lists the connections that have not ended. */
export function* readConnections(): Operation<ChannelConnection[]> {
  return (yield* queryAll('SELECT * FROM connections ORDER BY at, channel'))
    .map(connectionOf)
    .filter(({ status }) => status !== 'left');
}

/**
 * Deletes the ids of people who added the bot before a time (unix seconds) and never signed in. The ids of readers are
 * deleted when the reader is. While the channel waits for acceptance, the id stays: that person decides about the
 * channel.
 */
export function* clearInactiveAdders(before: number): Operation<void> {
  yield* execute(
    `UPDATE connections SET actor = NULL WHERE at < ? AND actor IS NOT NULL AND NOT (${AWAITING_APPROVAL})
       AND NOT EXISTS (SELECT 1 FROM readers r WHERE r.id = connections.actor)`,
    before,
  );
}

/** Updates the channel's own row to match its connection. */
function* syncChannelRow(channel: string): Operation<void> {
  const connection = yield* readConnection(channel);
  if (connection?.status !== 'connected' && connection?.status !== 'lost') return;
  const { username, title, status, since } = connection;
  const channelRow = yield* queryFirst('SELECT * FROM channels WHERE id = ?', channel);
  const isBotChannel = channelRow?.source === 'bot';
  const state = status === 'connected' ? 'live' : 'paused';
  yield* writeChannel({
    id: channel,
    title: isBotChannel ? text(channelRow, 'title') : title,
    ...(isBotChannel ? {} : { username }),
    source: 'bot',
    state,
    private: isBotChannel ? channelRow.private === 1 : username === null,
    demo: false,
    since: state === 'live' ? null : since,
  });
  if (channelRow?.withdrawn === 1) yield* writeSoftDeleted(channel, false);
}

const isFollowed = (status: ConnectionStatus | undefined): boolean => status === 'connected' || status === 'lost';

/**
 * Stores a report of the bot's membership, inside a transaction. If the report connects the channel, it also writes the
 * audit event "connect", as of `now`. A late report still shows that a trusted person connected the channel.
 */
export function* writeMembership(report: BotMembership, trusted: boolean, now: number): Operation<UpdatedConnection> {
  const { channelId, title, username, at, sequence, by } = report;
  const rights = report.rights && JSON.stringify(report.rights);
  const row = yield* readConnectionRow(channelId);
  const previousStatus = row && statusOf(row);
  const isLatest = !row || isAfter(report, reportedVersionOf(row));
  if (isLatest)
    yield* execute(
      `INSERT INTO connections (channel, title, username, at, turn, rights, actor) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (channel) DO UPDATE SET title = excluded.title, username = excluded.username, at = excluded.at, turn = excluded.turn,
           rights = excluded.rights, actor = CASE WHEN excluded.rights IS NULL THEN connections.actor ELSE excluded.actor END`,
      channelId,
      title,
      username,
      at,
      sequence,
      rights,
      rights === null ? null : by,
    );
  if (trusted && rights !== null)
    yield* execute(
      `UPDATE connections SET accepted = 1, stale = stale + 1 WHERE channel = ? AND accepted = 0 AND ending IS NULL
         AND (ended, ended_turn) < (?, ?)`,
      channelId,
      at,
      sequence,
    );
  if (isLatest) yield* execute('UPDATE connections SET stale = stale + 1 WHERE channel = ? AND accepted = 1', channelId);
  yield* syncChannelRow(channelId);
  const saved = yield* readConnection(channelId);
  if (!saved) throw new Error(`The connection of the channel ${channelId} was not stored.`);
  const isNewlyConnected = saved.status === 'connected' && !isFollowed(previousStatus);
  if (isNewlyConnected) yield* writeAuditEntry({ ...createConnectAuditEntry(saved), at: now });
  return { ...saved, isNewlyConnected };
}

/**
 * Stores rights that were requested from Telegram, inside a transaction. They count as newer than the last known update
 * and older than the next one: an update's number is an integer.
 */
export function* writeBotRights(channel: string, rights: readonly string[] | null): Operation<void> {
  yield* execute(
    'UPDATE connections SET rights = ?, turn = turn + 0.5 WHERE channel = ?',
    rights && JSON.stringify(rights),
    channel,
  );
  yield* syncChannelRow(channel);
}

/**
 * Returns the audit event of the person who added the bot to a channel, or of Telegram where that person is not known.
 */
const createConnectAuditEntry = ({ by, channelId, title }: ChannelConnection) =>
  ({ actorId: by ?? 'telegram', act: 'connect', channelId, channelTitle: title }) as const;

/** Accepts a channel that waits for acceptance, inside a transaction. */
export function* writeAccepted(channel: string, by: string): Operation<boolean> {
  if ((yield* readConnection(channel))?.status !== 'asking') return false;
  yield* execute('UPDATE connections SET accepted = 1, stale = stale + 1, actor = ? WHERE channel = ?', by, channel);
  yield* syncChannelRow(channel);
  return true;
}

function* writeChannelState(channel: string, state: string): Operation<void> {
  yield* execute('UPDATE channels SET state = ? WHERE id = ?', state, channel);
}

/** Disconnects a channel of any source, inside a transaction. */
export function* writeDisconnected(channel: string, options: { at: number; due: number; remove: boolean }): Operation<boolean> {
  const channelRow = yield* queryFirst('SELECT title, state FROM channels WHERE id = ? AND withdrawn = 0', channel);
  const row = yield* readConnectionRow(channel);
  if (!channelRow || row?.ending) return false;
  if (!row)
    yield* execute('INSERT INTO connections (channel, title, at, turn) VALUES (?, ?, 0, 0)', channel, text(channelRow, 'title'));
  yield* execute(
    'UPDATE connections SET ending = ?, due = ?, removes = ?, former = ?, recheck = NULL WHERE channel = ?',
    options.at,
    options.due,
    options.remove ? 1 : 0,
    text(channelRow, 'state'),
    channel,
  );
  yield* writeChannelState(channel, 'archived');
  yield* writeSoftDeleted(channel, options.remove);
  return true;
}

/** Reverts a disconnection, inside a transaction. */
export function* writeReconnected(channel: string): Operation<boolean> {
  const row = yield* readConnectionRow(channel);
  if (!row || row.ending === null) return false;
  yield* execute(
    'UPDATE connections SET ending = NULL, due = NULL, removes = 0, stale = stale + accepted WHERE channel = ?',
    channel,
  );
  yield* writeChannelState(channel, text(row, 'former'));
  yield* writeSoftDeleted(channel, false);
  yield* syncChannelRow(channel);
  return true;
}

/** Ends a connection permanently, inside a transaction. */
export function* writeLeft(channel: string): Operation<void> {
  yield* execute(
    `UPDATE connections SET accepted = 0, ended = at, ended_turn = turn, ending = NULL, due = NULL, removes = 0, stale = 0, recheck = NULL, photo = NULL
       WHERE channel = ?`,
    channel,
  );
  yield* execute('DELETE FROM parked_updates WHERE channel = ?', channel);
  yield* execute('DELETE FROM members WHERE channel = ?', channel);
}

const COUNT_QUERIES = [
  ['messages', 'count(*) AS n FROM messages WHERE'],
  ['hidden', 'count(*) AS n FROM messages WHERE hidden IS NOT NULL AND'],
  ['missing', 'sum(gap) AS n FROM messages WHERE gap > 0 AND'],
  ['parked', 'count(*) AS n FROM parked_updates WHERE'],
] as const;

/** Counts the stored messages and parked updates of several channels. */
export function* readChannelCounts(channelIds: readonly string[]): Operation<Map<string, ChannelCounts>> {
  const list = jsonListOf(channelIds);
  const results = yield* inParallel(
    COUNT_QUERIES.map(([, query]) =>
      queryAll(`SELECT channel, ${query} channel IN (SELECT value FROM json_each(?)) GROUP BY channel`, list),
    ),
  );
  const counts = new Map<string, ChannelCounts>();
  for (const [index, [name]] of COUNT_QUERIES.entries())
    for (const row of results[index] ?? []) {
      const channel = text(row, 'channel');
      counts.set(channel, { ...(counts.get(channel) ?? NO_CHANNEL_COUNTS), [name]: integer(row, 'n') });
    }
  return counts;
}
