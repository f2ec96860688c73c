/** File parser: the files of a Bot API message, and which size of each to download. */
import type { Message } from '@grammyjs/types';
import type { Media } from '../../../../contract/post.ts';
import type { FileRef, KeptMedia } from '../../../domain/model.ts';
import { countField, defined, filledField, isRaw, numberField, type Raw } from '../../../lib/unknown-fields.ts';
import { cut, type Unread } from './entities.ts';

/** Maximum size of a file that Telegram's servers let a bot download, in bytes. */
export const TELEGRAM_MOST_BYTES = 20 * 1024 * 1024;

/** The files found in one message so far. */
export interface Finds {
  readonly messageId: number;
  readonly maxBytes: number;
  readonly media: KeptMedia[];
  readonly files: FileRef[];
  readonly unread: Unread;
}

/** Kinds of files in a message, by the names of the Bot API. */
export type FileKind = 'photo' | 'video' | 'animation' | 'audio' | 'voice' | 'video_note' | 'document' | 'sticker' | 'live_photo';

interface Found {
  readonly media: Pick<Media, 'type'> & Partial<KeptMedia>;
  readonly file: Raw | null;
  readonly poster?: Raw | null;
  readonly motion?: Raw | null;
  /** The same in other sizes, used if the file itself is too large. */
  readonly copies?: readonly Raw[];
}

const MAX_SIZES = 64;

const sizesIn = (value: unknown): Raw[] => (Array.isArray(value) ? value.slice(0, MAX_SIZES).filter(isRaw) : []);

const area = (raw: Raw): number => (countField(raw, 'width') ?? 0) * (countField(raw, 'height') ?? 0);

/** Returns the largest of a picture's sizes, which are separate files at Telegram. */
const largest = (sizes: unknown): Raw | null =>
  sizesIn(sizes).reduce<Raw | null>((best, size) => (best === null || area(size) > area(best) ? size : best), null);

const only = (raw: Raw, name: string): Raw | null => {
  const value = raw[name];
  return isRaw(value) ? value : null;
};

const words = (raw: Raw, name: string): string | undefined => {
  const text = filledField(raw, name);
  return text === undefined ? undefined : cut(text, 512);
};

const positive = (raw: Raw, name: string): number | undefined => {
  const value = countField(raw, name) || undefined;
  return value !== undefined && value < 2 ** 31 ? value : undefined;
};

const told = (raw: Raw): Partial<Media> => {
  const duration = numberField(raw, 'duration');
  return defined<Partial<Media>>({
    width: positive(raw, 'width'),
    height: positive(raw, 'height'),
    duration: duration !== undefined && duration >= 0 ? duration : undefined,
    name: words(raw, 'file_name'),
    mime: words(raw, 'mime_type'),
  });
};

const whole = (type: Media['type'], raw: Raw, more: Partial<Media> = {}): Found => ({
  media: { type, ...told(raw), ...more },
  file: raw,
  poster: largest(raw.cover) ?? only(raw, 'thumbnail'),
});

const sound = (raw: Raw): Partial<Media> =>
  defined<Partial<Media>>({ title: words(raw, 'title'), performer: words(raw, 'performer') });

/** Returns a sticker's MIME type, by its flags. The file's content identifies the type only if it is a picture. */
const stickerMime = (raw: Raw): string => {
  if (raw.is_animated === true) return 'application/x-tgsticker';
  return raw.is_video === true ? 'video/webm' : 'image/webp';
};

const readSticker = (raw: Raw): Found => {
  const emoji = words(raw, 'emoji');
  const { poster, ...sticker } = whole('sticker', raw, { mime: stickerMime(raw), ...(emoji === undefined ? {} : { emoji }) });
  const isStill = raw.is_animated !== true && raw.is_video !== true;
  return isStill || poster === undefined ? sticker : { ...sticker, poster };
};

const readPhoto = (sizes: unknown): Found | null => {
  const file = largest(sizes);
  return file && { media: { type: 'photo', ...told(file) }, file, copies: sizesIn(sizes) };
};

/**
 * Parses a video. Telegram stores smaller copies of long videos; those in AV1 and HEVC are skipped because not all browsers play
 * them.
 */
const readVideo = (raw: Raw): Found => ({
  ...whole('video', raw),
  copies: sizesIn(raw.qualities).filter(({ codec }) => codec === 'h264'),
});

