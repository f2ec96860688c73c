/** Media state: records in a message's media whether each file is stored, pending, too large or removed. */
import type { Media } from '../../contract/post.ts';
import type { FileRef, MediaFile, StoredMedia } from './model.ts';

/** State of a file that a message needs. `file` is the stored file; after `dropped` it is a smaller picture. */
export interface FileState {
  readonly state: string;
  readonly file: MediaFile | null;
}

const srcOf = (file: MediaFile): string => `/media/${file.key}`;

const mimeKindOf = (mime: string): string => /^(image|video|audio)\//.exec(mime)?.[1] ?? 'document';

/**
 * Returns whether the file's content matches the declared media type. A file that does not match can still be
 * downloaded.
 */
const matchesDeclaredType = (type: Media['type'], kind: string): boolean => {
  if (type === 'photo') return kind === 'image';
  return type === 'document' || type === 'sticker' || kind !== 'document';
};

const dimensionsOf = ({ width, height, placeholder }: MediaFile) => ({
  ...(width === undefined || height === undefined ? {} : { width, height }),
  ...(placeholder === undefined ? {} : { placeholder }),
});

/** Adds the stored file to the media. The type that its bytes show takes precedence over the declared type. */
export const withStoredFile = ({ missing: _missing, ...media }: StoredMedia, file: MediaFile): StoredMedia => {
  const kind = mimeKindOf(file.mime);
  const mime = (kind === 'document' ? media.mime : undefined) ?? file.mime;
  const type = matchesDeclaredType(media.type, kind) ? media.type : 'document';
  return { ...media, type, src: srcOf(file), size: file.size, mime, ...dimensionsOf(file) };
};

/** Returns a stored image as a picture; null for any other file. */
export const toPicture = (file: MediaFile) => {
  const { width, height, placeholder } = file;
  if (!file.mime.startsWith('image/') || width === undefined || height === undefined) return null;
  return { src: srcOf(file), width, height, ...(placeholder === undefined ? {} : { placeholder }) };
};

/** Replaces an evicted original with a smaller picture. The size and type of the original remain. */
const withSubstitutePicture = (media: StoredMedia, file: MediaFile | null): StoredMedia => {
  if (file === null) return media.src === undefined ? { ...media, missing: 'dropped' } : media;
  return { ...media, src: srcOf(file), missing: 'dropped', ...dimensionsOf(file) };
};

const MISSING_BY_STATE = { wanted: 'pending', failed: 'lost', 'too-large': 'too-large', 'over-share': 'dropped' } as const;

const withMissingReason = (media: StoredMedia, state: string): StoredMedia => {
  const missing = Object.entries(MISSING_BY_STATE).find(([name]) => name === state)?.[1];
  // Another source may have supplied the file.
  return missing === undefined || media.src !== undefined ? media : { ...media, missing };
};

/**
 * Applies the state of a file to the media of its message. Idempotent and independent of the state that was shown
 * before.
 */
export const applyFileState = (media: StoredMedia, part: FileRef['part'], { state, file }: FileState): StoredMedia => {
  if (part === 'poster') {
    const poster = file && toPicture(file);
    return poster ? { ...media, poster } : media;
  }
  if (part === 'motion') return file ? { ...media, motion: srcOf(file) } : media;
  if (state === 'dropped') return withSubstitutePicture(media, file);
  return file ? withStoredFile(media, file) : withMissingReason(media, state);
};

/** Removes a file from media, except where it serves as a poster. */
export const removeFile = ({ src, motion, ...media }: StoredMedia, key: string): StoredMedia => {
  const deletedSrc = `/media/${key}`;
  return {
    ...media,
    ...(src === undefined || src === deletedSrc ? {} : { src }),
    ...(motion === undefined || motion === deletedSrc ? {} : { motion }),
  };
};
