// Opening of the store: chooses SQLite or PostgreSQL, runs migrations, and turns errors into sentences for the
// operator.

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StorageError } from '../lib/infrastructure-errors.ts';
import type { LogFn } from '../lib/logger.ts';
import { createDataDir } from './data-dir.ts';
import { StoreOpenError } from './errors.ts';
import type { Store } from './ports/store.ts';
import type { Pool } from './postgres/connection-pool.ts';
import { createStore } from './sql/create-store.ts';
import type { Dialect } from './sql/dialect.ts';
import { type Engine, type SchemaVersions, UnusableDatabaseError } from './sql/engine.ts';
import { MOVE_SETTING, readSetting } from './sql/settings.ts';
import { type Database, openSqliteDatabase } from './sqlite/connection.ts';
import { SQLITE_DIALECT } from './sqlite/dialect.ts';
import { createSqliteEngine } from './sqlite/engine.ts';
import { migrateSqlite } from './sqlite/migrations.ts';

/** File name of the database in DATA_DIR. */
export const DATABASE_FILE = 'changer.sqlite';

/** SQLite reports only that it cannot open a file; Node has a code for each reason. */
const NOT_WRITABLE_CODES: ReadonlySet<string> = new Set(['SQLITE_CANTOPEN', 'EACCES', 'EROFS', 'EPERM']);

/** Returns the meaning of a driver error, for the person who started the server. */
const sqliteErrorReason = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const kind = error instanceof StorageError ? error.kind : null;
  const code = 'code' in error ? String(error.code) : '';
  if (kind === 'readonly' || NOT_WRITABLE_CODES.has(code)) return 'the directory or the file cannot be written';
  if (kind === 'corrupt') return 'the file is damaged or is no database; put a backup in its place or move it away';
  if (kind === 'full') return 'the disk is full';
  return error.message;
};

const openAndMigrate = async (path: string): Promise<{ readonly database: Database; readonly versions: SchemaVersions }> => {
  const database = await openSqliteDatabase(path);
  try {
    const versions = migrateSqlite(database);
    // SQLite opens a file that cannot be written too, and then only reads. A write without changes reports that now instead of
    // at the first post.
    database.sql('DELETE FROM facts WHERE 1 = 0').run();
    return { database, versions };
  } catch (error) {
    database.close();
    throw error;
  }
};

/** Location of a store: DATA_DIR, or the database of DATABASE_URL. */
export interface StoreLocation {
  readonly dataDir: string;
  readonly databaseUrl?: string | null;
  /** URL of a replica of that database for reads of anonymous readers. */
  readonly databaseReplicaUrl?: string | null;
}

/** An engine whose schema is up to date, and its SQL dialect. */
interface OpenedEngine {
  readonly engine: Engine;
  readonly dialect: Dialect;
  readonly versions: SchemaVersions;
}

/** Opens the store; creates and migrates it as needed. Rejects with one sentence that says what to do. */
export const openStore = async (location: StoreLocation, log?: LogFn): Promise<Store> => {
  if (location.databaseUrl == null) await assertDatabaseNotLost(location.dataDir);
  const { engine, dialect, versions } = await openEngine(location, log, true);
  if (versions.from !== versions.to)
    log?.(`The store was migrated from version ${versions.from} to ${versions.to}.`, undefined, 'info');
  if ((await engine.read(readSetting(MOVE_SETTING))) === null) return createStore(engine, dialect);
  await engine.close();
  throw new Error(
    'The store is incomplete, because a move into it was not finished: run the same npm run move or npm run restore again.',
  );
};

/**
 * Opens the engine of a store, even if a move into it is incomplete. With `serves`, users wait for responses, so a
 * database that does not respond causes an error after a time limit.
 */
export const openEngine = (
  { dataDir, databaseUrl = null, databaseReplicaUrl = null }: StoreLocation,
  log?: LogFn,
  serves = false,
): Promise<OpenedEngine> =>
  databaseUrl === null ? openSqlite(dataDir, log) : openPostgres(databaseUrl, serves ? { databaseReplicaUrl, log } : null);

/** Rejects if media files exist without a database: the database was lost. A new database would hide that loss. */
const assertDatabaseNotLost = async (dataDir: string): Promise<void> => {
  const databaseStats = await stat(join(dataDir, DATABASE_FILE)).catch(() => null);
  if (databaseStats !== null && databaseStats.size > 0) return;
  const mediaFolders = await readdir(join(dataDir, 'media')).catch(() => []);
  if (mediaFolders.length === 0) return;
  throw new StoreOpenError(
    `DATA_DIR: ${dataDir} has stored files in media/ and ${databaseStats ? 'an empty' : 'no'} ${DATABASE_FILE}: put the database of a backup there, or, to start with an empty store, remove media/.`,
  );
};

