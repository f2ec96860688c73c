/** File parser: the files of a Bot API message, and which size of each to download. */
import type { Message } from '@grammyjs/types';
import type { Media } from '../../../../contract/post.ts';
import type { FileRef, StoredMedia } from '../../../domain/model.ts';
import {
  countField,
  isRawObject,
  nonEmptyTextField,
  numberField,
  omitUndefined,
  type RawObject,
} from '../../../lib/unknown-fields.ts';
import { truncateText, type UnparsedFields } from './entities.ts';

/** Maximum size of a file that Telegram's servers let a bot download, in bytes. */
export const MAX_TELEGRAM_FILE_BYTES = 20 * 1024 * 1024;

/** The files found in one message so far. */
export interface FoundFiles {
  readonly messageId: number;
  readonly maxBytes: number;
  readonly media: StoredMedia[];
  readonly files: FileRef[];
  readonly unparsedFields: UnparsedFields;
}

/** Kinds of files in a message, by the names of the Bot API. */
export type FileKind = 'photo' | 'video' | 'animation' | 'audio' | 'voice' | 'video_note' | 'document' | 'sticker' | 'live_photo';

interface FoundFile {
  readonly media: Pick<Media, 'type'> & Partial<StoredMedia>;
  readonly file: RawObject | null;
  readonly poster?: RawObject | null;
  readonly motion?: RawObject | null;
  /** The same content in other sizes, used if the file itself is too large. */
  readonly copies?: readonly RawObject[];
}

const MAX_SIZES = 64;
const MAX_SHORT_TEXT_LENGTH = 512;
/** Dimensions in pixels must be below this. Larger values are ignored. */
const DIMENSION_LIMIT = 2 ** 31;

const sizesIn = (value: unknown): RawObject[] => (Array.isArray(value) ? value.slice(0, MAX_SIZES).filter(isRawObject) : []);

const pixelCount = (raw: RawObject): number => (countField(raw, 'width') ?? 0) * (countField(raw, 'height') ?? 0);

/** Returns the largest of a picture's sizes, which are separate files at Telegram. */
const largestSize = (sizes: unknown): RawObject | null =>
  sizesIn(sizes).reduce<RawObject | null>(
    (best, size) => (best === null || pixelCount(size) > pixelCount(best) ? size : best),
    null,
  );

const rawFieldOf = (raw: RawObject, name: string): RawObject | null => {
  const value = raw[name];
  return isRawObject(value) ? value : null;
};

const shortTextOf = (raw: RawObject, name: string): string | undefined => {
  const text = nonEmptyTextField(raw, name);
  return text === undefined ? undefined : truncateText(text, MAX_SHORT_TEXT_LENGTH);
};

/** Returns a positive number below the limit; undefined for any other value. */
const positiveField = (raw: RawObject, name: string): number | undefined => {
  const value = countField(raw, name) || undefined;
  return value !== undefined && value < DIMENSION_LIMIT ? value : undefined;
};

const mediaFieldsOf = (raw: RawObject): Partial<Media> => {
  const duration = numberField(raw, 'duration');
  return omitUndefined<Partial<Media>>({
    width: positiveField(raw, 'width'),
    height: positiveField(raw, 'height'),
    duration: duration !== undefined && duration >= 0 ? duration : undefined,
    name: shortTextOf(raw, 'file_name'),
    mime: shortTextOf(raw, 'mime_type'),
  });
};

const withPoster = (type: Media['type'], raw: RawObject, otherFields: Partial<Media> = {}): FoundFile => ({
  media: { type, ...mediaFieldsOf(raw), ...otherFields },
  file: raw,
  poster: largestSize(raw.cover) ?? rawFieldOf(raw, 'thumbnail'),
});

const audioFieldsOf = (raw: RawObject): Partial<Media> =>
  omitUndefined<Partial<Media>>({ title: shortTextOf(raw, 'title'), performer: shortTextOf(raw, 'performer') });

/** Returns a sticker's MIME type, by its flags. The file's content identifies the type only if it is a picture. */
const stickerMime = (raw: RawObject): string => {
  if (raw.is_animated === true) return 'application/x-tgsticker';
  return raw.is_video === true ? 'video/webm' : 'image/webp';
};

const parseSticker = (raw: RawObject): FoundFile => {
  const emoji = shortTextOf(raw, 'emoji');
  const { poster, ...sticker } = withPoster('sticker', raw, {
    mime: stickerMime(raw),
    ...(emoji === undefined ? {} : { emoji }),
  });
  const isStill = raw.is_animated !== true && raw.is_video !== true;
  return isStill || poster === undefined ? sticker : { ...sticker, poster };
};

const parsePhoto = (sizes: unknown): FoundFile | null => {
  const file = largestSize(sizes);
  return file && { media: { type: 'photo', ...mediaFieldsOf(file) }, file, copies: sizesIn(sizes) };
};

/**
 * Parses a video. Telegram stores smaller copies of long videos; those in AV1 and HEVC are skipped because not all
 * browsers play them.
 */
