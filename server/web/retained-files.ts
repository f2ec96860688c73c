/** Retained files: keep pinned tags and hashed assets of previous builds available after a deploy, on every process. */
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { WebFile } from '../http/caching.ts';
import type { NewRetainedFile, RetainedFile, RetainedFileStore } from '../storage/ports/retained-files.ts';
import { type BuiltApp, createWebFile } from './web-app.ts';

const DAY_MS = 86_400_000;
/** Retention time of a pinned version after its build was last in use, ms: one year. */
const VERSION_RETENTION_MS = 365 * DAY_MS;
/** Retention time of assets: how long a page that was opened before a deploy can still load its chunks, ms. */
const ASSET_RETENTION_MS = 7 * DAY_MS;

const VERSIONS_PREFIX = '/elements/v/';
const ASSETS_PREFIX = '/assets/';

const VERSION_FILE_PATTERN = /^\/elements\/v\/(?<version>(?!\.+\/)[\w.-]+)\/(?<name>[\w-]+\.js)$/;

/** Returns whether a path is a hashed asset. A shell is not retained, because it needs the headers of its own build. */
const isAsset = (filePath: string): boolean => /^\/assets\/[\w.-]+\.(js|css|svg|png|woff2)$/.test(filePath);

/** A version of the tags. Each tag is a separate file that never changes. */
export interface RetainedVersion {
  readonly version: string;
  /** Day of its first use here, such as 2026-11-22. */
  readonly since: string;
  /** Day until which it is retained; null for a version in use. */
  readonly until: string | null;
  readonly files: Readonly<Record<string, { readonly integrity: string; readonly bytes: number }>>;
}

/** Creates the entry of a file of the build. `now` is unix milliseconds. */
export const createRetainedFile = (filePath: string, content: Buffer, now: number): NewRetainedFile => ({
  path: filePath,
  content,
  size: content.length,
  integrity: `sha384-${hash('sha384', content, 'base64')}`,
  since: now,
  retiredAt: null,
});

/**
 * Stores the pinned tags of the build in the folder `buildFolder`. Sites can load them for a year after the first start
 * without them. `now` is unix milliseconds.
 */
export const retainVersions = (buildFolder: string, store: RetainedFileStore, now: number): Promise<void> =>
  retain(VERSIONS_PREFIX, readVersions(buildFolder, now), store, { now, retentionMs: VERSION_RETENTION_MS });

/**
 * Stores the build's hashed assets, so that pages that are open now can still load theirs after a deploy. Assets of
 * previous builds are deleted seven days after the first start without them. `now` is unix milliseconds.
 */
export const retainAssets = ({ files }: Pick<BuiltApp, 'files'>, store: RetainedFileStore, now: number): Promise<void> => {
  const assets = [...files].filter(([filePath]) => isAsset(filePath));
  const newFiles = assets.map(([filePath, body]) => createRetainedFile(filePath, body, now));
  return retain(ASSETS_PREFIX, newFiles, store, { now, retentionMs: ASSET_RETENTION_MS });
};

/** Reads the pinned tags in a folder: a folder for each version, as in DATA_DIR of earlier versions of this program. */
export function readVersions(folder: string, now: number): NewRetainedFile[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => ({ name, filePath: VERSIONS_PREFIX + name.split(path.sep).join('/') }))
    .filter(({ filePath }) => VERSION_FILE_PATTERN.test(filePath))
    .map(({ name, filePath }) => createRetainedFile(filePath, readFileSync(path.join(folder, name)), now));
}

/** Stores the files that are new or changed, and retires all others with the prefix. */
async function retain(
  prefix: string,
  files: readonly NewRetainedFile[],
  store: RetainedFileStore,
  { now, retentionMs }: { readonly now: number; readonly retentionMs: number },
): Promise<void> {
  const stored = new Map((await store.retainedFiles(prefix)).map((file) => [file.path, file.integrity]));
  await store.putRetainedFiles(files.filter((file) => stored.get(file.path) !== file.integrity));
  const currentPaths = files.map((file) => file.path);
  await store.retireFiles(prefix, currentPaths, now, now - retentionMs);
}

/** Lists all retained versions: those in use first, then from the newest to the oldest. */
export async function listRetainedVersions(store: RetainedFileStore): Promise<readonly RetainedVersion[]> {
  const allFiles = await store.retainedFiles(VERSIONS_PREFIX);
  const versions = [...new Set(allFiles.map(versionOf))].map((version) => {
    const files = allFiles.filter((file) => versionOf(file) === version);
    const isInUse = files.some(({ retiredAt }) => retiredAt === null);
    const since = Math.min(...files.map((file) => file.since));
    return { version, files, since, retiredAt: isInUse ? null : Math.max(...files.map(({ retiredAt }) => retiredAt ?? 0)) };
  });
  return versions
    .sort((a, b) => Number(a.retiredAt !== null) - Number(b.retiredAt !== null) || b.since - a.since)
    .map(({ version, files, since, retiredAt }) => ({
      version,
      since: formatDay(since),
      until: retiredAt === null ? null : formatDay(retiredAt + VERSION_RETENTION_MS),
      files: Object.fromEntries(files.map(describeFile)),
    }));
}

const versionOf = ({ path: filePath }: RetainedFile): string => VERSION_FILE_PATTERN.exec(filePath)?.groups?.version ?? '';

const describeFile = ({ path: filePath, integrity, size }: RetainedFile) =>
  [path.posix.basename(filePath), { integrity, bytes: size }] as const;

const formatDay = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10);

/** Reads one file of a retained version; null if it is not available. */
export async function readRetainedVersionFile(version: string, name: string, store: RetainedFileStore): Promise<WebFile | null> {
  const filePath = `${VERSIONS_PREFIX}${version}/${name}`;
  const body = VERSION_FILE_PATTERN.test(filePath) ? await store.retainedFileContent(filePath) : null;
  const headers = { 'cache-control': 'public, max-age=31536000, immutable', 'cross-origin-resource-policy': 'cross-origin' };
  return body && createWebFile(name, body, headers);
}

/** Reads a retained asset of a previous build; null if it is not available. */
export async function readRetainedAsset(filePath: string, store: RetainedFileStore): Promise<WebFile | null> {
  const body = isAsset(filePath) ? await store.retainedFileContent(filePath) : null;
  return body && createWebFile(filePath, body);
}
