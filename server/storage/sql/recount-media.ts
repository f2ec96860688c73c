import { isDue, makeDue, visitSome } from './due.ts';
import { bodyOf, mediaColumn, rowsOfPost } from './post-index.ts';
import { integer, type Row, run, text, textOrNull, type Work } from './statements.ts';

const FACT = 'media-to-recount';

/** Returns whether a migration asks to compute the column `media` of every post again. */
export const isMediaDue = (): Work<boolean> => isDue(FACT);

function* recount(head: Row): Work<void> {
  const members = yield* rowsOfPost(text(head, 'channel'), integer(head, 'message'), textOrNull(head, 'album'));
  const shows = mediaColumn(members.flatMap((member) => bodyOf(member).media));
  for (const member of members)
    if (integer(member, 'media') !== shows)
      yield* run('UPDATE messages SET media = ? WHERE id = ?', shows, integer(member, 'id'));
}

/** Computes the column `media` again where it is due. Posts are only left out by it, so it reads those with media. */
export const recountMedia = (): Work<void> => makeDue(FACT, (after) => visitSome(after, recount, 'AND media = 1'));
