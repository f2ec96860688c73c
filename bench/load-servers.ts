// Servers of the load benchmark: one process, or two behind nginx with one PostgreSQL database and one bucket.

import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../server/storage/open.ts';
import type { Store } from '../server/storage/ports/store.ts';
import { startS3 } from '../test/server/support/s3-server.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { startProxy } from '../test/support/server-pair.ts';
import { startServer } from './api.ts';

/** Kernel clock ticks per second, the unit of CPU times in `/proc`. */
const CLOCK_TICKS_PER_SECOND = 100;

/** Number of server processes. `BENCH_SERVERS=2` measures a pair. */
const SERVERS = Number(process.env.BENCH_SERVERS ?? 1);

/** Servers under load, and their resources. */
export interface LoadServers {
  readonly origin: string;
  /** Processes to stop at the end. The benchmark adds its own. */
  readonly children: ChildProcess[];
  /** Returns the resident memory of all servers, in MiB. */
  residentMegabytes(): number;
  /** Returns the CPU time of all servers and their threads, in user mode and in the kernel. */
  cpuSeconds(): number;
  stop(): Promise<void>;
}

/**
 * Starts the servers with these settings, after `prepare` has filled their store. One process uses SQLite, or PostgreSQL if
 * `DATABASE_URL` is set. Two processes have data folders of their own, and share a database with durable commits and a bucket.
 */
export async function startLoadServers(
  settings: Readonly<Record<string, string>>,
  prepare: (store: Store) => Promise<void>,
): Promise<LoadServers> {
  const cleanups: (() => unknown)[] = [];
  const children: ChildProcess[] = [];
  const stop = async () => {
    for (const child of children) child.kill('SIGTERM');
    for (const cleanUp of cleanups.toReversed()) await cleanUp();
  };
  const makeDataDir = async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'changer-load-'));
    cleanups.push(() => rm(dataDir, { recursive: true, force: true }));
    return dataDir;
  };
  try {
    const shared = SERVERS > 1 ? await startSharedStorage(cleanups) : {};
    const dataDirs = await Promise.all(Array.from({ length: SERVERS }, makeDataDir));
    const [dataDir = ''] = dataDirs;
    const store = await openStore({ dataDir, databaseUrl: shared.DATABASE_URL ?? process.env.DATABASE_URL ?? null });
    await prepare(store);
    await store.close();
    const origins: string[] = [];
    for (const each of dataDirs)
      origins.push(await startServer('dist/server/main.js', each, children, { ...settings, ...shared }));
    const pids = children.map(({ pid }) => pid ?? 0);
    const [first = ''] = origins;
    return {
      origin: SERVERS > 1 ? await startProxyOf(origins, cleanups) : first,
      children,
      residentMegabytes: () => sumOf(pids, residentMegabytesOf),
      cpuSeconds: () => sumOf(pids, cpuSecondsOf),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startSharedStorage(cleanups: (() => unknown)[]): Promise<Record<string, string>> {
  const postgres = await startPostgres({ durable: true });
  cleanups.push(() => postgres.stop());
  const s3 = await startS3({ after: (end) => void cleanups.push(end as () => unknown) });
  return { ...s3.environment, DATABASE_URL: await postgres.database() };
}

async function startProxyOf(origins: readonly string[], cleanups: (() => unknown)[]): Promise<string> {
  const proxy = await startProxy(origins);
  cleanups.push(async () => {
    await proxy.halt();
    await proxy.release();
  });
  return proxy.origin;
}

const sumOf = (pids: readonly number[], measure: (pid: number) => number): number =>
  pids.reduce((sum, pid) => sum + measure(pid), 0);

const residentMegabytesOf = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);

const cpuSecondsOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  // `fields` begins with the third field of the file. Fields 14 and 15 are the two times.
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_PER_SECOND;
};
