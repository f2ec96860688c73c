// Built server for tests: starts dist/ as a process on a free port and a temporary folder.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

/** A running server from dist/, on a free port and with its own folder. */
export interface RunningServer {
  readonly origin: string;
  readonly dataDir: string;
  /** Stops it and deletes its folder. */
  stop(): Promise<void>;
  /**
   * Stops only the process, so that it can be started again on the same folder and port. SIGKILL leaves it no time for cleanup.
   */
  halt(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** Starts it again after halt(). Does nothing if it is running. */
  resume(): Promise<void>;
}

export interface ServerOptions {
  /** The folder of another build. */
  readonly root?: string;
  /** The data folder of another server, to share it. The other server deletes it. */
  readonly dataDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Waits until the demo network is imported. The default is true, unless `env` contains DEMO=off. */
  readonly demo?: boolean;
  /** Serves /dev and signs launch data for a test token. */
  readonly development?: boolean;
}

const PROJECT = resolve(import.meta.dirname, '../..');
const START_TIMEOUT = 60_000;

/** Starts the built server. Call stop() when done. */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'changer-test-')));
  const demo = options.demo ?? options.env?.DEMO !== 'off';
  let running = await launch(dataDir, '0', options);
  const { origin } = running;
  if (demo) await waitForDemo(origin);
  const halt = async (signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM') => {
    if (!isRunning(running.child)) return;
    running.child.kill(signal);
    await once(running.child, 'exit');
  };
  return {
    origin,
    dataDir,
    halt,
    async stop() {
      await halt();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
    async resume() {
      if (isRunning(running.child)) return;
      running = await launch(dataDir, new URL(origin).port, options);
    },
  };
}

const isRunning = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null;

async function launch(
  dataDir: string,
  port: string,
  { root = PROJECT, env, demo, development }: ServerOptions,
): Promise<{ child: ChildProcess; origin: string }> {
  const main = join(root, 'dist/server/main.js');
  const child = spawn(process.execPath, ['--enable-source-maps', main, ...(development ? ['--dev'] : [])], {
    cwd: dataDir,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DEMO: demo === false ? 'off' : 'on',
      ...env,
      DATA_DIR: dataDir,
      PORT: port,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk) => (output += chunk));
  const started = new Promise<string>((onOrigin, reject) => {
    const late = setTimeout(() => reject(new Error(`The server said no address in time. ${output}`)), START_TIMEOUT);
    createInterface(child.stdout).on('line', (line) => {
      output += `${line}\n`;
      const origin = /http:\/\/[^\s/]+:\d+/.exec(line)?.[0];
      if (origin !== undefined) onOrigin(origin);
      if (origin !== undefined) clearTimeout(late);
    });
    child.on('exit', () => reject(new Error(`The server ended before it listened. ${output}`)));
  });
  return { child, origin: await started };
}

/** Waits for the import of the demo, which continues after the server listens. */
async function waitForDemo(origin: string): Promise<void> {
  const end = Date.now() + START_TIMEOUT;
  let before = -1;
  while (Date.now() < end) {
    const count = await channelCount(origin);
    if (count >= 5 && count === before) return;
    before = count;
    await new Promise((next) => setTimeout(next, 300));
  }
  throw new Error('The demo network was not imported in time.');
}

async function channelCount(origin: string): Promise<number> {
  const body: unknown = await (await fetch(`${origin}/api/channels`)).json();
  const items: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'items') : undefined;
  return Array.isArray(items) ? items.length : 0;
}
