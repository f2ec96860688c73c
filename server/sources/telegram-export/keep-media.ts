import type { Picture } from '../../../contract/channel.ts';
import type { Media } from '../../../contract/post.ts';
import { pictureOf, withFile } from '../../domain/media-state.ts';
import { type Kept, keepFile } from '../../media/save-file.ts';
import type { Store } from '../../storage/ports/store.ts';
import { findInside } from './open-export.ts';
import { type FileDraft, missingReason } from './parse-media.ts';

/** Source and destination of media files. `say` reports a file that was not stored as it is. */
export interface Keeping {
  readonly folder: string;
  readonly dataDir: string;
  readonly store: Pick<Store, 'putMediaFile'>;
  readonly say: (file: string, reason: string) => void;
}

const keep = async (named: string, keeping: Keeping): Promise<Kept | NonNullable<Media['missing']>> => {
  const missing = missingReason(named);
  if (missing) return missing;
  const found = await findInside(keeping.folder, named);
  if ('refused' in found) keeping.say(named, found.refused);
  if ('lost' in found) keeping.say(named, 'it is not there');
  if (!('path' in found)) return 'lost';
  const kept = await keepFile(found.path, keeping);
  if (kept.reason !== undefined) keeping.say(named, kept.reason);
  return kept;
};

/** Stores an image that an export names. Returns null if it is not an image or is missing. */
export const keepPicture = async (named: string, keeping: Keeping): Promise<Picture | null> => {
  const kept = await keep(named, keeping);
  return typeof kept === 'string' ? null : pictureOf(kept.file);
};

/** Stores a message's file and thumbnail. Returns the media with its stored path, or with the reason why it is missing. */
export const keepMedia = async ({ media, file, thumbnail }: FileDraft, keeping: Keeping): Promise<Media> => {
  const kept = await keep(file, keeping);
  const found = typeof kept === 'string' ? { ...media, missing: kept } : withFile(media, kept.file);
  const poster = thumbnail === undefined || missingReason(thumbnail) ? null : await keepPicture(thumbnail, keeping);
  return poster ? { ...found, poster } : found;
};
