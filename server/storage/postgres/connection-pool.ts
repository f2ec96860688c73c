// PostgreSQL connections: opens pools, runs statements and transactions, and handles lost connections.

import postgres from 'postgres';
import { isConnectionError } from '../../lib/infrastructure-errors.ts';
import { POSTGRES_URL_EXAMPLE, parsePostgresUrl } from '../../lib/postgres-url.ts';
import { UnusableDatabaseError } from '../sql/engine.ts';
import type { Row, SqlStatement, SqlValue, StatementResult } from '../sql/statements.ts';
import { toPostgresSql } from './dialect.ts';
import { createSocketFactory, type SilenceLimit } from './sockets.ts';

/** OIDs of PostgreSQL's types. */
const BOOL = 16;
const INT8 = 20;
const NUMERIC = 1700;

// Numbers of the store are below 2^53, and true is 1, as with every engine.
const TYPES = {
  number: { to: INT8, from: [INT8, NUMERIC], serialize: String, parse: Number },
  boolean: { to: BOOL, from: [BOOL], serialize: String, parse: (value: string): number => (value === 't' ? 1 : 0) },
};
type CustomTypes = { number: number; boolean: number };

/** A pool of connections to one database. */
export type Pool = postgres.Sql<CustomTypes>;
export type TransactionSql = postgres.TransactionSql<CustomTypes>;
type Connection = Pool | TransactionSql;

/** The server cancels each statement after this part of the maximum silence. */
const STATEMENT_TIMEOUT_SHARE = 0.9;

/**
 * Opens a pool of ten connections, or of as many as the address specifies (`?max=20`). It connects at the first
 * statement. Connections that are silent for too long are closed. A null `silence`, for an administrator's long
 * statements, waits without a limit. Throws if the address is invalid, without any part of it in the error.
 * `maxConnections` overrides the address.
 */
export const openPool = (address: string, silence: SilenceLimit | null = null, maxConnections?: number): Pool => {
  const parsed = parsePostgresUrl(address);
  if (parsed === null) throw new UnusableDatabaseError(`its address should be ${POSTGRES_URL_EXAMPLE}`);
  const [firstHost = '', firstPort] = [parsed.hosts[0], parsed.ports[0]];
  const socketPath = firstHost.startsWith('/') ? `${firstHost}/.s.PGSQL.${firstPort}` : undefined;
  return postgres(parsed.url, {
    // The driver accepts lists, but its types do not declare that.
    ...({ host: parsed.hosts, port: parsed.ports } as object),
    ...(socketPath !== undefined && { path: socketPath }),
    ...(silence !== null && { socket: createSocketFactory(silence) }),
    types: TYPES,
    // The driver would query types at each connection. An error of that query would be an unhandled rejection and end
    // the process. The store uses no array types.
    fetch_types: false,
    onnotice: () => {},
    ...(maxConnections !== undefined && { max: maxConnections }),
    // Seconds.
    connect_timeout: 10,
    // Statements wait for the next connection attempt meanwhile. Pauses are short, so that waiting ends soon after the
    // database is back.
    backoff: (tries) => Math.min(3 ** tries / 100, 1),
    // Linux detects dead idle connections within 40 s.
    keep_alive: 30,
    connection: {
      application_name: 'channel-changer',
      client_min_messages: 'warning',
      ...(silence !== null && { statement_timeout: Math.round(silence.maxMs * STATEMENT_TIMEOUT_SHARE) }),
    },
  });
};

/**
 * Opens a connection, runs a minimal query and closes it. An existing connection may be dead while the database is not.
 */
export const probeConnection = async (address: string): Promise<void> => {
  const pool = openPool(address, null, 1);
  try {
    await pool.unsafe('SELECT 1');
  } finally {
    void pool.end({ timeout: 0 });
  }
};

/** Removes NUL characters: PostgreSQL cannot store them in text, and no reader sees them. */
const stripNul = (value: SqlValue): SqlValue =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '') : value;

/**
 * Returns whether a statement may be prepared. A generic plan for any search terms would read the complete index, so
 * searches are planned each time.
 */
const isPreparable = (text: string): boolean => !text.includes('@@');

/** Sends a statement and returns its result. */
export const sendStatement = async (
  connection: Connection,
  { text, values, returns }: SqlStatement,
): Promise<StatementResult> => {
  const rows = await connection.unsafe<Row[]>(toPostgresSql(text), values.map(stripNul), { prepare: isPreparable(text) });
  return { rows: returns === 'changeCount' ? [] : [...rows], changes: rows.count };
};

const neverSettle = (): Promise<never> => new Promise(() => {});

/**
 * Runs `task` in one transaction; `isolation` is an SQL clause such as `isolation level repeatable read`. After a lost
 * connection, the driver (postgres 3.4.9) would still write later statements to it, which is an uncaught error and ends
 * the process. Therefore the outcome of `task` is hidden from the driver, so that it sends no COMMIT or ROLLBACK. The
 * transaction then rejects with the connection error, once `task` has ended. Code that waits for something other than
 * the database calls `assertConnected` before it sends a statement: `assertConnected` throws after the connection is
 * lost.
 */
export const runInTransaction = async <T>(
  pool: Pool,
  task: (connection: TransactionSql, assertConnected: () => void) => Promise<T>,
  isolation = '',
): Promise<T> => {
  let failure: unknown = null;
  let taskEnd: Promise<unknown> = Promise.resolve();
  const assertConnected = () => {
    if (failure !== null) throw failure;
  };
  try {
    return (await pool.begin(isolation, (connection) => {
      const running = task(connection, assertConnected);
      taskEnd = running.catch(() => {});
      return running.then(
        (result) => (failure === null ? result : neverSettle()),
        (error: unknown) => {
          if (failure === null && !isConnectionError(error)) throw error;
          return neverSettle();
        },
      );
    })) as T;
  } catch (error) {
    failure = error;
    await taskEnd;
    throw error;
  }
};
