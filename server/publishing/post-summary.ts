// Post summary: title, description, picture and files of a post for feeds, cards and structured data.

import type { Channel, Picture } from '../../contract/channel.ts';
import { type Extra, parseExtra } from '../../contract/extra.ts';
import { plainText } from '../../contract/plain-text.ts';
import type { Media, Post } from '../../contract/post.ts';
import { cut, oneLine } from '../lib/markup.ts';

const TITLE = 100;
const DESCRIPTION = 200;

/** Returns a title for a post, since posts have none: its first line, or else its content, or else its channel and day. */
export function titleOf(post: Post, channel: Channel): string {
  const day = new Date(post.date * 1000).toISOString().slice(0, 10);
  const said = [...plainText(post).split('\n'), ...namesIn(post)].map(oneLine).find((line) => line !== '');
  return cut(said ?? `${oneLine(channel.title)}, ${day}`, TITLE);
}

/** Returns the text of a post in one paragraph; '' if it has none. */
export const descriptionOf = (post: Post): string => cut(oneLine(plainText(post)), DESCRIPTION);

/** Returns the description of a channel in one paragraph; '' if it has none. */
export const aboutOf = ({ about }: Channel): string => cut(oneLine(about ?? ''), DESCRIPTION);

const namesIn = (post: Post): string[] =>
  [
    post.poll?.question,
    ...namesInExtra(extraOf(post)),
    post.place?.title,
    post.contact?.name,
    ...post.media.filter(({ spoiler }) => spoiler !== true).flatMap(({ title, name, emoji }) => [title, name, emoji]),
  ].filter((name) => name !== undefined);

function namesInExtra(extra: Extra | null): (string | undefined)[] {
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

const MEDIUM: Readonly<Record<Media['type'], PublishedFile['medium']>> = {
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
  media.flatMap((each) => (each.src === undefined ? [] : [fileOf(each, origin + each.src)]));

function fileOf(media: Media, url: string): PublishedFile {
  const [, ending = ''] = /\.(\w+)$/.exec(new URL(url).pathname) ?? [];
  const byName = IMAGE_TYPES[ending];
  // A file that was evicted for the quota is replaced by a smaller picture, whose type and size differ from the reported ones.
  const stands = media.missing !== undefined;
  const mime = (stands ? byName : (media.mime ?? byName)) ?? 'application/octet-stream';
  const kind = /^(image|video|audio)\//.exec(mime)?.[1];
  const medium = kind === 'image' || kind === 'video' || kind === 'audio' ? kind : MEDIUM[media.type];
  return { media, url, medium, mime, size: stands ? null : (media.size ?? null), title: mediaTitle(media) };
}

const mediaTitle = ({ performer, title, name }: Media): string | null =>
  oneLine((title === undefined ? name : [performer, title].filter(Boolean).join(' – ')) ?? '') || null;

/** Returns the picture that represents a post: its first photo, or else the poster of a video. Spoilers are excluded. */
export function pictureOf({ media }: Post): Picture | null {
  const open = media.filter(({ spoiler }) => spoiler !== true);
  const photo = open.find(({ type, src, width, height }) => type === 'photo' && src && width && height);
  if (photo?.src && photo.width && photo.height) return { src: photo.src, width: photo.width, height: photo.height };
  return open.find(({ poster }) => poster)?.poster ?? null;
}

/** Parses the content of a post other than text and files. Returns null if there is none, or if it is invalid. */
export function extraOf({ extra }: Post): Extra | null {
  if (extra === undefined) return null;
  try {
    return parseExtra(extra, 'extra');
  } catch {
    return null;
  }
}
