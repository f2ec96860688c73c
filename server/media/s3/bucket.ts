/** S3 bucket: the only module that uses the AWS SDK. Names of objects are relative to S3_PREFIX. */
import type { ReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { S3Settings } from '../../config.ts';
import type { MediaRange } from '../media-store.ts';
import { isMissingObject, toMediaError } from './errors.ts';

/** Headers with which the storage server sends an object. */
export interface ObjectHeaders {
  readonly ContentType: string;
  readonly CacheControl: string;
  readonly ContentDisposition?: string;
}

/** Object as the bucket lists it. `modifiedAt` is unix milliseconds. */
export interface BucketObject {
  readonly name: string;
  readonly size: number;
  readonly modifiedAt: number;
}

/** Time limits of requests, ms, and the maximum number of attempts. Tests use shorter ones. */
export interface BucketLimits {
  readonly connectMs: number;
  /** Maximum time without a byte in either direction. */
  readonly idleMs: number;
  /** Maximum time until the response begins. */
  readonly responseMs: number;
  readonly maxAttempts: number;
  /** Maximum number of objects that a request lists. */
  readonly pageSize: number;
}

/**
 * Default limits: with the pauses of the SDK between attempts (exponential, up to 20 s), a request fails after at most
 * a minute and a half.
 */
export const BUCKET_LIMITS: BucketLimits = {
  connectMs: 3000,
  idleMs: 20_000,
  responseMs: 20_000,
  maxAttempts: 4,
  pageSize: 1000,
};

/** Size of the parts of a large file, bytes. Each is in memory while it is sent, and is sent again if that fails. */
const PART_BYTES = 8 * 1024 * 1024;
const MAX_CONCURRENT_PARTS = 2;
/** A response that a slow client receives needs a connection for that time. */
const MAX_CONNECTIONS = 256;
/** Age from which an unfinished upload belongs to a dead process, ms. */
const MAX_UPLOAD_AGE_MS = 24 * 60 * 60 * 1000;
/** Number of times that a response which breaks off is continued without a new byte. */
const MAX_CONTINUATIONS = 2;

const createClient = ({ endpoint, region, credentials }: S3Settings, limits: BucketLimits): S3Client =>
  new S3Client({
    region,
    // Servers other than Amazon's rarely have a host name for each bucket.
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials === null ? {} : { credentials: { ...credentials } }),
    maxAttempts: limits.maxAttempts,
    // Many S3-compatible servers reject the additional checksums. The signature already covers the content.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: limits.connectMs,
      socketTimeout: limits.idleMs,
      requestTimeout: limits.responseMs,
      throwOnRequestTimeout: true,
      httpAgent: { keepAlive: true, maxSockets: MAX_CONNECTIONS },
      httpsAgent: { keepAlive: true, maxSockets: MAX_CONNECTIONS },
    },
  });

/** Objects under S3_PREFIX of a bucket. Failures are a `StorageError` of the kind `media`. */
export type Bucket = ReturnType<typeof openBucket>;

const nullIfMissing = (error: unknown): null => {
  if (isMissingObject(error)) return null;
  throw toMediaError(error);
};

const throwMediaError = (error: unknown): never => {
  throw toMediaError(error);
};

