// PostgreSQL connections: opens pools, and runs statements on one connection at a time.

import pg from 'pg';
import { isConnectionErrorCode } from '../../lib/infrastructure-errors.ts';
import { POSTGRES_URL_EXAMPLE, parsePostgresUrl } from '../../lib/postgres-url.ts';
import { UnusableDatabaseError } from '../sql/engine.ts';
import type { SqlValue } from '../sql/statements.ts';
import { type ClientFactory, createClientFactory, PoolMember } from './client.ts';
import { startListener } from './listener.ts';
import { createSocketSet, type SilenceLimit, type SocketSet } from './sockets.ts';

/** Rows of a statement, and the number of rows that it returned or changed. `command` is such as `SELECT`. */
export interface QueryResult<R> {
  readonly rows: R[];
  readonly count: number;
  readonly command: string;
}

/** Executes statements. Rejects with an error that has a code if the connection is lost. */
export interface DatabaseConnection {
  /**
   * Sends a statement with `$1` for its values. A statement with a `name` is prepared once for each connection. Without
   * a name and values, the text may contain several statements.
   */
  query<R extends object>(text: string, values?: readonly SqlValue[], name?: string): Promise<QueryResult<R>>;
}

/** A connection that no other caller uses until it is released. */
export interface AcquiredConnection extends DatabaseConnection {
  /** Returns the connection to the pool. Closes it instead if it is lost, or with `close`. */
  release(close?: boolean): void;
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

/** Runs a statement. The driver's errors of a lost connection have no code. */
const runStatement = async <R extends object>(
  client: pg.PoolClient,
  text: string,
  values: readonly SqlValue[],
  name: string | undefined,
): Promise<QueryResult<R>> => {
  try {
    const results: unknown = await client.query<R>({ text, values: [...values], ...(name !== undefined && { name }) });
    const result = (Array.isArray(results) ? results.at(-1) : results) as pg.QueryResult<R>;
    return { rows: result.rows, count: result.rowCount ?? 0, command: result.command };
  } catch (error) {
    const isLost = client instanceof PoolMember && client.isLost;
    if (!isLost || !(error instanceof Error) || 'code' in error) throw error;
    throw Object.assign(new Error(error.message, { cause: error }), { code: 'CONNECTION_CLOSED' });
  }
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

/** Wraps a client that was taken from the pool. */
const wrapClient = (client: pg.PoolClient, onRelease: () => void): AcquiredConnection => {
  let isReusable = true;
  return {
    async query(text, values = [], name) {
      try {
        return await runStatement(client, text, values, name);
      } catch (error) {
        isReusable &&= isReusableAfter(error);
        throw error;
      }
    },
    release(close = false) {
      client.release(close || !isReusable);
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

  const acquire = async (): Promise<AcquiredConnection> => {
    if (isEnding) throw Object.assign(new Error('The pool was ended.'), { code: 'CONNECTION_ENDED' });
    const leave = usage.add();
    try {
      return wrapClient(await clients.connect(() => driverPool.connect()), leave);
    } catch (error) {
      leave();
      throw error;
    }
  };

  return {
    acquire,
    async query(text, values, name) {
      const connection = await acquire();
      try {
        return await connection.query(text, values, name);
      } finally {
        connection.release();
      }
    },
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
