// Channel names: usernames and previous usernames, and the folded names in which a search by name looks.

import { foldText } from '../../../contract/fold.ts';
import { isRebuildDue, rebuildIfDue } from './backfill.ts';
import { execute, executeEach, integer, type Operation, queryAll, text, textOrNull } from './statements.ts';

/**
 * Normalizes a name, or a text that is searched in names: without differences of case, letter forms and all marks, as
 * the search field of the line-up compares names. In Arabic, hamza is often not written.
 */
export const foldName = (text: string): string => foldText(text).normalize('NFKD').replace(/\p{M}/gu, '');

/** Returns the names of a channel as the column `folded` stores them. */
export const foldNames = (title: string, username: string | null): string => foldName(`${title} @${username ?? ''}`);

/** Stores a channel's username. Another channel that had it loses it. */
export function* putUsername(id: string, username: string): Operation<void> {
  const name = username.toLowerCase();
  const previousOwners = yield* queryAll('SELECT id, title FROM channels WHERE lower(username) = ? AND id <> ?', name, id);
  for (const row of previousOwners)
    yield* execute(
      'UPDATE channels SET username = NULL, folded = ? WHERE id = ?',
      foldNames(text(row, 'title'), null),
      text(row, 'id'),
    );
  yield* execute(
    'INSERT INTO usernames (name, channel) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET channel = excluded.channel',
    ...[name, id],
  );
}

/** Metadata key that a migration stores to request that the names of all channels are folded. */
const NAME_FOLDING_SETTING = 'channels-to-fold';
/** Channels per step of that backfill. */
const CHANNELS_PER_BATCH = 500;

/** Returns whether a migration requested to fold the names of all channels. */
export const isNameFoldingDue = (): Operation<boolean> => isRebuildDue(NAME_FOLDING_SETTING);

function* foldNamesOfBatch(after: number): Operation<number | null> {
  const rows = yield* queryAll(
    'SELECT rowid AS position, id, title, username FROM channels WHERE rowid > ? ORDER BY rowid LIMIT ?',
    ...[after, CHANNELS_PER_BATCH],
  );
  yield* executeEach(
    rows.map((row) => ({
      text: 'UPDATE channels SET folded = ? WHERE id = ?',
      values: [foldNames(text(row, 'title'), textOrNull(row, 'username')), text(row, 'id')],
    })),
  );
  const last = rows.at(-1);
  return last === undefined ? null : integer(last, 'position');
}

/** Folds the names of all channels, if a migration requested it. */
export const foldStoredNames = (): Operation<void> => rebuildIfDue(NAME_FOLDING_SETTING, foldNamesOfBatch);
