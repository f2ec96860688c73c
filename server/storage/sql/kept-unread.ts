import { MAX_KEPT_UNREAD } from '../../../contract/kept-unread.ts';
import type { Audience } from '../../domain/model.ts';
import { readable } from './access.ts';
import { makeOnce } from './idempotency.ts';
import { all, integer, listOf, run, text, type Work } from './statements.ts';

/** Lists the posts that a reader keeps unread, each as `channelId/postId`. */
export function* readKeptUnread(readerId: string): Work<string[]> {
  const rows = yield* all('SELECT channel, post FROM kept_unread WHERE reader = ? ORDER BY channel, post', readerId);
  return rows.map((row) => `${text(row, 'channel')}/${integer(row, 'post')}`);
}

/** Keeps a post unread. Returns false, and keeps nothing, where the reader has as many as there may be. */
export function* writeKeptUnread(
  readerId: string,
  channelId: string,
  postId: number,
  audience: Audience,
  key?: string,
): Work<boolean> {
  const isKept = (keys: readonly string[]): boolean => keys.length < MAX_KEPT_UNREAD || keys.includes(`${channelId}/${postId}`);
  if (!isKept(yield* readKeptUnread(readerId))) {
    yield* deleteMissing(readerId, audience);
    if (!isKept(yield* readKeptUnread(readerId))) return false;
  }
  yield* makeOnce(readerId, key, () => insert(readerId, [[channelId, postId]]));
  return true;
}

/** Ends that a post is kept unread. */
export function* eraseKeptUnread(readerId: string, channelId: string, postId: number, key?: string): Work<void> {
  yield* makeOnce(readerId, key, function* () {
    yield* run('DELETE FROM kept_unread WHERE reader = ? AND channel = ? AND post = ?', readerId, channelId, postId);
  });
}

/** Adds the posts that a device kept unread, as far as there is space for them. */
export function* uniteKeptUnread(readerId: string, keys: readonly string[]): Work<void> {
  const present = yield* readKeptUnread(readerId);
  const added = [...new Set(keys)]
    .filter((key) => !present.includes(key))
    .slice(0, Math.max(0, MAX_KEPT_UNREAD - present.length));
  yield* insert(
    readerId,
    added.map((key) => {
      const [channelId = '', postId] = key.split('/');
      return [channelId, Number(postId)];
    }),
  );
}

function* insert(readerId: string, posts: readonly (readonly [channelId: string, postId: number])[]): Work<void> {
  if (posts.length === 0) return;
  const rows = posts.map(() => '(?, ?, ?)').join(', ');
  const values = posts.flatMap(([channelId, postId]) => [readerId, channelId, postId]);
  yield* run(`INSERT INTO kept_unread (reader, channel, post) VALUES ${rows} ON CONFLICT DO NOTHING`, ...values);
}

/**
 * Deletes the posts that the reader cannot read: they are gone or hidden, or all of a channel is closed to the reader. Of such a
 * channel every id goes, so that those that stay do not tell which posts it has.
 */
function* deleteMissing(readerId: string, audience: Audience): Work<void> {
  const kept = yield* all('SELECT DISTINCT channel FROM kept_unread WHERE reader = ?', readerId);
  const open = yield* readable(
    audience,
    kept.map((row) => text(row, 'channel')),
  );
  yield* run(
    `DELETE FROM kept_unread WHERE reader = ? AND (
       channel NOT IN (SELECT value FROM json_each(?)) OR NOT EXISTS (
         SELECT 1 FROM messages m WHERE m.channel = kept_unread.channel AND m.message = kept_unread.post AND m.head = 1
       )
     )`,
    readerId,
    listOf([...open.keys()]),
  );
}
