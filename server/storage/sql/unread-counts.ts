// Unread counts: how many posts of each channel a reader has not read.

import type { ChannelUnread } from '../../../contract/api.ts';
import { MAX_KEPT_UNREAD } from '../../../contract/kept-unread.ts';
import type { AccessScope, ReadState } from '../../domain/model.ts';
import { readAccessibleChannels } from './access.ts';
import { inParallel, integer, type Operation, padToPowerOfTwo, queryFirst } from './statements.ts';

/** Counts stop here: this count means "99+". */
const MAX_UNREAD_COUNT = 100;

/** Counts the posts after a read marker. */
const COUNT_UNREAD_SQL = `
  SELECT count(*) AS n FROM (
    SELECT 1 FROM messages WHERE channel = ? AND message > ? AND head = 1 AND service = 0 LIMIT ${MAX_UNREAD_COUNT}
  ) counted`;

/** Returns the query that counts the posts up to a read marker that are among `idCount` ids of posts kept unread. */
const countKeptUnreadSql = (idCount: number): string => `
  SELECT count(*) AS n FROM messages
  WHERE channel = ? AND message <= ? AND head = 1 AND service = 0 AND message IN (${Array(idCount).fill('?').join(', ')})`;

/**
 * Counts the posts after each read marker and those up to it that are kept unread, up to 100. Service messages do not
 * count. Channels that the caller may not read are left out. Of two states of one channel, the last one is used.
 */
export function* readUnreadCounts(readStates: readonly ReadState[], accessScope: AccessScope): Operation<ChannelUnread[]> {
  const channels = yield* readAccessibleChannels(
    accessScope,
    readStates.map(({ channelId }) => channelId),
  );
  const stateByChannel = new Map(readStates.map((readState) => [readState.channelId, readState]));
  const accessibleStates = [...stateByChannel.values()].filter(({ channelId }) => channels.has(channelId));
  const rows = yield* inParallel(
    accessibleStates.map(({ channelId, messageId }) => queryFirst(COUNT_UNREAD_SQL, channelId, messageId)),
  );
  const counts = new Map(accessibleStates.map(({ channelId }, index) => [channelId, integer(rows[index] ?? {}, 'n')]));
  for (const { channelId, messageId, keptUnread = [] } of accessibleStates) {
    if (keptUnread.length === 0) continue;
    const paddedIds = padToPowerOfTwo(keptUnread.slice(0, MAX_KEPT_UNREAD));
    const row = yield* queryFirst(countKeptUnreadSql(paddedIds.length), channelId, messageId, ...paddedIds);
    counts.set(channelId, Math.min(MAX_UNREAD_COUNT, (counts.get(channelId) ?? 0) + integer(row ?? {}, 'n')));
  }
  return [...counts].map(([channelId, count]) => ({ channelId, count }));
}
