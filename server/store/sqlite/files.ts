import type { FileCounts } from '../../../contract/operator.ts';
import type { FileStore, WantedFile } from '../files.ts';
import { pictureOf } from '../show-file.ts';
import type { FileRef, MediaFile } from '../store.ts';
import { notePicture } from './channels.ts';
import { type Database, integer, type Row, text } from './database.ts';
import { noteEvent } from './events.ts';
import { dropUnwanted, fileState, showAll, wantFile } from './file-refs.ts';
import { rewrite } from './told.ts';

const PICTURE = 'picture';
/** A channel's picture comes before any post's files. */
const FIRST = Number.MAX_SAFE_INTEGER;

const putPicture = (database: Database, channel: string, file: MediaFile | null): void => {
  const picture = file && pictureOf(file);
  const next = picture && JSON.stringify(picture);
  const held = database.sql('SELECT picture FROM channels WHERE id = ?').get(channel);
  if (!held || held.picture === next) return;
  database.sql('UPDATE channels SET picture = ? WHERE id = ?').run(next, channel);
  notePicture(database, channel, picture?.src);
  noteEvent(database, 'channel', channel, null);
};

/** Wants a channel's picture in place of the one wanted before; with null the channel has none. */
export const writeWantedPicture = (
  database: Database,
  channel: string,
  ref: Pick<FileRef, 'uniqueId' | 'fileId' | 'size'> | null,
): void => {
  const former = database
    .sql('DELETE FROM file_refs WHERE channel = ? AND message = 0 AND part = ? RETURNING unique_id')
    .get(channel, PICTURE);
  if (ref) {
    wantFile(database, ref, FIRST, true);
    database
      .sql("INSERT INTO file_refs (channel, message, owner, part, unique_id) VALUES (?, 0, '', ?, ?)")
      .run(channel, PICTURE, ref.uniqueId);
  }
  if (former) dropUnwanted(database, text(former, 'unique_id'));
  const file = ref && fileState(database, ref.uniqueId).file;
  if (file || !ref) putPicture(database, channel, file);
};

/** Shows what became of a file wherever it is wanted. */
export const showEverywhere = (database: Database, uniqueId: string): void => {
  const refs = database.sql('SELECT DISTINCT channel, message FROM file_refs WHERE unique_id = ?').all(uniqueId);
  const { file } = fileState(database, uniqueId);
  for (const ref of refs) {
    const [channel, message] = [text(ref, 'channel'), integer(ref, 'message')];
    if (message === 0 && file) putPicture(database, channel, file);
    const row = database.sql('SELECT * FROM messages WHERE channel = ? AND message = ?').get(channel, message);
    if (row) rewrite(database, row, (body) => showAll(database, channel, message, body));
  }
};

/** Keeps what is known of a kept file. */
export const writeMediaFile = (database: Database, { key, mime, size, width, height, placeholder }: MediaFile): void => {
  database
    .sql(
      `INSERT INTO media_files (key, mime, size, width, height, placeholder) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET mime = excluded.mime, size = excluded.size, width = excluded.width, height = excluded.height,
         placeholder = excluded.placeholder`,
    )
    .run(key, mime, size, width ?? null, height ?? null, placeholder ?? null);
};

// The planner would rather sort everything that is due than walk the posts from the newest (with 20,000 files 18 ms against 0.7).
const NEWEST = `
  SELECT * FROM source_files INDEXED BY source_files_wanted WHERE state = 'wanted' AND +due <= ?
  ORDER BY posted DESC, lasting DESC LIMIT ?`;
const ANY = "SELECT 1 FROM source_files WHERE state = 'wanted' AND due <= ? LIMIT 1";

const wantedFile = (row: Row): WantedFile => ({
  uniqueId: text(row, 'unique_id'),
  fileId: text(row, 'file_id'),
  size: row.size === null ? null : integer(row, 'size'),
  tries: integer(row, 'tries'),
});

/** Takes files that are due; what belonged to channels that were removed is forgotten on the way. */
const takeFiles = (database: Database, limit: number, now: number, until: number): WantedFile[] => {
  const rows = database.sql(NEWEST).all(now, limit);
  return rows.map(wantedFile).filter(({ uniqueId }) => {
    dropUnwanted(database, uniqueId);
    return database.sql('UPDATE source_files SET due = ? WHERE unique_id = ?').run(until, uniqueId).changes === 1;
  });
};

const countFiles = (database: Database, channel: string | null): FileCounts => {
  const only = channel === null ? '' : 'AND unique_id IN (SELECT unique_id FROM file_refs WHERE channel = ?)';
  const of = channel === null ? [] : [channel];
  const count = (state: string) => `SELECT reason, count(*) AS n FROM source_files WHERE state = '${state}' ${only}`;
  const failures = database
    .sql(`${count('failed')} GROUP BY reason`)
    .all(...of)
    .map((row) => [text(row, 'reason'), integer(row, 'n')] as const);
  return {
    waiting: integer(database.sql(count('wanted')).get(...of) ?? {}, 'n'),
    failed: failures.reduce((sum, [, n]) => sum + n, 0),
    ...(failures.length > 0 ? { reasons: Object.fromEntries(failures) } : {}),
  };
};

/** The queue of files to fetch. */
export const fileQueue = (
  database: Database,
  write: <T>(work: () => T) => Promise<T>,
): Pick<
  FileStore,
  'wantChannelPicture' | 'takeFiles' | 'holdFile' | 'nextFileDue' | 'fileKept' | 'fileRefused' | 'fileLater' | 'fileCounts'
> => ({
  wantChannelPicture: (channelId, ref) => write(() => writeWantedPicture(database, channelId, ref)),
  // Most looks find nothing, and only a find is worth the lock.
  takeFiles: async (limit, now, until) =>
    database.sql(ANY).get(now) ? database.transaction(() => takeFiles(database, limit, now, until)) : [],
  holdFile: async (uniqueId, until) =>
    void database.sql("UPDATE source_files SET due = ? WHERE unique_id = ? AND state = 'wanted'").run(until, uniqueId),
  nextFileDue: async () => {
    const due = database.sql("SELECT min(due) AS due FROM source_files WHERE state = 'wanted'").get()?.due;
    return typeof due === 'number' ? due : null;
  },
  fileKept: (uniqueId, file) =>
    write(() => {
      writeMediaFile(database, file);
      database.sql("UPDATE source_files SET state = 'kept', key = ?, reason = NULL WHERE unique_id = ?").run(file.key, uniqueId);
      showEverywhere(database, uniqueId);
    }),
  fileRefused: (uniqueId, state, reason) =>
    write(() => {
      database
        .sql("UPDATE source_files SET state = ?, reason = ? WHERE unique_id = ? AND state = 'wanted'")
        .run(state, reason, uniqueId);
      showEverywhere(database, uniqueId);
    }),
  fileLater: async (uniqueId, due, failed, reason) =>
    void database
      .sql("UPDATE source_files SET due = ?, tries = tries + ?, reason = ? WHERE unique_id = ? AND state = 'wanted'")
      .run(due, failed ? 1 : 0, reason, uniqueId),
  fileCounts: async (channelId) => countFiles(database, channelId),
});
