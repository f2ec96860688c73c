import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildServer } from '../../../build/server-bundle.mjs';
import type { StoreLocation } from '../../../server/storage/open.ts';

const OUTPUT_FOLDER = resolve(import.meta.dirname, '../../../.test/backup');
let buildPromise: Promise<void> | null = null;

/** Starts `npm run backup` or `npm run restore` from the build, on the given store. */
export const startProgram = async (name: 'backup' | 'restore', location: StoreLocation, folder: string) => {
  buildPromise ??= buildServer(OUTPUT_FOLDER);
  await buildPromise;
  const env = { PATH: String(process.env.PATH), DATA_DIR: location.dataDir, DATABASE_URL: location.databaseUrl ?? '' };
  const child = spawn(process.execPath, [join(OUTPUT_FOLDER, `${name}.js`), name === 'backup' ? '--to' : '--from', folder], {
    env,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const closed = once(child, 'close');
  return {
    child,
    async ended() {
      await closed;
      return { code: child.exitCode, signal: child.signalCode, output: output.trim() };
    },
  };
};

/** Runs one of these programs until it exits. */
export const runProgram = async (name: 'backup' | 'restore', location: StoreLocation, folder: string) =>
  (await startProgram(name, location, folder)).ended();

/** Returns everything in a folder, with its file mode. */
export const modesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })].map((name) => {
      const found = lstatSync(join(folder, name));
      return [name, `${found.isDirectory() ? 'd' : '-'}${(found.mode & 0o777).toString(8)}`];
    }),
  );
