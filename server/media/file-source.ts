import type { FileFailure } from '../../contract/failures.ts';
import type { SourceFailure } from '../lib/failure-codes.ts';

/**
 * Where wanted files come from. `download` takes the path that `file` gave; sizes are bytes, null where the source does not
 * say. Both fail with a SourceProblem, whose words are safe to be kept and shown.
 */
export interface FileSource {
  file(fileId: string, signal: AbortSignal): Promise<{ readonly path: string; readonly size: number | null }>;
  download(path: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
}

/**
 * Why a file could not be had. `wait`: the source lets nobody through for `seconds`; `away`: it could not be reached, and is
 * tried for as long as the file is wanted; `again`: this file may come later; `gone` and `too-large`: it never will.
 */
export class SourceProblem extends Error {
  override readonly name = 'SourceProblem';
  readonly kind: 'wait' | 'away' | 'again' | 'gone' | 'too-large';
  readonly seconds: number;
  readonly failure: SourceFailure<FileFailure>;
  constructor(kind: SourceProblem['kind'], failure: SourceFailure<FileFailure>, seconds = 0) {
    super(failure.sentence);
    this.kind = kind;
    this.seconds = seconds;
    this.failure = failure;
  }
}
