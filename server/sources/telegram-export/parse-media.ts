/** Media parser of exports: the file that an exported message names. */
import type { Media } from '../../../contract/post.ts';
import {
  countField,
  nonEmptyTextField,
  numberField,
  omitUndefined,
  type RawObject,
  textField,
} from '../../lib/unknown-fields.ts';

/** A file that a message names, before it is looked up on disk. */
export interface FileDraft {
  readonly media: Media;
  /** The path in the export, or the sentence in parentheses that replaces it. */
  readonly file: string;
  readonly thumbnail?: string;
}

const MEDIA_TYPES: ReadonlyMap<string, Media['type']> = new Map([
  ['sticker', 'sticker'],
  ['animation', 'animation'],
  ['video_file', 'video'],
  ['video_message', 'video_note'],
  ['voice_message', 'voice'],
  ['audio_file', 'audio'],
]);

const positiveField = (raw: RawObject, name: string) => countField(raw, name) || undefined;

const parsePhoto = (raw: RawObject, messageId: number, file: string): FileDraft => ({
  file,
  media: omitUndefined<Media>({
    type: 'photo',
    messageId,
    width: positiveField(raw, 'width'),
    height: positiveField(raw, 'height'),
    size: countField(raw, 'photo_file_size'),
    spoiler: raw.media_spoiler === true || undefined,
  }),
});

const durationOf = (raw: RawObject) => {
  const duration = numberField(raw, 'duration_seconds');
  return duration !== undefined && duration >= 0 ? duration : undefined;
};

const parseDocument = (raw: RawObject, messageId: number, file: string): FileDraft => ({
  file,
  ...omitUndefined<{ thumbnail?: string }>({ thumbnail: nonEmptyTextField(raw, 'thumbnail') }),
  media: omitUndefined<Media>({
    type: MEDIA_TYPES.get(textField(raw, 'media_type') ?? '') ?? 'document',
    messageId,
    width: positiveField(raw, 'width'),
    height: positiveField(raw, 'height'),
    size: countField(raw, 'file_size'),
    duration: durationOf(raw),
    name: nonEmptyTextField(raw, 'file_name'),
    mime: nonEmptyTextField(raw, 'mime_type'),
    title: nonEmptyTextField(raw, 'title'),
    performer: nonEmptyTextField(raw, 'performer'),
    emoji: nonEmptyTextField(raw, 'sticker_emoji'),
    spoiler: raw.media_spoiler === true || undefined,
  }),
});

/** Parses the file of a message; null if it has none. */
export const parseExportedFile = (raw: RawObject, messageId: number): FileDraft | null => {
  const [picture, file] = [nonEmptyTextField(raw, 'photo'), nonEmptyTextField(raw, 'file')];
  if (picture !== undefined) return parsePhoto(raw, messageId, picture);
  return file === undefined ? null : parseDocument(raw, messageId, file);
};

/**
 * Returns the reason why a path is missing, or null for a real path. Exports write a sentence in parentheses in place
 * of a file that they left out.
 */
export const missingReason = (file: string): Media['missing'] | null => {
  if (!/^\(.*\)$/s.test(file)) return null;
  if (/exceeds|maximum size/i.test(file)) return 'too-large';
  return /unavailable/i.test(file) ? 'lost' : 'not-included';
};
