// Post queries: pages of posts and single posts.

import type { Post } from '../../../contract/post.ts';
import type { PostChannel, StoredMessage } from '../../domain/assemble-post.ts';
import type { AccessScope, PostsQuery } from '../../domain/model.ts';
import { readAccessibleChannels, readInaccessibleChannelIds } from './access.ts';
import type { Dialect, PostRowPosition } from './dialect.ts';
import { MIN_CHANNELS_FOR_SCAN, pageByScan, pageOfManyChannels, readPageOfChannel } from './paging.ts';
import { MESSAGE_COLUMNS, readWholePost, storedMessageOf } from './post-assembly.ts';
import { pageOfMatches } from './search.ts';
import { all, get, inParallel, integer, type Operation, text } from './statements.ts';

function* readOtherChannelIds(channels: ReadonlyMap<string, PostChannel>): Operation<string[]> {
  return (yield* all('SELECT id FROM channels')).map((row) => text(row, 'id')).filter((id) => !channels.has(id));
}

const isSearch = (query: PostsQuery): boolean => query.match !== undefined || query.kinds !== undefined;

/**
 * Reads the head rows of a page. One channel's rows are read directly. With several channels or a search, complete rows are read
 * only for the posts on the page.
 */
function* readPageHeads(
  dialect: Dialect,
  channels: ReadonlyMap<string, PostChannel>,
  query: PostsQuery,
): Operation<StoredMessage[]> {
  const [id, ...otherIds] = channels.keys();
  if (id === undefined) return [];
  if (!isSearch(query) && otherIds.length === 0)
    return (yield* readPageOfChannel(MESSAGE_COLUMNS, id, query)).map((row) => storedMessageOf(id, row));
  return yield* readHeadsAt(
    isSearch(query)
      ? yield* pageOfMatches(dialect, [id, ...otherIds], yield* readOtherChannelIds(channels), query)
      : yield* pageOfManyChannels(dialect, [id, ...otherIds], query),
  );
}

function* readHeadsAt(positions: readonly PostRowPosition[]): Operation<StoredMessage[]> {
  const rows = yield* inParallel(positions.map(({ key }) => get(`SELECT ${MESSAGE_COLUMNS} FROM messages WHERE id = ?`, key)));
  return positions.flatMap(({ channelId }, at) => {
    const row = rows[at];
    return row ? [storedMessageOf(channelId, row)] : [];
  });
}

/**
 * Reads a page over a large directory by the channels to exclude, which is the shorter list. Returns null if it is not shorter,
 * or if the posts of the page are too rare.
 */
function* pageOfDirectory(dialect: Dialect, query: PostsQuery, audience: AccessScope): Operation<PostRowPosition[] | null> {
  const count = integer((yield* get('SELECT count(*) AS n FROM channels')) ?? {}, 'n');
  if (count < MIN_CHANNELS_FOR_SCAN) return null;
  const closed = new Set(yield* readInaccessibleChannelIds(audience));
  if (closed.size > count / 2) return null;
  return isSearch(query)
    ? yield* pageOfMatches(dialect, null, [...closed], query)
    : yield* pageByScan((channel) => !closed.has(channel), query);
}

/** Reads a page of posts, newest first. The cost depends on the page, not on the number of stored posts. */
export function* readPosts(dialect: Dialect, query: PostsQuery, audience: AccessScope): Operation<Post[]> {
  const positions = query.channelIds === undefined ? yield* pageOfDirectory(dialect, query, audience) : null;
  const requestedIds = positions ? [...new Set(positions.map(({ channelId }) => channelId))] : query.channelIds;
  const channels = yield* readAccessibleChannels(audience, requestedIds);
  const heads = positions ? yield* readHeadsAt(positions) : yield* readPageHeads(dialect, channels, query);
  return (yield* inParallel(heads.map((head) => readWholePost(head, audience, channels)))).flat();
}

/** Reads the post or album that contains a message. */
export function* readPost(channelId: string, messageId: number, audience: AccessScope): Operation<Post | null> {
  const channels = yield* readAccessibleChannels(audience, [channelId]);
  const row = yield* get(
    `SELECT ${MESSAGE_COLUMNS} FROM messages WHERE channel = ? AND message = ? AND hidden IS NULL`,
    channelId,
    messageId,
  );
  if (!row || channels.size === 0) return null;
  const found = storedMessageOf(channelId, row);
  const head =
    found.album === null
      ? row
      : yield* get(`SELECT ${MESSAGE_COLUMNS} FROM messages WHERE channel = ? AND album = ? AND head = 1`, channelId, found.album);
  return (yield* readWholePost(storedMessageOf(channelId, head ?? row), audience, channels))[0] ?? null;
}
