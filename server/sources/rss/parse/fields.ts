/** Feed fields: parsers of files and dates that all feed formats share. */
import type { MediaNs } from 'feedsmith';
import type { Media } from '../../../../contract/post.ts';
import { resolveWebLink } from '../../../lib/safe-url.ts';
import type { FeedFile } from '../types.ts';

const TYPE_BY_EXTENSION: Readonly<Record<string, Media['type']>> = {
  ...Object.fromEntries(['jpg', 'jpeg', 'png', 'gif', 'webp', 'avif'].map((extension) => [extension, 'photo' as const])),
  ...Object.fromEntries(
    ['mp3', 'm4a', 'ogg', 'oga', 'opus', 'flac', 'wav', 'aac'].map((extension) => [extension, 'audio' as const]),
  ),
  ...Object.fromEntries(['mp4', 'm4v', 'webm', 'mov'].map((extension) => [extension, 'video' as const])),
};

const mediaTypeOfMime = (mime: string): Media['type'] | null => {
  const [kind] = mime.split('/');
  if (kind === 'image') return mime.startsWith('image/svg') ? 'document' : 'photo';
  return kind === 'audio' || kind === 'video' ? kind : null;
};

const mediaTypeOf = (url: string, mime: string, medium: string): Media['type'] => {
  const extension = /\.(\w+)$/.exec(new URL(url).pathname)?.[1]?.toLowerCase() ?? '';
  if (medium === 'image') return 'photo';
  if (medium === 'audio' || medium === 'video') return medium;
  return mediaTypeOfMime(mime) ?? TYPE_BY_EXTENSION[extension] ?? 'document';
};

/** A file as a feed describes it. Feeds that do not know the size write 0. */
export interface DeclaredFile {
  readonly url: string | undefined;
  readonly mime?: string | undefined;
  readonly medium?: string | undefined;
  readonly size?: number | undefined;
  readonly duration?: number | undefined;
}

/** Parses a file of an item. Returns an empty list if its URL is not http or https. */
export function parseFeedFile({ url, mime = '', medium = '', size = 0, duration = 0 }: DeclaredFile, base: string): FeedFile[] {
  const link = resolveWebLink(url, base);
  if (link === null) return [];
  const type = mediaTypeOf(link, mime.toLowerCase(), medium.toLowerCase());
  return [
    {
      url: link,
      type,
      ...(mime && { mime }),
      ...(isPositiveNumber(size) && { size: Math.ceil(size) }),
      ...(isPositiveNumber(duration) && { duration }),
    },
  ];
}

/** Returns whether a number in a feed is usable; "1e999" is not. */
const isPositiveNumber = (value: number): boolean => value > 0 && Number.isFinite(value);

type MediaRss = Pick<MediaNs.ItemOrFeed, 'contents' | 'groups' | 'thumbnails'>;

/**
 * Returns whether a Media RSS content is a file. A page with a player (YouTube) is none. The contents of a group are
 * one file in several qualities, so the first of them is used.
 */
const isFile = ({ url, type = '', expression }: MediaNs.Content) =>
  url !== undefined &&
  !type.includes('shockwave') &&
  expression !== 'sample' &&
  !/^https?:\/\/(www\.)?youtube\.com\/v\//.test(url);

/** Parses the files of Media RSS: the contents, or the thumbnail if there are none. */
export function parseMediaRssFiles(media: MediaRss | undefined, base: string): FeedFile[] {
  const groups = media?.groups ?? [];
  const contents = [...(media?.contents ?? []), ...groups.flatMap((group) => group.contents?.filter(isFile).slice(0, 1) ?? [])];
  const files = contents
    .filter(isFile)
    .flatMap(({ url, type, medium, fileSize, duration }) =>
      parseFeedFile({ url, mime: type, medium, size: fileSize, duration }, base),
    );
  if (files.length > 0) return files;
  const [thumbnail] = [...(media?.thumbnails ?? []), ...groups.flatMap((group) => group.thumbnails ?? [])];
  return parseFeedFile({ url: thumbnail?.url, medium: 'image' }, base);
}

/** Minimum date: the year 1980. Programs that do not know the date write earlier ones. */
const MIN_DATE_SECONDS = 315_532_800;

const TIME_ZONE_SUFFIX = /(?:Z|[+-]\d{2}:?\d{2}|\b[A-Z]{2,4})(?:\s*\(.*\))?$/i;

/** Maximum length of a date. On a long text the patterns would take quadratic time. */
const MAX_DATE_LENGTH = 100;

/** Treats a time without a time zone as UTC, so that the result is the same on every machine. */
const withTimeZone = (text: string): string => {
  if (!/\d:\d/.test(text) || TIME_ZONE_SUFFIX.test(text)) return text;
  return /^\d{4}-\d{2}-\d{2}[T ]/.test(text) ? `${text.replace(' ', 'T')}Z` : `${text} UTC`;
};

/** Parses a feed's date as unix seconds. Returns null if it is absent or invalid. */
export function parseFeedDate(text: string | undefined): number | null {
  const value = text?.trim() ?? '';
  if (value === '' || value.length > MAX_DATE_LENGTH) return null;
  const seconds = Math.floor(Date.parse(withTimeZone(value)) / 1000);
  return seconds >= MIN_DATE_SECONDS ? seconds : null;
}
