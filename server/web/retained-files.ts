/** Retained files: keep pinned tags and hashed assets of previous builds available after a deploy. */
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Static, Type } from 'typebox';
import type { WebFile } from '../http/caching.ts';
import { writeFileAtomic } from '../lib/atomic-write.ts';
import { readJsonRegistry } from '../lib/json-file.ts';
import { type BuiltApp, createWebFile } from './web-app.ts';

/** Time that a pinned version is retained after its build was last in use, ms. */
const VERSION_RETENTION_MS = 365 * 86_400_000;

/** Time of a version's first start, and of the first start without it; unix milliseconds. */
const VersionUse = Type.Object({ since: Type.Integer(), retired: Type.Union([Type.Integer(), Type.Null()]) });

/** A version of the tags. Each tag is a separate file that never changes. */
export interface RetainedVersion {
  readonly version: string;
  /** Day of its first use here, such as 2026-11-22. */
  readonly since: string;
  /** Day until which it is retained; null for the version in use. */
  readonly until: string | null;
  readonly files: Readonly<Record<string, { readonly integrity: string; readonly bytes: number }>>;
}

const VERSION_NAME_PATTERN = /^[\w.-]+$/;
const FILE_NAME_PATTERN = /^[\w-]+\.js$/;

const versionsFolder = (dataDir: string): string => path.join(dataDir, 'elements');
const registryPath = (folder: string): string => path.join(folder, 'ledger.json');

/**
 * Stores the pinned tags of the build in `built` under DATA_DIR/elements. Sites can load them for a year after the first start
 * without them. `now` is milliseconds.
 */
export function retainVersions(built: string, dataDir: string, now: number): void {
  const folder = versionsFolder(dataDir);
  mkdirSync(folder, { recursive: true });
  const current = existsSync(built) ? readdirSync(built) : [];
  for (const version of current) copyVersion(path.join(built, version), path.join(folder, version));
  const before = readJsonRegistry(registryPath(folder), VersionUse);
  const after: Record<string, Static<typeof VersionUse>> = {};
  for (const version of listVersions(folder)) {
    const since = before[version]?.since ?? now;
    const retired = current.includes(version) ? null : (before[version]?.retired ?? now);
    if (retired !== null && retired < now - VERSION_RETENTION_MS)
      rmSync(path.join(folder, version), { recursive: true, force: true });
    else after[version] = { since, retired };
  }
  writeFileAtomic(registryPath(folder), JSON.stringify(after));
}

/** Writes atomically: another process may do the same at this moment, or serve a file. */
function copyVersion(built: string, target: string): void {
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(built)) writeFileAtomic(path.join(target, name), readFileSync(path.join(built, name)));
}

/** Lists all retained versions: the one in use first, then from the newest to the oldest. */
export function listRetainedVersions(dataDir: string): readonly RetainedVersion[] {
  const folder = versionsFolder(dataDir);
  const newestFirst = Object.entries(readJsonRegistry(registryPath(folder), VersionUse)).sort(
    ([, a], [, b]) => b.since - a.since,
  );
  return [
    ...newestFirst.filter(([, { retired }]) => retired === null),
    ...newestFirst.filter(([, { retired }]) => retired !== null),
  ]
    .filter(([version]) => existsSync(path.join(folder, version)))
    .map(([version, { since, retired }]) => ({
      version,
      since: formatDay(since),
      until: retired === null ? null : formatDay(retired + VERSION_RETENTION_MS),
      files: Object.fromEntries(
        readdirSync(path.join(folder, version))
          .filter((name) => FILE_NAME_PATTERN.test(name))
          .map((name) => [name, describeVersionFile(path.join(folder, version, name))]),
      ),
    }));
}

/** Reads one file of a retained version; null if it is not available. */
export async function readRetainedFile(version: string, name: string, dataDir: string): Promise<WebFile | null> {
  if (!VERSION_NAME_PATTERN.test(version) || /^\.+$/.test(version) || !FILE_NAME_PATTERN.test(name)) return null;
  const body = await readFile(path.join(versionsFolder(dataDir), version, name)).catch(() => null);
  const headers = { 'cache-control': 'public, max-age=31536000, immutable', 'cross-origin-resource-policy': 'cross-origin' };
  return body && createWebFile(name, body, headers);
}

const formatDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

function describeVersionFile(filePath: string): { integrity: string; bytes: number } {
  const body = readFileSync(filePath);
  return { integrity: `sha384-${hash('sha384', body, 'base64')}`, bytes: body.length };
}

const listVersions = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

/** Time in which a page that was opened before a deploy can still load its chunks, s. */
const ASSET_RETENTION_SECONDS = 7 * 86_400;

/** Time since which a previous asset is out of use, unix seconds, by file name. */
const RetiredAt = Type.Integer();

const assetsFolder = (dataDir: string): string => path.join(dataDir, 'assets');

/**
 * Stores the build's hashed assets under DATA_DIR/assets, so that pages that are open now can still load theirs after a deploy.
 * Assets of previous builds are deleted seven days after the first start without them. `now` is milliseconds.
 */
export function retainAssets({ files }: Pick<BuiltApp, 'files'>, dataDir: string, now: number): void {
  const folder = assetsFolder(dataDir);
  const registry = path.join(folder, 'retired.json');
  mkdirSync(folder, { recursive: true });
  const current = new Map([...files].filter(([name]) => isAsset(name)).map(([name, body]) => [path.basename(name), body]));
  for (const [name, body] of current) if (!existsSync(path.join(folder, name))) writeFileAtomic(path.join(folder, name), body);
  const before = readJsonRegistry(registry, RetiredAt);
  const retired: Record<string, number> = {};
  for (const name of readdirSync(folder)) {
    if (name.startsWith('retired.json') || current.has(name)) continue;
    const since = before[name] ?? Math.floor(now / 1000);
    if (since < now / 1000 - ASSET_RETENTION_SECONDS) rmSync(path.join(folder, name), { force: true });
    else retired[name] = since;
  }
  writeFileAtomic(registry, JSON.stringify(retired));
}

/** Reads a retained asset of a previous build; null if it is not available. */
export async function readRetainedAsset(name: string, dataDir: string): Promise<WebFile | null> {
  if (!isAsset(name)) return null;
  const body = await readFile(path.join(assetsFolder(dataDir), path.basename(name))).catch(() => null);
  return body && createWebFile(name, body);
}

/** Returns whether a path is a hashed asset. A shell is not retained, because it needs the headers of its own build. */
const isAsset = (name: string): boolean => /^\/assets\/[\w.-]+\.(js|css|svg|png|woff2)$/.test(name);
