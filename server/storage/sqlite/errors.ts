/** SQLite errors: translates result codes of both drivers into storage errors. */
import { StorageError, type StorageErrorKind } from '../../lib/infrastructure-errors.ts';

/**
 * Names of the result codes of https://sqlite.org/rescode.html that this program distinguishes. `node:sqlite` has only
 * numbers.
 */
const RESULT_CODE_NAMES: ReadonlyMap<number, string> = new Map([
  [1, 'SQLITE_ERROR'],
  [5, 'SQLITE_BUSY'],
  [8, 'SQLITE_READONLY'],
  [10, 'SQLITE_IOERR'],
  [11, 'SQLITE_CORRUPT'],
  [13, 'SQLITE_FULL'],
  [14, 'SQLITE_CANTOPEN'],
  [26, 'SQLITE_NOTADB'],
  [778, 'SQLITE_IOERR_WRITE'],
  [787, 'SQLITE_CONSTRAINT_FOREIGNKEY'],
]);

/** The low byte of an extended result code is the primary one. */
const PRIMARY_CODE_MASK = 0xff;

const STORAGE_ERROR_KINDS: Readonly<Record<string, StorageErrorKind>> = {
  SQLITE_FULL: 'full',
  // A network or thin-provisioned disk reports a write error when it is full.
  SQLITE_IOERR_WRITE: 'full',
  SQLITE_READONLY: 'readonly',
  SQLITE_BUSY: 'busy',
  SQLITE_CORRUPT: 'corrupt',
  SQLITE_NOTADB: 'corrupt',
  SQLITE_IOERR: 'unreachable',
  SQLITE_CANTOPEN: 'unreachable',
};

/** Returns the name of an error's result code, extended or primary; null for another error, or a number that is not listed. */
export const sqliteResultCode = (error: unknown): string | null => {
  if (!(error instanceof Error)) return null;
  if ('errcode' in error && typeof error.errcode === 'number')
    return RESULT_CODE_NAMES.get(error.errcode) ?? RESULT_CODE_NAMES.get(error.errcode & PRIMARY_CODE_MASK) ?? null;
  return 'code' in error && typeof error.code === 'string' && error.code.startsWith('SQLITE_') ? error.code : null;
};

/** Converts a driver's error to a storage error. Returns all other errors unchanged, such as a violated constraint. */
export const toSqliteStorageError = (error: unknown): unknown => {
  const code = sqliteResultCode(error);
  if (code === null || !(error instanceof Error) || error instanceof StorageError) return error;
  const primaryCode = code.split('_', 2).join('_');
  const kind = STORAGE_ERROR_KINDS[code] ?? STORAGE_ERROR_KINDS[primaryCode];
  return kind === undefined ? error : new StorageError(kind, code, error.message, { cause: error });
};

/** Calls the driver. Rethrows its errors as storage errors. */
export const withSqliteErrors = <T>(call: () => T): T => {
  try {
    return call();
  } catch (error) {
    throw toSqliteStorageError(error);
  }
};
