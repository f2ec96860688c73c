import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { build } from 'esbuild';

/**
 * The bundler makes a chunk for every set of entries that share something, and takes a file that is imported dynamically for
 * an entry that may come first. So the pages would share twenty small chunks, each compressed alone. Here the first of `layers`
 * always comes first: it is made to reach what several pages share, and every other entry is made to reach it, so that all of
 * it is one set. A further layer is always there soon: an entry that needs part of it is made to reach the whole.
 *
 * `options` are esbuild's; a first pass with them finds the files. Gives a plugin for the second pass.
 */
export async function together(options, [core, ...further], pages) {
  const { metafile } = await build({ ...options, outdir: 'unwritten', metafile: true, write: false, logLevel: 'error' });
  const { inputs } = metafile;
  const reachedBy = new Map();
  for (const page of pages) for (const path of reached(inputs, page)) reachedBy.set(path, (reachedBy.get(path) ?? 0) + 1);
  const inCore = reached(inputs, core);
  const shared = [...reachedBy].filter(([path, count]) => count >= SHARED_BY && path !== core).map(([path]) => path);
  for (const path of shared) reached(inputs, path, inCore);
  const late = Object.values(inputs)
    .flatMap(({ imports }) => imports)
    .filter(({ kind, path }) => kind === 'dynamic-import' && inputs[path] !== undefined && !inCore.has(path))
    .map(({ path }) => path)
    .filter((path) => !path.startsWith('node_modules/'));
  const additions = new Map([...pages, ...late].map((path) => [path, [core]]));
  for (const layer of further) {
    const own = [...reached(inputs, layer)].filter((path) => !inCore.has(path));
    for (const [path, added] of additions) {
      const needed = reached(inputs, path);
      if (path !== layer && own.some((file) => needed.has(file))) added.push(layer);
    }
  }
  return plugin(additions.set(core, shared.sort()));
}

/** How many pages must share a file for all of them to carry it. */
const SHARED_BY = 3;

/** Every file that an entry loads before it runs. */
function reached(inputs, entry, found = new Set()) {
  if (found.has(entry)) return found;
  found.add(entry);
  for (const { path, kind } of inputs[entry].imports) {
    if (kind !== 'dynamic-import' && inputs[path] !== undefined) reached(inputs, path, found);
  }
  return found;
}

const plugin = (additions) => ({
  name: 'together',
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/](src|elements)[\\/].*\.tsx?$/ }, async ({ path }) => {
      const added = additions.get(relative('.', path).replaceAll('\\', '/'));
      if (added === undefined) return null;
      const imports = added.map((file) => `import ${JSON.stringify(resolve(file))};`).join('');
      return { contents: imports + (await readFile(path, 'utf8')), loader: path.endsWith('x') ? 'tsx' : 'ts' };
    });
  },
});
