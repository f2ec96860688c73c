// Custom element interface: reads the names of attributes, events, CSS parts and custom properties from the code.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BROWSER_TARGETS } from './app-bundle.mjs';
import { readStyles } from './css-text.mjs';
import { importBundle, sourceText } from './import-bundle.mjs';

/**
 * Runs the modules of the tags (`entries`) in Node, with a `define` that only records its arguments. All other imports
 * of these modules are stubs, so that no page is loaded. Returns the kinds of each tag's attributes by property name
 * (`attributesByTag`), those of every tag (`commonAttributes`), and the exports of `elements/docs.ts` (`docs`).
 */
export async function importElementModules(entries) {
  const lines = [
    `export { COMMON_ATTRIBUTES as commonAttributes } from './elements/common-attributes.ts';`,
    `export * as docs from './elements/docs.ts';`,
    `export { attributesByTag } from '${RECORDING_MODULE}';`,
    ...entries.map((entry) => `import './${entry}';`),
  ];
  return importBundle({ ...sourceText(lines), define: { __EMBEDDED__: 'true' }, plugins: [definitionsOnly] });
}

/** Virtual module that replaces `elements/define-element.ts` in the modules of the tags. */
const RECORDING_MODULE = 'recorded-definitions';

const RECORDING_SOURCE = `export const attributesByTag = new Map();
export const define = (tag, Page, { attributes = {} }) => attributesByTag.set(tag, attributes);`;

/** Source of the stub. Any property of it is a stub too, and it can be called and extended. */
const STUB_SOURCE = `module.exports = new Proxy(class {}, {
  get: (target, name) => (name === '__esModule' ? undefined : (target[name] ?? module.exports)),
  apply: () => class {},
});`;

/** esbuild plugin: resolves the imports of `importElementModules` to the recording module and to stubs. */
const definitionsOnly = {
  name: 'definitions-only',
  setup(bundler) {
    bundler.onResolve({ filter: /^recorded-definitions$|\/define-element\.ts$/ }, ({ path, importer }) =>
      path === RECORDING_MODULE || /[\\/]changer-[\w-]+\.ts$/.test(importer)
        ? { path: RECORDING_MODULE, namespace: 'recording' }
        : null,
    );
    // Packages, and modules outside of `elements/`.
    bundler.onResolve({ filter: /^[^./]|^\.\.\// }, ({ path }) => ({ path, namespace: 'stub' }));
    bundler.onLoad({ filter: /.*/, namespace: 'recording' }, () => ({ contents: RECORDING_SOURCE, loader: 'js' }));
    bundler.onLoad({ filter: /.*/, namespace: 'stub' }, () => ({ contents: STUB_SOURCE, loader: 'js' }));
  },
};

/** A call that dispatches an event, such as `emit('changer-loaded'` or `new CustomEvent<Detail>('changer-loaded'`. */
const DISPATCHED_EVENT = /(?:#?(?:tell|emit|dispatch|notify)\w*|CustomEvent)(?:<[\w\s]+>)?\(\s*(?:\w+,\s*)?'(changer-[\w-]+)'/g;

/** A `part` attribute, which may contain several names. */
const PART_ATTRIBUTE = /\bpart="([\w- ]+)"/g;

/** Returns the names of the events that the sources dispatch, and of their CSS parts. */
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

/**
 * Returns the custom properties that a site may set, and their defaults in the light theme. The default is null for a
 * property without one, or that the light theme does not use. The light theme is the style sheet before its first media
 * query.
 */
export async function readCustomProperties() {
  const { text } = await readStyles('src/components/styles/tokens.css', BROWSER_TARGETS);
  const lightTheme = text.slice(0, text.indexOf('@media'));
  const defaults = new Map();
  for (const [, name, rest] of lightTheme.matchAll(/var\((--changer-[\w-]+)(?=([,)].*))/g)) defaults.set(name, defaultOf(rest));
  for (const [, name] of text.matchAll(/var\((--changer-[\w-]+)/g)) if (!defaults.has(name)) defaults.set(name, null);
  return defaults;
}

/**
 * Returns the second argument of `var()`, which may contain parentheses; null if there is none. `rest` is the text
 * after the first argument, such as `, rgb(0 0 0)); color: red`.
 */
function defaultOf(rest) {
  let depth = 1;
  let end = 0;
  for (; depth > 0; end += 1) depth += { '(': 1, ')': -1 }[rest[end]] ?? 0;
  return rest.slice(1, end - 1).trim() || null;
}
