// Post index: derived columns and search terms of posts, and the row ids that order messages by date.

import { showsMedia } from '../../../contract/shown-media.ts';
import type { MessageBody } from '../../domain/merge-message.ts';
import type { StoredMedia } from '../../domain/model.ts';
import { indexTermsOf } from '../../domain/search-terms.ts';
import { isRebuildDue, rebuildIfDue, visitPostBatch } from './backfill.ts';
import {
  type ChangeStatement,
  execute,
  executeEach,
  integer,
  type Operation,
  queryAll,
  queryFirst,
  type Row,
  text,
  textOrNull,
} from './statements.ts';

/** Parses the body of a message: the data that has no column of its own. */
export const bodyOf = (row: Row): MessageBody => JSON.parse(text(row, 'body'));

/** Returns the value of the column `media` for a post with these files. */
export const mediaColumn = (media: readonly StoredMedia[]): 0 | 1 => (showsMedia(media) ? 1 : 0);

const COLUMNS = 'id, message, head, media, hidden, body';

/** Returns the rows of one post, in the order of their ids: a single message, or the messages of an album. */
export function* readRowsOfPost(channel: string, message: number, album: string | null): Operation<readonly Row[]> {
  return album === null
    ? yield* queryAll(`SELECT ${COLUMNS} FROM messages WHERE channel = ? AND message = ?`, channel, message)
    : yield* queryAll(`SELECT ${COLUMNS} FROM messages WHERE channel = ? AND album = ? ORDER BY message`, channel, album);
}

/**
 * A post after one of its messages changed. `postId` is its first message. `previousPostId` is the previous first
 * message, if it is another one.
 */
export interface ReindexedPost {
  readonly postId: number;
  readonly previousPostId: number | null;
  readonly hidden: boolean;
}

