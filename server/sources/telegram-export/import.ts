/** Telegram Desktop import: validates an export and imports its channels. */

import { stat } from 'node:fs/promises';
import type { Channel } from '../../../contract/channel.ts';
import { type DerivedChannelField, omitDerivedFields } from '../../domain/channel-details.ts';
import { FULL_ACCESS } from '../../domain/model.ts';
import type { MediaStore } from '../../media/media-store.ts';
import { deleteAbandonedFiles } from '../../media/save-file.ts';
import { createCommandAuditEntry } from '../../observability/audit-log.ts';
import type { Store } from '../../storage/ports/store.ts';
import { type CheckedExport, chatKey, checkExport, type ExportedChat } from './check-export.ts';
import { createChannelImporter } from './import-channel.ts';
import { ImportError, openExport, readExport } from './open-export.ts';
import { createImportCounts, formatCountsLine, MAX_LISTED_REMARKS, type TelegramImportResult } from './report.ts';
import { type SaveMediaDeps, saveExportedPicture } from './save-media.ts';

/** Progress of an import, in bytes of the file. The file is read twice: first to check it, then to write. */
export interface TelegramImportProgress {
  readonly stage: 'checking' | 'writing';
  readonly bytes: number;
  readonly total: number;
}

/**
 * Options of an import. `username`, `about` and `picture` are details of the channel that an export does not contain.
 */
export interface ImportOptions {
  readonly store: Store;
  readonly mediaStore: MediaStore;
  readonly demo?: boolean;
  readonly username?: string;
  readonly about?: string;
  /** A file in the export's folder. */
  readonly picture?: string;
  readonly onProgress?: (progress: TelegramImportProgress) => void;
}

/** A message or file that was skipped or changed, with the reason. */
type Remark = { channelId: string; subject: string; reason: string };

const createRemarkCollector = (list: Remark[], channelId: string) => (subject: string, reason: string) => {
  if (list.length < MAX_LISTED_REMARKS) list.push({ channelId, subject, reason });
};

/**
 * Merges the stored details of a channel with those of the export. Details from the bot take precedence, because they
 * are newer than any export. Otherwise the export's details take precedence.
 */
const mergeChannelDetails = (
  chat: ExportedChat,
  existing: Channel | null,
  options: ImportOptions,
): Omit<Channel, DerivedChannelField> => {
  const id = String(chat.id);
  const existingDetails = existing === null ? {} : omitDerivedFields(existing);
  const exportedDetails = {
    id,
    title: chat.name ?? `Channel ${id}`,
    source: 'export' as const,
    // An exported channel receives no updates until it is connected. A demo channel is shown as a live one.
    state: options.demo ? ('live' as const) : ('archived' as const),
    private: chat.type === 'private_channel',
    demo: options.demo ?? false,
  };
  const base =
    existing?.source === 'bot' ? { ...exportedDetails, ...existingDetails } : { ...existingDetails, ...exportedDetails };
  return {
    ...base,
    ...(options.username === undefined ? {} : { username: options.username.replace(/^@/, '') }),
    ...(options.about === undefined ? {} : { about: options.about }),
  };
};

const assertUnchanged = async ({ exportFile }: CheckedExport): Promise<void> => {
  const stats = await stat(exportFile.file).catch(() => null);
  if (stats?.size !== exportFile.size || stats.mtimeMs !== exportFile.modifiedAtMs)
    throw new ImportError(`${exportFile.file} was changed while it was being checked; import it again. Nothing was imported.`);
};

const startChannelImport = async (
  chat: ExportedChat,
  checked: CheckedExport,
  options: ImportOptions,
  remarks: { skipped: Remark[]; deviations: Remark[] },
) => {
  const { store, mediaStore } = options;
  const channel = mergeChannelDetails(chat, await store.channel(String(chat.id), FULL_ACCESS), options);
  const mediaDeps: SaveMediaDeps = {
    folder: checked.exportFile.folder,
    mediaStore,
    store,
    report: createRemarkCollector(remarks.deviations, channel.id),
  };
  await store.beginImport(channel);
  const counts = createImportCounts();
  const importer = createChannelImporter({
    channelId: channel.id,
    store,
    mediaDeps,
    counts,
    reportSkipped: createRemarkCollector(remarks.skipped, channel.id),
  });
  const finish = async () => {
    const newestPicture = await importer.end();
    const picture = options.picture === undefined ? newestPicture : await saveExportedPicture(options.picture, mediaDeps);
    if (picture) {
      // The bot may have updated the channel during the import. A new channel is still hidden, so it is not found.
      const current = await store.channel(channel.id, FULL_ACCESS);
      await store.putChannel({ ...(current === null ? channel : omitDerivedFields(current)), picture });
    }
    await store.withAuditEntries(channel.demo ? [] : [createCommandAuditEntry('import', channel)]).completeImport(channel.id);
    return { id: channel.id, title: channel.title, ...counts };
  };
  return { add: importer.add, end: finish };
};

const writeAll = async (checked: CheckedExport, options: ImportOptions): Promise<TelegramImportResult> => {
  const remarks = { skipped: [] as Remark[], deviations: [] as Remark[] };
  const importers = new Map<string, Awaited<ReturnType<typeof startChannelImport>>>();
  for (const [key, chat] of checked.channels) importers.set(key, await startChannelImport(chat, checked, options, remarks));
  for await (const { values, bytes } of readExport(checked.exportFile)) {
    for (const { path, value } of values) {
      const key = chatKey(path);
      if (path.at(-2) === 'messages' && key !== null) await importers.get(key)?.add(value);
    }
    options.onProgress?.({ stage: 'writing', bytes, total: checked.exportFile.size });
  }
  const channels = [];
  for (const importer of importers.values()) channels.push(await importer.end());
  const otherChats = checked.skippedChats.map(({ name, type, messages }) => ({ name, type, messages }));
  return { channels, otherChats, ...remarks, countsLine: formatCountsLine(channels) };
};

/**
 * Imports a Telegram Desktop export: a result.json, its folder, or a full export with many chats, of which only the
 * channels are imported. The file is first checked completely, then written in idempotent batches. An invalid message
 * is reported and skipped. Throws ImportError, without writing anything, if the file is truncated or is not an export.
 */
export const importExport = async (path: string, options: ImportOptions): Promise<TelegramImportResult> => {
  const exportFile = await openExport(path);
  const checked = await checkExport(exportFile, (bytes) =>
    options.onProgress?.({ stage: 'checking', bytes, total: exportFile.size }),
  );
  if (checked.channels.size > 1 && (options.username ?? options.about ?? options.picture) !== undefined)
    throw new ImportError(
      `${exportFile.file} contains ${checked.channels.size} channels, but a username, a description or a picture can belong to only one. Nothing was imported.`,
    );
  await assertUnchanged(checked);
  await deleteAbandonedFiles(options.mediaStore);
  return writeAll(checked, options);
};
