import { type Parse, ParseError, shape, string } from '../../../contract/shape.ts';
import type { PictureFile } from '../../api/pictures-api.ts';
import type { Shelf } from '../../storage/key-value-store.ts';
import { type Device, fit } from './offline-store.ts';
import { hashOf, keptPictures } from './picture-keys.ts';

/** Lifetime of the index in memory, ms: a page requests many pictures at once. */
const REMEMBERED = 10_000;

const buffer: Parse<ArrayBuffer> = (raw, at) => {
  if (raw instanceof ArrayBuffer) return raw;
  throw new ParseError(`${at} should be bytes`);
};
const file = shape<PictureFile>({ type: string, bytes: buffer });

/** Offline images: shows the stored copy of a picture in an image element. Rejects where the device has no copy. */
export async function showKept(device: Device, image: HTMLImageElement): Promise<void> {
  const hash = hashOf(new URL(image.src).pathname);
  const found = hash === null ? undefined : (await remembered(device)).get(hash);
  const kept = found && fit(file, await found.shelf.get(found.key));
  if (!kept) throw new Error('This picture is not kept');
  const address = URL.createObjectURL(new Blob([kept.bytes], { type: kept.type }));
  const letGo = () => URL.revokeObjectURL(address);
  image.addEventListener('load', letGo, { once: true });
  image.addEventListener('error', letGo, { once: true });
  image.removeAttribute('srcset');
  image.src = address;
}

interface Found {
  readonly shelf: Shelf;
  readonly key: string;
}

const memories = new WeakMap<Device, Promise<ReadonlyMap<string, Found>>>();

/** Returns the store and key of each stored picture, by content hash. */
function remembered(device: Device): Promise<ReadonlyMap<string, Found>> {
  const known = memories.get(device);
  if (known !== undefined) return known;
  const reading = findAll(device);
  memories.set(device, reading);
  setTimeout(() => memories.delete(device), REMEMBERED);
  return reading;
}

async function findAll(device: Device): Promise<ReadonlyMap<string, Found>> {
  const { reader, public: common } = await device.kept;
  const all = [common, reader].map(async (shelf) =>
    (await keptPictures(shelf)).map(({ hash, key }) => [hash, { shelf, key }] as const),
  );
  return new Map((await Promise.all(all)).flat());
}
