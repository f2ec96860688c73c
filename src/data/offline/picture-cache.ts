/*
 * Picture cache: stores the small pictures of stored posts, so that these posts are complete without a network. Each channel
 * has an equal share of the space, and its newest posts come first. Pictures beyond the share are evicted, and so are the
 * pictures of an evicted post.
 */
import * as parse from '../../../contract/parse.ts';
import type { Post } from '../../../contract/post.ts';
import { fetchPicture } from '../../api/pictures-api.ts';
import type { Kept } from '../../storage/device-storage.ts';
import type { Shelf } from '../../storage/key-value-store.ts';
import { byChannel, type Spared, sparedIn, withoutSpared } from './eviction.ts';
import { fit, held, slot } from './offline-store.ts';
import { type KeptPicture, keptPictures, pictureName, picturesAt, picturesOf, postOf } from './picture-keys.ts';

const heldPost = held(parse.post);

export interface Fetching {
  readonly signal: AbortSignal;
  /** URLs without a usable picture, which are requested only once. */
  readonly lost: Set<string>;
}

/**
 * Downloads the missing pictures that fit, unless `fetching` is null, and evicts those that do not fit into `room`, bytes.
 * Rejects when the network fails.
 */
export async function keepPictures(kept: Kept, fetching: Fetching | null, room: number): Promise<void> {
  const spared = await sparedIn(kept.reader);
  const shelves = [kept.reader, kept.public];
  const found = await Promise.all(shelves.map(byChannel));
  const share = room / found.reduce((count, channels) => count + withoutSpared(channels, spared).size, 0);
  for (const [at, shelf] of shelves.entries()) {
    await dropOrphans(shelf);
    for (const prefix of found[at]?.keys() ?? []) {
      const posts = (await shelf.list(prefix)).flatMap(([, raw]) => fit(heldPost, raw)?.value ?? []);
      await keepShare(shelf, posts.reverse(), spared, fetching, share);
    }
  }
}

/** Deletes the pictures of posts that are no longer stored. */
async function dropOrphans(shelf: Shelf): Promise<void> {
  const posts = new Set(await shelf.keys('post/'));
  await shelf.remove((await shelf.keys('picture/')).filter((key) => !posts.has(postOf(key))));
}

/** Stores the pictures of a channel's posts, in the given order, within the channel's share. */
async function keepShare(
  shelf: Shelf,
  posts: readonly Post[],
  spared: Spared,
  fetching: Fetching | null,
  share: number,
): Promise<void> {
  const here = new Map<string, KeptPicture[]>();
  for (const picture of await keptPictures(shelf, picturesAt(posts[0]?.channelId ?? '')))
    here.set(postOf(picture.key), [...(here.get(postOf(picture.key)) ?? []), picture]);
  let room = share;
  for (const post of posts) {
    const name = slot(post.channelId, post.id);
    const mine = here.get(name) ?? [];
    const fits = room > 0 || spared(name);
    const wanted = new Set(fits ? picturesOf(post).map(({ hash }) => hash) : []);
    const [stay, leave] = [mine.filter(({ hash }) => wanted.has(hash)), mine.filter(({ hash }) => !wanted.has(hash))];
    if (leave.length > 0) await shelf.remove(leave.map(({ key }) => key));
    room -= stay.reduce((sum, { bytes }) => sum + bytes, 0);
    if (fits && fetching !== null) room -= await keepPicturesOf(shelf, post, stay, fetching);
  }
}

/** Downloads the missing pictures of a post. Returns their size in bytes. Rejects when the network fails. */
export async function keepPicturesOf(
  shelf: Shelf,
  post: Post,
  here: readonly KeptPicture[],
  { signal, lost }: Fetching,
): Promise<number> {
  const missing = picturesOf(post).filter(({ hash, src }) => !lost.has(src) && !here.some((picture) => picture.hash === hash));
  const fetched = await Promise.all(
    missing.map(async ({ hash, src }) => {
      const file = await fetchPicture(src, signal);
      signal.throwIfAborted();
      if (file === null) {
        lost.add(src);
        return 0;
      }
      const { byteLength } = file.bytes;
      await shelf.put([[pictureName(post, hash, byteLength), file]]);
      return byteLength;
    }),
  );
  return fetched.reduce((sum, bytes) => sum + bytes, 0);
}
