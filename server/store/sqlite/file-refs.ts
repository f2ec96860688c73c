import { type MessageBody, type Version, versionOf } from '../merge-message.ts';
import { type FileState, showFile } from '../show-file.ts';
import type { FileRef, KeptMedia, MediaFile, Message } from '../store.ts';
import { type Database, integer, present, type Row, text } from './database.ts';

// A message and the files that it wants come in either order. What is kept of a file is laid over the message before it is
// compared with what is held, and over what is held when the file comes.

const PARTS: readonly FileRef['part'][] = ['file', 'poster', 'motion'];

/** Reads a row of media_files. */
export const mediaFileOf = (row: Row): MediaFile => ({
  key: text(row, 'key'),
  mime: text(row, 'mime'),
  size: integer(row, 'size'),
  ...present('width', row.width === null ? null : integer(row, 'width')),
  ...present('height', row.height === null ? null : integer(row, 'height')),
  ...present('placeholder', row.placeholder === null ? null : text(row, 'placeholder')),
});

/** Reads what became of a file. */
export const fileState = (database: Database, uniqueId: string): FileState => {
  const row = database
    .sql('SELECT s.state, f.* FROM source_files s LEFT JOIN media_files f ON f.key = s.key WHERE s.unique_id = ?')
    .get(uniqueId);
  return row ? { state: text(row, 'state'), file: row.key === null ? null : mediaFileOf(row) } : { state: 'wanted', file: null };
};

const ownerOf = (media: KeptMedia | undefined, ref: FileRef): string => media?.unique ?? ref.uniqueId;

/** A message's media know their files by name, and show those that are kept already. */
export const withFiles = (database: Database, version: Version, files: readonly FileRef[]): Version => {
  if (files.length === 0) return version;
  const media = [...version.body.media];
  for (const ref of files) {
    const item = media[ref.index];
    if (item) media[ref.index] = showFile({ ...item, unique: ownerOf(item, ref) }, ref.part, fileState(database, ref.uniqueId));
  }
  return { ...version, body: { ...version.body, media } };
};

interface HeldRef {
  readonly owner: string;
  readonly part: string;
  readonly uniqueId: string;
}

const heldRefs = (database: Database, channel: string, message: number): HeldRef[] =>
  database
    .sql('SELECT owner, part, unique_id FROM file_refs WHERE channel = ? AND message = ?')
    .all(channel, message)
    .map((row) => ({ owner: text(row, 'owner'), part: text(row, 'part'), uniqueId: text(row, 'unique_id') }));

/** Shows anew, in what is kept of a message, every file that it wants. */
export const showAll = (database: Database, channel: string, message: number, body: MessageBody): MessageBody => {
  const refs = heldRefs(database, channel, message).map((ref) => ({ ...ref, ...fileState(database, ref.uniqueId) }));
  const shown = (item: KeptMedia) =>
    PARTS.reduce((media, part) => {
      const found = refs.find((ref) => ref.part === part && ref.owner === item.unique);
      return found ? showFile(media, part, found) : media;
    }, item);
  return { ...body, media: body.media.map(shown) };
};

/** Wants a file for a post of this date (unix seconds); the newest post says how soon, and the last file id is the one to ask for. */
export const wantFile = (
  database: Database,
  ref: Pick<FileRef, 'uniqueId' | 'fileId' | 'size'>,
  posted: number,
  lasting: boolean,
): void => {
  database
    .sql(
      `INSERT INTO source_files (unique_id, file_id, size, posted, lasting) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET file_id = excluded.file_id, size = coalesce(excluded.size, size),
         posted = max(posted, excluded.posted), lasting = max(lasting, excluded.lasting)`,
    )
    .run(ref.uniqueId, ref.fileId, ref.size ?? null, posted, lasting ? 1 : 0);
};

/** Forgets a file that nobody wants any more and that is not kept. */
export const dropUnwanted = (database: Database, uniqueId: string): void => {
  database
    .sql(
      `DELETE FROM source_files WHERE unique_id = ? AND state <> 'kept'
         AND NOT EXISTS (SELECT 1 FROM file_refs r WHERE r.unique_id = source_files.unique_id)`,
    )
    .run(uniqueId);
};

/** Files of channels from elsewhere come last and leave first, however new: nobody fills the quota with them for the operators' own. */
const postedOf = (database: Database, channel: string, date: number): number =>
  database.sql('SELECT 1 FROM channels WHERE id = ? AND elsewhere = 1').get(channel) ? 0 : date;

/** Notes the files that a bot's or a feed's message wants: of the versions of it that came, those whose media are in what is kept. */
export const noteFiles = (database: Database, message: Message, kept: Version): void => {
  if (message.source === 'export') return;
  const { channelId, id } = message.post;
  const owners = new Set(kept.body.media.map(({ unique }) => unique));
  const held = heldRefs(database, channelId, id);
  const isLatest = kept.rank === versionOf(message).rank && kept.seen === message.seen && kept.turn === (message.turn ?? 0);
  for (const ref of message.files ?? []) {
    const owner = ownerOf(message.media[ref.index], ref);
    const former = held.find((each) => each.owner === owner && each.part === ref.part);
    if (!owners.has(owner) || (former && !isLatest)) continue;
    wantFile(database, ref, postedOf(database, channelId, kept.date), ref.part === 'poster');
    database
      .sql('INSERT OR REPLACE INTO file_refs (channel, message, owner, part, unique_id) VALUES (?, ?, ?, ?, ?)')
      .run(channelId, id, owner, ref.part, ref.uniqueId);
    if (former && former.uniqueId !== ref.uniqueId) dropUnwanted(database, former.uniqueId);
  }
  for (const { owner, part, uniqueId } of held.filter((each) => !owners.has(each.owner))) {
    database
      .sql('DELETE FROM file_refs WHERE channel = ? AND message = ? AND owner = ? AND part = ?')
      .run(channelId, id, owner, part);
    dropUnwanted(database, uniqueId);
  }
};
