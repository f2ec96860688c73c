import type { FileFailure } from '../../contract/failures.ts';
import type { SourceFailure } from '../lib/failure-codes.ts';

/**
 * File source: port to the origin of files. `download` takes the path that `locateFile` returned. Sizes are bytes; null
 * if the source does not report one. Both reject with a `FileSourceError`, whose message is safe to store and show.
 */
export interface FileSource {
  locateFile(fileId: string, signal: AbortSignal): Promise<{ readonly path: string; readonly size: number | null }>;
  download(path: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
}

/**
 * Reason for which a file could not be downloaded. `wait`: the source rejects all requests for `seconds`.
 * `unreachable`: attempts continue while the file is needed. `retry`: this file may be available later. `gone` and
 * `too-large`: it never will be.
 */
export class FileSourceError extends Error {
  override readonly name = 'FileSourceError';
  readonly kind: 'wait' | 'unreachable' | 'retry' | 'gone' | 'too-large';
  readonly seconds: number;
  readonly failure: SourceFailure<FileFailure>;
  constructor(kind: FileSourceError['kind'], failure: SourceFailure<FileFailure>, seconds = 0) {
    super(failure.sentence);
    this.kind = kind;
    this.seconds = seconds;
    this.failure = failure;
  }
}
