import { relative, resolve } from 'node:path';
import { build } from 'esbuild';

/**
 * Chunk layers: esbuild plugin that reduces the number of shared chunks.
 *
 * The bundler creates a chunk for every set of entries that share code, and treats each dynamically imported file as an entry
 * that may be loaded first. So the pages would share twenty small chunks, each compressed alone. With layers, which every load of
 * a page fetches in this order, each layer is one such set.
 *
 * The first file of the first layer gets imports of that layer's other files, and every entry gets an import of it. The first
 * file of the last layer gets imports of the code that several entries share. An entry that needs a part of that code gets an
 * import of all of it. A single layer is both first and last.
 *
 * `options` are those of esbuild; a first pass with them finds the files. `readSource` reads a source. Returns a plugin for the
 * second pass.
 */
export async function createChunkLayers(options, layers, pages, readSource) {
  const { metafile } = await build({ ...options, outdir: 'not-written', metafile: true, write: false, logLevel: 'error' });
  const { inputs } = metafile;
  const [[first, ...others], [last] = [first]] = layers;
  const layerFiles = new Set([first, ...others].flatMap((path) => [...findStaticImports(inputs, path)]));
  const lazyFiles = Object.values(inputs)
    .flatMap(({ imports }) => imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path))
    .filter((path) => inputs[path] !== undefined && !layerFiles.has(path) && !path.startsWith('node_modules/'));
  const entries = new Set([...pages, ...lazyFiles].filter((path) => inputs[path] && path !== first && path !== last));

  const reachedBy = new Map();
  for (const entry of entries)
    for (const path of findStaticImports(inputs, entry)) reachedBy.set(path, (reachedBy.get(path) ?? 0) + 1);
  const homeFiles = findStaticImports(inputs, HOME_ENTRY);
  const isShared = (path, count) =>
    count >= MIN_SHARING_ENTRIES && homeFiles.has(path) && !layerFiles.has(path) && !entries.has(path);
  const shared = [...reachedBy].filter(([path, count]) => isShared(path, count));
  const lastLayerFiles = new Set([last, ...shared.map(([path]) => path)].flatMap((path) => [...findStaticImports(inputs, path)]));
  const needsLastLayer = (entry) =>
    [...findStaticImports(inputs, entry)].some((path) => lastLayerFiles.has(path) && !layerFiles.has(path));

  const additions = new Map([...entries].map((entry) => [entry, needsLastLayer(entry) ? [first, last] : [first]]));
  additions.set(last, [first, ...shared.map(([path]) => path).sort()]);
  additions.set(first, [...others, ...(additions.get(first) ?? [])]);
  for (const [path, imported] of additions)
    additions.set(
      path,
      [...new Set(imported)].filter((file) => file !== path),
    );
  return createPlugin(additions, readSource);
}

/**
 * Minimum number of entries that must share a file for it to be in the last layer. The page that most readers open first must be
 * one of them.
 */
const MIN_SHARING_ENTRIES = 3;
const HOME_ENTRY = 'elements/changer-feed.ts';

/** Returns all files that an entry loads before it runs. */
function findStaticImports(inputs, entry, found = new Set()) {
  if (found.has(entry)) return found;
  found.add(entry);
  for (const { path, kind } of inputs[entry].imports) {
    if (kind !== 'dynamic-import' && inputs[path] !== undefined) findStaticImports(inputs, path, found);
  }
  return found;
}

const createPlugin = (additions, readSource) => ({
  name: 'chunk-layers',
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/](src|elements)[\\/].*\.tsx?$/ }, async ({ path }) => {
      const imported = additions.get(relative('.', path).replaceAll('\\', '/'));
      if (imported === undefined) return null;
      const imports = imported.map((file) => `import ${JSON.stringify(resolve(file))};`).join('');
      return { contents: imports + (await readSource(path)), loader: path.endsWith('x') ? 'tsx' : 'ts' };
    });
  },
});
