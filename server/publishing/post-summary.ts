// Post summary: title, description, picture and files of a post for feeds, cards and structured data.

import type { Channel, StoredPicture } from '../../contract/channel.ts';
import { type PostExtra, parseExtra } from '../../contract/extra.ts';
import { plainText } from '../../contract/plain-text.ts';
import type { Media, Post } from '../../contract/post.ts';
import { sanitizeLine, truncateLine } from '../lib/markup.ts';

const MAX_TITLE_LENGTH = 100;
const MAX_DESCRIPTION_LENGTH = 200;

/**
 * Returns a title for a post, because posts have none: its first line, else a name in its content, else its channel and
 * day.
 */
export function postTitle(post: Post, channel: Channel): string {
  const day = new Date(post.date * 1000).toISOString().slice(0, 10);
  const firstLine = [...plainText(post).split('\n'), ...namesIn(post)].map(sanitizeLine).find((line) => line !== '');
  return truncateLine(firstLine ?? `${sanitizeLine(channel.title)}, ${day}`, MAX_TITLE_LENGTH);
}

/** Returns the text of a post in one paragraph; '' if it has none. */
export const postDescription = (post: Post): string => truncateLine(sanitizeLine(plainText(post)), MAX_DESCRIPTION_LENGTH);

/** Returns the description of a channel in one paragraph; '' if it has none. */
export const channelDescription = ({ about }: Channel): string => truncateLine(sanitizeLine(about ?? ''), MAX_DESCRIPTION_LENGTH);

/** Returns the names in a post's content, which can replace a missing text as a title. Spoilers are excluded. */
const namesIn = (post: Post): string[] =>
  [
    post.poll?.question,
    ...namesInExtra(extraOf(post)),
    post.place?.title,
    post.contact?.name,
    ...post.media.filter(({ spoiler }) => spoiler !== true).flatMap(({ title, name, emoji }) => [title, name, emoji]),
  ].filter((name) => name !== undefined);

function namesInExtra(extra: PostExtra | null): (string | undefined)[] {
  switch (extra?.type) {
    case 'checklist':
      return [plainText(extra.title)];
    case 'dice':
      return [`${extra.emoji} ${extra.value}`];
    case 'giveaway':
    case 'giveaway-over':
      return [extra.prize];
    case 'story':
      return [extra.name];
    case 'invoice':
    case 'game':
      return [extra.title];
    default:
      return [];
  }
}

/** A published file of a post. `url` is absolute, sizes are bytes and pixels, durations seconds. */
export interface PublishedFile {
  readonly media: Media;
  readonly url: string;
  readonly medium: 'image' | 'video' | 'audio' | 'document';
  readonly mime: string;
  readonly size: number | null;
  readonly title: string | null;
}

const IMAGE_TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
};

const MEDIUM_BY_TYPE: Readonly<Record<Media['type'], PublishedFile['medium']>> = {
  photo: 'image',
  video: 'video',
  animation: 'video',
  video_note: 'video',
  audio: 'audio',
  voice: 'audio',
  document: 'document',
  sticker: 'document',
};

/** Returns the files of a post that are stored here. */
export const publishedFiles = ({ media }: Post, origin: string): PublishedFile[] =>
  media.flatMap((item) => (item.src === undefined ? [] : [toPublishedFile(item, origin + item.src)]));

function toPublishedFile(media: Media, url: string): PublishedFile {
  const [, extension = ''] = /\.(\w+)$/.exec(new URL(url).pathname) ?? [];
  const typeByExtension = IMAGE_TYPES[extension];
  // A file that was evicted for the quota is replaced by a smaller picture, whose type and size differ from the
  // reported ones.
  const isReplacement = media.missing !== undefined;
  const mime = (isReplacement ? typeByExtension : (media.mime ?? typeByExtension)) ?? 'application/octet-stream';
  const kind = /^(image|video|audio)\//.exec(mime)?.[1];
  const medium = kind === 'image' || kind === 'video' || kind === 'audio' ? kind : MEDIUM_BY_TYPE[media.type];
  return { media, url, medium, mime, size: isReplacement ? null : (media.size ?? null), title: mediaTitle(media) };
}

const mediaTitle = ({ performer, title, name }: Media): string | null =>
  sanitizeLine((title === undefined ? name : [performer, title].filter(Boolean).join(' – ')) ?? '') || null;

/**
 * Returns the picture that represents a post: its first photo, or else the poster of a video. Spoilers are excluded.
 */
export function postPicture({ media }: Post): StoredPicture | null {
  const visible = media.filter(({ spoiler }) => spoiler !== true);
  const photo = visible.find(({ type, src, width, height }) => type === 'photo' && src && width && height);
  if (photo?.src && photo.width && photo.height) return { src: photo.src, width: photo.width, height: photo.height };
  return visible.find(({ poster }) => poster)?.poster ?? null;
}

/** Parses a post's extra content, such as a checklist or a game. Returns null if there is none, or if it is invalid. */
export function extraOf({ extra }: Post): PostExtra | null {
  if (extra === undefined) return null;
  try {
    return parseExtra(extra, 'extra');
  } catch {
    return null;
  }
}
