// Post queries: reads pages of posts, and single posts. Lists contain one row for each visible post, the row of its
// first message (column `head` = 1). The posts of a page are found by these rows, and then read completely.

import type { Channel } from '../../../contract/channel.ts';
import type { Post } from '../../../contract/post.ts';
import type { PostChannel, StoredMessage } from '../../domain/assemble-post.ts';
import type { AccessScope, PostsQuery } from '../../domain/model.ts';
import { readAccessibleChannels, readInaccessibleChannelIds } from './access.ts';
import { readChannel } from './channels.ts';
import type { Dialect, PostRowPosition } from './dialect.ts';
import { readPageOfMatches } from './full-text-search.ts';
import { MIN_CHANNELS_FOR_SCAN, readPageByScan, readPageOfChannel, readPageOfManyChannels } from './paging.ts';
import { MESSAGE_COLUMNS, readCompletePost, storedMessageOf } from './post-assembly.ts';
import { inPair, inParallel, integer, type Operation, padToPowerOfTwo, queryAll, queryFirst, text } from './statements.ts';

const isSearch = (query: PostsQuery): boolean => query.match !== undefined || query.kinds !== undefined;

/** Reads a page of posts, newest first. The cost depends on the page, not on the number of stored posts. */
export function* readPosts(dialect: Dialect, query: PostsQuery, accessScope: AccessScope): Operation<Post[]> {
  const positions = query.channelIds === undefined ? yield* readPageOfDirectory(dialect, query, accessScope) : null;
  const requestedIds = positions ? [...new Set(positions.map(({ channelId }) => channelId))] : query.channelIds;
  const [onlyId, ...otherIds] = requestedIds ?? [];
  if (positions === null && !isSearch(query) && onlyId !== undefined && otherIds.length === 0)
    return yield* readPageOfOneChannel(onlyId, query, accessScope);
  if (positions !== null) {
    const [accessible, messages] = yield* inPair(
      readAccessibleChannels(accessScope, requestedIds),
      readFirstMessagesAt(positions),
    );
    return yield* completePosts(messages, accessScope, accessible);
  }
  const channels = yield* readAccessibleChannels(accessScope, requestedIds);
  return yield* completePosts(yield* readFirstMessagesOfPage(dialect, channels, query), accessScope, channels);
}

/** Reads the page of one channel, without waiting for the check of the caller's permission. */
function* readPageOfOneChannel(id: string, query: PostsQuery, accessScope: AccessScope): Operation<Post[]> {
  const [channels, rows] = yield* inPair(
    readAccessibleChannels(accessScope, [id]),
    readPageOfChannel(MESSAGE_COLUMNS, id, query),
  );
  return channels.size === 0
    ? []
    : yield* completePosts(
        rows.map((row) => storedMessageOf(id, row)),
        accessScope,
        channels,
      );
}

/** Reads the complete posts of first messages. */
function* completePosts(
  firstMessages: readonly StoredMessage[],
  accessScope: AccessScope,
  channels: ReadonlyMap<string, PostChannel>,
): Operation<Post[]> {
  return (yield* inParallel(firstMessages.map((message) => readCompletePost(message, accessScope, channels)))).flat();
}

/**
 * Finds a page of a large directory by the channels to exclude, because that list is shorter than the list of
 * accessible channels. Returns null if it is not shorter, if the directory is small, or if too few of the scanned posts
 * belong to the page.
 */
