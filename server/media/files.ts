/** Media files: paths of stored files and file type detection by content. */
import path from 'node:path';

/** Returns the path of a stored file in a data folder. */
export const mediaPath = (dataDir: string, key: string): string => path.join(dataDir, 'media', key.slice(0, 2), key);

/** Widths of the smaller sizes that are stored next to the original picture, in pixels, smallest first. */
export const THUMBNAIL_WIDTHS = [320, 640, 1280] as const;
export type ThumbnailWidth = (typeof THUMBNAIL_WIDTHS)[number];

/** Length of the SHA-256 of the content, in hex, with which a key begins. */
export const HASH_LENGTH = 64;

/** Returns the name of a picture's smaller size: the hash of the content, a width, and always WebP. */
export const thumbnailName = (key: string, width: ThumbnailWidth): string => `${key.slice(0, HASH_LENGTH)}.w${width}.webp`;

/** Parses the name of a smaller size; null for any other name. */
export const parseThumbnailName = (name: string): { readonly hash: string; readonly width: ThumbnailWidth } | null => {
  const [, hash = '', widthText] = /^([0-9a-f]{64})\.w(\d+)\.webp$/.exec(name) ?? [];
  const width = THUMBNAIL_WIDTHS.find((candidate) => String(candidate) === widthText);
  return width === undefined ? null : { hash, width };
};

/** Returns the names of all files that belong to a stored file: itself and its smaller sizes. */
export const fileNamesOf = (key: string): string[] => [key, ...THUMBNAIL_WIDTHS.map((width) => thumbnailName(key, width))];

/** File type that is detected from the first bytes. */
export interface FileType {
  readonly mime: string;
  readonly extension: string;
  readonly kind: 'image' | 'video' | 'audio' | 'document';
}

const UNKNOWN_TYPE: FileType = { mime: 'application/octet-stream', extension: 'bin', kind: 'document' };

/** Number of bytes that the detection needs. */
export const SNIFFED_BYTES = 64;

const latin1Text = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));

/** File signatures by the first bytes. Any other content, above all SVG and HTML, is a document of no specific type. */
const FILE_SIGNATURES: readonly [RegExp, FileType][] = [
  [/^\xff\xd8\xff/, { mime: 'image/jpeg', extension: 'jpg', kind: 'image' }],
  [/^\x89PNG\r\n\p{Cc}\n/u, { mime: 'image/png', extension: 'png', kind: 'image' }],
  [/^GIF8[79]a/, { mime: 'image/gif', extension: 'gif', kind: 'image' }],
  [/^RIFF[\s\S]{4}WEBP/, { mime: 'image/webp', extension: 'webp', kind: 'image' }],
  [/^[\s\S]{4}ftypavi[fs]/, { mime: 'image/avif', extension: 'avif', kind: 'image' }],
  [/^[\s\S]{4}ftypM4[AB] /, { mime: 'audio/mp4', extension: 'm4a', kind: 'audio' }],
  [/^[\s\S]{4}ftypqt {2}/, { mime: 'video/quicktime', extension: 'mov', kind: 'video' }],
  [/^[\s\S]{4}ftyp(iso|mp4|avc1|M4V|MSNV|dash|3gp)/, { mime: 'video/mp4', extension: 'mp4', kind: 'video' }],
  [/^\p{Cc}E\xdf\xa3[\s\S]{0,56}webm/u, { mime: 'video/webm', extension: 'webm', kind: 'video' }],
  [/^OggS/, { mime: 'audio/ogg', extension: 'ogg', kind: 'audio' }],
  [/^fLaC/, { mime: 'audio/flac', extension: 'flac', kind: 'audio' }],
  [/^RIFF[\s\S]{4}WAVE/, { mime: 'audio/wav', extension: 'wav', kind: 'audio' }],
  [/^ID3|^\xff[\xfb\xf3\xf2\xfa]/, { mime: 'audio/mpeg', extension: 'mp3', kind: 'audio' }],
  [/^\xff[\xf1\xf9]/, { mime: 'audio/aac', extension: 'aac', kind: 'audio' }],
  [/^%PDF-/, { mime: 'application/pdf', extension: 'pdf', kind: 'document' }],
  [/^PK\p{Cc}{2}/u, { mime: 'application/zip', extension: 'zip', kind: 'document' }],
];

/** Detects a file's type by its bytes, never by its name or by the sender's declaration. */
export const detectFileType = (bytes: Uint8Array): FileType => {
  const start = latin1Text(bytes, 0, SNIFFED_BYTES);
  return FILE_SIGNATURES.find(([pattern]) => pattern.test(start))?.[1] ?? UNKNOWN_TYPE;
};

/** Returns the MIME type of a stored file by the extension that was chosen for its type. */
export const mimeOfName = (name: string): string =>
  FILE_SIGNATURES.find(([, { extension }]) => name.endsWith(`.${extension}`))?.[1].mime ?? UNKNOWN_TYPE.mime;

/** Returns the type of a file that claims to be an image and cannot be decoded. */
export const unknownFileType = (): FileType => UNKNOWN_TYPE;

/**
 * Types that a browser may show inline. All others (SVG, HTML and PDF too) could run or frame something and are
 * downloaded.
 */
const INLINE_TYPES = new Set([
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
  'image/avif',
  'video/mp4',
  'video/webm',
  'video/quicktime',
  'audio/mpeg',
  'audio/mp4',
  'audio/aac',
  'audio/ogg',
  'audio/opus',
  'audio/webm',
  'audio/wav',
  'audio/x-wav',
  'audio/flac',
  'audio/x-flac',
]);

/** Returns whether a stored file of this type is served inline, under its own type. */
export const isShownInline = (mime: string): boolean => INLINE_TYPES.has(mime.toLowerCase());
