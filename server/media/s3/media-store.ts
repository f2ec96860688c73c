/**
 * Media store in a bucket: originals and smaller sizes under `media/`, which only this program reads, and copies of
 * public files under `public/`, which everyone may read if S3_PUBLIC_URL is set. A reader who knows the name of a
 * private file finds no copy of it there.
 */
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { LRUCache } from 'lru-cache';
import type { S3Settings } from '../../config.ts';
import { StorageError } from '../../lib/infrastructure-errors.ts';
import { isShownInline, mimeOfName } from '../files.ts';
import type { MediaEntry, MediaStore } from '../media-store.ts';
import { BUCKET_LIMITS, type Bucket, type BucketLimits, type ObjectHeaders, openBucket } from './bucket.ts';

const MEDIA_FOLDER = 'media';
const PUBLIC_FOLDER = 'public';

/** Age at which a stored file is sent again, so that garbage collection sees that it is in use, ms. */
const REFRESH_AGE_MS = 60 * 60 * 1000;
/** Time for which a check of the bucket counts, ms. */
const HEALTH_CACHE_MS = 10_000;
/** Time for which a process assumes that a published copy still exists, ms: another process may delete it. */
const PUBLISHED_CACHE_MS = 60_000;
const MAX_CACHED_NAMES = 10_000;
const MAX_COPY_ATTEMPTS = 3;

const nameIn = (folder: string, name: string) => `${folder}/${name.slice(0, 2)}/${name}`;

/** Headers of a file: a type that is not safe to show is a download. */
const headersOf = (name: string, CacheControl: string): ObjectHeaders => {
  const mime = mimeOfName(name);
  return isShownInline(mime)
    ? { ContentType: mime, CacheControl }
    : { ContentType: 'application/octet-stream', CacheControl, ContentDisposition: 'attachment' };
};

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Downloads a file into the folder of incomplete files; the caller deletes it. */
const downloadCopy = async (bucket: Bucket, name: string, path: string): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    const body = await bucket.read(nameIn(MEDIA_FOLDER, name));
    if (body === null) throw new Error(`The stored file ${name} is missing.`);
    try {
      return await pipeline(body, createWriteStream(path));
    } catch (error) {
      if (attempt === MAX_COPY_ATTEMPTS || !(error instanceof StorageError)) throw error;
    }
  }
};

/** Published copies: creates, finds and deletes those under `public/`. */
const createPublicCopies = (bucket: Bucket, publicUrl: string | null) => {
  const published = new LRUCache<string, true>({ max: MAX_CACHED_NAMES, ttl: PUBLISHED_CACHE_MS });
  return {
    async publish(name: string): Promise<string | null> {
      if (publicUrl === null || !isShownInline(mimeOfName(name))) return null;
      const copyName = nameIn(PUBLIC_FOLDER, name);
      if (!published.has(name)) {
        const isPublished = (await bucket.head(copyName)) !== null;
        const headers = headersOf(name, 'public, max-age=31536000, s-maxage=60, immutable');
        if (!isPublished && !(await bucket.copy(nameIn(MEDIA_FOLDER, name), copyName, headers))) return null;
        published.set(name, true);
      }
      return `${publicUrl}/${name.slice(0, 2)}/${name}`;
    },
    async unpublish(names: readonly string[]): Promise<void> {
      for (const name of names) published.delete(name);
      if (publicUrl !== null) await bucket.remove(names.map((name) => nameIn(PUBLIC_FOLDER, name)));
    },
    async *listPublished(prefix: string): AsyncGenerator<string> {
      for await (const { name } of bucket.list(`${PUBLIC_FOLDER}/${prefix}/`)) yield baseName(name);
    },
  };
};

/** Creates the media store of a bucket. `incomingFolder` is local, for files that are not complete yet. */
export const createS3MediaStore = (
  settings: S3Settings,
  incomingFolder: string,
  limits: BucketLimits = BUCKET_LIMITS,
): MediaStore => {
  const bucket = openBucket(settings, limits);
  let healthCheck: { readonly at: number; readonly result: Promise<void> } | null = null;

  const find = async (name: string): Promise<MediaEntry | null> => {
    const object = await bucket.head(nameIn(MEDIA_FOLDER, name));
    return object && { ...object, name };
  };

  async function* list(prefix?: string): AsyncGenerator<MediaEntry> {
    for await (const object of bucket.list(prefix === undefined ? `${MEDIA_FOLDER}/` : `${MEDIA_FOLDER}/${prefix}/`))
      yield { ...object, name: baseName(object.name) };
    if (prefix === undefined || prefix === '00') await bucket.abortOldUploads();
  }

  return {
    setting: 'S3_BUCKET',
    incomingFolder,
    find,
    list,
    ...createPublicCopies(bucket, settings.publicUrl),
    async save(incomingPath, name) {
      const { size } = await stat(incomingPath);
      const existing = await find(name);
      if (existing?.size === size && Date.now() - existing.modifiedAt < REFRESH_AGE_MS) return;
      await bucket.put(nameIn(MEDIA_FOLDER, name), createReadStream(incomingPath), headersOf(name, 'private, no-store'));
      if ((await find(name))?.size !== size)
        throw new StorageError('media', 'S3_INCOMPLETE', 'S3_ENDPOINT: its server did not store a file completely.');
    },
    read: (name, range) => bucket.read(nameIn(MEDIA_FOLDER, name), range),
    async withLocalCopy(name, task) {
      await mkdir(incomingFolder, { recursive: true });
      const path = join(incomingFolder, randomUUID());
      try {
        await downloadCopy(bucket, name, path);
        return await task(path);
      } finally {
        await rm(path, { force: true });
      }
    },
    async delete(names) {
      const published = settings.publicUrl === null ? [] : names.map((name) => nameIn(PUBLIC_FOLDER, name));
      await bucket.remove([...published, ...names.map((name) => nameIn(MEDIA_FOLDER, name))]);
    },
    freeBytes: async () => null,
    assertHealthy() {
      const now = performance.now();
      if (healthCheck === null || now - healthCheck.at > HEALTH_CACHE_MS)
        healthCheck = { at: now, result: bucket.assertReachable() };
      return healthCheck.result;
    },
  };
};
