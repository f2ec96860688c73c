/** File download: downloads one file from its source, with limits and timeouts. */
import type { FileFailure } from '../../contract/failures.ts';
import type { MediaFile } from '../domain/model.ts';
import type { SourceFailure } from '../lib/failure-codes.ts';
import type { Say } from '../lib/logger.ts';
import type { WantedFile } from '../storage/ports/files.ts';
import type { Store } from '../storage/ports/store.ts';
import { type FileSource, SourceProblem } from './file-source.ts';
import { keepFile } from './save-file.ts';

/**
 * Result of one download. `full`: the disk is full. `over-share`: the feeds that readers added have used their share
 * (`quota.ts`).
 */
export type Outcome =
  | { readonly type: 'kept'; readonly file: MediaFile }
  | {
      readonly type: SourceProblem['kind'] | 'full' | 'over-share';
      readonly failure: SourceFailure<FileFailure>;
      readonly seconds: number;
    };

/** Dependencies of the download of one file. */
export interface Fetching {
  readonly source: FileSource;
  readonly dataDir: string;
  readonly store: Pick<Store, 'putMediaFile'>;
  readonly limits: Pick<Limits, 'fileBytes' | 'stall'>;
  /** Logs unexpected failures. A line never contains the source's URL. */
  readonly log: Say;
}

const megabytes = (bytes: number): string => `${Math.round(bytes / (1024 * 1024))} MB`;

const tooLarge = (limit: number) =>
  new SourceProblem('too-large', { code: 'too-large', sentence: `it is larger than ${megabytes(limit)}` });

const saysFull = (error: unknown): boolean =>
  error instanceof Error && (/database or disk is full/.test(error.message) || ('code' in error && isFullCode(error.code)));

const isFullCode = (code: unknown): boolean => code === 'ENOSPC' || code === 'EDQUOT';

/** Passes on the chunks of a download. Fails if it is larger or smaller than it should be, or stalls. */
async function* checked(
  chunks: AsyncIterable<Uint8Array>,
  size: number | null,
  { fileBytes, stall }: Fetching['limits'],
  stop: (reason: SourceProblem) => void,
): AsyncGenerator<Uint8Array> {
  let got = 0;
  const timer = setTimeout(
    () => stop(new SourceProblem('again', { code: 'broken-off', sentence: 'the download stood still' })),
    stall,
  );
  try {
    for await (const chunk of chunks) {
      timer.refresh();
      got += chunk.length;
      if (got > fileBytes) throw tooLarge(fileBytes);
      yield chunk;
    }
  } finally {
    clearTimeout(timer);
  }
  if (size !== null && got !== size) throw new SourceProblem('again', { code: 'broken-off', sentence: 'the download broke off' });
}

const fetchIt = async (wanted: WantedFile, fetching: Fetching, signal: AbortSignal, stop: (reason: Error) => void) => {
  const { source, limits } = fetching;
  if ((wanted.size ?? 0) > limits.fileBytes) throw tooLarge(limits.fileBytes);
  const { path, size } = await source.file(wanted.fileId, signal);
  if ((size ?? 0) > limits.fileBytes) throw tooLarge(limits.fileBytes);
  const chunks = await source.download(path, signal);
  return keepFile(checked(chunks, size, limits, stop), fetching);
};

/** Downloads and stores a file; never rejects. Only a complete file is stored. */
export const fetchFile = async (wanted: WantedFile, fetching: Fetching, ended: AbortSignal): Promise<Outcome> => {
  const own = new AbortController();
  const signal = AbortSignal.any([own.signal, ended]);
  try {
    const { file } = await fetchIt(wanted, fetching, signal, (reason) => own.abort(reason));
    return { type: 'kept', file };
  } catch (thrown) {
    // The error of an aborted stream has no reason; the signal has it.
    const error = own.signal.aborted ? own.signal.reason : thrown;
    if (error instanceof SourceProblem) return { type: error.kind, failure: error.failure, seconds: error.seconds };
    if (saysFull(error)) return { type: 'full', failure: { code: 'disk-full', sentence: 'the disk is full' }, seconds: 0 };
    if (!ended.aborted) fetching.log('A file could not be kept.', error);
    return { type: 'again', failure: { code: 'broken-off', sentence: 'the download broke off' }, seconds: 0 };
  }
};

/** Limits of downloads. Sizes are bytes, times milliseconds. */
export interface Limits {
  /** Maximum size of a file that is downloaded. */
  readonly fileBytes: number;
  /** Maximum total size of the stored files; 0 for no limit. */
  readonly quota: number;
  /** Minimum free space on the disk. */
  readonly freeBytes: number;
  readonly atOnce: number;
  /** Minimum time between two requests. */
  readonly spacing: number;
  /** Number of failures after which a file is given up. */
  readonly tries: number;
  /** Pause after the first failure. Each next one is four times as long. */
  readonly backOff: number;
  readonly longestBackOff: number;
  /** Time for which a file belongs to the process that took it, unless that process renews it. */
  readonly lease: number;
  /** Timeout of a download that receives no byte. */
  readonly stall: number;
  /** Pause of all downloads after the disk or the quota was full. */
  readonly pause: number;
}

const SECOND = 1000;
const HOUR = 3600 * SECOND;

/** Twenty requests a second are well under Telegram's limit. The eight attempts take nineteen hours. */
export const LIMITS: Omit<Limits, 'fileBytes' | 'quota'> = {
  freeBytes: 256 * 1024 * 1024,
  atOnce: 3,
  spacing: 50,
  tries: 8,
  backOff: 15 * SECOND,
  longestBackOff: 6 * HOUR,
  lease: 120 * SECOND,
  stall: 30 * SECOND,
  pause: 60 * SECOND,
};
