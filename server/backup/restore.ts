import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { FILE, openEngine, type StorePlace } from '../storage/open.ts';
import { moveStore } from '../storage/transfer/move-store.ts';
import { asRestored, demandVacant } from '../storage/transfer/snapshot.ts';
import { Refused } from '../storage/transfer/tables.ts';
import { beginBeside, copyFile, toDisk } from './files.ts';
import { type Manifest, type Part, verify } from './manifest.ts';

/** Copies a part into the draft; it was verified, but a disk may give another answer the second time. */
const copyPart = async (from: string, draft: string, { path, sha256 }: Part): Promise<string> => {
  const copied = await copyFile(join(from, path), join(draft, path));
  if (copied.sha256 !== sha256) throw new Refused(`The backup ${from} is damaged: ${path} was changed.`);
  return join(draft, path);
};

/** Puts files to where they are served from; one that is there already has the same name and so the same content, or is damaged. */
const putFiles = async (from: string, draft: string, files: readonly Part[], dataDir: string): Promise<void> => {
  const folders = new Set<string>();
  for (const part of files) {
    const to = join(dataDir, part.path);
    const copied = await copyPart(from, draft, part);
    await mkdir(dirname(to), { recursive: true });
    await rename(copied, to);
    for (let folder = dirname(to); folder.length >= dataDir.length; folder = dirname(folder)) folders.add(folder);
  }
  for (const folder of folders) await toDisk(folder);
};

const putDatabase = async (draft: string, place: StorePlace): Promise<void> => {
  await demandVacant(place);
  if (place.databaseUrl == null) {
    await rename(join(draft, FILE), join(place.dataDir, FILE));
    return toDisk(place.dataDir);
  }
  const [{ engine: from }, { engine: to }] = [await openEngine({ dataDir: draft }), await openEngine(place)];
  try {
    await moveStore({ from, to, postgres: to });
  } finally {
    await from.close();
    await to.close();
  }
};

/** Brings the copy up to this program's version and makes it the store that goes on. */
const ready = async (draft: string, id: string): Promise<void> => {
  const { engine } = await openEngine({ dataDir: draft });
  try {
    await engine.write(asRestored(id));
  } finally {
    await engine.close();
  }
};

/**
 * Restores a backup into a place that has no store, after every file of it was found to be as it should. The files come first and
 * the database last, so that what was broken off has left no store, or in PostgreSQL one that no server opens and that the same
 * backup finishes. Throws Refused where that cannot be, with nothing changed.
 */
export const restoreBackup = async (folder: string, place: StorePlace): Promise<Manifest> => {
  const from = resolve(folder);
  const manifest = await verify(from);
  await demandVacant(place);
  const draft = await beginBeside(join(place.dataDir, 'restore'));
  try {
    const store = manifest.files.filter(({ path }) => path === FILE);
    for (const part of store) await copyPart(from, draft, part);
    await ready(draft, store.map(({ sha256 }) => sha256).join());
    await putFiles(
      from,
      draft,
      manifest.files.filter(({ path }) => path !== FILE),
      place.dataDir,
    );
    await putDatabase(draft, place);
    return manifest;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
};
