import { cp, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';

/** Marker in the names of the scripts of a later build. */
export const NEXT = '-NEXT';

/** A folder with another build of the app, from which a server can start. */
export interface NextBuild {
  readonly root: string;
  remove(): Promise<void>;
}

/** Creates a later build from the one in dist/: the same app, with another name for every script. */
export async function makeNextBuild(): Promise<NextBuild> {
  const project = resolve(import.meta.dirname, '../..');
  const root = await mkdtemp(join(tmpdir(), 'changer-next-'));
  for (const name of ['node_modules', 'demo']) await symlink(join(project, name), join(root, name));
  for (const name of ['package.json', 'dist']) await cp(join(project, name), join(root, name), { recursive: true });
  const assets = join(root, 'dist/web/assets');
  for (const name of await readdir(assets)) await rename(join(assets, name), join(assets, renamed(name)));
  for (const folder of [assets, join(root, 'dist/web'), join(root, 'dist')]) await renameIn(folder);
  return { root, remove: () => rm(root, { recursive: true, force: true }) };
}

async function renameIn(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isFile() || !['.js', '.html', '.json'].includes(extname(entry.name))) continue;
    const filePath = join(folder, entry.name);
    await writeFile(filePath, renamed(await readFile(filePath, 'utf8')));
  }
}

const renamed = (text: string): string => text.replace(/-[A-Z0-9]{4}([A-Z0-9]{4}\.js)/g, `${NEXT}$1`);
