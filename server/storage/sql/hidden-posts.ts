// Hidden posts: hides a post or shows it again, and records deletions at the source.

import type { Post } from '../../../contract/post.ts';
import { appendEvent, appendReplyEvents } from './events.ts';
import { readHiddenPost } from './post-assembly.ts';
import { bodyOf, readRowsOfPost, recordMediaUses, reindexPost } from './post-index.ts';
import { execute, inParallel, integer, type Operation, queryAll, queryFirst, type Row, textOrNull } from './statements.ts';

const albumOf = (row: Row): string | null => textOrNull(row, 'album');

/** Hides a complete post, or shows it again, inside a transaction. Returns false if the message does not exist. */
export function* writeHidden(channel: string, message: number, hiddenAt: number | null): Operation<boolean> {
  const row = yield* queryFirst('SELECT album FROM messages WHERE channel = ? AND message = ?', channel, message);
  if (!row) return false;
  const members = yield* readRowsOfPost(channel, message, albumOf(row));
  const isHidden = members.some((member) => member.hidden !== null);
  if (isHidden === (hiddenAt !== null)) return true;
  for (const member of members) {
    yield* execute('UPDATE messages SET hidden = ? WHERE id = ?', hiddenAt, integer(member, 'id'));
    yield* recordMediaUses(channel, integer(member, 'message'), hiddenAt === null ? bodyOf(member).media : []);
  }
  const { postId } = yield* reindexPost(channel, message, albumOf(row));
  yield* appendEvent(hiddenAt === null ? 'edited' : 'hidden', channel, postId);
  yield* appendReplyEvents(
    channel,
    members.map((member) => integer(member, 'message')),
  );
  return true;
}

/** Finds the post that contains a message, hidden or not. The returned id is that of its first message. */
export function* readPostOfMessage(channel: string, message: number): Operation<{ id: number; hidden: boolean } | null> {
  const row = yield* queryFirst('SELECT album FROM messages WHERE channel = ? AND message = ?', channel, message);
  if (!row) return null;
  const members = yield* readRowsOfPost(channel, message, albumOf(row));
  return {
    id: Math.min(...members.map((member) => integer(member, 'message'))),
    hidden: members.some((member) => member.hidden !== null),
  };
}

/** Lists a channel's hidden posts by their first messages, most recently hidden first. */
export function* readHiddenPosts(channel: string, limit: number): Operation<{ post: Post; at: number }[]> {
  const rows = yield* queryAll(
    `SELECT m.* FROM messages m WHERE m.channel = ? AND m.hidden IS NOT NULL AND NOT EXISTS (
       SELECT 1 FROM messages f WHERE f.channel = m.channel AND f.album = m.album AND f.message < m.message
     ) ORDER BY m.hidden DESC, m.message DESC LIMIT ?`,
    ...[channel, limit],
  );
  const posts = yield* inParallel(rows.map(readHiddenPost));
  return rows.flatMap((row, index) => {
    const post = posts[index];
    return post ? [{ post, at: integer(row, 'hidden') }] : [];
  });
}

/** Stores when a message was found deleted at its source. */
export function* writeDeletedAtSource(channel: string, message: number, deletedAt: number | null): Operation<void> {
  const row = yield* queryFirst('SELECT id, album, gone FROM messages WHERE channel = ? AND message = ?', channel, message);
  if (!row || row.gone === deletedAt) return;
  yield* execute('UPDATE messages SET gone = ? WHERE id = ?', deletedAt, integer(row, 'id'));
  const { postId, hidden } = yield* reindexPost(channel, message, albumOf(row));
  if (!hidden) yield* appendEvent('edited', channel, postId);
}
