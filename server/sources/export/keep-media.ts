import type { Picture } from '../../../contract/channel.ts';
import type { Media } from '../../../contract/post.ts';
import { type Kept, keepFile } from '../../media/keep.ts';
import type { Store } from '../../store/store.ts';
import { findInside } from './open-export.ts';
import { type FileDraft, missingReason } from './read-media.ts';

/** Where files come from and go to; `say` names one that was not taken as it is. */
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

/** Keeps an image that an export names; null for anything else. */
export const keepPicture = async (named: string, keeping: Keeping): Promise<Picture | null> => {
  const kept = await keep(named, keeping);
  if (typeof kept === 'string' || kept.kind !== 'image') return null;
  const { width, height, placeholder } = kept.file;
  if (width === undefined || height === undefined) return null;
  return { src: kept.src, width, height, ...(placeholder === undefined ? {} : { placeholder }) };
};

/** A file that is not what the message says is still there to download. */
const isAsTold = (type: Media['type'], kind: Kept['kind']): boolean => {
  if (type === 'photo') return kind === 'image';
  if (type === 'document' || type === 'sticker') return true;
  return kind !== 'document';
};

const withFile = (media: Media, { file, src, kind }: Kept): Media => {
  const { width, height, placeholder } = file;
  const told = kind === 'document' ? media.mime : file.mime;
  return {
    ...media,
    type: isAsTold(media.type, kind) ? media.type : 'document',
    src,
    size: file.size,
    ...(told === undefined ? { mime: file.mime } : { mime: told }),
    ...(width === undefined || height === undefined ? {} : { width, height }),
    ...(placeholder === undefined ? {} : { placeholder }),
  };
};

/** Keeps a message's file and thumbnail, and gives the media with where it is now, or why it is not. */
export const keepMedia = async ({ media, file, thumbnail }: FileDraft, keeping: Keeping): Promise<Media> => {
  const kept = await keep(file, keeping);
  const found = typeof kept === 'string' ? { ...media, missing: kept } : withFile(media, kept);
  const poster = thumbnail === undefined || missingReason(thumbnail) ? null : await keepPicture(thumbnail, keeping);
  return poster ? { ...found, poster } : found;
};
