import { execFile } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildPackage } from '../../build/npm-package.mjs';

const run = promisify(execFile);

/** Runs npm in a folder, without a network. */
export async function npm(folder: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run('npm', [...args, '--offline', '--no-audit', '--no-fund', '--no-update-notifier'], {
    cwd: folder,
    maxBuffer: 1 << 26,
  });
  return stdout;
}

/** Builds the package of the tags in `folder`, and packs it. Returns the path of the tarball. */
export async function pack(folder: string): Promise<string> {
  const source = join(folder, 'package');
  await buildPackage(source);
  await npm(folder, 'pack', './package', '--pack-destination', folder);
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('npm packed nothing.');
  return join(folder, tarball);
}

/** Creates a project in `folder` in which only the packed tags are installed. */
export async function install(tarball: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await npm(folder, 'init', '-y');
  await npm(folder, 'install', tarball);
}
