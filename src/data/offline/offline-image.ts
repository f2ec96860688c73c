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

/** Offline images: shows the stored copy of a picture in an image element. Rejects where the device has no copy. */
export async function showOfflineImage(device: OfflineStore, image: HTMLImageElement): Promise<void> {
  const hash = pictureHash(new URL(image.src).pathname);
  const found = hash === null ? undefined : (await pictureIndexOf(device)).get(hash);
  const kept = found && tryParse(parsePictureFile, await found.store.get(found.key));
  if (!kept) throw new Error('This picture is not kept');
  const address = URL.createObjectURL(new Blob([kept.bytes], { type: kept.type }));
  const letGo = () => URL.revokeObjectURL(address);
  image.addEventListener('load', letGo, { once: true });
  image.addEventListener('error', letGo, { once: true });
  image.removeAttribute('srcset');
  image.src = address;
}

interface PictureLocation {
  readonly store: KeyValueStore;
  readonly key: string;
}

const pictureIndexes = new WeakMap<OfflineStore, Promise<ReadonlyMap<string, PictureLocation>>>();

/** Returns the store and key of each stored picture, by content hash. */
function pictureIndexOf(device: OfflineStore): Promise<ReadonlyMap<string, PictureLocation>> {
  const known = pictureIndexes.get(device);
  if (known !== undefined) return known;
  const reading = buildPictureIndex(device);
  pictureIndexes.set(device, reading);
  setTimeout(() => pictureIndexes.delete(device), INDEX_LIFETIME_MS);
  return reading;
}

async function buildPictureIndex(device: OfflineStore): Promise<ReadonlyMap<string, PictureLocation>> {
  const { reader, public: common } = await device.storage;
  const all = [common, reader].map(async (shelf) =>
    (await listCachedPictures(shelf)).map(({ hash, key }) => [hash, { store: shelf, key }] as const),
  );
  return new Map((await Promise.all(all)).flat());
}
