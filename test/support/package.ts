import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(import.meta.dirname, '../..');

/** Files that `npm pack` needs. */
const SOURCES = [
  'package.json',
  'package-lock.json',
  'start.mjs',
  'README.md',
  'LICENSE',
  'scripts',
  'build',
  'elements',
  'src',
  'contract',
];

const run = promisify(execFile);

/** Runs npm in a folder, without a network. */
export async function npm(folder: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run('npm', [...args, '--offline', '--no-audit', '--no-fund', '--no-update-notifier'], {
    cwd: folder,
    maxBuffer: 1 << 26,
  });
  return stdout;
}

/**
 * Packs the tags as `npm pack` at the root does, but from a copy in `folder`, because npm changes package.json itself. Returns
 * the path of the tarball and of the copy.
 */
export async function pack(folder: string): Promise<{ readonly tarball: string; readonly copy: string }> {
  const copy = join(folder, 'copy');
  await mkdir(copy, { recursive: true });
  await Promise.all(SOURCES.map((path) => cp(join(ROOT, path), join(copy, path), { recursive: true, preserveTimestamps: true })));
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  await npm(copy, 'pack', '--pack-destination', folder);
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('npm packed nothing.');
  return { tarball: join(folder, tarball), copy };
}

/** Creates a project in `folder` in which only the packed tags are installed. */
export async function install(tarball: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await npm(folder, 'init', '-y');
  await npm(folder, 'install', tarball);
}
