// What `npm pack` packs: the tags alone. package.json is the server's, and whoever wants a tag needs none of its packages; so
// while npm packs, that of the tags stands in its place.
import { existsSync } from 'node:fs';
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { foreignOptions } from './app-bundle.mjs';
import { manifestOf } from './custom-elements-manifest.mjs';
import { declarationsOf, FRAMEWORKS } from './framework-types.mjs';
import { readElements } from './read-elements.mjs';

const OUT = 'dist/package';
const TAGS = `${OUT}/elements`;
const KEPT = 'dist/package.json.kept';

/** Builds what is packed, and puts its package.json in the place of the server's. */
export async function prepack() {
  await postpack();
  const elements = await readElements();
  await rm(OUT, { recursive: true, force: true });
  await mkdir(TAGS, { recursive: true });
  const names = elements.tags.map(({ tag }) => tag);
  const bundled = await bundle(names);
  await writeFile(join(TAGS, 'nothing.js'), 'export {};\n');
  for (const [name, text] of declarationsOf(elements)) await writeFile(join(TAGS, name), text);
  await writeFile(join(OUT, 'custom-elements.json'), `${JSON.stringify(manifestOf(elements, TAGS), null, 2)}\n`);
  await writeFile(join(OUT, 'LICENSES.txt'), await licensesOf(bundled));
  await putInPlace(names);
}

/** Puts the server's package.json back: the same file, for its age says whether the app must be built anew. */
export async function postpack() {
  if (existsSync(KEPT)) await rename(KEPT, 'package.json');
}

/**
 * Bundles the tags with all that they need, React too: a tag must not depend on which React a site has, nor bring one to a site
 * that has none. `index` is all of them. Gives the bundler's record.
 */
async function bundle(names) {
  const options = foreignOptions();
  const { metafile } = await build({
    ...options,
    define: { ...options.define, __PACKAGED__: 'true', __WHOLE__: 'true' },
    plugins: [entriesWithServices(names), ...options.plugins],
    entryPoints: Object.fromEntries([...names, 'index'].map((name) => [name, `tag:${name}`])),
    outdir: TAGS,
    chunkNames: 'chunks/[hash]',
    splitting: true,
    minify: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  return metafile;
}

/** Every entry first loads what tags work with on a site, as the served ones do. */
const entriesWithServices = (names) => ({
  name: 'entries-with-services',
  setup(bundler) {
    bundler.onResolve({ filter: /^tag:/ }, ({ path }) => ({ path: path.slice('tag:'.length), namespace: 'tag' }));
    bundler.onLoad({ filter: /.*/, namespace: 'tag' }, ({ path }) => {
      const wanted = path === 'index' ? names : [path];
      const contents = ['embed/embed-services', ...wanted].map((name) => `import './elements/${name}.ts';`).join('');
      return { contents, resolveDir: process.cwd() };
    });
  },
});

/** The licences of the packages whose code is in the bundle. */
async function licensesOf({ inputs }) {
  const folders = Object.keys(inputs).map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  const texts = [...new Set(folders)]
    .filter((folder) => folder !== undefined)
    .sort()
    .map(licenseOf);
  return (await Promise.all(texts)).join('\n\n');
}

async function licenseOf(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const file = (await readdir(folder)).find((path) => /^licen[cs]e/i.test(path));
  return `${name} ${version} (${license})\n\n${file === undefined ? '' : await readFile(join(folder, file), 'utf8')}`;
}

async function putInPlace(names) {
  const next = `${OUT}/package.json`;
  await writeFile(next, `${JSON.stringify(published(JSON.parse(await readFile('package.json', 'utf8')), names), null, 2)}\n`);
  await link('package.json', KEPT);
  await rename(next, 'package.json');
}

/** Servers have no elements, and a page that they render imports the tags all the same: there they are nothing. */
const entry = (name) => ({
  types: `./${TAGS}/${name}.d.ts`,
  node: `./${TAGS}/nothing.js`,
  default: `./${TAGS}/${name}.js`,
});

const typesAlone = (name) => ({ types: `./${TAGS}/${name}.d.ts`, default: `./${TAGS}/nothing.js` });

function published({ name, version, description, license, type }, names) {
  return {
    name,
    version,
    description,
    license,
    type,
    keywords: ['telegram', 'channel', 'feed', 'custom-element', 'web-component', 'embed'],
    exports: {
      './elements': entry('index'),
      ...Object.fromEntries(names.map((tag) => [`./elements/${tag}`, entry(tag)])),
      ...Object.fromEntries(Object.keys(FRAMEWORKS).map((framework) => [`./elements/${framework}`, typesAlone(framework)])),
      './custom-elements.json': `./${OUT}/custom-elements.json`,
      './package.json': './package.json',
    },
    customElements: `${OUT}/custom-elements.json`,
    // Every module of a tag defines it.
    sideEffects: true,
    files: [OUT],
    engines: { node: '>=18' },
  };
}
