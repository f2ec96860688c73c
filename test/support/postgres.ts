// PostgreSQL server for a test: a real process on a free port of this machine. It is removed after the test.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { freePort } from './free-port.ts';

const HOMES = '/usr/lib/postgresql';

/** Returns the folder with the programs of the newest PostgreSQL; null if there is none. */
const programs = (): string | null => {
  const versions = existsSync(HOMES) ? readdirSync(HOMES).sort((one, other) => Number(other) - Number(one)) : [];
  const folders = [...versions.map((version) => join(HOMES, version, 'bin')), ...(process.env.PATH ?? '').split(':')];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'))) ?? null;
};

/** Returns the reason why PostgreSQL is unavailable for tests; false if it is available. */
export const noPostgres = (): string | false =>
  programs() === null ? 'PostgreSQL is not installed (on Debian: apt-get install postgresql)' : false;

/** PostgreSQL refuses to run as root. Then its own user runs it. */
const owner = (): { uid?: number; gid?: number } => {
  if (process.getuid?.() !== 0) return {};
  const of = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: of('-u'), gid: of('-g') };
};

/** Opens a connection without the code of the server. It survives the end of its server, and fails later statements. */
export const openClient = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client(url).on('error', () => {});
  await client.connect();
  return client;
};

const connected = async <T>(url: string, run: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = await openClient(url);
  try {
    return await run(client);
  } finally {
    await client.end();
  }
};

/** A standby, which is read-only. */
export interface Standby {
  /** Returns the address of a database on the standby, from its address on the primary server. */
  urlOf(databaseUrl: string): string;
  /** Stops the replay of what the standby receives, which stays readable. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Ends the standby like a crash. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

export interface Postgres {
  /** The folder of its socket. */
  readonly folder: string;
  /** Creates an empty database. Returns its URL. */
  database(): Promise<string>;
  /** Empties the database of a store that is closed. This is faster than the creation of another one. */
  empty(url: string): Promise<void>;
  /** Terminates the connections to a database that are idle in a transaction, as an administrator may do. */
  terminateIdleTransactions(url: string): Promise<void>;
  /** Starts a standby, which replicates all databases by streaming. It is stopped with the server. */
  standby(): Promise<Standby>;
  /** Ends the server like a crash. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Suspends all its processes: connections stay open and get no response. Returns a function that resumes them. */
  freeze(): () => void;
  /** Stops it for good and deletes its data. */
  stop(): Promise<void>;
}

/** Runs a cluster as a process on a port. */
const createClusterProcess = (bin: string, cluster: string, port: number, settings: readonly string[]) => {
  const [as, folder] = [owner(), dirname(cluster)];
  let server: ChildProcess | null = null;
  const url = (name: string) => `postgres://changer@127.0.0.1:${port}/${name}`;
  const admin = <T>(run: (client: pg.Client) => Promise<T>): Promise<T> => connected(url('postgres'), run);
  const isUp = () =>
    admin((client) => client.query('SELECT 1')).then(
      () => true,
      () => false,
    );
  return {
    url,
    admin,
    pid: () => server?.pid ?? 0,
    async start() {
      const flags = ['-D', cluster, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-k', folder];
      const options = settings.flatMap((setting) => ['-c', setting]);
      server = spawn(join(bin, 'postgres'), [...flags, ...options], { ...as, cwd: folder, stdio: 'ignore' });
      while (!(await isUp())) if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode}.`);
    },
    async end(signal: NodeJS.Signals) {
      if (server === null || server.exitCode !== null || server.signalCode !== null) return;
      server.kill(signal);
      await once(server, 'exit');
    },
  };
};

/** Starts a standby of the server on a port. */
const startStandby = async (bin: string, folder: string, primaryPort: number, count: number) => {
  const cluster = join(folder, `standby-${count}`);
  const backup = ['-h', '127.0.0.1', '-p', String(primaryPort), '-U', 'changer', '-D', cluster, '-R', '-c', 'fast', '--no-sync'];
  execFileSync(join(bin, 'pg_basebackup'), backup, { ...owner(), cwd: folder, stdio: 'pipe' });
  const { url, admin, start, end } = createClusterProcess(bin, cluster, await freePort(), ['max_connections=200', 'fsync=off']);
  await start();
  const standby: Standby = {
    urlOf: (databaseUrl) => url(new URL(databaseUrl).pathname.slice(1)),
    pause: async () => void (await admin((client) => client.query('SELECT pg_wal_replay_pause()'))),
    resume: async () => void (await admin((client) => client.query('SELECT pg_wal_replay_resume()'))),
    kill: () => end('SIGQUIT'),
    start,
  };
  return standby;
};

/** Starts a server. A `durable` one writes acknowledged data to the disk, as in production. */
export const startPostgres = async ({ durable }: { readonly durable: boolean }): Promise<Postgres> => {
  const bin = programs();
  if (bin === null) throw new Error('PostgreSQL is not installed.');
  const [folder, port, as] = [mkdtempSync(join(tmpdir(), 'changer-pg-')), await freePort(), owner()];
  if (as.uid !== undefined && as.gid !== undefined) chownSync(folder, as.uid, as.gid);
  const cluster = join(folder, 'cluster');
  execFileSync(join(bin, 'initdb'), ['-D', cluster, '-A', 'trust', '-U', 'changer', '-E', 'UTF8', '--locale=C.UTF-8'], {
    ...as,
    cwd: folder,
    stdio: 'pipe',
  });
  const settings = ['max_connections=200', `fsync=${durable ? 'on' : 'off'}`];
  const { url, admin, pid: mainPid, start, end } = createClusterProcess(bin, cluster, port, settings);
  const standbys: Standby[] = [];
  let databaseCount = 0;

  await start();
  return {
    folder,
    async database() {
      const name = `changer_${++databaseCount}`;
      await admin((client) => client.query(`CREATE DATABASE ${name}`));
      return url(name);
    },
    empty: (url) =>
      connected(url, async (client) => {
        const { rows } = await client.query<{ name: string }>(
          "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_version'",
        );
        await client.query(`TRUNCATE ${rows.map(({ name }) => name).join(', ')} RESTART IDENTITY`);
        await client.query('INSERT INTO kept_bytes VALUES (0)');
      }),
    terminateIdleTransactions: (url) =>
      connected(url, async (client) => {
        const { rowCount } = await client.query(`
          SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
          WHERE datname = current_database() AND state = 'idle in transaction'`);
        if (rowCount === 0) throw new Error('There was no transaction to end.');
      }),
    async standby() {
      const standby = await startStandby(bin, folder, port, standbys.length);
      standbys.push(standby);
      return standby;
    },
    kill: () => end('SIGQUIT'),
    start,
    freeze() {
      const pid = mainPid();
      const signal = (name: NodeJS.Signals, pids: readonly number[]) => {
        for (const each of pids) if (existsSync(`/proc/${each}`)) process.kill(each, name);
      };
      // The main process is suspended before its children are listed, so that it starts no more of them.
      signal('SIGSTOP', [pid]);
      const others = execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
        .trim()
        .split('\n')
        .map(Number);
      signal('SIGSTOP', others);
      return () => signal('SIGCONT', [pid, ...others]);
    },
    async stop() {
      await Promise.all(standbys.map((standby) => standby.kill()));
      await end('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
