/**
 * Infrastructure errors: transient failures of the disk or the database, and the sentence that a reader sees for each.
 */

/**
 * Reason of a storage error. `unreachable`: the database does not respond, or its files cannot be read. `corrupt`:
 * damaged. `media`: the object storage of media files failed.
 */
export type StorageErrorKind = 'full' | 'readonly' | 'busy' | 'corrupt' | 'unreachable' | 'media';

/**
 * Failure of the database or of object storage. Each engine creates it from an error of its driver
 * (`storage/sqlite/errors.ts`, `storage/postgres/errors.ts`, `media/s3/errors.ts`), which is its `cause`. `code` is the
 * driver's: a result code, an SQLSTATE or a code of Node; that of object storage begins with `S3_`.
 */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly kind: StorageErrorKind;
  readonly code: string;
  constructor(kind: StorageErrorKind, code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
    this.code = code;
  }
}

/** Creates the error for a database that did not respond in time. */
export const createDatabaseTimeoutError = (message: string): StorageError =>
  new StorageError('unreachable', 'DATABASE_SILENT', message);

/** Description of an error that ends by itself or by an operator's action, so that the request may be retried. */
export interface InfrastructureFailure {
  /** Component that an operator has to examine. */
  readonly component: 'disk' | 'database' | 'media' | 'overload';
  /** A sentence for readers. */
  readonly detail: string;
  /** Seconds. */
  readonly retryAfter: number;
}

type FailureKind = StorageErrorKind | 'too-many-files';

const RETRY_AFTER_SECONDS = 30;

const failure = (component: InfrastructureFailure['component'], detail: string): InfrastructureFailure => ({
  component,
  detail,
  retryAfter: RETRY_AFTER_SECONDS,
});

const UNREACHABLE = failure('database', 'The server’s database is not reachable at the moment.');

const FAILURES: Readonly<Record<FailureKind, InfrastructureFailure>> = {
  full: failure('disk', 'The server’s disk is full: nothing can be saved at the moment.'),
  readonly: failure('disk', 'The server’s disk is read-only at the moment: nothing can be saved.'),
  'too-many-files': failure('overload', 'The server has too many open files at the moment.'),
  busy: failure('database', 'The server’s database is busy at the moment.'),
  corrupt: UNREACHABLE,
  unreachable: UNREACHABLE,
  media: failure('media', 'The server’s media storage is not reachable at the moment.'),
};

/** Codes of Node for the disk and for open files. */
const NODE_FAILURE_KINDS: ReadonlyMap<unknown, FailureKind> = new Map([
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EROFS', 'readonly'],
  ['EMFILE', 'too-many-files'],
  ['ENFILE', 'too-many-files'],
]);

const failureKindOf = (error: unknown): FailureKind | undefined => {
  if (error instanceof StorageError) return error.kind;
  return error instanceof Error && 'code' in error ? NODE_FAILURE_KINDS.get(error.code) : undefined;
};

/**
 * Describes an error that ends by itself or by an operator's action. Returns null for any other error: a bug of this
 * program.
 */
export function classifyFailure(error: unknown): InfrastructureFailure | null {
  const kind = failureKindOf(error);
  return kind === undefined ? null : FAILURES[kind];
}

/** Returns null for a transient error, where the caller can do without the result. Throws other errors again. */
export function nullOnOutage(error: Error): null {
  if (classifyFailure(error) === null) throw error;
  return null;
}

/** Returns whether the database could not be read, so that another query would fail too. */
export const isDatabaseUnreachable = (error: unknown): boolean => classifyFailure(error) === UNREACHABLE;

/** Returns whether an error means that the disk, also the database's, is full. */
export const isDiskFullError = (error: unknown): boolean => failureKindOf(error) === 'full';

/**
 * Codes of a lost database connection, whose transaction is lost too. 25P03 and 25P04: the transaction took too long.
 */
const CONNECTION_ERROR_CODES = /^(CONNECTION_\w+|CONNECT_TIMEOUT|ECONN\w+|EPIPE|ETIMEDOUT|57P0[123]|25P0[34]|08\w{3})$/;

/** Returns whether a code means that the connection to the database was lost. */
export const isConnectionErrorCode = (code: string): boolean => CONNECTION_ERROR_CODES.test(code);

/** Returns whether an error means that the connection to the database was lost. */
export const isConnectionError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && isConnectionErrorCode(String(error.code));
