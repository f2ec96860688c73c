// Read permissions of the store: which channels a caller may read.

import type { PostChannel } from '../../domain/assemble-post.ts';
import type { AccessScope } from '../../domain/model.ts';
import { parsePins } from '../../domain/pins.ts';
import { integer, jsonListOf, type Operation, queryAll, type Row, text, textOrNull } from './statements.ts';

const postChannelOf = (row: Row): PostChannel => ({
  id: text(row, 'id'),
  username: textOrNull(row, 'username'),
  feed: row.source === 'feed',
  demo: integer(row, 'demo') === 1,
  pins: parsePins(text(row, 'pins')),
});

/**
 * Returns whether the caller may read the channel of this row. It is the only access check: every read of the store
 * uses it.
 */
export const mayRead = (row: Row, accessScope: AccessScope): boolean =>
  row.withdrawn === 0 &&
  (row.private === 0 || accessScope.privateChannels === 'all' || accessScope.privateChannels.includes(text(row, 'id')));

const COLUMNS = 'id, username, source, demo, private, withdrawn, pins';

/**
 * Returns the channels whose posts the caller does not see in the directory: private channels of others, soft-deleted
 * channels, and all channels that readers added.
 */
export function* readInaccessibleChannelIds(accessScope: AccessScope): Operation<string[]> {
  const rows = yield* queryAll(`SELECT ${COLUMNS}, elsewhere FROM channels WHERE elsewhere = 1 OR withdrawn = 1 OR private = 1`);
  return rows.filter((row) => row.elsewhere === 1 || !mayRead(row, accessScope)).map((row) => text(row, 'id'));
}

/** Returns the ids of all channels that everyone may read, also of those that readers added. */
export function* readPublicChannelIds(): Operation<string[]> {
  const rows = yield* queryAll('SELECT id, private, withdrawn FROM channels WHERE private = 0');
  return rows.filter((row) => mayRead(row, { privateChannels: [] })).map((row) => text(row, 'id'));
}

/** Returns the rows of channels, in the order of the given ids. Several ids take one statement. */
function* readChannelRows(ids: readonly string[]): Operation<Row[]> {
  const [id, ...otherIds] = ids;
  const rows =
    id === undefined || otherIds.length > 0
      ? yield* queryAll(`SELECT ${COLUMNS} FROM channels WHERE id IN (SELECT value FROM json_each(?))`, jsonListOf(ids))
      : yield* queryAll(`SELECT ${COLUMNS} FROM channels WHERE id = ?`, id);
  const found = new Map(rows.map((row) => [text(row, 'id'), row]));
  return ids.map((channelId) => found.get(channelId)).filter((row) => row !== undefined);
}

/**
 * Returns the channels whose posts the caller may read. With `requestedIds`, only those, in that order; without it,
 * all channels of the directory.
 */
export function* readAccessibleChannels(
  accessScope: AccessScope,
  requestedIds?: readonly string[],
): Operation<Map<string, PostChannel>> {
  const rows = requestedIds
    ? yield* readChannelRows(requestedIds)
    : yield* queryAll(`SELECT ${COLUMNS} FROM channels WHERE elsewhere = 0`);
  return new Map(rows.filter((row) => mayRead(row, accessScope)).map((row) => [text(row, 'id'), postChannelOf(row)]));
}
