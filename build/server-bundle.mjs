import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { browserOptions } from './app-bundle.mjs';

/**
 * Server bundle: bundles the server, its command-line programs and every worker thread into `<out>` without subfolders.
 * Packages stay in `node_modules`.
 */
export async function buildServer(out) {
  const workerPaths = (await readdir('server', { recursive: true })).filter((path) => /worker[^/]*\.ts$/.test(path)).sort();
  const programs = ['server/main.ts', ...['import', 'move', 'backup', 'restore'].map((name) => `server/cli/${name}.ts`)];
  const entries = [...programs, ...workerPaths.map((path) => join('server', path))];
  await build({
    entryPoints: Object.fromEntries(entries.map((path) => [basename(path, '.ts'), path])),
    outdir: out,
    bundle: true,
    splitting: true,
    chunkNames: 'chunk-[hash]',
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    packages: 'external',
    jsx: 'automatic',
    sourcemap: true,
    logLevel: 'warning',
    plugins: [workerUrls],
  });
}

/**
 * Bundles the page renderer of the server into one file with all its dependencies, because it consists of the browser's
 * sources. Returns the metafile.
 */
export async function buildRenderer(out) {
  const options = browserOptions();
  const { metafile } = await build({
    ...options,
    define: { ...options.define, __PRERENDER__: 'true' },
    target: 'node20.19',
    entryPoints: { render: 'server/publishing/pages/render.tsx' },
    outdir: out,
    platform: 'node',
    mainFields: ['module', 'main'],
    sourcemap: true,
    metafile: true,
    logLevel: 'warning',
  });
  return metafile;
}

/**
 * esbuild plugin: rewrites the URLs of worker threads. The source is `new URL('./x-worker.ts', import.meta.url)`; after
 * bundling, the worker is a `.js` file next to its caller.
 */
const workerUrls = {
  name: 'worker-urls',
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/]server[\\/].*\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const contents = source.replace(
        /new URL\('\.\.?\/(?:[\w-]+\/)*([\w-]*worker[\w-]*)\.ts', import\.meta\.url\)/g,
        "new URL('./$1.js', import.meta.url)",
      );
      return { contents, loader: 'ts' };
    });
  },
};
