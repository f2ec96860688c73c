/** Retained folders: earlier versions of this program kept pinned tags and assets of previous builds in DATA_DIR. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Type } from 'typebox';
import { readJsonRegistry } from '../lib/json-file.ts';
import type { NewRetainedFile, RetainedFileStore } from '../storage/ports/retained-files.ts';
import { createRetainedFile, readVersions } from './retained-files.ts';

/** Use of a version: the time of the first start with it, and of the first start without it; unix milliseconds. */
const VersionUse = Type.Object({ since: Type.Integer(), retired: Type.Union([Type.Integer(), Type.Null()]) });
/** Time of the first start without an asset, unix seconds. */
const RetiredAt = Type.Integer();

function readOldVersions(folder: string, now: number): NewRetainedFile[] {
  const uses = readJsonRegistry(path.join(folder, 'ledger.json'), VersionUse);
  return readVersions(folder, now).map((file) => {
    const use = uses[path.posix.basename(path.posix.dirname(file.path))];
    return use === undefined ? file : { ...file, since: use.since, retiredAt: use.retired };
  });
}

function readOldAssets(folder: string, now: number): NewRetainedFile[] {
  if (!existsSync(folder)) return [];
  const retired = readJsonRegistry(path.join(folder, 'retired.json'), RetiredAt);
  return readdirSync(folder)
    .filter((name) => !name.includes('.json'))
    .map((name) => {
      const retiredSeconds = retired[name];
      const file = createRetainedFile(`/assets/${name}`, readFileSync(path.join(folder, name)), now);
      return retiredSeconds === undefined ? file : { ...file, retiredAt: retiredSeconds * 1000 };
    });
}

/**
 * Moves the files of these folders into the store, with their times, and then deletes the folders. Returns their number.
 * `now` is unix milliseconds. A backup of an earlier version contains such a folder too.
 */
export async function moveRetainedFolders(dataDir: string, store: RetainedFileStore, now: number): Promise<number> {
  const [versions, assets] = [path.join(dataDir, 'elements'), path.join(dataDir, 'assets')];
  const files = [...readOldVersions(versions, now), ...readOldAssets(assets, now)];
  await store.putRetainedFiles(files);
  for (const folder of [versions, assets]) rmSync(folder, { recursive: true, force: true });
  return files.length;
}
