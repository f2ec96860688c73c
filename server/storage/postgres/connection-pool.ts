// PostgreSQL connections: opens pools, and gives each caller a connection of its own until all responses have arrived.

import pg from 'pg';
import { isConnectionErrorCode } from '../../lib/infrastructure-errors.ts';
import { POSTGRES_URL_EXAMPLE, parsePostgresUrl } from '../../lib/postgres-url.ts';
import { UnusableDatabaseError } from '../sql/engine.ts';
import type { SqlValue } from '../sql/statements.ts';
import { type ClientFactory, createClientFactory, type PoolMember } from './client.ts';
import { startListener } from './listener.ts';
import { NamedQuery, type QueryResult } from './named-query.ts';
import { createSocketSet, type SilenceLimit, type SocketSet } from './sockets.ts';

/** Arguments of `query`. */
export interface Statement {
  readonly text: string;
  readonly values: readonly SqlValue[];
  readonly name: string | undefined;
}

/** Executes statements. Rejects with an error that has a code if the connection is lost. */
export interface DatabaseConnection {
  /**
   * Sends a statement with `$1` for its values. A statement with a `name` is prepared once for each connection. Without
   * a name and values, the text may contain several statements.
   */
  query<R extends object>(text: string, values?: readonly SqlValue[], name?: string): Promise<QueryResult<R>>;
  /**
   * Sends several statements in one packet. Calls `onResponse` after each response. Rejects with the first error, when
   * all responses have arrived.
   */
  queryAll<R extends object>(statements: readonly Statement[], onResponse?: () => void): Promise<QueryResult<R>[]>;
}

/** A connection that no other caller uses until it is released. */
export interface AcquiredConnection extends DatabaseConnection {
  /** Returns the connection to the pool. Closes it instead if it is lost. */
  release(): void;
}

/** A pool of connections to one database. */
export interface Pool extends DatabaseConnection {
  acquire(): Promise<AcquiredConnection>;
  /**
   * Receives the notifications of a channel, on a separate connection. Calls `onListening` whenever that connection was
   * opened, also after it was lost.
   */
  listen(channel: string, receive: (payload: string) => void, onListening: () => void): void;
  /** Completes statements and transactions for up to `timeoutMs`, and closes all connections. */
  end(timeoutMs?: number): Promise<void>;
}

/** The server cancels each statement after this part of the maximum silence. */
const STATEMENT_TIMEOUT_SHARE = 0.9;

const DEFAULT_MAX_CONNECTIONS = 10;

/** Seconds after which an idle connection is replaced: its server process keeps memory for each statement. */
const MAX_LIFETIME_SECONDS = 3600;

const END_TIMEOUT_MS = 5000;

/** Codes of a prepared statement that no longer fits the schema, or that the connection has lost. */
const STALE_STATEMENT_CODES: ReadonlySet<string> = new Set(['0A000', '26000']);

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** Returns whether a connection can be used after an error: the server rejected the statement, and nothing else. */
const isReusableAfter = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  error.severity === 'ERROR' &&
  !isConnectionErrorCode(codeOf(error)) &&
  !STALE_STATEMENT_CODES.has(codeOf(error));

/** Executes a named statement, which the connection prepares at its first use. */
const runNamed = <R extends object>(client: PoolMember, text: string, values: readonly SqlValue[], name: string) =>
  new Promise<QueryResult<R>>((resolve, reject) => {
    client.query(
      new NamedQuery<R>({ text, name, values }, client.descriptions, { resolve, reject }) as unknown as pg.Submittable,
    );
  });

/** Executes a statement that is planned at each execution, or several statements without values. */
const runUnnamed = async <R extends object>(client: PoolMember, text: string, values: readonly SqlValue[]) => {
  const results: unknown = await client.query<R>({ text, values: [...values] });
  const result = (Array.isArray(results) ? results.at(-1) : results) as pg.QueryResult<R>;
  return { rows: result.rows, count: result.rowCount ?? 0, command: result.command };
};

/** Returns the error of a statement. The driver's errors of a lost connection have no code. */
const toStatementError = (client: PoolMember, error: unknown): unknown => {
  if (!client.isLost || !(error instanceof Error) || 'code' in error) return error;
  return Object.assign(new Error(error.message, { cause: error }), { code: 'CONNECTION_CLOSED' });
};

/**
 * Opens a pool of ten connections, or of as many as the address specifies (`?max=20`). It connects at the first
 * statement. Connections that are silent for too long are closed. A null `silence`, for an administrator's long
 * statements, waits without a limit. Throws if the address is invalid, without any part of it in the error.
 * `maxConnections` overrides the address.
 */
