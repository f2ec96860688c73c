/** File download: downloads one file from its source, with limits and timeouts. */
import type { FileFailure } from '../../contract/failures.ts';
import type { MediaFile } from '../domain/model.ts';
import type { SourceFailure } from '../lib/failure-codes.ts';
import { isDiskFullError } from '../lib/infrastructure-errors.ts';
import type { LogFn } from '../lib/logger.ts';
import type { QueuedFile } from '../storage/ports/files.ts';
import type { Store } from '../storage/ports/store.ts';
import { type FileSource, FileSourceError } from './file-source.ts';
import type { MediaStore } from './media-store.ts';
import { saveMediaFile } from './save-file.ts';

/**
 * Result of one download. `full`: the disk is full. `over-share`: the feeds that readers added have used their share
 * (`quota.ts`).
 */
export type DownloadOutcome =
  | { readonly type: 'saved'; readonly file: MediaFile }
  | {
      readonly type: FileSourceError['kind'] | 'full' | 'over-share';
      readonly failure: SourceFailure<FileFailure>;
      readonly seconds: number;
    };

/** Dependencies of the download of one file. */
export interface DownloadDeps {
  readonly source: FileSource;
  readonly mediaStore: MediaStore;
  readonly store: Pick<Store, 'putMediaFile'>;
  readonly limits: Pick<DownloadLimits, 'fileBytes' | 'stallTimeoutMs'>;
  /** Logs unexpected failures. A line never contains the source's URL. */
  readonly log: LogFn;
}

const megabytes = (bytes: number): string => `${Math.round(bytes / (1024 * 1024))} MB`;

const tooLargeError = (limit: number) =>
  new FileSourceError('too-large', { code: 'too-large', sentence: `it is larger than ${megabytes(limit)}` });

/**
 * Yields the chunks of a download. Throws a `FileSourceError` if it is larger or smaller than it should be, or stalls.
 */
async function* enforceLimits(
  chunks: AsyncIterable<Uint8Array>,
  size: number | null,
  { fileBytes, stallTimeoutMs }: DownloadDeps['limits'],
  abort: (reason: FileSourceError) => void,
): AsyncGenerator<Uint8Array> {
  let receivedBytes = 0;
  const timer = setTimeout(
    () => abort(new FileSourceError('retry', { code: 'broken-off', sentence: 'the download stalled' })),
    stallTimeoutMs,
  );
  try {
    for await (const chunk of chunks) {
      timer.refresh();
      receivedBytes += chunk.length;
      if (receivedBytes > fileBytes) throw tooLargeError(fileBytes);
      yield chunk;
    }
  } finally {
    clearTimeout(timer);
  }
  if (size !== null && receivedBytes !== size)
    throw new FileSourceError('retry', { code: 'broken-off', sentence: 'the download was interrupted' });
}

const downloadAndSave = async (
  queuedFile: QueuedFile,
  deps: DownloadDeps,
  signal: AbortSignal,
  abort: (reason: Error) => void,
) => {
  const { source, limits } = deps;
  if ((queuedFile.size ?? 0) > limits.fileBytes) throw tooLargeError(limits.fileBytes);
  const { path, size } = await source.locateFile(queuedFile.fileId, signal);
  if ((size ?? 0) > limits.fileBytes) throw tooLargeError(limits.fileBytes);
  const chunks = await source.download(path, signal);
  return saveMediaFile(enforceLimits(chunks, size, limits, abort), deps);
};

/** Downloads and stores a file; never rejects. Only a complete file is stored. */
export const downloadFile = async (
  queuedFile: QueuedFile,
  deps: DownloadDeps,
  stopping: AbortSignal,
): Promise<DownloadOutcome> => {
  const abortController = new AbortController();
  const signal = AbortSignal.any([abortController.signal, stopping]);
  try {
    const { file } = await downloadAndSave(queuedFile, deps, signal, (reason) => abortController.abort(reason));
    return { type: 'saved', file };
  } catch (caught) {
    // The error of an aborted stream has no reason; the signal has it.
    const error = abortController.signal.aborted ? abortController.signal.reason : caught;
    if (error instanceof FileSourceError) return { type: error.kind, failure: error.failure, seconds: error.seconds };
    if (isDiskFullError(error)) return { type: 'full', failure: { code: 'disk-full', sentence: 'the disk is full' }, seconds: 0 };
    if (!stopping.aborted) deps.log('Could not store a downloaded file.', error);
    return { type: 'retry', failure: { code: 'broken-off', sentence: 'the download was interrupted' }, seconds: 0 };
  }
};

/** Limits of downloads. Sizes are bytes, times milliseconds. */
export interface DownloadLimits {
  /** Maximum size of a file that is downloaded. */
  readonly fileBytes: number;
  /** Maximum total size of the stored files; 0 for no limit. */
  readonly quota: number;
  /** Minimum free space on the disk. */
  readonly freeBytes: number;
  readonly maxConcurrent: number;
  /** Minimum time between two requests. */
  readonly spacingMs: number;
  /** Number of failures after which a file is given up. */
  readonly maxTries: number;
  /** Pause after the first failure. Each next one is four times as long. */
  readonly firstBackOffMs: number;
  readonly maxBackOffMs: number;
  /** Time for which a file belongs to the process that claimed it, unless that process extends the claim. */
  readonly leaseMs: number;
  /** Timeout of a download that receives no byte. */
  readonly stallTimeoutMs: number;
  /** Pause of all downloads after the disk or the quota was full. */
  readonly fullPauseMs: number;
}

const SECOND_MS = 1000;
const HOUR_MS = 3600 * SECOND_MS;

/** Default limits. Twenty requests a second are well under Telegram's limit. The eight attempts take nineteen hours. */
export const DOWNLOAD_LIMITS: Omit<DownloadLimits, 'fileBytes' | 'quota'> = {
  freeBytes: 256 * 1024 * 1024,
  maxConcurrent: 3,
  spacingMs: 50,
  maxTries: 8,
  firstBackOffMs: 15 * SECOND_MS,
  maxBackOffMs: 6 * HOUR_MS,
  leaseMs: 120 * SECOND_MS,
  stallTimeoutMs: 30 * SECOND_MS,
  fullPauseMs: 60 * SECOND_MS,
};
