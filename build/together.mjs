import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { build } from 'esbuild';

/** The file that every tag loads: what they share is made its company. */
const CORE = 'elements/define.ts';
/** How many tags must reach a file for all of them to carry it. */
const SHARED_BY = 3;

/**
 * Makes one chunk of what most tags and the app load anyway. The bundler makes a chunk for every set of entries that share
 * something, and each would be compressed alone: 20 of them cost 5 kB gzip more on /main. A first pass finds the files; in the
 * second every entry, also one that is imported dynamically, reaches them by way of CORE, so that they share one set.
 *
 * `options` are esbuild's, with `entryPoints` by name. Gives a plugin for the second pass.
 */
export async function together(options) {
  const { metafile } = await build({
    ...options,
    outdir: 'unwritten',
    metafile: true,
    write: false,
    sourcemap: false,
    minify: false,
  });
  const inputs = metafile.inputs;
  const tags = Object.values(options.entryPoints).filter((path) => path.startsWith('elements/'));
  const reachedBy = new Map();
  for (const tag of tags) for (const path of reached(inputs, tag)) reachedBy.set(path, (reachedBy.get(path) ?? 0) + 1);
  const shared = [...reachedBy].filter(([path, count]) => count >= SHARED_BY && path !== CORE).map(([path]) => path);
  const core = [...reached(inputs, CORE), ...shared];
  const late = Object.values(inputs)
    .flatMap(({ imports }) => imports)
    .filter(({ kind, external }) => kind === 'dynamic-import' && external !== true)
    .map(({ path }) => path)
    .filter((path) => path.startsWith('src/') && !core.includes(path));
  return plugin(new Map([[CORE, shared.sort()], ['src/main.ts', [CORE]], ...late.map((path) => [path, [CORE]])]));
}

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
