/** Fetch errors: reasons why an untrusted address was not fetched, and their error codes. */
import type { FeedFailure } from '../../../contract/failures.ts';
import type { SourceFailure } from '../../lib/failure-codes.ts';

/** Machine-readable reason why an address was not fetched; the error's message is a sentence for people. */
export type FetchReason =
  | 'address'
  | 'scheme'
  | 'userinfo'
  | 'port'
  | 'private'
  | 'unknown-host'
  | 'unreachable'
  | 'certificate'
  | 'redirects'
  | 'downgrade'
  | 'headers'
  | 'encoding'
  | 'type'
  | 'too-large'
  | 'too-slow'
  | 'torn';

/** Error of an address that was not fetched, or of a response that was not accepted. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
  readonly reason: FetchReason;
  constructor(reason: FetchReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }

  /** Failure for pages: all rejections before a request is sent have the same code there. */
  get failure(): SourceFailure<FeedFailure> {
    return { code: CODES[this.reason], sentence: this.message };
  }
}

const CODES: Readonly<Record<FetchReason, FeedFailure>> = {
  address: 'forbidden',
  scheme: 'forbidden',
  userinfo: 'forbidden',
  port: 'forbidden',
  private: 'forbidden',
  'unknown-host': 'unknown-host',
  unreachable: 'unreachable',
  certificate: 'certificate',
  redirects: 'redirects',
  downgrade: 'downgrade',
  headers: 'headers',
  encoding: 'torn',
  type: 'type',
  'too-large': 'too-large',
  'too-slow': 'too-slow',
  torn: 'torn',
};

const CERTIFICATE_ERROR_CODE = /^(CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|ERR_TLS_CERT|HOSTNAME_MISMATCH)/;

/** Converts Node's network error to a FetchError with a readable message. */
export function toFetchError(error: unknown, host: string): FetchError {
  if (error instanceof FetchError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const createError = (reason: FetchReason, message: string) => new FetchError(reason, message, { cause: error });
  if (code === 'HPE_HEADER_OVERFLOW')
    return createError('headers', `The host ${host} sent more response headers than are accepted.`);
  if (code.startsWith('HPE_')) return createError('headers', `The host ${host} did not send a valid HTTP response.`);
  if (CERTIFICATE_ERROR_CODE.test(code)) return createError('certificate', `The certificate of ${host} is not valid (${code}).`);
  return createError('unreachable', `The host ${host} could not be reached${code === '' ? '' : ` (${code})`}.`);
}
