// Media backfill: recomputes the column `media` of posts after a migration.

import { isDue, makeDue, visitSome } from './due.ts';
import { bodyOf, mediaColumn, rowsOfPost } from './post-index.ts';
import { integer, type Row, run, text, textOrNull, type Work } from './statements.ts';

const FACT = 'media-to-recount';

/** Returns whether a migration requested to recompute the column `media` of every post. */
export const isMediaDue = (): Work<boolean> => isDue(FACT);

function* recount(head: Row): Work<void> {
  const members = yield* rowsOfPost(text(head, 'channel'), integer(head, 'message'), textOrNull(head, 'album'));
  const shows = mediaColumn(members.flatMap((member) => bodyOf(member).media));
  for (const member of members)
    if (integer(member, 'media') !== shows)
      yield* run('UPDATE messages SET media = ? WHERE id = ?', shows, integer(member, 'id'));
}

/** Recomputes the column `media` if a migration requested it. The new rule only excludes posts, so it reads those with media. */
export const recountMedia = (): Work<void> => makeDue(FACT, (after) => visitSome(after, recount, 'AND media = 1'));
