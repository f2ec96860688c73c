/** Infrastructure errors: transient failures of the disk or the database, and the sentence that a reader sees for each. */
const FAILURE_MESSAGES: readonly (readonly [sign: RegExp, detail: string])[] = [
  [
    /SQLITE_FULL|ENOSPC|EDQUOT|SQLITE_IOERR_WRITE|disk is full|\b53100\b/,
    'The server’s disk is full: nothing can be saved just now.',
  ],
  [/SQLITE_READONLY|EROFS|readonly database|\b25006\b/, 'The server’s disk takes nothing just now: nothing can be saved.'],
  [/\bEMFILE\b|\bENFILE\b/, 'The server has too much open just now.'],
  [/SQLITE_BUSY|database is locked|\b(40001|40P01|55P03)\b/, 'The server’s database is taken by something else just now.'],
  [
    /SQLITE_(IOERR|CANTOPEN|CORRUPT|NOTADB)|disk I\/O error|unable to open database|malformed|not a database|ECONNREFUSED|ECONNRESET|CONNECTION_(CLOSED|ENDED|DESTROYED)|CONNECT_TIMEOUT|DATABASE_SILENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|\b57(014|P0[1235])\b|\b53[23]00\b|\b08\d{3}\b/,
    'The server’s database cannot be reached just now.',
  ],
];

/**
 * Returns the sentence for an error that ends by itself or by an operator's action, so that the request may be retried. Returns
 * null for a bug of this program.
 */
export function classifyFailure(error: Error & { readonly code?: unknown }): string | null {
  const said = `${String(error.code ?? '')} ${error.message}`;
  return FAILURE_MESSAGES.find(([sign]) => sign.test(said))?.[1] ?? null;
}

/** Returns null for a transient error, where the caller can do without the result. Throws other errors again. */
export function nullOnOutage(error: Error): null {
  if (classifyFailure(error) === null) throw error;
  return null;
}

/** Returns whether the error that `troubleOf` describes is an unreachable database. */
export const isDatabaseUnreachable = (trouble: string): boolean => trouble.includes('cannot be reached');

/** Returns the component of the error that `troubleOf` describes: an operator examines each in a different place. */
export function failedComponent(trouble: string): 'disk' | 'database' | 'overload' {
  if (trouble.startsWith('The server’s disk')) return 'disk';
  return trouble.startsWith('The server’s database') ? 'database' : 'overload';
}

/** Codes of a lost database connection, whose transaction is lost too. 25P03 and 25P04: it had lasted too long. */
const CONNECTION_ERROR_CODES = /^(CONNECTION_\w+|CONNECT_TIMEOUT|ECONN\w+|EPIPE|ETIMEDOUT|57P0[123]|25P0[34]|08\w{3})$/;

/** Returns whether an error means that the connection to the database was lost. */
export const isConnectionError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && CONNECTION_ERROR_CODES.test(String(error.code));
