// Compiles the TypeScript modules that the tests use, once for a whole run. A loader of TypeScript would start in each process.
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** Folders with modules that a test may import. */
const FOLDERS = ['test', 'server', 'contract', 'src', 'elements', 'bench', 'sw', 'examples'];
const MODULE = /(?<!\.d)\.tsx?$/;

/**
 * Compiles each module by itself to the same path in `folder`. `import.meta` has the values of the source, so that modules find
 * their files.
 */
export async function compileTests(folder) {
  const root = process.cwd();
  await build({
    entryPoints: FOLDERS.filter(existsSync).flatMap(modulesIn),
    outdir: folder,
    outbase: '.',
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    jsx: 'automatic',
    sourcemap: 'inline',
    sourcesContent: false,
    logLevel: 'error',
    plugins: [keepImports(root, resolve(folder))],
  });
}

/** Returns the path of a compiled module. */
export const compiledPath = (folder, path) => join(folder, path.replace(MODULE, '.js'));

const modulesIn = (folder) =>
  readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .filter((path) => MODULE.test(path));

/** esbuild plugin: changes imports of TypeScript modules to their compiled files, and bundles none of them. */
const keepImports = (root, folder) => ({
  name: 'keep-imports',
  setup(bundler) {
    bundler.onResolve({ filter: /.*/ }, ({ path, importer, kind }) => {
      if (kind === 'entry-point') return undefined;
      if (!path.startsWith('.')) return { path, external: true };
      const source = resolve(dirname(importer), path);
      const target = MODULE.test(source) ? join(folder, compiledPath('', relative(root, source))) : source;
      const from = join(folder, dirname(relative(root, importer)));
      const specifier = relative(from, target).split(sep).join('/');
      return { path: specifier.startsWith('.') ? specifier : `./${specifier}`, external: true };
    });
    bundler.onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
      const values = { url: pathToFileURL(path).href, dirname: dirname(path), filename: path };
      const contents = (await readFile(path, 'utf8')).replace(/\bimport\.meta\.(url|dirname|filename)\b/g, (_, name) =>
        JSON.stringify(values[name]),
      );
      return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' };
    });
  },
});
