// Fault injection: the faults that the drill plays on real servers.

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { KillableServer } from '../server/sources/telegram/server-process.ts';
import { fillUp, freeze } from '../support/small-disk.ts';
import type { Site, SiteOptions } from './site.ts';

export interface Fault {
  readonly name: string;
  readonly site?: Omit<SiteOptions, 'postgres'> & { readonly postgres?: true };
  /** Statuses that writes may get during this fault, in addition to the ones that are always acceptable. */
  readonly extraStatuses?: readonly string[];
  /** True if another process serves each read, at the second attempt at the latest. */
  readonly failsNoRead?: true;
  /** Causes the fault, lets it last for this many ms, and ends it. */
  play(site: Site, ms: number): Promise<void>;
}

const KILLS = 5;
/** Time between two kills of random processes, ms. A short drill has KILLS of them. */
const RANDOM_KILL_INTERVAL_MS = 20_000;
const DAY = 86_400_000;
/** A process runs the retention job for inactive readers for the first time one minute after its start, ms. */
const FIRST_PURGE_MS = 65_000;
const FILES = ['', '-wal', '-shm'].map((end) => `changer.sqlite${end}`);

const first = ({ servers: [server] }: Site): KillableServer => {
  if (server === undefined) throw new Error('A site has at least one process.');
  return server;
};

/** Restarts the process at once after each kill, as a service manager does. */
async function killAgainAndAgain(site: Site, ms: number): Promise<void> {
  for (let kill = 0; kill < KILLS; kill += 1) {
    await wait((Math.random() * 2 * ms) / KILLS);
    await first(site).kill();
    await first(site).start();
  }
}

async function fillDisk({ dataDir }: Site, ms: number): Promise<void> {
  const filler = join(dataDir, 'filler');
  fillUp(filler);
  await wait(ms);
  rmSync(filler);
}

async function freezeDisk({ dataDir }: Site, ms: number): Promise<void> {
  const thaw = freeze(dataDir);
  if (thaw === null) throw new Error('Only root may freeze files, and not on every disk: TMPDIR may name another.');
  await wait(ms).finally(thaw);
}

async function setClock(site: Site, ahead: number, ms: number): Promise<void> {
  await site.setClock(ahead);
  await wait(ms);
  await site.setClock(0);
}

async function moveFilesAway({ dataDir }: Site, ms: number): Promise<void> {
  const [pathOf, movedPathOf] = [(name: string) => join(dataDir, name), (name: string) => join(dataDir, `${name}.away`)];
  for (const name of FILES) renameSync(pathOf(name), movedPathOf(name));
  await wait(ms);
  for (const name of FILES) renameSync(movedPathOf(name), pathOf(name));
}

/** Damages the database file of a stopped server, checks that the server does not start on it, and restores the file. */
async function damageFile(site: Site, ms: number): Promise<void> {
  const [server, file] = [first(site), join(site.dataDir, 'changer.sqlite')];
  await server.kill();
  const originals = FILES.map((name) => [join(site.dataDir, name), readFileSync(join(site.dataDir, name))] as const);
  writeFileSync(file, Buffer.concat([Buffer.alloc(100, 0x5a), readFileSync(file).subarray(100)]));
  const hasStarted = await server.start().then(
    () => true,
    () => false,
  );
  if (hasStarted) throw new Error('It started on a damaged file.');
  await wait(ms);
  for (const [path, bytes] of originals) writeFileSync(path, bytes);
  await server.start();
}

async function stopDatabase({ postgres }: Site, ms: number): Promise<void> {
  await postgres?.kill();
  await wait(ms);
  await postgres?.start();
}

async function freezeDatabase({ postgres }: Site, ms: number): Promise<void> {
  const thaw = postgres?.freeze();
  await wait(ms).finally(thaw);
}

/** Kills the process that responds, has the event stream and, because it started first, receives the updates of Telegram. */
async function killOne(site: Site, ms: number): Promise<void> {
  await first(site).kill();
  await wait(ms);
  await first(site).start();
}

/** Kills a process at random, restarts it at once, and continues with the next one. */
async function killAtRandom({ servers }: Site, ms: number): Promise<void> {
  const interval = Math.min(RANDOM_KILL_INTERVAL_MS, ms / KILLS);
  for (const end = performance.now() + ms; performance.now() < end; ) {
    await wait(interval);
    const server = servers[Math.floor(Math.random() * servers.length)];
    await server?.kill();
    await server?.start();
  }
}

const ON_POSTGRES = { postgres: true } as const;

/** Every fault, in the order of the drill. */
export const FAULTS: readonly Fault[] = [
  { name: `${KILLS} × kill -9, SQLite`, play: killAgainAndAgain },
  { name: `${KILLS} × kill -9, PostgreSQL`, site: ON_POSTGRES, play: killAgainAndAgain },
  { name: 'disk full', site: { disk: true }, play: fillDisk },
  { name: 'disk read-only', play: freezeDisk },
  // A session expires by the shifted clock, and no sign-in succeeds before the clock is right again.
  {
    name: 'clock 400 days ahead',
    extraStatuses: ['401'],
    play: (site, ms) => setClock(site, 400 * DAY, Math.max(ms, FIRST_PURGE_MS)),
  },
  { name: 'clock 400 days back', extraStatuses: ['401'], play: (site, ms) => setClock(site, -400 * DAY, ms) },
  { name: 'database gone, PostgreSQL', site: ON_POSTGRES, play: stopDatabase },
  { name: 'database frozen, PostgreSQL', site: ON_POSTGRES, play: freezeDatabase },
  { name: 'database files taken away', play: moveFilesAway },
  { name: 'database file damaged', play: damageFile },
  { name: 'one of 3 processes killed', site: { ...ON_POSTGRES, processes: 3 }, failsNoRead: true, play: killOne },
  {
    name: '2 machines with a bucket, killed at random',
    site: { ...ON_POSTGRES, processes: 2, bucket: true },
    failsNoRead: true,
    play: killAtRandom,
  },
];
