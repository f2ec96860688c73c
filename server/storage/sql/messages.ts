// Message upsert: merges an incoming message into the stored one, and updates its album, files, gaps, search terms and
// events.

import {
  isSameVersion,
  type MessageVersion,
  mergeVersions,
  serializeCanonical,
  toMessageVersion,
} from '../../domain/merge-message.ts';
import type { Message } from '../../domain/model.ts';
import { assignAlbum } from './albums.ts';
import { appendEvent, appendReplyEvents, replyTargetOf } from './events.ts';
import { type FileRefRow, readFileRefs, recordFileRefs, withStoredFiles } from './file-refs.ts';
import { updateGaps } from './gaps.ts';
import { bodyOf, findFreeRowId, mediaColumn, type ReindexedPost, recordMediaUses, reindexPost } from './post-index.ts';
import { mergeSeparateReports, readSeparateReports, type SeparateReports } from './reactions-and-polls.ts';
import { execute, inPair, integer, noOperation, type Operation, queryFirst, type Row, text } from './statements.ts';

/** Result of storing one message. */
export type PutResult = 'inserted' | 'updated' | 'unchanged';

const storedVersionOf = (row: Row): MessageVersion => ({
  date: integer(row, 'date'),
  modifiedAt: integer(row, 'seen'),
  rank: integer(row, 'rank'),
  sequence: integer(row, 'turn'),
  body: bodyOf(row),
});

function* insertMessage(
  rowId: number,
  { post, pollId }: Message,
  version: MessageVersion,
  album: { album: string | null; rank: number },
): Operation<void> {
  yield* execute(
    `INSERT INTO messages (id, channel, message, date, seen, rank, turn, poll, answers, album, album_rank, head, media, service, body)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?)`,
    ...[rowId, post.channelId, post.id, version.date, version.modifiedAt, version.rank, version.sequence, pollId ?? null],
    replyTargetOf(post.channelId, version.body),
    ...[album.album, album.rank],
    ...[mediaColumn(version.body.media), version.body.service ? 1 : 0, serializeCanonical(version.body)],
  );
}

/**
 * Updates a row. A row id depends on the date, so a message with a changed date gets another row id and new search
 * terms.
 */
function* updateMessage(row: Row, version: MessageVersion, pollId: string | null): Operation<void> {
  const rowId = integer(row, 'id');
  const isDateChanged = integer(row, 'date') !== version.date;
  const nextRowId = isDateChanged ? yield* findFreeRowId(text(row, 'channel'), integer(row, 'message'), version.date) : rowId;
  if (isDateChanged) yield* execute('DELETE FROM words WHERE rowid = ?', rowId);
  yield* execute(
    `UPDATE messages SET id = ?, date = ?, seen = ?, rank = ?, turn = ?, poll = ?, answers = ?, media = ?, service = ?, body = ?
       WHERE id = ?`,
    ...[nextRowId, version.date, version.modifiedAt, version.rank, version.sequence, pollId],
    ...[replyTargetOf(text(row, 'channel'), version.body), mediaColumn(version.body.media)],
    ...[version.body.service ? 1 : 0, serializeCanonical(version.body), rowId],
  );
}

/** Rows that are read before a message is merged. `newRowId` is for a message that is not stored yet. */
interface RelatedRows {
  readonly reports: SeparateReports;
  readonly fileRefs: readonly FileRefRow[];
  readonly newRowId: number;
}

/** Reads the rows that belong to a message, in as few steps as possible. */
function* readRelatedRows(
  { post, source }: Message,
  pollId: string | null,
  newMessageDate: number | null,
): Operation<RelatedRows> {
  const { channelId, id } = post;
  const [reports, [fileRefs, newRowId]] = yield* inPair(
    readSeparateReports(channelId, id, pollId),
    inPair(
      source === 'export' ? noOperation([]) : readFileRefs(channelId, id),
      newMessageDate === null ? noOperation(0) : findFreeRowId(channelId, id, newMessageDate),
    ),
  );
  return { reports, fileRefs, newRowId };
}

/** Merges the stored and the incoming version, and the separately reported reactions and poll. */
const mergeWithStored = (incoming: MessageVersion, row: Row | undefined, reports: SeparateReports): MessageVersion => {
  const merged = row ? mergeVersions(storedVersionOf(row), incoming) : incoming;
  return { ...merged, body: mergeSeparateReports(merged.body, reports, merged.sequence) };
};

function* saveRawMessage({ post, raw }: Message): Operation<void> {
  if (raw !== undefined)
    yield* execute(
      `INSERT INTO raw_messages (channel, message, body) VALUES (?, ?, ?)
       ON CONFLICT (channel, message) DO UPDATE SET body = excluded.body`,
      ...[post.channelId, post.id, raw],
    );
}

/** Inserts the events of a message. An import sends a single event when it is complete, so its messages have none. */
function* appendMessageEvents(message: Message, reindexed: ReindexedPost, isNew: boolean): Operation<void> {
  if (message.source === 'export' || reindexed.hidden) return;
  const { channelId, id } = message.post;
  // The id of an album is that of its first message. An earlier message that arrives late changes the album's id.
  if (reindexed.previousPostId !== null) yield* appendEvent('hidden', channelId, reindexed.previousPostId);
  yield* appendEvent(isNew && reindexed.postId === id ? 'new' : 'edited', channelId, reindexed.postId);
  yield* appendReplyEvents(channelId, [id]);
}

/**
 * Stores one message, inside a transaction. Merges it with the stored version, merges the names of its album (each source
 * names an album differently), and recomputes the row that represents its post (the head row) and its search terms.
 */
export function* putMessage(message: Message): Operation<PutResult> {
  const { channelId, id } = message.post;
  const row = yield* queryFirst('SELECT * FROM messages WHERE channel = ? AND message = ?', channelId, id);
  const pollId = message.pollId ?? (row && row.poll !== null ? text(row, 'poll') : null);
  const incoming = yield* withStoredFiles(toMessageVersion(message), message.files ?? []);
  const { reports, fileRefs, newRowId } = yield* readRelatedRows(message, pollId, row ? null : incoming.date);
  const version = mergeWithStored(incoming, row, reports);
  const album = yield* assignAlbum(message, row, toMessageVersion(message).rank);
  const isChanged = !row || !isSameVersion(storedVersionOf(row), version);
  yield* recordFileRefs(message, version, fileRefs);
  if (!row) yield* insertMessage(newRowId, message, version, album);
  else {
    if (album.isChanged)
      yield* execute(
        'UPDATE messages SET album = ?, album_rank = ? WHERE channel = ? AND message = ?',
        album.album,
        album.rank,
        channelId,
        id,
      );
    if (isChanged) yield* updateMessage(row, version, pollId);
  }
  if (!isChanged && !album.isChanged) return 'unchanged';
  yield* saveRawMessage(message);
  if (!row) yield* updateGaps(channelId, id);
  const reindexed = yield* reindexPost(channelId, id, album.album);
  yield* recordMediaUses(channelId, id, reindexed.hidden ? [] : version.body.media);
  if (album.previousAlbum !== null) yield* reindexPost(channelId, id, album.previousAlbum);
  yield* appendMessageEvents(message, reindexed, !row);
  return row ? 'updated' : 'inserted';
}
