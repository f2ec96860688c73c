import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { BROWSER_TARGETS, elementEntries } from './app-bundle.mjs';
import { readStyles } from './css-text.mjs';
import { importBundle, sourceText } from './import-bundle.mjs';

/** Returns the description of the tags in English. */
export const readElements = async () => (await loadElements())((text) => text);

/**
 * Description of the tags: loads names, types and defaults from the code, and the texts from `elements/docs.ts`. Returns a
 * function that describes them in the language of a `msg`. It throws if the code and the texts do not have the same names.
 */
export async function loadElements() {
  const entries = await elementEntries();
  const [modules, mentions, styles] = await Promise.all([importDefinitions(entries), readSources(), readCustomProperties()]);
  return (msg) => describeElements(entries, modules, mentions, styles, msg);
}

function describeElements(entries, { COMMON, defined, about: docs }, mentions, styles, msg) {
  const about = mapValues(docs, (entry) => (typeof entry === 'function' ? entry(msg) : entry));
  const descriptionOf = matchDocs('custom property', styles.keys(), about.styles);
  matchDocs('event', mentions.events, about.events);
  matchDocs('part', mentions.parts, about.parts);
  matchDocs('tag', defined.keys(), about.tags);
  return {
    tags: entries.map((entry) => describeTag(basename(entry, '.ts'), { COMMON, defined, about })),
    events: Object.entries(about.events).map(([name, event]) => ({ name, ...event })),
    parts: Object.entries(about.parts).map(([name, words]) => ({ name, words })),
    properties: Object.entries(about.properties).map(([name, words]) => ({ name, words })),
    styles: [...styles].map(([name, standard]) => ({ name, standard, words: descriptionOf(name) })),
  };
}

const mapValues = (object, convert) => Object.fromEntries(Object.entries(object).map(([name, value]) => [name, convert(value)]));

function describeTag(tag, { COMMON, defined, about }) {
  const { words, slot = about.fallback, attributes, app = false } = about.tags[tag];
  const own = defined.get(tag);
  const describe = (kinds, texts) => {
    const descriptionOf = matchDocs(`attribute of <${tag}>`, Object.keys(kinds).map(kebab), texts);
    return Object.entries(kinds).map(([property, kind]) => ({
      name: kebab(property),
      property,
      kind,
      type: typeOf(kind),
      words: descriptionOf(kebab(property)),
    }));
  };
  return { tag, words, app, slot, own: describe(own, attributes), common: describe(COMMON, about.attributes) };
}

/** Returns the TypeScript type of the property for a kind of attribute (`elements/attributes.ts`). */
function typeOf(kind) {
  if (Array.isArray(kind)) return kind.map((value) => `'${value}'`).join(' | ');
  const type = {
    text: 'string',
    list: 'string | readonly string[]',
    address: 'string',
    boolean: 'boolean',
    count: 'number',
    id: 'number',
  }[kind];
  if (type === undefined) throw new Error(`build/read-elements.mjs: an attribute of kind ${kind} has no type`);
  return type;
}

/** Throws unless the names of the code and of the texts are the same. Returns a function that looks up a text. */
function matchDocs(kind, names, texts) {
  const known = new Set(names);
  for (const name of known)
    if (texts[name] === undefined) throw new Error(`elements/docs.ts does not describe the ${kind} ${name}`);
  for (const name of Object.keys(texts))
    if (!known.has(name)) throw new Error(`elements/docs.ts describes the ${kind} ${name}, which does not exist`);
  return (name) => texts[name];
}

/** Runs the modules of the tags with a `define` that only records its arguments. Their pages are not loaded. */
function importDefinitions(entries) {
  const lines = [
    `export { COMMON } from './elements/define-element.ts';`,
    `export * as about from './elements/docs.ts';`,
    `export { defined } from 'recorded';`,
    ...entries.map((entry) => `import './${entry}';`),
  ];
  return importBundle({ ...sourceText(lines), plugins: [definitionsOnly] });
}

const DEFINE_STUB = `export const defined = new Map();
export const define = (tag, Page, { attributes = {} }) => defined.set(tag, attributes);`;

/** Stub for everything that the tags import. It can be called, extended and have any property. */
const IMPORT_STUB = `module.exports = new Proxy(class {}, {
  get: (target, name) => (name === '__esModule' ? undefined : (target[name] ?? module.exports)),
  apply: () => class {},
});`;

const definitionsOnly = {
  name: 'definitions-only',
  setup(bundler) {
    bundler.onResolve({ filter: /^recorded$|\/define-element\.ts$/ }, ({ path, importer }) =>
      path === 'recorded' || /[\\/]changer-[\w-]+\.ts$/.test(importer) ? { path: 'recorded', namespace: 'recorded' } : null,
    );
    bundler.onResolve({ filter: /^[^./]|^\.\.\// }, ({ path }) => ({ path, namespace: 'anything' }));
    bundler.onLoad({ filter: /.*/, namespace: 'recorded' }, () => ({ contents: DEFINE_STUB, loader: 'js' }));
    bundler.onLoad({ filter: /.*/, namespace: 'anything' }, () => ({ contents: IMPORT_STUB, loader: 'js' }));
  },
};

/** Returns the events and parts that the sources mention. */
async function readSources() {
  const files = (await Promise.all(['elements', 'src'].map(sourcesIn))).flat();
  const sources = (await Promise.all(files.map((path) => readFile(path, 'utf8')))).join('\n');
  const events = [
    ...sources.matchAll(/(?:#?(?:tell|emit|dispatch|notify)\w*|CustomEvent)(?:<[\w\s]+>)?\(\s*(?:\w+,\s*)?'(changer-[\w-]+)'/g),
  ].map(([, name]) => name);
  const parts = [...sources.matchAll(/\bpart="([\w- ]+)"/g)].flatMap(([, names]) => names.split(' '));
  return { events: new Set(events), parts: new Set(parts) };
}

const sourcesIn = async (folder) =>
  (await readdir(folder, { recursive: true })).filter((name) => /\.tsx?$/.test(name)).map((name) => join(folder, name));

/** Returns the custom properties that a site may set, and their defaults in the light theme. */
async function readCustomProperties() {
  const { text } = await readStyles('src/components/styles/tokens.css', BROWSER_TARGETS);
  const light = text.slice(0, text.indexOf('@media'));
  const defaults = new Map();
  for (const [, name, fallback] of light.matchAll(/var\((--changer-[\w-]+)(?=([,)].*))/g))
    defaults.set(name, defaultOf(fallback));
  for (const [, name] of text.matchAll(/var\((--changer-[\w-]+)/g)) if (!defaults.has(name)) defaults.set(name, null);
  return defaults;
}

/** Returns the second argument of `var()`, which may contain parentheses; null if there is none. */
function defaultOf(text) {
  let depth = 1;
  let end = 0;
  for (; depth > 0; end += 1) depth += { '(': 1, ')': -1 }[text[end]] ?? 0;
  return text.slice(1, end - 1).trim() || null;
}

/** Converts to kebab case, as `elements/attributes.ts` does. */
const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
