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

/** Retention time of a pinned version after its build was last in use, ms: one year. */
const VERSION_RETENTION_MS = 365 * 86_400_000;

/** Use of a version: the time of the first start with it, and of the first start without it; unix milliseconds. */
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
 * Stores the pinned tags of the build in the folder `buildFolder` under DATA_DIR/elements. Sites can load them for a
 * year after the first start without them. `now` is milliseconds.
 */
export function retainVersions(buildFolder: string, dataDir: string, now: number): void {
  const folder = versionsFolder(dataDir);
  mkdirSync(folder, { recursive: true });
  const currentVersions = existsSync(buildFolder) ? readdirSync(buildFolder) : [];
  for (const version of currentVersions) copyVersion(path.join(buildFolder, version), path.join(folder, version));
  const previousUses = readJsonRegistry(registryPath(folder), VersionUse);
  const uses: Record<string, Static<typeof VersionUse>> = {};
  for (const version of listVersions(folder)) {
    const since = previousUses[version]?.since ?? now;
    const retired = currentVersions.includes(version) ? null : (previousUses[version]?.retired ?? now);
    if (retired !== null && retired < now - VERSION_RETENTION_MS)
      rmSync(path.join(folder, version), { recursive: true, force: true });
    else uses[version] = { since, retired };
  }
  writeFileAtomic(registryPath(folder), JSON.stringify(uses));
}

/** Writes atomically: another process may do the same at this moment, or serve a file. */
function copyVersion(source: string, target: string): void {
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(source)) writeFileAtomic(path.join(target, name), readFileSync(path.join(source, name)));
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

const formatDay = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10);

function describeVersionFile(filePath: string): { integrity: string; bytes: number } {
  const body = readFileSync(filePath);
  return { integrity: `sha384-${hash('sha384', body, 'base64')}`, bytes: body.length };
}

const listVersions = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

/** Retention time of assets: how long a page that was opened before a deploy can still load its chunks, s. */
const ASSET_RETENTION_SECONDS = 7 * 86_400;

/** Time of the first start without an asset, unix seconds. */
const RetiredAt = Type.Integer();

const assetsFolder = (dataDir: string): string => path.join(dataDir, 'assets');

/**
 * Stores the build's hashed assets under DATA_DIR/assets, so that pages that are open now can still load theirs after a
 * deploy. Assets of previous builds are deleted seven days after the first start without them. `now` is milliseconds.
 */
export function retainAssets({ files }: Pick<BuiltApp, 'files'>, dataDir: string, now: number): void {
  const folder = assetsFolder(dataDir);
  const registryFile = path.join(folder, 'retired.json');
  mkdirSync(folder, { recursive: true });
  const currentAssets = new Map([...files].filter(([name]) => isAsset(name)).map(([name, body]) => [path.basename(name), body]));
  for (const [name, body] of currentAssets)
    if (!existsSync(path.join(folder, name))) writeFileAtomic(path.join(folder, name), body);
  const previouslyRetired = readJsonRegistry(registryFile, RetiredAt);
  const retired: Record<string, number> = {};
  for (const name of readdirSync(folder)) {
    if (name.startsWith('retired.json') || currentAssets.has(name)) continue;
    const retiredAt = previouslyRetired[name] ?? Math.floor(now / 1000);
    if (retiredAt < now / 1000 - ASSET_RETENTION_SECONDS) rmSync(path.join(folder, name), { force: true });
    else retired[name] = retiredAt;
  }
  writeFileAtomic(registryFile, JSON.stringify(retired));
}

/** Reads a retained asset of a previous build; null if it is not available. */
export async function readRetainedAsset(name: string, dataDir: string): Promise<WebFile | null> {
  if (!isAsset(name)) return null;
  const body = await readFile(path.join(assetsFolder(dataDir), path.basename(name))).catch(() => null);
  return body && createWebFile(name, body);
}

/** Returns whether a path is a hashed asset. A shell is not retained, because it needs the headers of its own build. */
const isAsset = (name: string): boolean => /^\/assets\/[\w.-]+\.(js|css|svg|png|woff2)$/.test(name);
