import path from 'node:path';

/** Where a kept file lies. */
export const mediaPath = (dataDir: string, key: string): string => path.join(dataDir, 'media', key.slice(0, 2), key);

/** The widths in which a picture is kept beside its original, in pixels, smallest first. */
export const WIDTHS = [320, 640, 1280] as const;
export type Width = (typeof WIDTHS)[number];

const HASH_LENGTH = 64;

/** What a picture's smaller size is called: a content's hash, a width, and always WebP. */
export const sizeName = (key: string, width: Width): string => `${key.slice(0, HASH_LENGTH)}.w${width}.webp`;

/** Reads the name of a smaller size; null for any other. */
export const readSizeName = (name: string): { readonly hash: string; readonly width: Width } | null => {
  const [, hash = '', told] = /^([0-9a-f]{64})\.w(\d+)\.webp$/.exec(name) ?? [];
  const width = WIDTHS.find((each) => String(each) === told);
  return width === undefined ? null : { hash, width };
};

/** Everything on the disk that belongs to a kept file. */
export const placesOf = (dataDir: string, key: string): string[] =>
  [key, ...WIDTHS.map((width) => sizeName(key, width))].map((name) => mediaPath(dataDir, name));

/** What a file's first bytes say it is. */
export interface Sniffed {
  readonly mime: string;
  readonly extension: string;
  readonly kind: 'image' | 'video' | 'audio' | 'document';
}

const UNKNOWN: Sniffed = { mime: 'application/octet-stream', extension: 'bin', kind: 'document' };

/** How many bytes a look needs. */
export const SNIFFED_BYTES = 64;

const latin = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));

/** Types told by bytes at the start; what is not here, SVG and HTML above all, is a document of no type of its own. */
const STARTS: readonly [RegExp, Sniffed][] = [
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

/** Tells a file's type by its bytes and never by its name or by what the sender called it. */
export const sniff = (bytes: Uint8Array): Sniffed => {
  const start = latin(bytes, 0, SNIFFED_BYTES);
  return STARTS.find(([pattern]) => pattern.test(start))?.[1] ?? UNKNOWN;
};

/** What a file is called that claims to be an image and cannot be read as one. */
export const asDocument = (): Sniffed => UNKNOWN;

/** What a browser may show in place; everything else (SVG, HTML and PDF too) could run or frame something and is downloaded. */
const INLINE = new Set([
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

/** Whether a kept file of this type is served to be shown, under its own type. */
export const isShownInline = (mime: string): boolean => INLINE.has(mime.toLowerCase());
