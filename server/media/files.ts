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
