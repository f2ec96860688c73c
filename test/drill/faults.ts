import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { MortalServer } from '../server/bot-process.ts';
import { fillUp, freeze } from '../support/disk.ts';
import type { Site, SiteOptions } from './site.ts';

export interface Fault {
  readonly name: string;
  readonly site?: Omit<SiteOptions, 'postgres'> & { readonly postgres?: true };
  /** Statuses that writes may meet meanwhile beside those that are always well. */
  readonly also?: readonly string[];
  /** Brings the fault about, lets it last for so many ms, and ends it. */
  play(site: Site, ms: number): Promise<void>;
}

const KILLS = 5;
const DAY = 86_400_000;
/** A process first looks for readers to forget a minute after its start, ms. */
const FIRST_LOOK = 65_000;
const FILES = ['', '-wal', '-shm'].map((end) => `changer.sqlite${end}`);

const first = ({ servers: [server] }: Site): MortalServer => {
  if (server === undefined) throw new Error('A site has at least one process.');
  return server;
};

/** Started again at once, as a service manager does. */
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

async function takeFilesAway({ dataDir }: Site, ms: number): Promise<void> {
  const [here, away] = [(name: string) => join(dataDir, name), (name: string) => join(dataDir, `${name}.away`)];
  for (const name of FILES) renameSync(here(name), away(name));
  await wait(ms);
  for (const name of FILES) renameSync(away(name), here(name));
}

/** Damages the file of a server that is down, which is then not to start on it, and puts back what was there. */
async function damageFile(site: Site, ms: number): Promise<void> {
  const [server, file] = [first(site), join(site.dataDir, 'changer.sqlite')];
  await server.kill();
  const whole = FILES.map((name) => [join(site.dataDir, name), readFileSync(join(site.dataDir, name))] as const);
  writeFileSync(file, Buffer.concat([Buffer.alloc(100, 0x5a), readFileSync(file).subarray(100)]));
  const hasStarted = await server.start().then(
    () => true,
    () => false,
  );
  if (hasStarted) throw new Error('It started on a damaged file.');
  await wait(ms);
  for (const [path, bytes] of whole) writeFileSync(path, bytes);
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

/** The one that answers, holds the stream and, having started first, listens to Telegram. */
async function killOne(site: Site, ms: number): Promise<void> {
  await first(site).kill();
  await wait(ms);
  await first(site).start();
}

const ON_POSTGRES = { postgres: true } as const;

/** Every fault that is played, in order. */
export const FAULTS: readonly Fault[] = [
  { name: `${KILLS} × kill -9, SQLite`, play: killAgainAndAgain },
  { name: `${KILLS} × kill -9, PostgreSQL`, site: ON_POSTGRES, play: killAgainAndAgain },
  { name: 'disk full', site: { disk: true }, play: fillDisk },
  { name: 'disk read-only', play: freezeDisk },
  // A session is over as of the clock, and nobody signs in anew before the clock is right again.
  { name: 'clock 400 days ahead', also: ['401'], play: (site, ms) => setClock(site, 400 * DAY, Math.max(ms, FIRST_LOOK)) },
  { name: 'clock 400 days back', also: ['401'], play: (site, ms) => setClock(site, -400 * DAY, ms) },
  { name: 'database gone, PostgreSQL', site: ON_POSTGRES, play: stopDatabase },
  { name: 'database frozen, PostgreSQL', site: ON_POSTGRES, play: freezeDatabase },
  { name: 'database files taken away', play: takeFilesAway },
  { name: 'database file damaged', play: damageFile },
  { name: 'one of 3 processes killed', site: { ...ON_POSTGRES, processes: 3 }, play: killOne },
];
