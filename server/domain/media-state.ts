import type { Media } from '../../contract/post.ts';
import type { FileRef, KeptMedia, MediaFile } from './model.ts';

/** Where a wanted file stands; `file` is what is kept of it, after `dropped` a smaller picture in its place. */
export interface FileState {
  readonly state: string;
  readonly file: MediaFile | null;
}

const srcOf = (file: MediaFile): string => `/media/${file.key}`;

const kindOf = (mime: string): string => /^(image|video|audio)\//.exec(mime)?.[1] ?? 'document';

/** A file that is not what the message says is still there to download. */
const isAsTold = (type: Media['type'], kind: string): boolean => {
  if (type === 'photo') return kind === 'image';
  return type === 'document' || type === 'sticker' || kind !== 'document';
};

const sizesOf = ({ width, height, placeholder }: MediaFile) => ({
  ...(width === undefined || height === undefined ? {} : { width, height }),
  ...(placeholder === undefined ? {} : { placeholder }),
});

/** Gives media with the file that is kept of it; what the bytes say counts more than what was told. */
export const withFile = ({ missing: _missing, ...media }: KeptMedia, file: MediaFile): KeptMedia => {
  const kind = kindOf(file.mime);
  const mime = (kind === 'document' ? media.mime : undefined) ?? file.mime;
  const type = isAsTold(media.type, kind) ? media.type : 'document';
  return { ...media, type, src: srcOf(file), size: file.size, mime, ...sizesOf(file) };
};

/** Gives a kept image as a picture; null for anything else. */
export const pictureOf = (file: MediaFile) => {
  const { width, height, placeholder } = file;
  if (!file.mime.startsWith('image/') || width === undefined || height === undefined) return null;
  return { src: srcOf(file), width, height, ...(placeholder === undefined ? {} : { placeholder }) };
};

/** The original's size and type stay told where a smaller picture came in its place. */
const withStandIn = (media: KeptMedia, file: MediaFile | null): KeptMedia => {
  if (file === null) return media.src === undefined ? { ...media, missing: 'dropped' } : media;
  return { ...media, src: srcOf(file), missing: 'dropped', ...sizesOf(file) };
};

const MISSING = { wanted: 'pending', failed: 'lost', 'too-large': 'too-large', 'over-share': 'dropped' } as const;

const withoutFile = (media: KeptMedia, state: string): KeptMedia => {
  const missing = Object.entries(MISSING).find(([name]) => name === state)?.[1];
  // Another source may have given the file.
  return missing === undefined || media.src !== undefined ? media : { ...media, missing };
};

/** Shows in media what became of a file that its message wants; the same however often, and whatever was shown before. */
export const showFile = (media: KeptMedia, part: FileRef['part'], { state, file }: FileState): KeptMedia => {
  if (part === 'poster') {
    const poster = file && pictureOf(file);
    return poster ? { ...media, poster } : media;
  }
  if (part === 'motion') return file ? { ...media, motion: srcOf(file) } : media;
  if (state === 'dropped') return withStandIn(media, file);
  return file ? withFile(media, file) : withoutFile(media, state);
};

/** Takes a file out of media, wherever it is shown as more than a picture of itself. */
export const hideFile = ({ src, motion, ...media }: KeptMedia, key: string): KeptMedia => {
  const gone = `/media/${key}`;
  return {
    ...media,
    ...(src === undefined || src === gone ? {} : { src }),
    ...(motion === undefined || motion === gone ? {} : { motion }),
  };
};
