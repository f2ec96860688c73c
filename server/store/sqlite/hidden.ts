import type { Post } from '../../../contract/post.ts';
import { noteAnswers } from './answers.ts';
import { type Database, integer, type Row, text } from './database.ts';
import { noteEvent } from './events.ts';
import { bodyOf, noteUses, rowsOfPost, settle } from './settle.ts';

const albumOf = (row: Row): string | null => (row.album === null ? null : text(row, 'album'));

/** Hides a post whole, or shows it again, inside a transaction; false where there is none. */
export const writeHidden = (database: Database, channel: string, message: number, at: number | null): boolean => {
  const row = database.sql('SELECT album FROM messages WHERE channel = ? AND message = ?').get(channel, message);
  if (!row) return false;
  const members = rowsOfPost(database, channel, message, albumOf(row));
  const was = members.some((member) => member.hidden !== null);
  if (was === (at !== null)) return true;
  for (const member of members) {
    database.sql('UPDATE messages SET hidden = ? WHERE id = ?').run(at, integer(member, 'id'));
    noteUses(database, channel, integer(member, 'message'), at === null ? bodyOf(member).media : []);
  }
  const { postId } = settle(database, channel, message, albumOf(row));
  noteEvent(database, at === null ? 'edited' : 'hidden', channel, postId);
  noteAnswers(
    database,
    channel,
    members.map((member) => integer(member, 'message')),
  );
  return true;
};

/** Lists a channel's hidden posts by their first messages, the last hidden first. */
export const readHidden = (
  database: Database,
  channel: string,
  limit: number,
  postOf: (row: Row) => Post | null,
): { post: Post; at: number }[] => {
  const rows = database
    .sql(
      `SELECT m.* FROM messages m WHERE m.channel = ? AND m.hidden IS NOT NULL AND NOT EXISTS (
         SELECT 1 FROM messages f WHERE f.channel = m.channel AND f.album = m.album AND f.message < m.message
       ) ORDER BY m.hidden DESC, m.message DESC LIMIT ?`,
    )
    .all(channel, limit);
  return rows.flatMap((row) => {
    const post = postOf(row);
    return post === null ? [] : [{ post, at: integer(row, 'hidden') }];
  });
};

/** Notes when a message was found deleted at its source. */
export const writeGone = (database: Database, channel: string, message: number, at: number | null): void => {
  const row = database.sql('SELECT id, album, gone FROM messages WHERE channel = ? AND message = ?').get(channel, message);
  if (!row || row.gone === at) return;
  database.sql('UPDATE messages SET gone = ? WHERE id = ?').run(at, integer(row, 'id'));
  const { postId, hidden } = settle(database, channel, message, albumOf(row));
  if (!hidden) noteEvent(database, 'edited', channel, postId);
};
