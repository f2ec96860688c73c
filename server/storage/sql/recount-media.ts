// Media backfill: recomputes the column `media` of posts after a migration.

import { isRebuildDue, rebuildIfDue, visitPostBatch } from './backfill.ts';
import { bodyOf, mediaColumn, readRowsOfPost } from './post-index.ts';
import { execute, integer, type Operation, type Row, text, textOrNull } from './statements.ts';

const MEDIA_RECOUNT_SETTING = 'media-to-recount';

/** Returns whether a migration requested to recompute the column `media` of every post. */
export const isMediaRecountDue = (): Operation<boolean> => isRebuildDue(MEDIA_RECOUNT_SETTING);

function* recountMediaOfPost(headRow: Row): Operation<void> {
  const members = yield* readRowsOfPost(text(headRow, 'channel'), integer(headRow, 'message'), textOrNull(headRow, 'album'));
  const mediaValue = mediaColumn(members.flatMap((member) => bodyOf(member).media));
  for (const member of members)
    if (integer(member, 'media') !== mediaValue)
      yield* execute('UPDATE messages SET media = ? WHERE id = ?', mediaValue, integer(member, 'id'));
}

/**
 * Recomputes the column `media` if a migration requested it. The new rule only excludes posts, so it reads those with
 * media.
 */
export const recountMedia = (): Operation<void> =>
  rebuildIfDue(MEDIA_RECOUNT_SETTING, (after) => visitPostBatch(after, recountMediaOfPost, 'AND media = 1'));
