// npm package: `npm pack` packs only the tags. `package.json` is the server's, and a user of the tags needs none of its
// dependencies. So it is replaced by that of the tags while npm packs.
import { existsSync } from 'node:fs';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { embedOptions } from './app-bundle.mjs';
import { manifestOf } from './custom-elements-manifest.mjs';
import { declarationsOf, FRAMEWORKS } from './framework-types.mjs';
import { licencesOf } from './licences.mjs';
import { readElements } from './read-elements.mjs';

const PACKAGE_FOLDER = 'dist/package';
const ELEMENTS_FOLDER = `${PACKAGE_FOLDER}/elements`;
const SAVED_PACKAGE_JSON = 'dist/package.json.saved';

/** Builds the package and replaces the server's `package.json` by the package's. */
export async function prepack() {
  await postpack();
  const elements = await readElements();
  await rm(PACKAGE_FOLDER, { recursive: true, force: true });
  await mkdir(ELEMENTS_FOLDER, { recursive: true });
  const names = elements.tags.map(({ tag }) => tag);
  const metafile = await bundleElements(names);
  await writeFile(join(ELEMENTS_FOLDER, 'nothing.js'), 'export {};\n');
  for (const [name, text] of declarationsOf(elements)) await writeFile(join(ELEMENTS_FOLDER, name), text);
  await writeFile(
    join(PACKAGE_FOLDER, 'custom-elements.json'),
    `${JSON.stringify(manifestOf(elements, ELEMENTS_FOLDER), null, 2)}\n`,
  );
  await writeFile(join(PACKAGE_FOLDER, 'LICENSES.txt'), await licencesOf([metafile]));
  await replacePackageJson(names);
}

/**
 * Restores the server's `package.json`. It must be the same file, because its modification time decides whether the app
 * must be rebuilt.
 */
export async function postpack() {
  if (existsSync(SAVED_PACKAGE_JSON)) await rename(SAVED_PACKAGE_JSON, 'package.json');
}

/**
 * Bundles the tags with all their dependencies, including React: a tag must neither depend on the React version of a
 * site, nor require React on a site that has none. `index` contains all of them. Returns the metafile.
 */
async function bundleElements(names) {
  const options = embedOptions();
  const { metafile } = await build({
    ...options,
    define: { ...options.define, __PACKAGED__: 'true', __SELF_CONTAINED__: 'true' },
    plugins: [entriesWithServices(names), ...options.plugins],
    entryPoints: Object.fromEntries([...names, 'index'].map((name) => [name, `tag:${name}`])),
    outdir: ELEMENTS_FOLDER,
    chunkNames: 'chunks/[hash]',
    splitting: true,
    minify: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  return metafile;
}

/** Adds the services for third-party pages to the start of every entry, as in the tags that the server serves. */
const entriesWithServices = (names) => ({
  name: 'entries-with-services',
  setup(bundler) {
    bundler.onResolve({ filter: /^tag:/ }, ({ path }) => ({ path: path.slice('tag:'.length), namespace: 'tag' }));
    bundler.onLoad({ filter: /.*/, namespace: 'tag' }, ({ path }) => {
      const tags = path === 'index' ? names : [path];
      const contents = ['embed/embed-services', ...tags].map((name) => `import './elements/${name}.ts';`).join('');
      return { contents, resolveDir: process.cwd() };
    });
  },
});

async function replacePackageJson(names) {
  const newPackageJson = `${PACKAGE_FOLDER}/package.json`;
  await writeFile(
    newPackageJson,
    `${JSON.stringify(toPackageJson(JSON.parse(await readFile('package.json', 'utf8')), names), null, 2)}\n`,
  );
  await link('package.json', SAVED_PACKAGE_JSON);
  await rename(newPackageJson, 'package.json');
}

/**
 * Returns the export of a tag's module. Node has no custom elements, but a server-rendered page still imports the tags.
 * So the module is empty there.
 */
const toExport = (name) => ({
  types: `./${ELEMENTS_FOLDER}/${name}.d.ts`,
  node: `./${ELEMENTS_FOLDER}/nothing.js`,
  default: `./${ELEMENTS_FOLDER}/${name}.js`,
});

/** Returns the export of a module that has only types. */
const toTypesExport = (name) => ({ types: `./${ELEMENTS_FOLDER}/${name}.d.ts`, default: `./${ELEMENTS_FOLDER}/nothing.js` });

/** Returns the package's `package.json`, from the server's and the names of the tags. */
function toPackageJson({ name, version, description, license, type }, names) {
  return {
    name,
    version,
    description,
    license,
    type,
    keywords: ['telegram', 'channel', 'feed', 'custom-element', 'web-component', 'embed'],
    exports: {
      './elements': toExport('index'),
      ...Object.fromEntries(names.map((tag) => [`./elements/${tag}`, toExport(tag)])),
      ...Object.fromEntries(Object.keys(FRAMEWORKS).map((framework) => [`./elements/${framework}`, toTypesExport(framework)])),
      './custom-elements.json': `./${PACKAGE_FOLDER}/custom-elements.json`,
      './package.json': './package.json',
    },
    customElements: `${PACKAGE_FOLDER}/custom-elements.json`,
    // Every module of a tag registers it.
    sideEffects: true,
    files: [PACKAGE_FOLDER],
    engines: { node: '>=18' },
  };
}
