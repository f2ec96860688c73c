// Media backfill: recomputes the column `media` of posts after a migration.

import { isRebuildDue, rebuildIfDue, visitPostBatch } from './due.ts';
import { bodyOf, mediaColumn, readRowsOfPost } from './post-index.ts';
import { execute, integer, type Operation, type Row, text, textOrNull } from './statements.ts';

const MEDIA_RECOUNT_SETTING = 'media-to-recount';

/** Returns whether a migration requested to recompute the column `media` of every post. */
export const isMediaRecountDue = (): Operation<boolean> => isRebuildDue(MEDIA_RECOUNT_SETTING);

function* recountMediaOfPost(head: Row): Operation<void> {
  const members = yield* readRowsOfPost(text(head, 'channel'), integer(head, 'message'), textOrNull(head, 'album'));
  const shows = mediaColumn(members.flatMap((member) => bodyOf(member).media));
  for (const member of members)
    if (integer(member, 'media') !== shows)
      yield* execute('UPDATE messages SET media = ? WHERE id = ?', shows, integer(member, 'id'));
}

/** Recomputes the column `media` if a migration requested it. The new rule only excludes posts, so it reads those with media. */
export const recountMedia = (): Operation<void> =>
  rebuildIfDue(MEDIA_RECOUNT_SETTING, (after) => visitPostBatch(after, recountMediaOfPost, 'AND media = 1'));
