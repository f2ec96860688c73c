/** Error messages of the command line: turns startup errors into sentences that a person can use. */
import { ConfigError } from '../config.ts';
import { isConnectionError, isDiskFullError, StorageError } from '../lib/infrastructure-errors.ts';
import { ImportError } from '../sources/telegram-export/open-export.ts';
import { StoreOpenError } from '../storage/errors.ts';

/** Remedies by the system error codes of listening. */
const LISTEN_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'PORT is in use by another program; choose a free port.',
  EACCES: 'PORT is not allowed for this user; choose a port above 1023.',
  EADDRNOTAVAIL: 'HOST is not an address of this machine; choose one, such as localhost or 0.0.0.0.',
  ENOTFOUND: 'HOST is an unknown host name; choose a known one, such as localhost, or an address, such as 0.0.0.0.',
  EAI_AGAIN: 'HOST cannot be resolved at the moment; an address, such as 0.0.0.0, needs no name resolution.',
};

/** Ends of sentences about a file, by system error codes. */
const FILE_ERRORS: Readonly<Record<string, string>> = {
  EACCES: 'cannot be read or written by this user',
  EPERM: 'cannot be read or written by this user',
  EROFS: 'is on a read-only disk',
  ENOSPC: 'cannot be written: the disk is full',
};

/** Returns one sentence for an error that a person can correct, and the complete error for an unexpected one. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isMediaError = error instanceof StorageError && error.kind === 'media';
  const isExpected =
    isMediaError || error instanceof ConfigError || error instanceof ImportError || error instanceof StoreOpenError;
  if (isExpected) return error.message;
  return describeErrorCode(error) ?? error.stack ?? error.message;
}

function describeErrorCode(error: Error): string | null {
  const code = 'code' in error ? String(error.code) : '';
  if (code.startsWith('ERR_PARSE_ARGS')) return error.message;
  if (isConnectionError(error))
    return 'The connection to the database of DATABASE_URL was lost: try again when the database is reachable.';
  if ('path' in error) return FILE_ERRORS[code] === undefined ? null : `${String(error.path)} ${FILE_ERRORS[code]} (${code}).`;
  if (isDiskFullError(error)) return 'The disk is full.';
  return LISTEN_ERRORS[code] ?? null;
}