/** Opens a bucket. Nothing is requested before the first call. */
export const openBucket = (settings: S3Settings, limits: BucketLimits = BUCKET_LIMITS) => {
  const client = createClient(settings, limits);
  const { bucket: Bucket, prefix } = settings;
  const at = (name: string) => ({ Bucket, Key: prefix + name });

  const open = async (name: string, start: number, end: number | undefined): Promise<Readable | null> => {
    const range = start === 0 && end === undefined ? {} : { Range: `bytes=${start}-${end ?? ''}` };
    const response = await client.send(new GetObjectCommand({ ...at(name), ...range })).catch(nullIfMissing);
    return response === null ? null : (response.Body as Readable);
  };

  /** Yields a response, and continues it with another request if it breaks off. */
  async function* readContinued(name: string, first: Readable, start: number, end: number | undefined): AsyncGenerator<Buffer> {
    let [body, position, failureCount]: [Readable, number, number] = [first, start, 0];
    try {
      while (true) {
        try {
          for await (const chunk of body) {
            yield chunk;
            position += chunk.length;
            failureCount = 0;
          }
          return;
        } catch (error) {
          failureCount += 1;
          if (failureCount > MAX_CONTINUATIONS) throw toMediaError(error);
          if (end !== undefined && position > end) return;
          const next = await open(name, position, end);
          if (next === null) throw toMediaError(error);
          body = next;
        }
      }
    } finally {
      body.destroy();
    }
  }

  async function* list(namePrefix: string): AsyncGenerator<BucketObject> {
    let ContinuationToken: string | undefined;
    do {
      const page = await client
        .send(
          new ListObjectsV2Command({
            Bucket,
            Prefix: prefix + namePrefix,
            MaxKeys: limits.pageSize,
            ...(ContinuationToken && { ContinuationToken }),
          }),
        )
        .catch(throwMediaError);
      for (const { Key = '', Size = 0, LastModified } of page.Contents ?? [])
        yield { name: Key.slice(prefix.length), size: Size, modifiedAt: LastModified?.getTime() ?? 0 };
      ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (ContinuationToken !== undefined);
  }

  return {
    list,
    async head(name: string): Promise<BucketObject | null> {
      const response = await client.send(new HeadObjectCommand(at(name))).catch(nullIfMissing);
      if (response === null) return null;
      return { name, size: response.ContentLength ?? 0, modifiedAt: response.LastModified?.getTime() ?? 0 };
    },
    /** Stores an object. A large one is sent in parts, and appears when all of them are stored. */
    async put(name: string, body: ReadStream | Uint8Array, headers: ObjectHeaders): Promise<void> {
      const params = { ...at(name), ...headers, Body: body };
      await new Upload({ client, params, partSize: PART_BYTES, queueSize: MAX_CONCURRENT_PARTS }).done().catch(throwMediaError);
    },
    /** Copies an object within the bucket; returns false if it is missing. */
    async copy(from: string, to: string, headers: ObjectHeaders): Promise<boolean> {
      const CopySource = `${Bucket}/${encodeURIComponent(prefix + from).replaceAll('%2F', '/')}`;
      const command = new CopyObjectCommand({ ...at(to), ...headers, CopySource, MetadataDirective: 'REPLACE' });
      return (await client.send(command).catch(nullIfMissing)) !== null;
    },
    /** Opens an object or, with `range`, a part of it; null if it is missing. */
    async read(name: string, range?: MediaRange): Promise<Readable | null> {
      const [start, end] = [range?.start ?? 0, range?.end];
      const first = await open(name, start, end);
      return first && Readable.from(readContinued(name, first, start, end), { objectMode: false });
    },
    async remove(names: readonly string[]): Promise<void> {
      // Separate requests: some servers have no request that deletes several objects.
      await Promise.all(names.map((name) => client.send(new DeleteObjectCommand(at(name))))).catch(throwMediaError);
    },
    /** Ends the unfinished uploads of dead processes, whose parts would occupy space and are in no list of objects. */
    async abortOldUploads(): Promise<void> {
      const page = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: prefix })).catch(() => null);
      for (const { Key, UploadId, Initiated } of page?.Uploads ?? [])
        if (Initiated !== undefined && Date.now() - Initiated.getTime() > MAX_UPLOAD_AGE_MS)
          await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(throwMediaError);
    },
    /** Throws if the bucket cannot be used now. A response to HEAD would have no reason. */
    async assertReachable(): Promise<void> {
      await client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix, MaxKeys: 1 })).catch(throwMediaError);
    },
  };
};