const parseVideo = (raw: RawObject): FoundFile => ({
  ...withPoster('video', raw),
  copies: sizesIn(raw.qualities).filter(({ codec }) => codec === 'h264'),
});

const parseLivePhoto = (raw: RawObject): FoundFile => {
  const still = largestSize(raw.photo);
  const media = { type: 'photo' as const, ...mediaFieldsOf(still ?? raw) };
  return still ? { media, file: still, motion: raw } : withPoster('video', raw);
};

const squareDimensions = (raw: RawObject) => {
  const length = positiveField(raw, 'length');
  return length === undefined ? {} : { width: length, height: length };
};

const ifRaw =
  (parse: (raw: RawObject) => FoundFile) =>
  (value: unknown): FoundFile | null =>
    isRawObject(value) ? parse(value) : null;

const FILE_PARSERS: Readonly<Record<FileKind & keyof Message, (value: unknown) => FoundFile | null>> = {
  photo: parsePhoto,
  video: ifRaw(parseVideo),
  animation: ifRaw((raw) => withPoster('animation', raw)),
  audio: ifRaw((raw) => withPoster('audio', raw, audioFieldsOf(raw))),
  voice: ifRaw((raw) => withPoster('voice', raw)),
  video_note: ifRaw((raw) => withPoster('video_note', raw, squareDimensions(raw))),
  document: ifRaw((raw) => withPoster('document', raw)),
  sticker: ifRaw(parseSticker),
  live_photo: ifRaw(parseLivePhoto),
};

const MAX_ID_LENGTH = 1024;

/** Returns the permanent id of a file. Old Bot API servers have none; then the file id, which may change, is used. */
const uniqueIdOf = (raw: RawObject): string | undefined =>
  nonEmptyTextField(raw, 'file_unique_id') ?? nonEmptyTextField(raw, 'file_id');

const fileRefOf = (raw: RawObject, index: number, part: FileRef['part']): FileRef | null => {
  const fileId = nonEmptyTextField(raw, 'file_id');
  const uniqueId = uniqueIdOf(raw);
  if (uniqueId === undefined || fileId === undefined || fileId.length > MAX_ID_LENGTH || uniqueId.length > MAX_ID_LENGTH)
    return null;
  return omitUndefined<FileRef>({
    index,
    part,
    uniqueId,
    fileId,
    size: countField(raw, 'file_size'),
    mime: shortTextOf(raw, 'mime_type'),
    width: positiveField(raw, 'width'),
    height: positiveField(raw, 'height'),
  });
};

const isTooLarge = (raw: RawObject, maxBytes: number) => (countField(raw, 'file_size') ?? 0) > maxBytes;

/** Returns the file to download, or the reason why there is none. */
const chooseFile = (
  { file, copies = [] }: FoundFile,
  index: number,
  { maxBytes }: FoundFiles,
): FileRef | 'too-large' | 'lost' => {
  if (file === null) return 'lost';
  const isSmallEnough = (copy: RawObject) => countField(copy, 'file_size') !== undefined && !isTooLarge(copy, maxBytes);
  const chosen = isTooLarge(file, maxBytes) ? largestSize(copies.filter(isSmallEnough)) : file;
  if (chosen === null) return 'too-large';
  return fileRefOf(chosen, index, 'file') ?? 'lost';
};

const mediaOf = ({ media, file: raw }: FoundFile, file: FileRef | 'too-large' | 'lost', messageId: number): StoredMedia => {
  const declaredSize = raw ? countField(raw, 'file_size') : undefined;
  return {
    messageId,
    ...media,
    missing: typeof file === 'string' ? file : 'pending',
    ...omitUndefined<Partial<StoredMedia>>({
      size: typeof file === 'string' ? declaredSize : file.size,
      unique: raw ? uniqueIdOf(raw) : undefined,
    }),
  };
};

/** Returns the references to the poster and to the video of a live photo, if they are not too large. */
const partRefsOf = (found: FoundFile, index: number, { maxBytes }: FoundFiles): FileRef[] =>
  (['poster', 'motion'] as const).flatMap((part) => {
    const raw = found[part];
    return (raw && !isTooLarge(raw, maxBytes) && fileRefOf(raw, index, part)) || [];
  });

/**
 * Adds a file to the found files of its message. Returns its index among them, or null if nothing of it could be
 * parsed.
 */
export const addFile = (foundFiles: FoundFiles, kind: FileKind, value: unknown, spoiler = false): number | null => {
  const found = FILE_PARSERS[kind](value);
  const index = foundFiles.media.length;
  const file = found ? chooseFile(found, index, foundFiles) : 'lost';
  if (file === 'lost') foundFiles.unparsedFields.add(kind);
  if (found === null) return null;
  foundFiles.media.push({ ...mediaOf(found, file, foundFiles.messageId), ...(spoiler ? { spoiler } : {}) });
  if (typeof file !== 'string') foundFiles.files.push(file);
  foundFiles.files.push(...partRefsOf(found, index, foundFiles));
  return index;
};
