import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Type } from 'typebox';
import { readLedger, writeWhole } from './lib/files.ts';
import { type Built, type WebFile, webFile } from './web/web-app.ts';

/** Seconds that a page opened before a deploy may still load its parts. */
const KEPT = 7 * 86_400;

/** When each former asset went out of use, unix seconds, by file name. */
const Retired = Type.Integer();

const folderOf = (dataDir: string): string => path.join(dataDir, 'assets');

/**
 * Keeps the build's hashed assets under DATA_DIR/assets, so that pages that are open now still find theirs after a deploy;
 * those of former builds go seven days after the first start without them. `now` is milliseconds.
 */
export function keepAssets({ files }: Pick<Built, 'files'>, dataDir: string, now: number): void {
  const folder = folderOf(dataDir);
  const ledger = path.join(folder, 'retired.json');
  mkdirSync(folder, { recursive: true });
  const current = new Map([...files].filter(([name]) => isAsset(name)).map(([name, body]) => [path.basename(name), body]));
  for (const [name, body] of current) if (!existsSync(path.join(folder, name))) writeWhole(path.join(folder, name), body);
  const before = readLedger(ledger, Retired);
  const retired: Record<string, number> = {};
  for (const name of readdirSync(folder)) {
    if (name.startsWith('retired.json') || current.has(name)) continue;
    const since = before[name] ?? Math.floor(now / 1000);
    if (since < now / 1000 - KEPT) rmSync(path.join(folder, name), { force: true });
    else retired[name] = since;
  }
  writeWhole(ledger, JSON.stringify(retired));
}

/** An asset of a former build, while it is kept. */
export async function formerAsset(name: string, dataDir: string): Promise<WebFile | null> {
  if (!isAsset(name)) return null;
  const body = await readFile(path.join(folderOf(dataDir), path.basename(name))).catch(() => null);
  return body && webFile(name, body);
}

/** A shell is not kept: it goes with the headers of its own build. */
const isAsset = (name: string): boolean => /^\/assets\/[\w.-]+\.(js|css|svg|png|woff2)$/.test(name);
