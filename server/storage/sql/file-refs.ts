import { applyFileState, type FileState } from '../../domain/media-state.ts';
import { type MessageBody, type MessageVersion, toMessageVersion } from '../../domain/merge-message.ts';
import type { FileRef, MediaFile, Message, StoredMedia } from '../../domain/model.ts';
import {
  execute,
  inParallel,
  integer,
  integerOrNull,
  type Operation,
  optionalField,
  queryAll,
  queryFirst,
  type Row,
  text,
  textOrNull,
} from './statements.ts';

// File references: a message and the files that it needs arrive in either order. The stored file data is merged into an
// incoming message before it is compared with the stored message. It is merged into the stored message when the file
// arrives.

const FILE_PARTS: readonly FileRef['part'][] = ['file', 'poster', 'motion'];

/** Parses a row of `media_files`. */
export const mediaFileOf = (row: Row): MediaFile => ({
  key: text(row, 'key'),
  mime: text(row, 'mime'),
  size: integer(row, 'size'),
  ...optionalField('width', integerOrNull(row, 'width')),
  ...optionalField('height', integerOrNull(row, 'height')),
  ...optionalField('placeholder', textOrNull(row, 'placeholder')),
});

const QUEUED_STATE: FileState = { state: 'wanted', file: null };

/** Reads the state of a file. */
export function* readFileState(uniqueId: string): Operation<FileState> {
  const row = yield* queryFirst(
    'SELECT s.state, f.* FROM source_files s LEFT JOIN media_files f ON f.key = s.key WHERE s.unique_id = ?',
    uniqueId,
  );
  return row ? { state: text(row, 'state'), file: row.key === null ? null : mediaFileOf(row) } : QUEUED_STATE;
}

/** Returns the id of the media item to which a file belongs, as the column `owner` stores it. */
const ownerOf = (media: StoredMedia | undefined, ref: FileRef): string => media?.unique ?? ref.uniqueId;

/** Assigns each file reference to its media item, and fills in the files that are already stored. */
export function* withStoredFiles(version: MessageVersion, files: readonly FileRef[]): Operation<MessageVersion> {
  if (files.length === 0) return version;
  const media = [...version.body.media];
  for (const ref of files) {
    const item = media[ref.index];
    if (item)
      media[ref.index] = applyFileState({ ...item, unique: ownerOf(item, ref) }, ref.part, yield* readFileState(ref.uniqueId));
  }
  return { ...version, body: { ...version.body, media } };
}

/** A stored file reference. */
export interface FileRefRow {
  readonly owner: string;
  readonly part: string;
  readonly uniqueId: string;
}

/** Reads the file references of a message. */
export function* readFileRefs(channel: string, message: number): Operation<FileRefRow[]> {
  return (yield* queryAll(
    'SELECT owner, part, unique_id FROM file_refs WHERE channel = ? AND message = ?',
    channel,
    message,
  )).map((row) => ({ owner: text(row, 'owner'), part: text(row, 'part'), uniqueId: text(row, 'unique_id') }));
}

/** Updates the body of a message with the current state of every file that it refers to. */
export function* refreshMessageFiles(channel: string, message: number, body: MessageBody): Operation<MessageBody> {
  const currentRefs = yield* readFileRefs(channel, message);
  const states = yield* inParallel(currentRefs.map(({ uniqueId }) => readFileState(uniqueId)));
  const refs = currentRefs.flatMap((ref, index) => ({ ...ref, ...(states[index] ?? QUEUED_STATE) }));
  const withCurrentFiles = (item: StoredMedia) =>
    FILE_PARTS.reduce((media, part) => {
      const found = refs.find((ref) => ref.part === part && ref.owner === item.unique);
      return found ? applyFileState(media, part, found) : media;
    }, item);
  return { ...body, media: body.media.map(withCurrentFiles) };
}

const largerValueOf = (column: string): string =>
  `CASE WHEN excluded.${column} > source_files.${column} THEN excluded.${column} ELSE source_files.${column} END`;

/**
 * Queues a file for a post of this date (unix seconds). The newest post determines the priority, and the newest file id
 * is the one to request. A file that was rejected for channels of readers is queued again when a channel of an operator
 * needs it: then its date is not 0 (see `readFilePriority`).
 */
export function* queueFile(
  ref: Pick<FileRef, 'uniqueId' | 'fileId' | 'size'>,
  posted: number,
  lasting: boolean,
): Operation<void> {
  yield* execute(
    `INSERT INTO source_files (unique_id, file_id, size, posted, lasting) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (unique_id) DO UPDATE SET file_id = excluded.file_id, size = coalesce(excluded.size, source_files.size),
       posted = ${largerValueOf('posted')}, lasting = ${largerValueOf('lasting')}, state = CASE
         WHEN source_files.state = 'over-share' AND excluded.posted > 0 THEN 'wanted' ELSE source_files.state END`,
    ref.uniqueId,
    ref.fileId,
    ref.size ?? null,
    posted,
    lasting ? 1 : 0,
  );
}

/** Deletes a queued file that nothing refers to and that is not stored. */
export function* deleteUnreferencedFile(uniqueId: string): Operation<void> {
  yield* execute(
    `DELETE FROM source_files WHERE unique_id = ? AND state <> 'kept'
         AND NOT EXISTS (SELECT 1 FROM file_refs r WHERE r.unique_id = source_files.unique_id)`,
    uniqueId,
  );
}

/**
 * Returns the queue date. Files of channels that readers added are fetched last and evicted first, whatever their date:
 * such channels cannot take the quota from the operators' channels.
 */
export function* readFilePriority(channel: string, date: number): Operation<number> {
  return (yield* queryFirst('SELECT 1 FROM channels WHERE id = ? AND elsewhere = 1', channel)) ? 0 : date;
}

/**
 * Stores the file references of a message of a bot or feed, of which `currentRefs` are stored. Of the received versions,
 * it uses those whose media were stored.
 */
export function* recordFileRefs(message: Message, stored: MessageVersion, currentRefs: readonly FileRefRow[]): Operation<void> {
  if (message.source === 'export') return;
  const { channelId, id } = message.post;
  const owners = new Set(stored.body.media.map(({ unique }) => unique));
  const isLatest =
    stored.rank === toMessageVersion(message).rank &&
    stored.modifiedAt === message.modifiedAt &&
    stored.sequence === (message.sequence ?? 0);
  for (const ref of message.files ?? []) {
    const owner = ownerOf(message.media[ref.index], ref);
    const previous = currentRefs.find((current) => current.owner === owner && current.part === ref.part);
    if (!owners.has(owner) || (previous && !isLatest)) continue;
    yield* queueFile(ref, yield* readFilePriority(channelId, stored.date), ref.part === 'poster');
    yield* execute(
      `INSERT INTO file_refs (channel, message, owner, part, unique_id) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (channel, message, owner, part) DO UPDATE SET unique_id = excluded.unique_id`,
      channelId,
      id,
      owner,
      ref.part,
      ref.uniqueId,
    );
    if (previous && previous.uniqueId !== ref.uniqueId) yield* deleteUnreferencedFile(previous.uniqueId);
  }
  for (const { owner, part, uniqueId } of currentRefs.filter((current) => !owners.has(current.owner))) {
    yield* execute(
      'DELETE FROM file_refs WHERE channel = ? AND message = ? AND owner = ? AND part = ?',
      channelId,
      id,
      owner,
      part,
    );
    yield* deleteUnreferencedFile(uniqueId);
  }
}
