// Site for the fault drill: server processes over one store, connected to the Bot API double.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openStore } from '../../server/storage/open.ts';
import { type BotApi, startBotApi } from '../bot-api/bot-api.ts';
import type { Channel } from '../bot-api/channel.ts';
import { type KillableServer, makeKillableServer } from '../server/sources/telegram/server-process.ts';
import { channel, fill } from '../server/support/make-app.ts';
import { startS3 } from '../server/support/s3-server.ts';
import { until } from '../support/browser.ts';
import type { Postgres } from '../support/postgres.ts';
import { smallDisk } from '../support/small-disk.ts';

/** The channel whose posts are starred, and the number of its posts. */
export const STARRED = '1';
export const POSTS = 2000;
/** Size of the disk that fills up, in megabytes. */
const DISK = 64;

export interface SiteOptions {
  /** The database of the store. Without it, SQLite in the data folder is used. */
  readonly postgres?: Postgres;
  readonly processes?: number;
  /** Gives each process a data folder of its own, and a bucket to all. */
  readonly bucket?: boolean;
  /** Puts the data folder on a small disk of its own. */
  readonly disk?: boolean;
}

/** Server processes over one store of posts, connected to a channel of the Bot API double. */
export interface Site {
  readonly servers: readonly KillableServer[];
  readonly dataDir: string;
  readonly telegram: BotApi;
  readonly harbour: Channel;
  readonly postgres: Postgres | undefined;
  /** Sets the clocks of the servers ahead by this many ms; 0 resets them. */
  setClock(ahead: number): Promise<void>;
  end(): Promise<void>;
}

function makeFolder(disk: boolean): { readonly folder: string; remove(): void } {
  const small = disk ? smallDisk(DISK) : null;
  if (disk && small === null) throw new Error('Only root may mount a disk to fill.');
  if (small !== null) return { folder: small.folder, remove: small.umount };
  const folder = mkdtempSync(join(tmpdir(), 'changer-drill-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Creates a site and starts it. */
export async function startSite({ postgres, processes = 1, bucket = false, disk = false }: SiteOptions): Promise<Site> {
  const [{ folder: dataDir, remove }, telegram] = [makeFolder(disk), await startBotApi()];
  const clock = mkdtempSync(join(tmpdir(), 'changer-clock-'));
  const databaseUrl = (await postgres?.database()) ?? null;
  const store = await openStore({ dataDir, databaseUrl });
  await fill(store, channel(STARRED), POSTS);
  await store.close();
  const stops: (() => unknown)[] = [];
  const s3 = bucket ? await startS3({ after: (stop) => void stops.push(stop as () => unknown) }) : null;
  const settings = {
    ...(s3?.environment ?? { DATA_DIR: dataDir }),
    ...{
      BOT_TOKEN: telegram.token,
      BOT_API_ROOT: telegram.root,
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    },
    ...{ OPERATOR_IDS: String(telegram.operator.id), CLOCK_FILE: join(clock, 'ahead') },
    NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'shifted-clock.mjs'))}`,
  };
  const servers = await Promise.all(Array.from({ length: processes }, () => makeKillableServer(settings)));
  // The servers start one after another, because each writes what it finds of a build into the shared data folder.
  for (const server of servers) await server.start();
  const harbour = telegram.channel({ title: 'Harbour', username: 'harbour' });
  await until(async () => telegram.updates.allowed.length > 0, 'the server receives updates from Telegram');
  harbour.addBot(telegram.operator);
  return {
    ...{ servers, dataDir, telegram, harbour, postgres },
    async setClock(ahead) {
      writeFileSync(settings.CLOCK_FILE, String(ahead));
      for (const server of servers) process.kill(server.pid() ?? 0, 'SIGUSR2');
      const isSet = (server: KillableServer) => server.output().trimEnd().split('\n').includes(`ahead by ${ahead}`);
      await until(async () => servers.every(isSet), 'the clocks are set');
    },
    async end() {
      await Promise.all(servers.map((server) => server.remove()));
      await telegram.close();
      for (const stop of stops.reverse()) await stop();
      rmSync(clock, { recursive: true, force: true });
      remove();
    },
  };
}