const readLivePhoto = (raw: Raw): Found => {
  const still = largest(raw.photo);
  const media = { type: 'photo' as const, ...told(still ?? raw) };
  return still ? { media, file: still, motion: raw } : whole('video', raw);
};

const side = (raw: Raw) => {
  const length = positive(raw, 'length');
  return length === undefined ? {} : { width: length, height: length };
};

const ofRaw =
  (read: (raw: Raw) => Found) =>
  (value: unknown): Found | null =>
    isRaw(value) ? read(value) : null;

const KINDS: Readonly<Record<FileKind & keyof Message, (value: unknown) => Found | null>> = {
  photo: readPhoto,
  video: ofRaw(readVideo),
  animation: ofRaw((raw) => whole('animation', raw)),
  audio: ofRaw((raw) => whole('audio', raw, sound(raw))),
  voice: ofRaw((raw) => whole('voice', raw)),
  video_note: ofRaw((raw) => whole('video_note', raw, side(raw))),
  document: ofRaw((raw) => whole('document', raw)),
  sticker: ofRaw(readSticker),
  live_photo: ofRaw(readLivePhoto),
};

const MAX_ID_LENGTH = 1024;

/** Returns the permanent id of a file. Old Bot API servers have none; then the file id, which may change, is used. */
const uniqueOf = (raw: Raw): string | undefined => filledField(raw, 'file_unique_id') ?? filledField(raw, 'file_id');

const refOf = (raw: Raw, index: number, part: FileRef['part']): FileRef | null => {
  const fileId = filledField(raw, 'file_id');
  const uniqueId = uniqueOf(raw);
  if (uniqueId === undefined || fileId === undefined || fileId.length > MAX_ID_LENGTH || uniqueId.length > MAX_ID_LENGTH)
    return null;
  return defined<FileRef>({
    index,
    part,
    uniqueId,
    fileId,
    size: countField(raw, 'file_size'),
    mime: words(raw, 'mime_type'),
    width: positive(raw, 'width'),
    height: positive(raw, 'height'),
  });
};

const isTooLarge = (raw: Raw, maxBytes: number) => (countField(raw, 'file_size') ?? 0) > maxBytes;

/** Returns the file to download as the file itself, or the reason why there is none. */
const fileOf = ({ file, copies = [] }: Found, index: number, { maxBytes }: Finds): FileRef | 'too-large' | 'lost' => {
  if (file === null) return 'lost';
  const fits = (copy: Raw) => countField(copy, 'file_size') !== undefined && !isTooLarge(copy, maxBytes);
  const fetched = isTooLarge(file, maxBytes) ? largest(copies.filter(fits)) : file;
  if (fetched === null) return 'too-large';
  return refOf(fetched, index, 'file') ?? 'lost';
};

const mediaOf = ({ media, file: raw }: Found, file: FileRef | 'too-large' | 'lost', messageId: number): KeptMedia => {
  const told = raw ? countField(raw, 'file_size') : undefined;
  return {
    messageId,
    ...media,
    missing: typeof file === 'string' ? file : 'pending',
    ...defined<Partial<KeptMedia>>({
      size: typeof file === 'string' ? told : file.size,
      unique: raw ? uniqueOf(raw) : undefined,
    }),
  };
};

const partsOf = (found: Found, index: number, { maxBytes }: Finds): FileRef[] =>
  (['poster', 'motion'] as const).flatMap((part) => {
    const raw = found[part];
    return (raw && !isTooLarge(raw, maxBytes) && refOf(raw, index, part)) || [];
  });

/** Adds a file of a message to its finds. Returns its index among them, or null if nothing of it could be parsed. */
export const findFile = (finds: Finds, kind: FileKind, value: unknown, spoiler = false): number | null => {
  const found = KINDS[kind](value);
  const index = finds.media.length;
  const file = found ? fileOf(found, index, finds) : 'lost';
  if (file === 'lost') finds.unread.add(kind);
  if (found === null) return null;
  finds.media.push({ ...mediaOf(found, file, finds.messageId), ...(spoiler ? { spoiler } : {}) });
  if (typeof file !== 'string') finds.files.push(file);
  finds.files.push(...partsOf(found, index, finds));
  return index;
};