const fileKeyOf = (src: string): string => src.replace(/^\/media\//, '');

/** Stores which files a message shows. A hidden message shows none. */
export function* recordMediaUses(channel: string, message: number, media: readonly StoredMedia[]): Operation<void> {
  const shown = media.flatMap((item) => [item.src ?? [], item.poster?.src ?? [], item.motion ?? []]).flat();
  yield* execute('DELETE FROM media_uses WHERE channel = ? AND message = ?', channel, message);
  yield* executeEach(
    shown.map((src) => ({
      text: 'INSERT INTO media_uses (key, channel, message) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
      values: [fileKeyOf(src), channel, message],
    })),
  );
}

const INSERT_SPELLING = 'INSERT INTO spellings (part, word) VALUES (?, ?) ON CONFLICT DO NOTHING';

/**
 * Inserts the search terms of a post that has none yet, under its head row. Terms are in quotes, as PostgreSQL needs
 * them; SQLite's tokenizer treats quotes as spaces. Spellings that exist already are skipped: forty unnecessary inserts
 * per post would take three times as long as the index itself.
 */
function* writeSearchTerms(channel: string, rowId: number, bodies: readonly MessageBody[]): Operation<void> {
  const indexTerms = indexTermsOf(channel, bodies);
  const quotedTerms = new Set(indexTerms.map(({ term }) => `'${term}'`));
  yield* execute('INSERT INTO words (rowid, stems) VALUES (?, ?)', rowId, [...quotedTerms].join(' '));
  yield* executeEach(
    indexTerms.flatMap((entry) =>
      entry.spellings.map(
        (spelling): ChangeStatement => ({ text: INSERT_SPELLING, values: [spelling, entry.term], skipIfExecutedFor: entry }),
      ),
    ),
  );
}

/**
 * Recomputes which row is the head row of a post, its search terms, and whether it is hidden. The head row is that of
 * the first message; a hidden post has none. A message that joins a hidden album is hidden with it.
 */
export function* reindexPost(channel: string, message: number, album: string | null): Operation<ReindexedPost> {
  const members = yield* readRowsOfPost(channel, message, album);
  const bodies = members.map(bodyOf);
  const mediaValue = mediaColumn(bodies.flatMap(({ media }) => media));
  const hiddenAt = members.find((member) => member.hidden !== null)?.hidden ?? null;
  for (const [index, member] of members.entries()) {
    const rowId = integer(member, 'id');
    const head = index === 0 && hiddenAt === null ? 1 : 0;
    if (integer(member, 'head') !== head || integer(member, 'media') !== mediaValue || member.hidden !== hiddenAt)
      yield* execute('UPDATE messages SET head = ?, media = ?, hidden = ? WHERE id = ?', head, mediaValue, hiddenAt, rowId);
    // A row that has never been a head has no search terms, and the delete would cost a lookup.
    if (integer(member, 'head') === 1) yield* execute('DELETE FROM words WHERE rowid = ?', rowId);
    if (head === 1) yield* writeSearchTerms(channel, rowId, bodies);
  }
  const previousHead = members.find((member, index) => index > 0 && integer(member, 'head') === 1);
  return {
    postId: integer(members[0] ?? {}, 'message'),
    previousPostId: previousHead ? integer(previousHead, 'message') : null,
    hidden: hiddenAt !== null,
  };
}

/** Row ids per second. */
const SLOTS_PER_SECOND = 2 ** 20;

/** Returns the lowest row id of a second. Row ids follow dates, so that walks of the search index do too. */
export const firstRowId = (date: number): number => Math.max(0, date) * SLOTS_PER_SECOND;

/**
 * Returns the first slot to try for a message: a hash, so that messages of the same second rarely need the same slot.
 */
const slotOf = (channel: string, message: number): number => {
  let hash = message;
  for (let index = 0; index < channel.length; index += 1) hash = (Math.imul(hash, 31) + channel.charCodeAt(index)) | 0;
  return (hash >>> 0) % SLOTS_PER_SECOND;
};

/** Finds a free row id in the second of a message. */
export function* findFreeRowId(channel: string, message: number, date: number): Operation<number> {
  const firstSlot = slotOf(channel, message);
  for (let offset = 0; offset < SLOTS_PER_SECOND; offset += 1) {
    const rowId = firstRowId(date) + ((firstSlot + offset) % SLOTS_PER_SECOND);
    if (!(yield* queryFirst('SELECT id FROM messages WHERE id = ?', rowId))) return rowId;
  }
  throw new Error(`More than ${SLOTS_PER_SECOND} messages are dated ${date}`);
}

/** The highest possible row id. */
export const MAX_ROW_ID = Number.MAX_SAFE_INTEGER;

/** Metadata key that a migration or a backup stores to request that all search terms are rebuilt. */
export const SEARCH_INDEX_DUE_SETTING = 'words-to-remake';

/** Returns whether a migration requested a rebuild of the search terms. */
export const isSearchIndexDue = (): Operation<boolean> => isRebuildDue(SEARCH_INDEX_DUE_SETTING);

function* rebuildSearchTermsOf(headRow: Row): Operation<void> {
  const [rowId, channel, message] = [integer(headRow, 'id'), text(headRow, 'channel'), integer(headRow, 'message')];
  const members = yield* readRowsOfPost(channel, message, textOrNull(headRow, 'album'));
  yield* writeSearchTerms(channel, rowId, members.map(bodyOf));
}

/**
 * Rebuilds the search terms of the next posts after a row id, where none are stored. Returns the row id of the last
 * one, or null at the end.
 */
export const rebuildSearchIndexBatch = (after: number): Operation<number | null> => visitPostBatch(after, rebuildSearchTermsOf);

/**
 * Rebuilds the search terms of all posts, if a migration requested it. It runs in one transaction after all migrations,
 * so that the tables always have their current schema. `clear` empties the engine's index. 100,000 posts of 500 bytes
 * take up to a minute, and no other write can run meanwhile.
 */
export const rebuildSearchIndex = (clear: string): Operation<void> =>
  rebuildIfDue(SEARCH_INDEX_DUE_SETTING, rebuildSearchIndexBatch, function* () {
    yield* execute(clear);
    yield* execute('DELETE FROM spellings');
  });
