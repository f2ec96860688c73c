import type { StoredPicture } from '../../../contract/channel.ts';
import type { Media } from '../../../contract/post.ts';
import { toPicture, withStoredFile } from '../../domain/media-state.ts';
import { type SavedFile, saveMediaFile } from '../../media/save-file.ts';
import type { Store } from '../../storage/ports/store.ts';
import { findExportedFile } from './open-export.ts';
import { type FileDraft, missingReason } from './parse-media.ts';

/** Source and destination of media files. `say` reports a file that was not stored as it is. */
export interface SaveMediaDeps {
  readonly folder: string;
  readonly dataDir: string;
  readonly store: Pick<Store, 'putMediaFile'>;
  readonly report: (file: string, reason: string) => void;
}

const saveExportedFile = async (named: string, keeping: SaveMediaDeps): Promise<SavedFile | NonNullable<Media['missing']>> => {
  const missing = missingReason(named);
  if (missing) return missing;
  const found = await findExportedFile(keeping.folder, named);
  if ('refused' in found) keeping.report(named, found.refused);
  if ('lost' in found) keeping.report(named, 'it is not there');
  if (!('path' in found)) return 'lost';
  const kept = await saveMediaFile(found.path, keeping);
  if (kept.reason !== undefined) keeping.report(named, kept.reason);
  return kept;
};

/** Stores an image that an export names. Returns null if it is not an image or is missing. */
export const saveExportedPicture = async (named: string, keeping: SaveMediaDeps): Promise<StoredPicture | null> => {
  const kept = await saveExportedFile(named, keeping);
  return typeof kept === 'string' ? null : toPicture(kept.file);
};

/** Stores a message's file and thumbnail. Returns the media with its stored path, or with the reason why it is missing. */
export const saveExportedMedia = async ({ media, file, thumbnail }: FileDraft, keeping: SaveMediaDeps): Promise<Media> => {
  const kept = await saveExportedFile(file, keeping);
  const found = typeof kept === 'string' ? { ...media, missing: kept } : withStoredFile(media, kept.file);
  const poster = thumbnail === undefined || missingReason(thumbnail) ? null : await saveExportedPicture(thumbnail, keeping);
  return poster ? { ...found, poster } : found;
};
