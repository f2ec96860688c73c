import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BROWSER_TARGETS } from './app-bundle.mjs';
import { readStyles } from './css-text.mjs';
import { importBundle, sourceText } from './import-bundle.mjs';

/** Runs the modules of the tags with a `define` that only records its arguments. Their pages are not loaded. */
export async function importElementModules(entries) {
  const lines = [
    `export { COMMON as commonAttributes } from './elements/define-element.ts';`,
    `export * as docs from './elements/docs.ts';`,
    `export { attributesByTag } from '${RECORDING_MODULE}';`,
    ...entries.map((entry) => `import './${entry}';`),
  ];
  return importBundle({ ...sourceText(lines), plugins: [definitionsOnly] });
}

const RECORDING_MODULE = 'recorded-definitions';

const RECORDING_SOURCE = `export const attributesByTag = new Map();
export const define = (tag, Page, { attributes = {} }) => attributesByTag.set(tag, attributes);`;

/** Stub for everything that the tags import. It can be called, extended and have any property. */
const STUB_SOURCE = `module.exports = new Proxy(class {}, {
  get: (target, name) => (name === '__esModule' ? undefined : (target[name] ?? module.exports)),
  apply: () => class {},
});`;

const definitionsOnly = {
  name: 'definitions-only',
  setup(bundler) {
    bundler.onResolve({ filter: /^recorded-definitions$|\/define-element\.ts$/ }, ({ path, importer }) =>
      path === RECORDING_MODULE || /[\\/]changer-[\w-]+\.ts$/.test(importer)
        ? { path: RECORDING_MODULE, namespace: 'recording' }
        : null,
    );
    bundler.onResolve({ filter: /^[^./]|^\.\.\// }, ({ path }) => ({ path, namespace: 'stub' }));
    bundler.onLoad({ filter: /.*/, namespace: 'recording' }, () => ({ contents: RECORDING_SOURCE, loader: 'js' }));
    bundler.onLoad({ filter: /.*/, namespace: 'stub' }, () => ({ contents: STUB_SOURCE, loader: 'js' }));
  },
};

const DISPATCHED_EVENT =
  /(?:#?(?:tell|emit|dispatch|notify)\w*|CustomEvent)(?:<[\w\s]+>)?\(\s*(?:\w+,\s*)?'(changer-[\w-]+)'/g;

const PART_ATTRIBUTE = /\bpart="([\w- ]+)"/g;

/** Returns the events and parts that the sources mention. */
export async function findEventsAndParts() {
  const files = (await Promise.all(['elements', 'src'].map(listSources))).flat();
  const sources = (await Promise.all(files.map((path) => readFile(path, 'utf8')))).join('\n');
  return {
    events: new Set([...sources.matchAll(DISPATCHED_EVENT)].map(([, name]) => name)),
    parts: new Set([...sources.matchAll(PART_ATTRIBUTE)].flatMap(([, names]) => names.split(' '))),
  };
}

const listSources = async (folder) =>
  (await readdir(folder, { recursive: true })).filter((name) => /\.tsx?$/.test(name)).map((name) => join(folder, name));

/** Returns the custom properties that a site may set, and their defaults in the light theme. */
export async function readCustomProperties() {
  const { text } = await readStyles('src/components/styles/tokens.css', BROWSER_TARGETS);
  const lightTheme = text.slice(0, text.indexOf('@media'));
  const defaults = new Map();
  for (const [, name, rest] of lightTheme.matchAll(/var\((--changer-[\w-]+)(?=([,)].*))/g)) defaults.set(name, defaultOf(rest));
  for (const [, name] of text.matchAll(/var\((--changer-[\w-]+)/g)) if (!defaults.has(name)) defaults.set(name, null);
  return defaults;
}

/** Returns the second argument of `var()`, which may contain parentheses; null if there is none. */
function defaultOf(rest) {
  let depth = 1;
  let end = 0;
  for (; depth > 0; end += 1) depth += { '(': 1, ')': -1 }[rest[end]] ?? 0;
  return rest.slice(1, end - 1).trim() || null;
}
