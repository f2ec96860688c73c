// Documentation of the custom elements, for `custom-elements.json`, the types of the npm package and the page of
// examples. Names, types and defaults are read from the code (`element-names.mjs`), and texts from `elements/docs.ts`.
// Both must have the same names.
import { basename } from 'node:path';
import { elementEntries } from './app-bundle.mjs';
import { findEventsAndParts, importElementModules, readCustomProperties } from './element-names.mjs';

/** Returns the documentation of the custom elements in English. */
export const readElements = async () => (await loadElements())((text) => text);

/**
 * Reads the code and the texts. Returns a function that returns the documentation in the language of a `msg`. That
 * function throws if the code and the texts do not have the same names.
 */
export async function loadElements() {
  const entries = await elementEntries();
  const [{ commonAttributes, attributesByTag, docs }, { events, parts }, customProperties] = await Promise.all([
    importElementModules(entries),
    findEventsAndParts(),
    readCustomProperties(),
  ]);
  const codeNames = { entries, commonAttributes, attributesByTag, events, parts, customProperties };
  return (msg) => describeElements(codeNames, translateDocs(docs, msg));
}

/** Calls each export of `elements/docs.ts` that is a function of `msg`. */
const translateDocs = (docs, msg) =>
  Object.fromEntries(Object.entries(docs).map(([name, entry]) => [name, typeof entry === 'function' ? entry(msg) : entry]));

/** Combines the names of the code with their texts. */
function describeElements({ entries, commonAttributes, attributesByTag, events, parts, customProperties }, docs) {
  assertSameNames('custom property', customProperties.keys(), docs.styles);
  assertSameNames('event', events, docs.events);
  assertSameNames('part', parts, docs.parts);
  assertSameNames('tag', attributesByTag.keys(), docs.tags);
  return {
    tags: entries.map((entry) => describeTag(basename(entry, '.ts'), { commonAttributes, attributesByTag }, docs)),
    events: Object.entries(docs.events).map(([name, { description, detail }]) => ({ name, description, detail })),
    parts: Object.entries(docs.parts).map(([name, description]) => ({ name, description })),
    properties: Object.entries(docs.properties).map(([name, description]) => ({ name, description })),
    styles: [...customProperties].map(([name, defaultValue]) => ({ name, defaultValue, description: docs.styles[name] })),
  };
}

/** Describes a tag: `own` are the attributes of this tag alone, and `common` those of every tag. */
function describeTag(tag, { commonAttributes, attributesByTag }, docs) {
  const { description, slot = docs.fallback, attributes, app = false } = docs.tags[tag];
  return {
    tag,
    description,
    app,
    slot,
    own: describeAttributes(tag, attributesByTag.get(tag), attributes),
    common: describeAttributes(tag, commonAttributes, docs.attributes),
  };
}

/** Describes attributes. `kinds` are their kinds by property name, and `texts` their texts by attribute name. */
function describeAttributes(tag, kinds, texts) {
  assertSameNames(`attribute of <${tag}>`, Object.keys(kinds).map(toKebabCase), texts);
  return Object.entries(kinds).map(([property, kind]) => {
    const name = toKebabCase(property);
    return { name, property, type: typeOf(kind), description: texts[name] };
  });
}

/** TypeScript types of the properties, by the kind of the attribute (`elements/attributes.ts`). */
const TYPE_BY_KIND = {
  text: 'string',
  list: 'string | readonly string[]',
  address: 'string',
  boolean: 'boolean',
  count: 'number',
  id: 'number',
};

/**
 * Returns the TypeScript type of the property for a kind of attribute: a name, or the list of the values that it
 * accepts.
 */
function typeOf(kind) {
  if (Array.isArray(kind)) return kind.map((value) => `'${value}'`).join(' | ');
  const type = TYPE_BY_KIND[kind];
  if (type === undefined) throw new Error(`build/read-elements.mjs: an attribute of kind ${kind} has no type`);
  return type;
}

/** Throws unless each name in the code has a text, and each text a name in the code. `itemKind` is for the error. */
function assertSameNames(itemKind, codeNames, texts) {
  const knownNames = new Set(codeNames);
  for (const name of knownNames)
    if (texts[name] === undefined) throw new Error(`elements/docs.ts does not describe the ${itemKind} ${name}`);
  for (const name of Object.keys(texts))
    if (!knownNames.has(name)) throw new Error(`elements/docs.ts describes the ${itemKind} ${name}, which does not exist`);
}

/** Converts to kebab case, as `elements/attributes.ts` does. */
const toKebabCase = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
