import type { Picture } from '../../contract/channel.ts';
import type { Media, Post } from '../../contract/post.ts';
import { oneLine } from '../lib/markup.ts';

/** A file of a post as others are told of it; `url` is absolute, sizes are bytes and pixels, durations seconds. */
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

/** The files of a post that are here. */
export const publishedFiles = ({ media }: Post, origin: string): PublishedFile[] =>
  media.flatMap((each) => (each.src === undefined ? [] : [fileOf(each, origin + each.src)]));

function fileOf(media: Media, url: string): PublishedFile {
  const [, ending = ''] = /\.(\w+)$/.exec(new URL(url).pathname) ?? [];
  const byName = IMAGE_TYPES[ending];
  // After a file has left for the quota a smaller picture stands in, of another type and size than was told.
  const stands = media.missing !== undefined;
  const mime = (stands ? byName : (media.mime ?? byName)) ?? 'application/octet-stream';
  const kind = /^(image|video|audio)\//.exec(mime)?.[1];
  const medium = kind === 'image' || kind === 'video' || kind === 'audio' ? kind : MEDIUM[media.type];
  return { media, url, medium, mime, size: stands ? null : (media.size ?? null), title: titleOf(media) };
}

const titleOf = ({ performer, title, name }: Media): string | null =>
  oneLine((title === undefined ? name : [performer, title].filter(Boolean).join(' – ')) ?? '') || null;

/** The picture that stands for a post: its first photo, else what is drawn before a video plays. Covered ones are not shown. */
export function pictureOf({ media }: Post): Picture | null {
  const open = media.filter(({ spoiler }) => spoiler !== true);
  const photo = open.find(({ type, src, width, height }) => type === 'photo' && src && width && height);
  if (photo?.src && photo.width && photo.height) return { src: photo.src, width: photo.width, height: photo.height };
  return open.find(({ poster }) => poster)?.poster ?? null;
}
