// Keys of stored pictures, and the small pictures of a post.

import type { Media, Post } from '../../../contract/post.ts';
import type { Shelf } from '../../storage/key-value-store.ts';
import { slot } from './offline-store.ts';

/** A small picture of a post: `hash` is the hash of its content, `src` its URL on our server. */
export interface SmallPicture {
  readonly hash: string;
  readonly src: string;
}

/**
 * A stored picture, described by its key. The key contains everything that eviction needs: reading thousands of pictures
 * would take seconds.
 */
export interface KeptPicture {
  readonly key: string;
  readonly hash: string;
  readonly bytes: number;
}

const OURS = /^\/media\/([\da-f]{64})\.\w+/;
/** Picture formats that the server scales down. It does not scale formats that may be animated. */
const SCALED = /^(\/media\/[\da-f]{64})\.(?:jpg|png|avif)(.*)/;
/** Width of a small picture, readable on a phone, px. */
const WIDTH = 640;

/** Returns the content hash in a media URL of our server, the same for every size. */
export const hashOf = (src: string): string | null => OURS.exec(src)?.[1] ?? null;

/** Returns the key prefix of a channel's stored pictures, or of one post's with an `id`. */
export const picturesAt = (channelId: string, id?: number): string =>
  id === undefined ? `picture/${channelId}/` : `${slot(channelId, id).replace('post', 'picture')}/`;

export const pictureName = ({ channelId, id }: Post, hash: string, bytes: number): string =>
  `${picturesAt(channelId, id)}${hash}/${bytes}`;

/** Returns the key of the post that a stored picture belongs to. */
export const postOf = (key: string): string => key.split('/').slice(0, 3).join('/').replace('picture', 'post');

/** Lists the stored pictures with a key prefix. */
export async function keptPictures(shelf: Shelf, prefix = 'picture/'): Promise<KeptPicture[]> {
  return (await shelf.keys(prefix)).map((key) => {
    const [, , , hash = '', bytes] = key.split('/');
    return { key, hash, bytes: Number(bytes) };
  });
}

/** Returns the pictures that a post shows before media is played or opened. */
export function picturesOf({ media }: Post): SmallPicture[] {
  return media.flatMap((item) => {
    const shown = shownOf(item);
    const hash = hashOf(shown?.src ?? '');
    return shown === undefined || hash === null ? [] : { hash, src: smallOf(shown) };
  });
}

interface Shown {
  readonly src: string;
  readonly width?: number | undefined;
}

function shownOf({ type, src, mime, width, poster }: Media): Shown | undefined {
  const isPicture = type === 'photo' || mime?.startsWith('image/') === true;
  return isPicture && src !== undefined ? { src, width } : poster;
}

function smallOf({ src, width = 0 }: Shown): string {
  const [, start, end] = SCALED.exec(src) ?? [];
  return start !== undefined && width > WIDTH ? `${start}.w${WIDTH}.webp${end}` : src;
}
