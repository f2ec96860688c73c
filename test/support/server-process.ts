// One process of the built server, for tests.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

export interface ServerOptions {
  /** The folder of another build. */
  readonly root?: string;
  /** The data folder of another server, to share it. The other server deletes it. */
  readonly dataDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Waits until the demo network is imported. The default is true, unless `env` contains DEMO=off. */
  readonly demo?: boolean;
  /** One process, also with TEST_SERVERS=pair: for a test that places its own proxy or processes in front or beside. */
  readonly isSingle?: boolean;
  /** Serves /dev and signs launch data for a test token. */
  readonly development?: boolean;
}

/** A started server, which can be halted and resumed on the same port. */
export interface ServerProcess {
  readonly origin: string;
  /** Its database, if that is not in its data folder. */
  readonly databaseUrl?: string | undefined;
  halt(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  resume(): Promise<void>;
  /** Stops what it shares with others, if they do not use it. */
  release?(): Promise<void>;
}

const PROJECT = resolve(import.meta.dirname, '../..');
export const START_TIMEOUT = 60_000;

/** Starts a process on a data folder and a free port. */
export async function startProcess(dataDir: string, options: ServerOptions): Promise<ServerProcess> {
  let running = await launch(dataDir, '0', options);
  const { origin } = running;
  return {
    origin,
    async halt(signal = 'SIGTERM') {
      if (!isRunning(running.child)) return;
      running.child.kill(signal);
      await once(running.child, 'exit');
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