function* readPageOfDirectory(
  dialect: Dialect,
  query: PostsQuery,
  accessScope: AccessScope,
): Operation<PostRowPosition[] | null> {
  const [[counted], excluded] = yield* inPair(
    queryAll(`SELECT count(*) AS n FROM (SELECT 1 FROM channels LIMIT ${MIN_CHANNELS_FOR_SCAN}) counted`),
    readInaccessibleChannelIds(accessScope),
  );
  if (integer(counted ?? {}, 'n') < MIN_CHANNELS_FOR_SCAN) return null;
  const excludedIds = new Set(excluded);
  // The exact count reads every channel, and matters only if many are excluded.
  if (excludedIds.size > MIN_CHANNELS_FOR_SCAN / 2) {
    const channelCount = integer((yield* queryFirst('SELECT count(*) AS n FROM channels')) ?? {}, 'n');
    if (excludedIds.size > channelCount / 2) return null;
  }
  return isSearch(query)
    ? yield* readPageOfMatches(dialect, null, [...excludedIds], query)
    : yield* readPageByScan((channel) => !excludedIds.has(channel), query);
}

/**
 * Reads the first messages of the posts of a page over channels. The positions on the page are found first, and
 * messages are read only for these.
 */
function* readFirstMessagesOfPage(
  dialect: Dialect,
  channels: ReadonlyMap<string, PostChannel>,
  query: PostsQuery,
): Operation<StoredMessage[]> {
  const ids = [...channels.keys()];
  if (ids.length === 0) return [];
  return yield* readFirstMessagesAt(
    isSearch(query)
      ? yield* readPageOfMatches(dialect, ids, yield* readOtherChannelIds(channels), query)
      : yield* readPageOfManyChannels(dialect, ids, query),
  );
}

/** Returns the ids of all stored channels except these. */
function* readOtherChannelIds(channels: ReadonlyMap<string, PostChannel>): Operation<string[]> {
  return (yield* queryAll('SELECT id FROM channels')).map((row) => text(row, 'id')).filter((id) => !channels.has(id));
}

/** Reads the first messages of the posts at these positions. A post that was deleted meanwhile is left out. */
function* readFirstMessagesAt(positions: readonly PostRowPosition[]): Operation<StoredMessage[]> {
  if (positions.length === 0) return [];
  const rowIds = padToPowerOfTwo(positions.map(({ rowId }) => rowId));
  const rows = yield* queryAll(
    `SELECT id, ${MESSAGE_COLUMNS} FROM messages WHERE id IN (${rowIds.map(() => '?').join(', ')})`,
    ...rowIds,
  );
  const rowById = new Map(rows.map((row) => [integer(row, 'id'), row]));
  return positions.flatMap(({ channelId, rowId }) => {
    const row = rowById.get(rowId);
    return row ? [storedMessageOf(channelId, row)] : [];
  });
}

/** Reads the post or album that contains a message. */
export function* readPost(channelId: string, messageId: number, accessScope: AccessScope): Operation<Post | null> {
  const [channels, [row]] = yield* inPair(
    readAccessibleChannels(accessScope, [channelId]),
    queryAll(
      `SELECT ${MESSAGE_COLUMNS} FROM messages WHERE channel = ? AND message = ? AND hidden IS NULL`,
      channelId,
      messageId,
    ),
  );
  if (!row || channels.size === 0) return null;
  const message = storedMessageOf(channelId, row);
  const firstRow =
    message.album === null
      ? row
      : yield* queryFirst(
          `SELECT ${MESSAGE_COLUMNS} FROM messages WHERE channel = ? AND album = ? AND head = 1`,
          channelId,
          message.album,
        );
  return (yield* readCompletePost(storedMessageOf(channelId, firstRow ?? row), accessScope, channels))[0] ?? null;
}

/** Reads a channel and one of its posts. Most callers name the channel by its id: the post is read at the same time. */
export function* readChannelAndPost(
  idOrUsername: string,
  messageId: number,
  accessScope: AccessScope,
): Operation<{ channel: Channel | null; post: Post | null }> {
  const [channel, post] = yield* inPair(readChannel(idOrUsername, accessScope), readPost(idOrUsername, messageId, accessScope));
  if (channel === null || channel.id === idOrUsername) return { channel, post };
  return { channel, post: yield* readPost(channel.id, messageId, accessScope) };
}
