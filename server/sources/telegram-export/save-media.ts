/** Media of exports: stores the files that an export names. */
import type { StoredPicture } from '../../../contract/channel.ts';
import type { Media } from '../../../contract/post.ts';
import { toPicture, withStoredFile } from '../../domain/media-state.ts';
import type { MediaStore } from '../../media/media-store.ts';
import { type SavedFile, saveMediaFile } from '../../media/save-file.ts';
import type { Store } from '../../storage/ports/store.ts';
import { findExportedFile } from './open-export.ts';
import { type FileDraft, missingReason } from './parse-media.ts';

/** Source and destination of media files. `report` reports a file that was not stored as it is. */
export interface SaveMediaDeps {
  readonly folder: string;
  readonly mediaStore: MediaStore;
  readonly store: Pick<Store, 'putMediaFile'>;
  readonly report: (file: string, reason: string) => void;
}

const saveExportedFile = async (exportPath: string, deps: SaveMediaDeps): Promise<SavedFile | NonNullable<Media['missing']>> => {
  const missing = missingReason(exportPath);
  if (missing) return missing;
  const located = await findExportedFile(deps.folder, exportPath);
  if ('rejected' in located) deps.report(exportPath, located.rejected);
  if ('missing' in located) deps.report(exportPath, 'the file does not exist');
  if (!('path' in located)) return 'lost';
  const saved = await saveMediaFile(located.path, deps);
  if (saved.reason !== undefined) deps.report(exportPath, saved.reason);
  return saved;
};

/** Stores an image that an export names. Returns null if it is not an image or is missing. */
export const saveExportedPicture = async (exportPath: string, deps: SaveMediaDeps): Promise<StoredPicture | null> => {
  const saved = await saveExportedFile(exportPath, deps);
  return typeof saved === 'string' ? null : toPicture(saved.file);
};

/**
 * Stores a message's file and thumbnail. Returns the media with its stored path, or with the reason why it is missing.
 */
export const saveExportedMedia = async ({ media, file, thumbnail }: FileDraft, deps: SaveMediaDeps): Promise<Media> => {
  const saved = await saveExportedFile(file, deps);
  const storedMedia = typeof saved === 'string' ? { ...media, missing: saved } : withStoredFile(media, saved.file);
  const poster = thumbnail === undefined || missingReason(thumbnail) ? null : await saveExportedPicture(thumbnail, deps);
  return poster ? { ...storedMedia, poster } : storedMedia;
};
