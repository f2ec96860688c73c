// Server process for crash tests: starts, kills and restarts the built server on one folder and port.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildServer } from '../../../../build/server-bundle.mjs';
import { freePort } from '../../../support/free-port.ts';

const OUT = resolve(import.meta.dirname, '../../../../.test/bot-server');
let built: Promise<void> | null = null;

/** A server process that can be killed and restarted on the same folder and port. */
export interface KillableServer {
  readonly origin: string;
  readonly dataDir: string;
  /** The id of its process; undefined while it does not run. */
  pid(): number | undefined;
  /** Starts it. Resolves when it listens. */
  start(): Promise<void>;
  /** Ends it abruptly, like a power cut. */
  kill(): Promise<void>;
  /** Ends it and deletes its folder. */
  remove(): Promise<void>;
  /** Returns the output of all its runs. */
  output(): string;
}

/** Builds the current server and prepares a process of it. `env` may contain `{origin}`. */
export async function makeKillableServer(env: Record<string, string>): Promise<KillableServer> {
  built ??= buildServer(OUT);
  await built;
  // Not in memory: only files on a disk can be frozen.
  const dataDir = mkdtempSync(join(process.env.TEST_DISK ?? tmpdir(), 'changer-mortal-'));
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const settings = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replace('{origin}', origin)]));
  let child: ChildProcess | null = null;
  let output = '';
  const kill = async () => {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return {
    origin,
    dataDir,
    pid: () => child?.pid,
    kill,
    async remove() {
      await kill();
      rmSync(dataDir, { recursive: true, force: true });
    },
    output: () => output,
    async start() {
      const base = { PATH: String(process.env.PATH), DEMO: 'off', HOST: '127.0.0.1', PORT: String(port), DATA_DIR: dataDir };
      const life = spawn(process.execPath, [join(OUT, 'main.js')], { cwd: dataDir, env: { ...base, ...settings } });
      child = life;
      let startOutput = '';
      for (const stream of [life.stdout, life.stderr])
        stream.on('data', (chunk) => {
          startOutput += chunk;
          output += chunk;
        });
      while (!startOutput.includes(origin)) {
        await Promise.race([once(life.stdout, 'data'), once(life, 'exit')]);
        if (life.exitCode !== null || life.signalCode !== null)
          throw new Error(`The server ended before it listened. ${startOutput}`);
      }
    },
  };
}