export const openPool = (address: string, silence: SilenceLimit | null = null, maxConnections?: number): Pool => {
  const parsed = parsePostgresUrl(address);
  if (parsed === null) throw new UnusableDatabaseError(`its address should be ${POSTGRES_URL_EXAMPLE}`);
  const sockets = createSocketSet(silence);
  const statementTimeoutMs = silence === null ? null : Math.round(silence.maxMs * STATEMENT_TIMEOUT_SHARE);
  const clients = createClientFactory(parsed, sockets, statementTimeoutMs);
  const pool = new pg.Pool({
    Client: clients.Client,
    verify: clients.verify,
    max: maxConnections ?? (Number(parsed.settings.max) || DEFAULT_MAX_CONNECTIONS),
    idleTimeoutMillis: 0,
    maxLifetimeSeconds: MAX_LIFETIME_SECONDS,
  });
  // The pool removes an idle connection that was lost.
  pool.on('error', () => {});
  return createPool(pool, clients, sockets);
};

/** A client that was taken from the pool. */
type PoolClient = PoolMember & pg.PoolClient;

/**
 * Wraps a client that was taken from the pool. Without a transaction (`isAutocommit`), a prepared statement that no
 * longer fits the schema is executed again: another process may have migrated the schema.
 */
const wrapClient = (client: PoolClient, isAutocommit: boolean, onRelease: () => void): AcquiredConnection => {
  let isReusable = true;
  const query = async <R extends object>(
    text: string,
    values: readonly SqlValue[] = [],
    name?: string,
  ): Promise<QueryResult<R>> => {
    try {
      return await (name === undefined ? runUnnamed<R>(client, text, values) : runNamed<R>(client, text, values, name));
    } catch (error) {
      isReusable &&= isReusableAfter(error);
      if (isAutocommit && name !== undefined && STALE_STATEMENT_CODES.has(codeOf(error))) return query<R>(text, values);
      throw toStatementError(client, error);
    }
  };
  return {
    query,
    async queryAll<R extends object>(statements: readonly Statement[], onResponse?: () => void) {
      const { stream } = client.connection;
      stream.cork();
      const results = statements.map(async ({ text, values, name }) => {
        const result = await query<R>(text, values, name);
        onResponse?.();
        return result;
      });
      stream.uncork();
      try {
        return await Promise.all(results);
      } finally {
        // The connection is released afterwards, and must have received all responses.
        await Promise.allSettled(results);
      }
    },
    release() {
      client.release(!isReusable);
      onRelease();
    },
  };
};

/** Counts the connections that callers wait for or use. */
const createUsage = () => {
  let count = 0;
  let notifyUnused = () => {};
  return {
    add(): () => void {
      count += 1;
      return () => {
        count -= 1;
        if (count === 0) notifyUnused();
      };
    },
    async unused() {
      if (count > 0)
        await new Promise<void>((resolve) => {
          notifyUnused = resolve;
        });
    },
  };
};

const createPool = (driverPool: pg.Pool, clients: ClientFactory, sockets: SocketSet): Pool => {
  const usage = createUsage();
  const listeners: { stop(): void }[] = [];
  let isEnding = false;

  const acquire = async (isAutocommit: boolean): Promise<AcquiredConnection> => {
    if (isEnding) throw Object.assign(new Error('The pool was ended.'), { code: 'CONNECTION_ENDED' });
    const leave = usage.add();
    try {
      return wrapClient((await clients.connect(() => driverPool.connect())) as PoolClient, isAutocommit, leave);
    } catch (error) {
      leave();
      throw error;
    }
  };
  const runOnce = async <T>(task: (connection: AcquiredConnection) => Promise<T>): Promise<T> => {
    const connection = await acquire(true);
    try {
      return await task(connection);
    } finally {
      connection.release();
    }
  };

  return {
    acquire: () => acquire(false),
    query: (...args) => runOnce((connection) => connection.query(...args)),
    queryAll: (...args) => runOnce((connection) => connection.queryAll(...args)),
    listen(channel, receive, onListening) {
      listeners.push(startListener(clients, channel, receive, onListening));
    },
    async end(timeoutMs = END_TIMEOUT_MS) {
      isEnding = true;
      for (const listener of listeners) listener.stop();
      const timeout = setTimeout(() => sockets.destroy(), timeoutMs);
      await usage.unused();
      if (!driverPool.ending) await driverPool.end();
      await sockets.closed();
      clearTimeout(timeout);
    },
  };
};

/**
 * Opens a connection, runs a minimal query and closes it. An existing connection may be dead while the database is not.
 */
export const probeConnection = async (address: string): Promise<void> => {
  const pool = openPool(address, null, 1);
  try {
    await pool.query('SELECT 1');
  } finally {
    void pool.end(0);
  }
};
