import { classOf, pascal, typeOfDetail } from './custom-elements-manifest.mjs';

/**
 * Type declarations of the npm package: returns the texts of its `.d.ts` files by file name. `elements` is the result
 * of `readElements`. `nothing.d.ts` declares the empty module `nothing.js`, which the package exports where only types
 * are needed.
 */
export function declarationsOf(elements) {
  const { tags } = elements;
  return new Map([
    ['tags.d.ts', sharedDeclarations(elements)],
    ...tags.map(({ tag }) => [`${tag}.d.ts`, tagModule(tag)]),
    ['index.d.ts', tags.map(({ tag }) => `export * from './${tag}.js';\n`).join('')],
    ['nothing.d.ts', 'export {};\n'],
    ...Object.entries(FRAMEWORKS).map(([name, writeModule]) => [`${name}.d.ts`, writeModule(tags.map(({ tag }) => tag))]),
  ]);
}

/**
 * Type augmentations by framework: functions that return the text of a module which adds the tags to the framework's
 * JSX or template types. In that module, `Props` combines the attributes of a tag (`Own`), its event listeners and the
 * attributes of HTML.
 */
export const FRAMEWORKS = {
  react: (tags) => `import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type * as Tags from './tags.js';

/** Attributes, properties and, after "on", events. */
type Props<Element, Own> = Own & Tags.Listeners<'on'> & Omit<DetailedHTMLProps<HTMLAttributes<Element>, Element>, keyof Own>;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
${tagMembers(tags)}
    }
  }
}
`,
  preact: (tags) => `import type { ClassAttributes, HTMLAttributes } from 'preact';
import type * as Tags from './tags.js';

/** Attributes, properties and, after "on", events. */
type Props<Element extends EventTarget, Own> = Own & Tags.Listeners<'on'> & ClassAttributes<Element> & Omit<HTMLAttributes<Element>, keyof Own>;

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
${tagMembers(tags)}
    }
  }
}
`,
  solid: (tags) => `import type { JSX } from 'solid-js';
import type * as Tags from './tags.js';

/** Attributes, properties and, after "on:", events. */
type Props<Element, Own> = Own & Tags.Listeners<'on:'> & Omit<JSX.HTMLAttributes<Element>, keyof Own>;

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements {
${tagMembers(tags)}
    }
  }
}
`,
  svelte: (tags) => `import type { HTMLAttributes } from 'svelte/elements';
import type * as Tags from './tags.js';

/** Attributes, properties and, after "on", events. */
type Props<Element extends EventTarget, Own> = Own & Tags.Listeners<'on'> & Omit<HTMLAttributes<Element>, keyof Own>;

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
${tagMembers(tags)}
  }
}
`,
  vue: (tags) => `import type { DefineComponent, HTMLAttributes } from 'vue';
import type * as Tags from './tags.js';

/** Attributes, properties and events, as templates name them: channel-id is channelId there, @changer-failed onChangerFailed. */
type Props<Element, Own> = DefineComponent<Own & Tags.CamelListeners & Omit<HTMLAttributes, keyof Own>> & { readonly element?: Element };

declare module 'vue' {
  interface GlobalComponents {
${tagMembers(tags)}
  }
}
`,
};

/** Returns the members that map each tag to its props. */
const tagMembers = (tags) =>
  tags.map((tag) => `      '${tag}': Props<Tags.${classOf(tag)}, Tags.${pascal(tag)}Attributes>;`).join('\n');

/** Returns the text of `tags.d.ts`: the types that all tags share, and the types of each tag. */
function sharedDeclarations({ tags, events }) {
  const [{ common }] = tags;
  return `/** Any of the tags, for scripts. */
export interface ChangerElement extends HTMLElement {
${common
  .filter(({ name }) => !NATIVE_PROPERTIES.includes(name))
  .map(propertyLines)
  .join('\n')}
}

/** Attributes that every tag accepts. */
export interface ChangerAttributes {
${common.map(attributeLines).join('\n')}
}

/** The events of the tags. They bubble and leave the shadow tree. */
export interface ChangerEventMap {
${events.map(({ name, description, detail }) => `  /** ${description} */\n  '${name}': CustomEvent<${typeOfDetail(detail)}>;`).join('\n')}
}

/** Event listeners. Their names are \`Prefix\` and the event's name, as in the markup of frameworks. */
export type Listeners<Prefix extends string> = {
  [Name in keyof ChangerEventMap as \`\${Prefix}\${Name}\`]?: (event: ChangerEventMap[Name]) => void;
};

/** Event listeners with names in camel case, such as onChangerFailed. */
export type CamelListeners = {
  [Name in keyof ChangerEventMap as \`on\${Camel<Name>}\`]?: (event: ChangerEventMap[Name]) => void;
};

type Camel<Name extends string> = Name extends \`\${infer First}-\${infer Rest}\` ? \`\${Capitalize<First>}\${Camel<Rest>}\` : Capitalize<Name>;

${tags.map(tagInterfaces).join('\n')}
declare global {
  interface GlobalEventHandlersEventMap extends ChangerEventMap {}
}
`;
}

/** Returns the types of a tag's element and of its attributes. `own` are the attributes that only this tag has. */
function tagInterfaces({ tag, description, own }) {
  return `/** ${description} */
export interface ${classOf(tag)} extends ChangerElement {
${own.map(propertyLines).join('\n')}
}

/** Attributes of the tag, also as properties. */
export interface ${pascal(tag)}Attributes extends ChangerAttributes {
${[...own.map(attributeLines), ...own.filter(({ name, property }) => name !== property).map(camelAttributeLines)].join('\n')}
}
`;
}

/** Returns the text of a tag's own declaration file, which adds the tag to the types of the DOM. */
const tagModule = (tag) => `import type { ${classOf(tag)} } from './tags.js';

export type * from './tags.js';

declare global {
  interface HTMLElementTagNameMap {
    '${tag}': ${classOf(tag)};
  }
}
`;

/** Properties that every HTML element has. */
const NATIVE_PROPERTIES = ['lang', 'dir'];

const propertyLines = ({ property, type, description }) => `  /** ${description} */\n  ${property}: ${type} | undefined;`;
const attributeLines = ({ name, type, description }) =>
  `  /** ${description} */\n  '${name}'?: ${typeInMarkup(type)} | undefined;`;
const camelAttributeLines = ({ property, type, description }) =>
  `  /** ${description} */\n  ${property}?: ${typeInMarkup(type)} | undefined;`;

/** Returns the type of an attribute in markup, where a number or a boolean may also be written as text. */
const typeInMarkup = (type) => ({ number: `number | \`\${number}\``, boolean: `boolean | '' | 'true' | 'false'` })[type] ?? type;
