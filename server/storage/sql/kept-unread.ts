// Kept unread: posts that a reader explicitly keeps unread.

import { MAX_KEPT_UNREAD } from '../../../contract/kept-unread.ts';
import type { AccessScope } from '../../domain/model.ts';
import { readAccessibleChannels } from './access.ts';
import { runOnce } from './idempotency.ts';
import { execute, integer, jsonListOf, type Operation, queryAll, text } from './statements.ts';

/** Lists the posts that a reader keeps unread, each as `channelId/postId`. */
export function* readKeptUnread(readerId: string): Operation<string[]> {
  const rows = yield* queryAll('SELECT channel, post FROM kept_unread WHERE reader = ? ORDER BY channel, post', readerId);
  return rows.map((row) => `${text(row, 'channel')}/${integer(row, 'post')}`);
}

/** Marks a post as unread. If the reader has reached the limit, returns false and stores nothing. */
export function* writeKeptUnread(
  readerId: string,
  channelId: string,
  postId: number,
  accessScope: AccessScope,
  key?: string,
): Operation<boolean> {
  const isWithinLimit = (postKeys: readonly string[]): boolean =>
    postKeys.length < MAX_KEPT_UNREAD || postKeys.includes(`${channelId}/${postId}`);
  if (!isWithinLimit(yield* readKeptUnread(readerId))) {
    yield* deleteUnreadablePosts(readerId, accessScope);
    if (!isWithinLimit(yield* readKeptUnread(readerId))) return false;
  }
  yield* runOnce(readerId, key, () => insertKeptUnread(readerId, [[channelId, postId]]));
  return true;
}

/** Stops keeping a post unread. */
export function* deleteKeptUnread(readerId: string, channelId: string, postId: number, key?: string): Operation<void> {
  yield* runOnce(readerId, key, function* () {
    yield* execute('DELETE FROM kept_unread WHERE reader = ? AND channel = ? AND post = ?', readerId, channelId, postId);
  });
}

/** Adds the posts that a device kept unread, each as `channelId/postId`, up to the limit. */
export function* mergeKeptUnread(readerId: string, postKeys: readonly string[]): Operation<void> {
  const existing = yield* readKeptUnread(readerId);
  const added = [...new Set(postKeys)]
    .filter((postKey) => !existing.includes(postKey))
    .slice(0, Math.max(0, MAX_KEPT_UNREAD - existing.length));
  yield* insertKeptUnread(
    readerId,
    added.map((postKey) => {
      const [channelId = '', postId] = postKey.split('/');
      return [channelId, Number(postId)];
    }),
  );
}

function* insertKeptUnread(readerId: string, posts: readonly (readonly [channelId: string, postId: number])[]): Operation<void> {
  if (posts.length === 0) return;
  const rows = posts.map(() => '(?, ?, ?)').join(', ');
  const values = posts.flatMap(([channelId, postId]) => [readerId, channelId, postId]);
  yield* execute(`INSERT INTO kept_unread (reader, channel, post) VALUES ${rows} ON CONFLICT DO NOTHING`, ...values);
}

/**
 * Deletes entries that the reader cannot read: the post is deleted or hidden, or the reader has no access to its
 * channel. Of a channel without access, all entries are deleted, so that the remaining ones do not reveal which posts
 * exist.
 */
function* deleteUnreadablePosts(readerId: string, accessScope: AccessScope): Operation<void> {
  const rows = yield* queryAll('SELECT DISTINCT channel FROM kept_unread WHERE reader = ?', readerId);
  const accessibleChannels = yield* readAccessibleChannels(
    accessScope,
    rows.map((row) => text(row, 'channel')),
  );
  yield* execute(
    `DELETE FROM kept_unread WHERE reader = ? AND (
       channel NOT IN (SELECT value FROM json_each(?)) OR NOT EXISTS (
         SELECT 1 FROM messages m WHERE m.channel = kept_unread.channel AND m.message = kept_unread.post AND m.head = 1
       )
     )`,
    readerId,
    jsonListOf([...accessibleChannels.keys()]),
  );
}
