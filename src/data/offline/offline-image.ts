import { type Parse, ParseError, shape, string } from '../../../contract/shape.ts';
import type { PictureFile } from '../../api/pictures-api.ts';
import type { KeyValueStore } from '../../storage/key-value-store.ts';
import { type OfflineStore, tryParse } from './offline-store.ts';
import { listCachedPictures, pictureHash } from './picture-keys.ts';

/** Lifetime of the index in memory, ms: a page requests many pictures at once. */
const INDEX_LIFETIME_MS = 10_000;

const parseBuffer: Parse<ArrayBuffer> = (raw, at) => {
  if (raw instanceof ArrayBuffer) return raw;
  throw new ParseError(`${at} should be bytes`);
};
const parsePictureFile = shape<PictureFile>({ type: string, bytes: parseBuffer });

/** Offline images: shows the stored copy of a picture in an image element. Rejects if the device has no copy. */
export async function showOfflineImage(offline: OfflineStore, image: HTMLImageElement): Promise<void> {
  const hash = pictureHash(new URL(image.src).pathname);
  const location = hash === null ? undefined : (await pictureIndexOf(offline)).get(hash);
  const file = location && tryParse(parsePictureFile, await location.store.get(location.key));
  if (!file) throw new Error('This picture is not kept');
  const objectUrl = URL.createObjectURL(new Blob([file.bytes], { type: file.type }));
  const revoke = () => URL.revokeObjectURL(objectUrl);
  image.addEventListener('load', revoke, { once: true });
  image.addEventListener('error', revoke, { once: true });
  image.removeAttribute('srcset');
  image.src = objectUrl;
}

interface PictureLocation {
  readonly store: KeyValueStore;
  readonly key: string;
}

const pictureIndexes = new WeakMap<OfflineStore, Promise<ReadonlyMap<string, PictureLocation>>>();

/** Returns the store and key of each stored picture, by content hash. */
function pictureIndexOf(offline: OfflineStore): Promise<ReadonlyMap<string, PictureLocation>> {
  const existing = pictureIndexes.get(offline);
  if (existing !== undefined) return existing;
  const index = buildPictureIndex(offline);
  pictureIndexes.set(offline, index);
  setTimeout(() => pictureIndexes.delete(offline), INDEX_LIFETIME_MS);
  return index;
}

async function buildPictureIndex(offline: OfflineStore): Promise<ReadonlyMap<string, PictureLocation>> {
  const { reader, public: publicStore } = await offline.storage;
  const all = [publicStore, reader].map(async (store) =>
    (await listCachedPictures(store)).map(({ hash, key }) => [hash, { store, key }] as const),
  );
  return new Map((await Promise.all(all)).flat());
}
