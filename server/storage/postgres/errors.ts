/** PostgreSQL errors: translates SQLSTATEs, and codes of the driver and of sockets, into storage errors. */
import { StorageError, type StorageErrorKind } from '../../lib/infrastructure-errors.ts';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html, then the driver's codes, then those of Node. */
const CODES_BY_KIND: Readonly<Partial<Record<StorageErrorKind, readonly string[]>>> = {
  full: ['53100'],
  readonly: ['25006'],
  busy: ['40001', '40P01', '55P03'],
  unreachable: [
    ...['57014', '57P01', '57P02', '57P03', '57P05', '53200', '53300'],
    ...['CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED', 'CONNECT_TIMEOUT'],
    ...['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
  ],
};

/** Class of the SQLSTATEs of connections. */
const CONNECTION_CLASS = /^08[0-9A-Z]{3}$/;

const kindOf = (code: string): StorageErrorKind | null => {
  if (CONNECTION_CLASS.test(code)) return 'unreachable';
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
