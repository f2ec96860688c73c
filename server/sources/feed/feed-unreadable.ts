import type { FeedFailure } from '../../../contract/failures.ts';
import type { SourceFailure } from '../../lib/failure-codes.ts';

/** A document that is no feed, or one that cannot be read; `message` is a sentence. */
export class FeedUnreadable extends Error {
  override readonly name = 'FeedUnreadable';
  readonly failure: SourceFailure<FeedFailure>;
  constructor(code: FeedFailure, sentence: string, { status, ...options }: ErrorOptions & { readonly status?: number } = {}) {
    super(sentence, options);
    this.failure = { code, sentence, ...(status !== undefined && { status }) };
  }
}
