/*
 * Picture cache: stores the small pictures of stored posts, so that these posts are complete without a network. Each channel
 * has an equal share of the space, and its newest posts come first. Pictures beyond the share are evicted, and so are the
 * pictures of an evicted post.
 */
import * as parse from '../../../contract/parse.ts';
import type { Post } from '../../../contract/post.ts';
import { fetchPicture } from '../../api/pictures-api.ts';
import type { DeviceStorage } from '../../storage/device-storage.ts';
import type { KeyValueStore } from '../../storage/key-value-store.ts';
import { groupPostKeys, type IsProtected, readProtected, withoutProtected } from './eviction.ts';
import { PICTURE_PREFIX, POST_PREFIX, pictureKeyPrefix, postKeyOfPicture, postStorageKey } from './keys.ts';
import { cached, tryParse } from './offline-store.ts';
import { type CachedPicture, listCachedPictures, pictureKey, smallPicturesOf } from './picture-keys.ts';

const parseCachedPost = cached(parse.post);

export interface PictureFetch {
  readonly signal: AbortSignal;
  /** URLs without a usable picture, which are requested only once. */
  readonly failedUrls: Set<string>;
}

/**
 * Downloads the missing pictures that fit, unless `fetching` is null, and evicts those that do not fit into `room`, bytes.
 * Rejects when the network fails.
 */
export async function cachePictures(kept: DeviceStorage, fetching: PictureFetch | null, room: number): Promise<void> {
  const spared = await readProtected(kept.reader);
  const shelves = [kept.reader, kept.public];
  const found = await Promise.all(shelves.map(groupPostKeys));
  const share = room / found.reduce((count, channels) => count + withoutProtected(channels, spared).size, 0);
  for (const [at, shelf] of shelves.entries()) {
    await deleteOrphans(shelf);
    for (const prefix of found[at]?.keys() ?? []) {
      const posts = (await shelf.list(prefix)).flatMap(([, raw]) => tryParse(parseCachedPost, raw)?.value ?? []);
      await cacheChannelPictures(shelf, posts.reverse(), spared, fetching, share);
    }
  }
}

/** Deletes the pictures of posts that are no longer stored. */
async function deleteOrphans(shelf: KeyValueStore): Promise<void> {
  const posts = new Set(await shelf.keys(POST_PREFIX));
  await shelf.deleteMany((await shelf.keys(PICTURE_PREFIX)).filter((key) => !posts.has(postKeyOfPicture(key))));
}

/** Stores the pictures of a channel's posts, in the given order, within the channel's share. */
async function cacheChannelPictures(
  shelf: KeyValueStore,
  posts: readonly Post[],
  spared: IsProtected,
  fetching: PictureFetch | null,
  share: number,
): Promise<void> {
  const here = new Map<string, CachedPicture[]>();
  for (const picture of await listCachedPictures(shelf, pictureKeyPrefix(posts[0]?.channelId ?? '')))
    here.set(postKeyOfPicture(picture.key), [...(here.get(postKeyOfPicture(picture.key)) ?? []), picture]);
  let room = share;
  for (const post of posts) {
    const name = postStorageKey(post.channelId, post.id);
    const mine = here.get(name) ?? [];
    const fits = room > 0 || spared(name);
    const wanted = new Set(fits ? smallPicturesOf(post).map(({ hash }) => hash) : []);
    const [stay, leave] = [mine.filter(({ hash }) => wanted.has(hash)), mine.filter(({ hash }) => !wanted.has(hash))];
    if (leave.length > 0) await shelf.deleteMany(leave.map(({ key }) => key));
    room -= stay.reduce((sum, { bytes }) => sum + bytes, 0);
    if (fits && fetching !== null) room -= await cachePostPictures(shelf, post, stay, fetching);
  }
}

/** Downloads the missing pictures of a post. Returns their size in bytes. Rejects when the network fails. */
export async function cachePostPictures(
  shelf: KeyValueStore,
  post: Post,
  here: readonly CachedPicture[],
  { signal, failedUrls: lost }: PictureFetch,
): Promise<number> {
  const missing = smallPicturesOf(post).filter(
    ({ hash, src }) => !lost.has(src) && !here.some((picture) => picture.hash === hash),
  );
  const fetched = await Promise.all(
    missing.map(async ({ hash, src }) => {
      const file = await fetchPicture(src, signal);
      signal.throwIfAborted();
      if (file === null) {
        lost.add(src);
        return 0;
      }
      const { byteLength } = file.bytes;
      await shelf.put([[pictureKey(post, hash, byteLength), file]]);
      return byteLength;
    }),
  );
  return fetched.reduce((sum, bytes) => sum + bytes, 0);
}
