import { bodyOf, mediaColumn, rowsOfPost } from './settle.ts';
import { all, get, integer, type Row, run, text, textOrNull, together, type Work } from './work.ts';

const STEP = 500;

/** Returns whether a migration asks to compute the column `media` of every post again. */
export function* isMediaDue(): Work<boolean> {
  return (yield* get("SELECT 1 FROM facts WHERE name = 'media-to-recount'")) !== undefined;
}

function* recount(row: Row): Work<void> {
  const members = yield* rowsOfPost(text(row, 'channel'), integer(row, 'message'), textOrNull(row, 'album'));
  const shows = mediaColumn(members.flatMap((member) => bodyOf(member).media));
  for (const member of members)
    if (integer(member, 'media') !== shows)
      yield* run('UPDATE messages SET media = ? WHERE id = ?', shows, integer(member, 'id'));
}

/** Computes the column again for the posts after a row; returns the last one's row, null after the end. */
function* recountSome(after: number): Work<number | null> {
  const heads = yield* all(
    'SELECT id, channel, message, album FROM messages WHERE id > ? AND head = 1 AND media = 1 ORDER BY id LIMIT ?',
    ...[after, STEP],
  );
  yield* together(heads.map(recount));
  const last = heads.at(-1);
  return last === undefined ? null : integer(last, 'id');
}

/** Computes the column `media` again, once, in one transaction. Posts are only left out by it, so it reads those with media. */
export function* recountMedia(): Work<void> {
  // Another process may have done it while this one waited for the lock.
  if (!(yield* isMediaDue())) return;
  for (let last: number | null = -1; last !== null; ) last = yield* recountSome(last);
  yield* run("DELETE FROM facts WHERE name = 'media-to-recount'");
}
