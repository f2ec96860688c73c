// npm package of the tags: has no part of the server and no dependencies. `npm pack ./dist/package` packs it.
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { embedOptions } from './app-bundle.mjs';
import { manifestOf } from './custom-elements-manifest.mjs';
import { declarationsOf, FRAMEWORKS } from './framework-types.mjs';
import { licencesOf } from './licences.mjs';
import { readElements } from './read-elements.mjs';

/** Folder of the modules in the package. */
const ELEMENTS_FOLDER = 'elements';

/** Builds the package in a folder, whose former content is deleted. */
export async function buildPackage(folder = 'dist/package') {
  const elements = await readElements();
  const elementsFolder = join(folder, ELEMENTS_FOLDER);
  await rm(folder, { recursive: true, force: true });
  await mkdir(elementsFolder, { recursive: true });
  const names = elements.tags.map(({ tag }) => tag);
  const metafile = await bundleElements(names, elementsFolder);
  const ownPackage = JSON.parse(await readFile('package.json', 'utf8'));
  const texts = {
    'package.json': formatJson(toPackageJson(ownPackage, names)),
    'custom-elements.json': formatJson(manifestOf(elements, ELEMENTS_FOLDER)),
    'LICENSES.txt': await licencesOf([metafile]),
    [join(ELEMENTS_FOLDER, 'nothing.js')]: 'export {};\n',
  };
  for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, name), text);
  for (const [name, text] of declarationsOf(elements)) await writeFile(join(elementsFolder, name), text);
  for (const name of ['README.md', 'LICENSE']) await copyFile(name, join(folder, name));
}

const formatJson = (value) => `${JSON.stringify(value, null, 2)}\n`;

/**
 * Bundles the tags with all their dependencies, including React: a tag must neither depend on the React version of a
 * site, nor require React on a site that has none. `index` contains all of them. Returns the metafile.
 */
async function bundleElements(names, outdir) {
  const options = embedOptions();
  const { metafile } = await build({
    ...options,
    define: { ...options.define, __PACKAGED__: 'true', __SELF_CONTAINED__: 'true' },
    plugins: [entriesWithServices(names), ...options.plugins],
    entryPoints: Object.fromEntries([...names, 'index'].map((name) => [name, `tag:${name}`])),
    outdir,
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
      './custom-elements.json': './custom-elements.json',
      './package.json': './package.json',
    },
    customElements: 'custom-elements.json',
    // Every module of a tag registers it.
    sideEffects: true,
    files: [ELEMENTS_FOLDER, 'custom-elements.json', 'LICENSES.txt'],
    engines: { node: '>=18' },
  };
}
