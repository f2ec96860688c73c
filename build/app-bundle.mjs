import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { together } from './chunk-layers.mjs';
import { stylesAsText } from './css-text.mjs';
import { guardedListeners, readGuarded } from './guarded-listeners.mjs';
import { failureWords } from './inline-messages.mjs';
import { minifyOnce, slimLibraries } from './vendor-patches.mjs';

/** Oldest supported browsers: the build lowers syntax to them. */
export const FLOOR = ['safari16.4', 'ios16.4', 'chrome111', 'firefox115'];

/** What every load of the app runs before it paints: the app itself, and the frame around its pages. */
export const FRAME = ['src/main.ts', 'elements/changer-layout.ts'];

/** What every load of the app imports by itself thereafter, whatever its page: the data area, and the HTTP client. */
export const DATA = ['src/app/session/user-session.ts', 'src/api/axios-transport.ts'];

/** What the tags call themselves where two versions meet on one page. */
const { version: VERSION } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));

/** esbuild plugin: what our files take of React they take from build/react-exports.js. */
const reactByName = {
  name: 'react-by-name',
  setup(bundler) {
    const path = resolve('build/react-exports.js');
    bundler.onResolve({ filter: /^react(\/jsx-runtime)?$/ }, ({ importer }) =>
      /^(src|elements)[\\/]/.test(relative('.', importer)) ? { path } : null,
    );
  },
};

/**
 * Options that the app, the tests and the bench share. `API_URL` is the API's origin, '' for the app's own. What is the app's
 * alone stands behind __APP__, what only foreign pages need behind __EMBEDDED__; tests have both.
 */
export const browserOptions = (texts) => ({
  bundle: true,
  format: 'esm',
  target: FLOOR,
  mainFields: ['module', 'browser', 'main'],
  jsx: 'automatic',
  charset: 'utf8',
  define: {
    'process.env.NODE_ENV': '"production"',
    __API_URL__: JSON.stringify(process.env.API_URL ?? ''),
    __APP__: 'true',
    __EMBEDDED__: 'true',
    __VERSION__: JSON.stringify(VERSION),
    __PACKAGED__: 'false',
    __WHOLE__: 'false',
  },
  plugins: [slimLibraries, reactByName, stylesAsText(FLOOR, texts)],
});

/** The same for what only foreign pages load. */
export const foreignOptions = (texts) => {
  const options = browserOptions(texts);
  return {
    ...options,
    define: { ...options.define, __APP__: 'false' },
    inject: ['elements/embed/report-error.ts'],
    plugins: [...options.plugins, guardedListeners],
  };
};

/**
 * Bundles the app and the elements into `<out>/assets`, hashed, and puts a loader with a stable name for each element into
 * `<out>/elements`. They are two bundles: no page ever loads both, browsers keep no cache across sites, and each shares its
 * chunks as suits it. React has an entry of its own so that its 60 kB chunk keeps its name when our code changes.
 */
export async function buildWeb(out) {
  const texts = new Map();
  const elements = await elementEntries();
  const app = await bundle(
    out,
    texts,
    { main: 'src/main.ts', react: 'build/react-exports.js' },
    [FRAME, DATA],
    await appEntries(),
    false,
  );
  const tags = Object.fromEntries([...elements, EMBEDDED].map((path) => [tag(path), path]));
  const embeds = await bundle(out, texts, { ...tags, react: 'build/react-exports.js' }, [[EMBEDDED]], elements, true);
  await mkdir(join(out, 'elements'));
  const loaders = await Promise.all(elements.map(async (path) => [`${tag(path)}.js`, await loader(embeds, path)]));
  for (const [name, body] of loaders) await writeFile(join(out, 'elements', name), body);
  return { app, embeds, texts };
}

/** What a tag needs on a foreign page; every tag loads it first. */
const EMBEDDED = 'elements/embed/embed-services.ts';

