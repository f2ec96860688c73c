// App bundle: bundles the app and the tags with esbuild.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { createChunkLayers } from './chunk-layers.mjs';
import { stylesAsText } from './css-text.mjs';
import { guardedListeners, readGuarded } from './guarded-listeners.mjs';
import { loadErrorMessages } from './inline-messages.mjs';
import { shortenPrivateProperties } from './private-properties.mjs';
import { minifyOutputs, minifyScript, minifyText, vendorPatches } from './vendor-patches.mjs';

/** Oldest supported browsers. The build lowers syntax to them. */
export const BROWSER_TARGETS = ['safari16.4', 'ios16.4', 'chrome111', 'firefox115'];

/** Sources that every load of the app runs before the first paint: the app itself, and the frame around its pages. */
export const FRAME_ENTRIES = ['src/main.ts', 'elements/changer-layout.ts'];

/** Sources that every load of the app imports after that, on any page: the data layer and the HTTP client. */
export const DATA_ENTRIES = ['src/app/session/user-session.ts', 'src/api/axios-transport.ts'];

/** Version that the tags report, to tell two versions on one page apart. */
const { version: PACKAGE_VERSION } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));

/** esbuild plugin: resolves imports of React in our files to `build/react-exports.js`. */
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
 * Returns the esbuild options that the app, the tests and the benchmarks share. `texts` collects the style sheets by
 * path. `API_URL` is the API's origin, '' for the app's own. Code that only the app needs is behind `__APP__`, code
 * that only third-party pages need is behind `__EMBEDDED__`; tests have both.
 */
export const browserOptions = (texts) => ({
  bundle: true,
  format: 'esm',
  target: BROWSER_TARGETS,
  mainFields: ['module', 'browser', 'main'],
  jsx: 'automatic',
  charset: 'utf8',
  define: {
    'process.env.NODE_ENV': '"production"',
    __API_URL__: JSON.stringify(process.env.API_URL ?? ''),
    __APP__: 'true',
    __EMBEDDED__: 'true',
    __VERSION__: JSON.stringify(PACKAGE_VERSION),
    __PACKAGED__: 'false',
    __SELF_CONTAINED__: 'false',
    __PRERENDER__: 'false',
  },
  plugins: [vendorPatches, reactByName, stylesAsText(BROWSER_TARGETS, texts)],
});

/** Returns the options of the app, adapted for bundles that only third-party pages load. */
export const embedOptions = (texts) => {
  const options = browserOptions(texts);
  return {
    ...options,
    define: { ...options.define, __APP__: 'false' },
    inject: ['elements/embed/report-error.ts'],
    plugins: [...options.plugins, guardedListeners],
  };
};

/**
 * Bundles the app and the elements into `<out>/assets`, hashed, and writes a loader with a stable name for each element
 * into `<out>/elements`. They are two bundles: no page loads both, browsers do not share a cache between sites, and
 * each can split its chunks as needed. React has its own entry, so that its chunk of 60 kB keeps its name when our code
 * changes. Returns both metafiles, and the texts of the style sheets by path.
 */
export async function buildWeb(out) {
  const texts = new Map();
  const elements = await elementEntries();
  const app = await bundle(
    out,
    texts,
    { main: 'src/main.ts', react: 'build/react-exports.js' },
    [FRAME_ENTRIES, DATA_ENTRIES],
    await appEntries(),
    false,
  );
  const tags = Object.fromEntries([...elements, EMBED_ENTRY].map((path) => [tagOfPath(path), path]));
  const embeds = await bundle(out, texts, { ...tags, react: 'build/react-exports.js' }, [[EMBED_ENTRY]], elements, true);
  await mkdir(join(out, 'elements'));
  const visitChunk = await buildVisitChunk(out);
  const loaders = await Promise.all(
    elements.map(async (path) => [`${tagOfPath(path)}.js`, await buildLoader(embeds, path, visitChunk)]),
  );
  for (const [name, body] of loaders) await writeFile(join(out, 'elements', name), body);
  return { app, embeds, texts, visitChunk: join(out, 'assets', visitChunk) };
}

/** Services of a tag on a third-party page. Every tag loads them first. */
const EMBED_ENTRY = 'elements/embed/embed-services.ts';

/**
 * Bundles entry points and returns the metafile. For `layers` and `pages` see `chunk-layers.mjs`. Files for third-party
 * pages are named by their hash alone: the lists of ad blockers match words, and a file with a name like "share" would
 * be blocked.
 */
