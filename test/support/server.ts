// Built server for tests: starts dist/ on a free port and a temporary folder.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../server/storage/open.ts';
import type { Store } from '../../server/storage/ports/store.ts';
import { isPairWanted, startPair } from './server-pair.ts';
import { type ServerOptions, type ServerProcess, START_TIMEOUT, startProcess } from './server-process.ts';

/** A running server from dist/, on a free port and with its own folder. */
export interface RunningServer {
  readonly origin: string;
  readonly dataDir: string;
  /** Opens the store of the server. The test closes it. */
  openStore(): Promise<Store>;
  /** Stops it and deletes its folder. */
  stop(): Promise<void>;
  /**
   * Stops only the process, so that it can be started again on the same folder and port. SIGKILL leaves it no time for cleanup.
   */
  halt(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** Starts it again after halt(). Does nothing if it is running. */
  resume(): Promise<void>;
}

/**
 * Starts the built server. Call stop() when done. With TEST_SERVERS=pair, the server is two processes behind a proxy; see
 * server-pair.ts.
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'changer-test-')));
  const demo = options.demo ?? options.env?.DEMO !== 'off';
  const server: ServerProcess = isPairWanted(options) ? await startPair(dataDir, options) : await startProcess(dataDir, options);
  if (demo) await waitForDemo(server.origin);
  return {
    origin: server.origin,
    dataDir,
    openStore: () => openStore({ dataDir, databaseUrl: server.databaseUrl ?? null }),
    halt: server.halt,
    resume: server.resume,
    async stop() {
      await server.halt();
      await server.release?.();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
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
