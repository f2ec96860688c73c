/** PostgreSQL errors: translates SQLSTATEs, and codes of the driver and of sockets, into storage errors. */
import { isConnectionErrorCode, StorageError, type StorageErrorKind } from '../../lib/infrastructure-errors.ts';

/**
 * https://www.postgresql.org/docs/current/errcodes-appendix.html, then the codes of Node. A lost connection also means
 * `unreachable`: see `isConnectionErrorCode`.
 */
const CODES_BY_KIND: Readonly<Partial<Record<StorageErrorKind, readonly string[]>>> = {
  full: ['53100'],
  readonly: ['25006'],
  busy: ['40001', '40P01', '55P03'],
  unreachable: [...['57014', '57P05', '53200', '53300'], ...['EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN']],
};

const kindOf = (code: string): StorageErrorKind | null => {
  if (isConnectionErrorCode(code)) return 'unreachable';
  for (const kind of ['full', 'readonly', 'busy', 'unreachable'] as const) if (CODES_BY_KIND[kind]?.includes(code)) return kind;
  return null;
};

/**
 * Returns the storage error of an error with a code. Returns all other errors as they are, such as a violated
 * constraint.
 */
export const toPostgresStorageError = (error: unknown): unknown => {
  if (!(error instanceof Error && 'code' in error) || error instanceof StorageError) return error;
  const code = String(error.code);
  const kind = kindOf(code);
  return kind === null ? error : new StorageError(kind, code, error.message, { cause: error });
};

/** Waits for a result of the driver, and throws its storage errors. */
export const withPostgresErrors = async <T>(result: Promise<T>): Promise<T> => {
  try {
    return await result;
  } catch (error) {
    throw toPostgresStorageError(error);
  }
};