/**
 * Gives the bundler's record; for `layers` and `pages` see chunk-layers.mjs. Files for foreign pages have no other name than their
 * hash: blockers' lists match words, and a name like "share" would go unfetched.
 */
async function bundle(out, texts, entryPoints, layers, pages, embedded) {
  const shared = embedded ? foreignOptions(texts) : browserOptions(texts);
  const define = { ...shared.define, __EMBEDDED__: String(embedded) };
  const options = { ...shared, define, entryPoints, splitting: true };
  const names = embedded ? '[hash]' : '[name]-[hash]';
  const { metafile } = await build({
    ...options,
    plugins: [await together(options, layers, pages, embedded ? readGuarded : readSource), ...options.plugins],
    outdir: join(out, 'assets'),
    entryNames: names,
    chunkNames: names,
    minify: true,
    legalComments: 'none',
    sourcemap: 'external',
    metafile: true,
    logLevel: 'warning',
  });
  await minifyOnce(Object.keys(metafile.outputs).filter((path) => path.endsWith('.js')));
  return metafile;
}

const readSource = (path) => readFile(path, 'utf8');

/** The sources of the tags, one file each. */
export const elementEntries = async () =>
  (await readdir('elements'))
    .filter((name) => name.startsWith('changer-'))
    .map((name) => `elements/${name}`)
    .sort();

/** Of the tags those that the app itself shows; the others are for foreign pages alone. */
export const appEntries = async () => (await elementEntries()).filter((path) => path !== 'elements/changer-post.ts');

const tag = (path) => basename(path, '.ts');

/**
 * The script of a tag: a loader that names every chunk that the tag needs, also for its first request, so that one round trip
 * fetches them all; and what most posts need beside.
 */
async function loader(metafile, entry) {
  const code = staticClosure(metafile, [entry, CLIENT]);
  const parts = [...staticClosure(metafile, [PARTS])].filter((path) => !code.has(path));
  const written = (paths) => JSON.stringify([...paths].map((path) => `../assets/${basename(path)}`));
  const options = browserOptions();
  const { outputFiles } = await build({
    ...options,
    define: {
      ...options.define,
      __TAG__: JSON.stringify(tag(entry)),
      __CODE__: written(code),
      __PARTS__: written(parts),
    },
    entryPoints: ['elements/embed/loader.ts'],
    minify: true,
    write: false,
    legalComments: 'none',
    logLevel: 'warning',
  });
  return outputFiles[0].text;
}

/** Imported with the first posts that hold files, players or code; few channels have none. */
export const PARTS = 'src/components/post/chunks/common.ts';

/** Imported with a tag's first request. */
export const CLIENT = 'src/api/fetch-transport.ts';

/** Gives the output file that an entry point (a path of a source) became. */
export function outputOf(metafile, entry) {
  const found = Object.keys(metafile.outputs).find((path) => metafile.outputs[path].entryPoint === entry);
  if (found === undefined) throw new Error(`build: no output for the entry ${entry}`);
  return found;
}

/** All outputs that the entries load before they run, deepest first, so that a list of imports runs in the same order. */
export function staticClosure(metafile, entries) {
  const entered = new Set();
  const done = new Set();
  const visit = (path) => {
    if (entered.has(path)) return;
    entered.add(path);
    for (const { path: next, kind, external } of metafile.outputs[path].imports) {
      if (kind === 'import-statement' && !external) visit(next);
    }
    done.add(path);
  };
  for (const entry of entries) visit(outputOf(metafile, entry));
  return done;
}

/** Bundles a script that stands inline in the page. */
export async function inlineScript(entry) {
  const options = browserOptions();
  const { outputFiles } = await build({
    ...options,
    define: { ...options.define, __FAILURE_WORDS__: JSON.stringify(await failureWords()) },
    entryPoints: [entry],
    format: 'iife',
    minify: true,
    write: false,
    legalComments: 'none',
  });
  return outputFiles[0].text.trim();
}
