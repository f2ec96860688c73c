// Build script: builds the app, the elements, the service worker and the server into `dist/`. No list is maintained by
// hand: the chunks of the first load, the files that the service worker caches and the inline scripts that the
// Content-Security-Policy allows are all derived from the bundler's metafile.
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { appEntries, buildWeb, DATA_ENTRIES, FRAME_ENTRIES, staticClosure } from './build/app-bundle.mjs';
import { formatTable, measureBundle } from './build/budgets.mjs';
import { buildExamples } from './build/examples-page.mjs';
import { buildShell } from './build/html-shell.mjs';
import { buildIcons } from './build/icons.mjs';
import { writeLicences, writeServerLicences } from './build/licences.mjs';
import { buildPinned } from './build/pinned-elements.mjs';
import { buildRenderer, buildServer } from './build/server-bundle.mjs';
import { buildWorker } from './build/service-worker.mjs';

process.chdir(import.meta.dirname);
/** New build. It replaces the old one when it is complete. */
const stagingFolder = join('dist', `next-${process.pid}`);
const webFolder = join(stagingFolder, 'web');

try {
  await mkdir(stagingFolder, { recursive: true });
  const [bundle, , renderer] = await Promise.all([
    buildWeb(webFolder),
    buildServer(join(stagingFolder, 'server')),
    buildRenderer(join(stagingFolder, 'server')),
  ]);
  await Promise.all([
    cp('public', webFolder, { recursive: true }),
    buildIcons(webFolder),
    buildPinned(join(stagingFolder, 'pinned')),
    buildExamples(webFolder),
  ]);
  const shell = await buildShell(bundle.app);
  await writeFile(join(webFolder, 'index.html'), shell.html);
  const worker = await buildWorker(webFolder, Object.keys(bundle.app.outputs));
  await writeLicences(join(webFolder, 'licences.txt'), [bundle.app, bundle.embeds, renderer, worker]);
  await writeServerLicences(join(webFolder, 'licences-server.txt'), '.');
  await writeFile(join(stagingFolder, 'build.json'), `${JSON.stringify(await buildInfo(shell, bundle.app), null, 2)}\n`);
  const rows = await measureBundle(bundle, await appEntries(), join(webFolder, 'sw.js'));
  await writeFile(join(stagingFolder, 'sizes.json'), `${JSON.stringify(rows, null, 2)}\n`);
  await replaceBuild();
  console.log(formatTable(rows));
  const isStrict = !process.argv.includes('--budgets=report');
  if (isStrict && rows.some(({ kB, budget }) => kB > budget))
    throw new Error('build: a size budget is exceeded (see the table above)');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await rm(stagingFolder, { recursive: true, force: true });
}

/** Returns the data about this build that the server needs. The version changes only if the contents change. */
async function buildInfo({ html, hashes }, app) {
  const assets = (await readdir(join(webFolder, 'assets'))).sort();
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  const contents = createHash('sha256')
    .update(html)
    .update(await readFile(join(webFolder, 'sw.js')));
  for (const name of assets) contents.update(name);
  const apiUrl = process.env.API_URL ? { apiUrl: new URL(process.env.API_URL).origin } : {};
  return {
    version: `${version}+${contents.digest('hex').slice(0, 10)}`,
    scriptHashes: hashes,
    ...apiUrl,
    chunks: await chunksOfPages(app),
    assets,
  };
}

/** Returns the chunks that each page needs in addition to those that the shell loads, by the page's tag. */
async function chunksOfPages(app) {
  const loaded = staticClosure(app, [...FRAME_ENTRIES, ...DATA_ENTRIES]);
  const addedChunks = (entry) => [...staticClosure(app, [entry])].filter((path) => !loaded.has(path));
  const pages = (await appEntries()).map((entry) => [basename(entry, '.ts'), addedChunks(entry).map((path) => basename(path))]);
  return Object.fromEntries(pages);
}

/**
 * Replaces the old build with the new one, entry by entry. It runs only after everything is built, so that a failed
 * build leaves the old one complete. A build that exceeds a size budget is installed, so that its files can be examined.
 */
async function replaceBuild() {
  for (const name of ['web', 'pinned', 'server', 'build.json', 'sizes.json']) {
    await rm(join('dist', name), { recursive: true, force: true });
    await rename(join(stagingFolder, name), join('dist', name));
  }
}
