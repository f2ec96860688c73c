/*
 * Picture cache: stores the small pictures of stored posts, so that these posts are complete without a network. Each channel
 * has an equal share of the space, and its newest posts come first. Pictures beyond the share are evicted, and so are the
 * pictures of an evicted post. Protected posts (starred, kept unread or saved) keep their pictures in any case.
 */
import * as parse from '../../../contract/parse.ts';
import type { Post } from '../../../contract/post.ts';
import { fetchPicture } from '../../api/pictures-api.ts';
import type { DeviceStorage } from '../../storage/device-storage.ts';
import type { KeyValueStore } from '../../storage/key-value-store.ts';
import { groupPostKeys, type IsProtected, readProtected, withoutProtected } from './eviction.ts';
import { PICTURE_PREFIX, POST_PREFIX, postStorageKey } from './keys.ts';
import { cached, tryParse } from './offline-store.ts';
import {
  type CachedPicture,
  listCachedPictures,
  pictureKey,
  pictureKeyPrefix,
  postKeyOfPicture,
  smallPicturesOf,
} from './picture-keys.ts';

const parseCachedPost = cached(parse.post);

/** State of the downloads. */
export interface PictureFetch {
  readonly signal: AbortSignal;
  /** URLs that returned no usable picture. They are not requested again. */
  readonly failedUrls: Set<string>;
}

/**
 * Downloads missing pictures up to a total of about `maxBytes`, and evicts those beyond it. Downloads nothing if `pictureFetch`
 * is null. Rejects when the network fails.
 */
export async function cachePictures(storage: DeviceStorage, pictureFetch: PictureFetch | null, maxBytes: number): Promise<void> {
  const isProtected = await readProtected(storage.reader);
  const stores = [storage.reader, storage.public];
  const keysByChannel = await Promise.all(stores.map(groupPostKeys));
  const channelCount = keysByChannel.reduce((count, channels) => count + withoutProtected(channels, isProtected).size, 0);
  const bytesPerChannel = maxBytes / channelCount;
  for (const [index, store] of stores.entries()) {
    await deleteOrphans(store);
    for (const prefix of keysByChannel[index]?.keys() ?? []) {
      // Keys are in ascending order, oldest post first.
      const posts = (await store.list(prefix)).flatMap(([, raw]) => tryParse(parseCachedPost, raw)?.value ?? []);
      await cacheChannelPictures(store, posts.reverse(), isProtected, pictureFetch, bytesPerChannel);
    }
  }
}

/** Deletes the pictures of posts that are no longer stored. */
async function deleteOrphans(store: KeyValueStore): Promise<void> {
  const postKeys = new Set(await store.keys(POST_PREFIX));
  await store.deleteMany((await store.keys(PICTURE_PREFIX)).filter((key) => !postKeys.has(postKeyOfPicture(key))));
}

/**
 * Stores the pictures of a channel's posts, in the given order, until `maxBytes` are used; deletes the pictures of later posts.
 */
async function cacheChannelPictures(
  store: KeyValueStore,
  posts: readonly Post[],
  isProtected: IsProtected,
  pictureFetch: PictureFetch | null,
  maxBytes: number,
): Promise<void> {
  const picturesByPost = new Map<string, CachedPicture[]>();
  for (const picture of await listCachedPictures(store, pictureKeyPrefix(posts[0]?.channelId ?? '')))
    picturesByPost.set(postKeyOfPicture(picture.key), [...(picturesByPost.get(postKeyOfPicture(picture.key)) ?? []), picture]);
  let remainingBytes = maxBytes;
  for (const post of posts) {
    const storedPostKey = postStorageKey(post.channelId, post.id);
    const existing = picturesByPost.get(storedPostKey) ?? [];
    const hasSpace = remainingBytes > 0 || isProtected(storedPostKey);
    const wantedHashes = new Set(hasSpace ? smallPicturesOf(post).map(({ hash }) => hash) : []);
    const retained = existing.filter(({ hash }) => wantedHashes.has(hash));
    const unneeded = existing.filter(({ hash }) => !wantedHashes.has(hash));
    if (unneeded.length > 0) await store.deleteMany(unneeded.map(({ key }) => key));
    remainingBytes -= retained.reduce((sum, { bytes }) => sum + bytes, 0);
    if (hasSpace && pictureFetch !== null) remainingBytes -= await cachePostPictures(store, post, retained, pictureFetch);
  }
}

/** Downloads the pictures of a post that are not in `existing`. Returns their size in bytes. Rejects when the network fails. */
export async function cachePostPictures(
  store: KeyValueStore,
  post: Post,
  existing: readonly CachedPicture[],
  { signal, failedUrls }: PictureFetch,
): Promise<number> {
  const missing = smallPicturesOf(post).filter(
    ({ hash, src }) => !failedUrls.has(src) && !existing.some((picture) => picture.hash === hash),
  );
  const fetched = await Promise.all(
    missing.map(async ({ hash, src }) => {
      const file = await fetchPicture(src, signal);
      signal.throwIfAborted();
      if (file === null) {
        failedUrls.add(src);
        return 0;
      }
      const { byteLength } = file.bytes;
      await store.put([[pictureKey(post, hash, byteLength), file]]);
      return byteLength;
    }),
  );
  return fetched.reduce((sum, bytes) => sum + bytes, 0);
}
