import { relative, resolve } from 'node:path';
import { build } from 'esbuild';

/**
 * Chunk layers: esbuild plugin that reduces the number of shared chunks by adding imports to source files.
 *
 * esbuild creates a chunk for every set of entries that share code. It treats each page and each dynamically imported
 * file as an entry that may be loaded first. So the pages would share twenty small chunks, each compressed alone. But
 * every page load imports the same files first. `layers` lists these files: one or two lists of paths, in the order in
 * which they are loaded. With the added imports, esbuild creates one chunk for each layer.
 *
 * Added imports: the first file of the first layer imports the other files of that layer, and every entry imports that
 * first file. The first file of the last layer imports the code that several entries share. An entry that needs a part
 * of that shared code imports that file too, and so loads all of it. A single layer is both first and last.
 *
 * `options` are esbuild's options. A first build with them, which writes nothing, finds which file imports which.
 * `pages` are the paths of the pages. `readSource` reads a source file. Returns the plugin for the actual build.
 */
export async function createChunkLayers(options, layers, pages, readSource) {
  const { metafile } = await build({ ...options, outdir: 'not-written', metafile: true, write: false, logLevel: 'error' });
  /** Source files with their imports, by path. */
  const { inputs } = metafile;
  const [[first, ...others], [last] = [first]] = layers;
  const layerFiles = new Set([first, ...others].flatMap((path) => [...findStaticImports(inputs, path)]));
  const lazyFiles = Object.values(inputs)
    .flatMap(({ imports }) => imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path))
    .filter((path) => inputs[path] !== undefined && !layerFiles.has(path) && !path.startsWith('node_modules/'));
  const entries = new Set([...pages, ...lazyFiles].filter((path) => inputs[path] && path !== first && path !== last));

  /** Number of entries that need a file, by path. */
  const entryCounts = new Map();
  for (const entry of entries)
    for (const path of findStaticImports(inputs, entry)) entryCounts.set(path, (entryCounts.get(path) ?? 0) + 1);
  const homeFiles = findStaticImports(inputs, HOME_ENTRY);
  const isShared = (path, count) =>
    count >= MIN_SHARING_ENTRIES && homeFiles.has(path) && !layerFiles.has(path) && !entries.has(path);
  const sharedFiles = [...entryCounts].filter(([path, count]) => isShared(path, count)).map(([path]) => path);
  const lastLayerFiles = new Set([last, ...sharedFiles].flatMap((path) => [...findStaticImports(inputs, path)]));
  const needsLastLayer = (entry) =>
    [...findStaticImports(inputs, entry)].some((path) => lastLayerFiles.has(path) && !layerFiles.has(path));

  /** Paths of the imports to add, by path of the source file. */
  const addedImports = new Map([...entries].map((entry) => [entry, needsLastLayer(entry) ? [first, last] : [first]]));
  addedImports.set(last, [first, ...sharedFiles.sort()]);
  addedImports.set(first, [...others, ...(addedImports.get(first) ?? [])]);
  for (const [path, imported] of addedImports)
    addedImports.set(
      path,
      [...new Set(imported)].filter((file) => file !== path),
    );
  return createPlugin(addedImports, readSource);
}

/**
 * Minimum number of entries that must share a file for it to be in the last layer. One of them must be the feed, the
 * page that most readers open first.
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

/** Creates the plugin, which writes the added imports before the text of each source file. */
const createPlugin = (addedImports, readSource) => ({
  name: 'chunk-layers',
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/](src|elements)[\\/].*\.tsx?$/ }, async ({ path }) => {
      const imported = addedImports.get(relative('.', path).replaceAll('\\', '/'));
      if (imported === undefined) return null;
      const imports = imported.map((file) => `import ${JSON.stringify(resolve(file))};`).join('');
      return { contents: imports + (await readSource(path)), loader: path.endsWith('x') ? 'tsx' : 'ts' };
    });
  },
});
