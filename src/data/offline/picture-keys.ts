// Keys of stored pictures, and the small pictures of a post.

import type { Media, Post } from '../../../contract/post.ts';
import type { KeyValueStore } from '../../storage/key-value-store.ts';
import { PICTURE_PREFIX, POST_PREFIX, postPrefix, postStorageKey } from './keys.ts';

/** A small picture of a post: `hash` is the hash of its content, `src` its URL on our server. */
export interface SmallPicture {
  readonly hash: string;
  readonly src: string;
}

/**
 * A stored picture, described by its key. The key contains everything that eviction needs: reading thousands of pictures
 * would take seconds.
 */
export interface CachedPicture {
  readonly key: string;
  readonly hash: string;
  readonly bytes: number;
}

const OWN_MEDIA_PATTERN = /^\/media\/([\da-f]{64})\.\w+/;
/** Picture formats that the server scales down. It does not scale formats that may be animated. */
const SCALABLE_MEDIA_PATTERN = /^(\/media\/[\da-f]{64})\.(?:jpg|png|avif)(.*)/;
/** Width of a small picture, readable on a phone, px. */
const SMALL_WIDTH_PX = 640;

/** Returns the content hash in a media URL of our server, the same for every size; null for other URLs. */
export const pictureHash = (src: string): string | null => OWN_MEDIA_PATTERN.exec(src)?.[1] ?? null;

/** Returns the key prefix of a channel's stored pictures, or of one post's with an `id`. */
export const pictureKeyPrefix = (channelId: string, id?: number): string =>
  (id === undefined ? postPrefix(channelId) : `${postStorageKey(channelId, id)}/`).replace(POST_PREFIX, PICTURE_PREFIX);

/** Returns the key of the post that a stored picture belongs to. */
export const postKeyOfPicture = (key: string): string =>
  key.split('/').slice(0, 3).join('/').replace(PICTURE_PREFIX, POST_PREFIX);

/** Returns the key of a stored picture: `picture/channelId/postId/hash/bytes`. */
export const pictureKey = ({ channelId, id }: Post, hash: string, bytes: number): string =>
  `${pictureKeyPrefix(channelId, id)}${hash}/${bytes}`;

/** Lists the stored pictures with a key prefix. */
export async function listCachedPictures(store: KeyValueStore, prefix = PICTURE_PREFIX): Promise<CachedPicture[]> {
  return (await store.keys(prefix)).map((key) => {
    const [, , , hash = '', bytes] = key.split('/');
    return { key, hash, bytes: Number(bytes) };
  });
}

/** Returns the pictures that a post shows before media is played or opened. */
export function smallPicturesOf({ media }: Post): SmallPicture[] {
  return media.flatMap((item) => {
    const shown = shownPictureOf(item);
    const hash = pictureHash(shown?.src ?? '');
    return shown === undefined || hash === null ? [] : { hash, src: smallPictureUrl(shown) };
  });
}

interface ShownPicture {
  readonly src: string;
  readonly width?: number | undefined;
}

function shownPictureOf({ type, src, mime, width, poster }: Media): ShownPicture | undefined {
  const isPicture = type === 'photo' || mime?.startsWith('image/') === true;
  return isPicture && src !== undefined ? { src, width } : poster;
}

function smallPictureUrl({ src, width = 0 }: ShownPicture): string {
  const [, start, end] = SCALABLE_MEDIA_PATTERN.exec(src) ?? [];
  return start !== undefined && width > SMALL_WIDTH_PX ? `${start}.w${SMALL_WIDTH_PX}.webp${end}` : src;
}