async function bundle(out, texts, entryPoints, layers, pages, embedded) {
  const baseOptions = embedded ? embedOptions(texts) : browserOptions(texts);
  const define = { ...baseOptions.define, __EMBEDDED__: String(embedded) };
  const options = { ...baseOptions, define, entryPoints, splitting: true };
  const names = embedded ? '[hash]' : '[name]-[hash]';
  const { metafile } = await build({
    ...options,
    plugins: [await createChunkLayers(options, layers, pages, embedded ? readGuarded : readSource), ...options.plugins],
    outdir: join(out, 'assets'),
    entryNames: names,
    chunkNames: names,
    minify: true,
    ...shortenPrivateProperties,
    legalComments: 'none',
    sourcemap: 'external',
    metafile: true,
    logLevel: 'warning',
  });
  await minifyOutputs(Object.keys(metafile.outputs).filter((path) => path.endsWith('.js')));
  return metafile;
}

const readSource = (path) => readFile(path, 'utf8');

/** Returns the source files of the tags, one file each. */
export const elementEntries = async () =>
  (await readdir('elements'))
    .filter((name) => name.startsWith('changer-'))
    .map((name) => `elements/${name}`)
    .sort();

/** Returns the source files of the elements that the app itself uses. The others are only for third-party pages. */
export const appEntries = async () => (await elementEntries()).filter((path) => path !== 'elements/changer-post.ts');

const tagOfPath = (path) => basename(path, '.ts');

/**
 * Returns the script of a tag: a loader that lists every chunk that the tag needs, including that of its first request,
 * so that one round trip fetches them all; and the chunk that most posts need in addition.
 */
async function buildLoader(metafile, entry, visitChunk) {
  const code = staticClosure(metafile, [entry, HTTP_CLIENT_ENTRY]);
  const commonChunks = [...staticClosure(metafile, [COMMON_CHUNK_ENTRY])].filter((path) => !code.has(path));
  const toUrls = (paths) => JSON.stringify([...paths].map((path) => `../assets/${basename(path)}`));
  return bundleScript('elements/embed/loader.ts', {
    __TAG__: JSON.stringify(tagOfPath(entry)),
    __REQUIRED_CHUNKS__: toUrls(code),
    __COMMON_CHUNKS__: toUrls(commonChunks),
    __VISIT_CHUNK__: JSON.stringify(`../assets/${visitChunk}`),
  });
}

/**
 * Builds the chunk that all loaders import when a visitor uses the page. Returns its name, which is a hash like those of
 * the other files for third-party pages.
 */
async function buildVisitChunk(out) {
  const text = await bundleScript('elements/embed/visit.ts', {});
  const name = `${createHash('sha256').update(text).digest('hex').slice(0, 8).toUpperCase()}.js`;
  await writeFile(join(out, 'assets', name), text);
  return name;
}

/** Bundles a source into one module without chunks, and returns its text. */
async function bundleScript(entry, define) {
  const options = browserOptions();
  const { outputFiles } = await build({
    ...options,
    define: { ...options.define, ...define },
    entryPoints: [entry],
    minify: true,
    write: false,
    legalComments: 'none',
    logLevel: 'warning',
  });
  return minifyText(outputFiles[0].text);
}

/** Chunk that is imported with the first posts that contain files, players or code. Few channels have none. */
export const COMMON_CHUNK_ENTRY = 'src/components/post/chunks/common.ts';

/** Chunk that is imported with a tag's first request. */
export const HTTP_CLIENT_ENTRY = 'src/api/fetch-transport.ts';

/** Returns the path of the output file of an entry point (a source path). Throws if there is none. */
export function findOutput(metafile, entry) {
  const output = Object.keys(metafile.outputs).find((path) => metafile.outputs[path].entryPoint === entry);
  if (output === undefined) throw new Error(`build: no output for the entry ${entry}`);
  return output;
}

/**
 * Returns all outputs that the entries load before they run, deepest first, so that importing them in this order runs
 * them in the original order.
 */
export function staticClosure(metafile, entries) {
  const visited = new Set();
  const ordered = new Set();
  const visit = (path) => {
    if (visited.has(path)) return;
    visited.add(path);
    for (const { path: importedPath, kind, external } of metafile.outputs[path].imports) {
      if (kind === 'import-statement' && !external) visit(importedPath);
    }
    ordered.add(path);
  };
  for (const entry of entries) visit(findOutput(metafile, entry));
  return ordered;
}

/** Bundles a script that is inlined into the page. Returns its text. */
export async function buildInlineScript(entry) {
  const options = browserOptions();
  const { outputFiles } = await build({
    ...options,
    define: { ...options.define, __LOAD_ERROR_MESSAGES__: JSON.stringify(await loadErrorMessages()) },
    entryPoints: [entry],
    format: 'iife',
    minify: true,
    write: false,
    legalComments: 'none',
  });
  return minifyScript(outputFiles[0].text);
}
