import type { FileFailure } from '../../contract/failures.ts';
import type { MediaFile } from '../domain/model.ts';
import type { SourceFailure } from '../lib/failure-codes.ts';
import type { Say } from '../lib/logger.ts';
import type { WantedFile } from '../storage/ports/files.ts';
import type { Store } from '../storage/ports/store.ts';
import { type FileSource, SourceProblem } from './file-source.ts';
import { keepFile } from './save-file.ts';

/** What became of one file; `full`: the disk is; `over-share`: readers' feeds have all of theirs (quota.ts). */
export type Outcome =
  | { readonly type: 'kept'; readonly file: MediaFile }
  | {
      readonly type: SourceProblem['kind'] | 'full' | 'over-share';
      readonly failure: SourceFailure<FileFailure>;
      readonly seconds: number;
    };

/** What fetching one file needs. */
export interface Fetching {
  readonly source: FileSource;
  readonly dataDir: string;
  readonly store: Pick<Store, 'putMediaFile'>;
  readonly limits: Pick<Limits, 'fileBytes' | 'stall'>;
  /** Where an unforeseen failure is told; it never holds the source's address. */
  readonly log: Say;
}

const megabytes = (bytes: number): string => `${Math.round(bytes / (1024 * 1024))} MB`;

const tooLarge = (limit: number) =>
  new SourceProblem('too-large', { code: 'too-large', sentence: `it is larger than ${megabytes(limit)}` });

const saysFull = (error: unknown): boolean =>
  error instanceof Error && (/database or disk is full/.test(error.message) || ('code' in error && isFullCode(error.code)));

const isFullCode = (code: unknown): boolean => code === 'ENOSPC' || code === 'EDQUOT';

/** Passes a download on as long as it comes, and fails where it is larger, smaller or slower than it should be. */
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

/** Fetches a file and keeps it; never rejects. Only what was there whole is kept. */
export const fetchFile = async (wanted: WantedFile, fetching: Fetching, ended: AbortSignal): Promise<Outcome> => {
  const own = new AbortController();
  const signal = AbortSignal.any([own.signal, ended]);
  try {
    const { file } = await fetchIt(wanted, fetching, signal, (reason) => own.abort(reason));
    return { type: 'kept', file };
  } catch (thrown) {
    // A stream that was stopped says only that it was; the signal knows why.
    const error = own.signal.aborted ? own.signal.reason : thrown;
    if (error instanceof SourceProblem) return { type: error.kind, failure: error.failure, seconds: error.seconds };
    if (saysFull(error)) return { type: 'full', failure: { code: 'disk-full', sentence: 'the disk is full' }, seconds: 0 };
    if (!ended.aborted) fetching.log('A file could not be kept.', error);
    return { type: 'again', failure: { code: 'broken-off', sentence: 'the download broke off' }, seconds: 0 };
  }
};

/** What fetching may use. Sizes are bytes, times milliseconds. */
export interface Limits {
  /** The largest file that is fetched. */
  readonly fileBytes: number;
  /** What all kept files may take together; 0 for no limit. */
  readonly quota: number;
  /** What the disk must have left. */
  readonly freeBytes: number;
  readonly atOnce: number;
  /** Time from one call to the next. */
  readonly spacing: number;
  /** Failures after which a file is given up. */
  readonly tries: number;
  /** Pause after the first failure; each is four times the one before. */
  readonly backOff: number;
  readonly longestBackOff: number;
  /** How long a file belongs to the process that took it, unless that process says it still works on it. */
  readonly lease: number;
  /** A download that gives no byte for so long is over. */
  readonly stall: number;
  /** How long nothing is fetched after the disk or the quota was full. */
  readonly pause: number;
}

const SECOND = 1000;
const HOUR = 3600 * SECOND;

/** Twenty calls a second are well under what Telegram lets through; the eight tries take nineteen hours. */
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
