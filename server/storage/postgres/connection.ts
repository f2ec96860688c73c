import postgres from 'postgres';
import { isLost } from '../../lib/infrastructure-errors.ts';
import { ADDRESS, readAddress } from '../../lib/postgres-url.ts';
import type { Answer, Query, Row, Value } from '../sql/statements.ts';
import { translate } from './dialect.ts';
import { createSockets, type Silence } from './sockets.ts';

/** PostgreSQL's own numbers of its types. */
const BOOL = 16;
const INT8 = 20;
const NUMERIC = 1700;

// Numbers of the store are below 2^53, and what is true is 1, as in every engine.
const TYPES = {
  number: { to: INT8, from: [INT8, NUMERIC], serialize: String, parse: Number },
  truth: { to: BOOL, from: [BOOL], serialize: String, parse: (value: string): number => (value === 't' ? 1 : 0) },
};
type Numbers = { number: number; truth: number };

/** A pool of connections to one database. */
export type Pool = postgres.Sql<Numbers>;
export type TransactionSql = postgres.TransactionSql<Numbers>;
type Connection = Pool | TransactionSql;

/** The server ends each statement within this part of the longest silence. */
const STATEMENT_PART = 0.9;

/**
 * Opens a pool of ten connections, or as many as the address says (`?max=20`); none is made before the first statement. Connections
 * that are silent for too long are given up; null, for an administrator's long statements, waits for ever. Throws, with
 * nothing of the address in it, where that is none. `connections` overrides the address.
 */
export const openPool = (address: string, silence: Silence | null = null, connections?: number): Pool => {
  const read = readAddress(address);
  if (read === null) throw new Error(`its address should be ${ADDRESS}`);
  const [first = '', port] = [read.hosts[0], read.ports[0]];
  const path = first.startsWith('/') ? `${first}/.s.PGSQL.${port}` : undefined;
  return postgres(read.url, {
    // The driver takes lists, which its types do not know.
    ...({ host: read.hosts, port: read.ports } as object),
    ...(path !== undefined && { path }),
    ...(silence !== null && { socket: createSockets(silence) }),
    types: TYPES,
    // Asked at each connection, and an error in its answer would be nobody's and end the process; no type of ours is an array.
    fetch_types: false,
    onnotice: () => {},
    ...(connections !== undefined && { max: connections }),
    connect_timeout: 10,
    // What is asked meanwhile waits for the next try: it is refused soon, and nobody waits for long once the database is back.
    backoff: (tries) => Math.min(3 ** tries / 100, 1),
    // Dead connections that are idle are found within 40 s on Linux.
    keep_alive: 30,
    connection: {
      application_name: 'channel-changer',
      client_min_messages: 'warning',
      ...(silence !== null && { statement_timeout: Math.round(silence.max * STATEMENT_PART) }),
    },
  });
};

/** Opens a connection, asks the database for its smallest answer, and closes the connection: an old one may be dead while the database is not. */
export const askAnew = async (address: string): Promise<void> => {
  const pool = openPool(address, null, 1);
  try {
    await pool.unsafe('SELECT 1');
  } finally {
    void pool.end({ timeout: 0 });
  }
};

/** PostgreSQL keeps no NUL in a text; no reader sees one either. */
const plain = (value: Value): Value => (typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '') : value);

/** A plan that was made for any words at all would read the whole index: searches are planned each time. */
const isPlannedOnce = (text: string): boolean => !text.includes('@@');

/** Sends a statement and reads its answer. */
export const answer = async (connection: Connection, { text, values, gives }: Query): Promise<Answer> => {
  const rows = await connection.unsafe<Row[]>(translate(text), values.map(plain), { prepare: isPlannedOnce(text) });
  return { rows: gives === 'run' ? [] : [...rows], changes: rows.count };
};

const never = (): Promise<never> => new Promise(() => {});

/**
 * Does what is to be done in one transaction, of an `isolation` as `isolation level repeatable read`. Where its connection is lost the
 * driver (postgres 3.4.9) would still write to it what comes afterwards, which is uncaught and ends the process: so how `act` ended is
 * kept from it, which spares the COMMIT or ROLLBACK, and all of it fails by the loss, once `act` has ended. What waits for something
 * else than the database calls `demand` before it sends a statement: that throws after a loss.
 */
export const begin = async <T>(
  pool: Pool,
  act: (connection: TransactionSql, demand: () => void) => Promise<T>,
  isolation = '',
): Promise<T> => {
  let failure: unknown = null;
  let ended: Promise<unknown> = Promise.resolve();
  const demand = () => {
    if (failure !== null) throw failure;
  };
  try {
    return (await pool.begin(isolation, (connection) => {
      const acted = act(connection, demand);
      ended = acted.catch(() => {});
      return acted.then(
        (result) => (failure === null ? result : never()),
        (error: unknown) => {
          if (failure === null && !isLost(error)) throw error;
          return never();
        },
      );
    })) as T;
  } catch (error) {
    failure = error;
    await ended;
    throw error;
  }
};