const openSqlite = async (dataDir: string, log?: LogFn): Promise<OpenedEngine> => {
  const path = join(dataDir, DATABASE_FILE);
  await createDataDir(dataDir);
  try {
    const { database, versions } = await openAndMigrate(path);
    return { engine: createSqliteEngine(database, log), dialect: SQLITE_DIALECT, versions };
  } catch (error) {
    throw new StoreOpenError(`DATA_DIR: the database ${path} cannot be opened: ${sqliteErrorReason(error)}.`, { cause: error });
  }
};

const POSTGRES_ERROR_REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no server listens at its address',
  ENOENT: 'there is no socket in the directory of its address',
  ENOTFOUND: 'its host name is unknown',
  CONNECT_TIMEOUT: 'its host does not respond',
  ECONNRESET: 'it closed the connection',
  CONNECTION_CLOSED: 'its server has no TLS, which sslmode of its address requires, or it closed the connection',
  '28P01': 'its password is not accepted',
  '28000': 'its user is not accepted',
  '3D000': 'there is no database with its name',
  '42501': 'its user may not create tables there',
  '53300': 'it has no connection left',
};

/**
 * Returns the meaning of a failure, for the person who started the server. It contains no part of the address, because
 * that includes a password.
 */
const postgresErrorReason = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (POSTGRES_ERROR_REASONS[code] !== undefined) return POSTGRES_ERROR_REASONS[code];
  return error instanceof UnusableDatabaseError ? error.message : `it failed (${code || 'unknown'})`;
};

/**
 * Opens a pool and runs `task` with it. The pool stays open after a success. On failure it closes the pool and throws one sentence without any part of the
 * address.
 */
export const connectPostgres = async <T>(url: string, task: (pool: Pool) => Promise<T>): Promise<T> => {
  // The driver is imported here, because a server with SQLite does not need it.
  const { openPool } = await import('./postgres/connection-pool.ts');
  let pool: Pool | null = null;
  try {
    pool = openPool(url);
    return await task(pool);
  } catch (error) {
    await pool?.end(1000);
    throw new StoreOpenError(`DATABASE_URL: the database cannot be opened: ${postgresErrorReason(error)}.`, { cause: error });
  }
};

/** Milliseconds after which a connection is closed that does not respond to a statement. */
const MAX_SILENCE_MS = 60_000;

/** Opens the engine. `server` is null for an administrator's command. */
const openPostgres = async (
  url: string,
  server: { readonly databaseReplicaUrl: string | null; readonly log: LogFn | undefined } | null,
): Promise<OpenedEngine> => {
  const [
    { probeConnection, openPool },
    { createPostgresEngine },
    { createReplica },
    { POSTGRES_DIALECT },
    { createCircuitBreaker, runWithoutLimit, DATABASE_TIMEOUT_MS },
    migrations,
  ] = await Promise.all([
    import('./postgres/connection-pool.ts'),
    import('./postgres/engine.ts'),
    import('./postgres/replica.ts'),
    import('./postgres/dialect.ts'),
    import('./postgres/circuit-breaker.ts'),
    import('./postgres/migrations.ts'),
  ]);
  // A migration may take longer than the time limit of later statements, so it uses a separate pool without that limit.
  const [migrationPool, versions] = await connectPostgres(
    url,
    async (pool) => [pool, await migrations.migratePostgres(pool)] as const,
  );
  if (server === null)
    return { engine: createPostgresEngine(migrationPool, runWithoutLimit), dialect: POSTGRES_DIALECT, versions };
  await migrationPool.end();
  const { run, hasOverdueStatement } = createCircuitBreaker(DATABASE_TIMEOUT_MS, () => probeConnection(url));
  const pool = openPool(url, { maxMs: MAX_SILENCE_MS, hasOverdueStatement });
  const replica =
    server.databaseReplicaUrl === null
      ? null
      : createReplica(
          pool,
          openPool(server.databaseReplicaUrl, { maxMs: MAX_SILENCE_MS, hasOverdueStatement: () => true }),
          server.log,
        );
  return { engine: createPostgresEngine(pool, run, replica), dialect: POSTGRES_DIALECT, versions };
};
