import { cp, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';

/** What the names of a later build's scripts hold. */
export const NEXT = '-NEXT';

/** A folder that a server starts from, with another build of the app in it. */
export interface NextBuild {
  readonly root: string;
  remove(): Promise<void>;
}

/** Makes a later build of the one that stands in dist/: the same app, with every script under another name. */
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
    const place = join(folder, entry.name);
    await writeFile(place, renamed(await readFile(place, 'utf8')));
  }
}

const renamed = (text: string): string => text.replace(/-[A-Z0-9]{4}([A-Z0-9]{4}\.js)/g, `${NEXT}$1`);
