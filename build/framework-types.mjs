import { classOf, pascal, typeOfDetail } from './custom-elements-manifest.mjs';

/** Type declarations of the npm package: returns the texts by file name, for the result of `readElements`. */
export function declarationsOf(elements) {
  const { tags } = elements;
  return new Map([
    ['tags.d.ts', tagsOf(elements)],
    ...tags.map(({ tag }) => [`${tag}.d.ts`, declarationOf(tag)]),
    ['index.d.ts', tags.map(({ tag }) => `export * from './${tag}.js';\n`).join('')],
    ['nothing.d.ts', 'export {};\n'],
    ...Object.entries(FRAMEWORKS).map(([name, write]) => [`${name}.d.ts`, write(tags.map(({ tag }) => tag))]),
  ]);
}

/** Type augmentations of each framework. Each is a module of the package that contains only types. */
export const FRAMEWORKS = {
  react: (tags) => `import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type * as Tags from './tags.js';

/** Attributes, properties and, after "on", events. */
type Props<Element, Own> = Own & Tags.Listeners<'on'> & Omit<DetailedHTMLProps<HTMLAttributes<Element>, Element>, keyof Own>;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
${members(tags)}
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
${members(tags)}
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
${members(tags)}
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
${members(tags)}
  }
}
`,
  vue: (tags) => `import type { DefineComponent, HTMLAttributes } from 'vue';
import type * as Tags from './tags.js';

/** Attributes, properties and events, as templates name them: channel-id is channelId there, @changer-failed onChangerFailed. */
type Props<Element, Own> = DefineComponent<Own & Tags.CamelListeners & Omit<HTMLAttributes, keyof Own>> & { readonly element?: Element };

declare module 'vue' {
  interface GlobalComponents {
${members(tags)}
  }
}
`,
};

const members = (tags) =>
  tags.map((tag) => `      '${tag}': Props<Tags.${classOf(tag)}, Tags.${pascal(tag)}Attributes>;`).join('\n');

function tagsOf({ tags, events }) {
  const [{ common }] = tags;
  return `/** Any of the tags, for scripts. */
export interface ChangerElement extends HTMLElement {
${common
  .filter(({ name }) => !NATIVE_PROPERTIES.includes(name))
  .map(property)
  .join('\n')}
}

/** Attributes that every tag accepts. */
export interface ChangerAttributes {
${common.map(attribute).join('\n')}
}

/** The events of the tags. They bubble and leave the shadow tree. */
export interface ChangerEventMap {
${events.map(({ name, description, detail }) => `  /** ${description} */\n  '${name}': CustomEvent<${typeOfDetail(detail)}>;`).join('\n')}
}

/** Listeners by the event's name after \`Prefix\`, as markup of frameworks spells them. */
export type Listeners<Prefix extends string> = {
  [Name in keyof ChangerEventMap as \`\${Prefix}\${Name}\`]?: (event: ChangerEventMap[Name]) => void;
};

/** The same as onChangerFailed. */
export type CamelListeners = {
  [Name in keyof ChangerEventMap as \`on\${Camel<Name>}\`]?: (event: ChangerEventMap[Name]) => void;
};

type Camel<Name extends string> = Name extends \`\${infer First}-\${infer Rest}\` ? \`\${Capitalize<First>}\${Camel<Rest>}\` : Capitalize<Name>;

${tags.map(tagOf).join('\n')}
declare global {
  interface GlobalEventHandlersEventMap extends ChangerEventMap {}
}
`;
}

function tagOf({ tag, description, own }) {
  return `/** ${description} */
export interface ${classOf(tag)} extends ChangerElement {
${own.map(property).join('\n')}
}

/** Attributes of the tag, also as properties. */
export interface ${pascal(tag)}Attributes extends ChangerAttributes {
${[...own.map(attribute), ...own.filter(({ name, property }) => name !== property).map(camelAttribute)].join('\n')}
}
`;
}

const declarationOf = (tag) => `import type { ${classOf(tag)} } from './tags.js';

export type * from './tags.js';

declare global {
  interface HTMLElementTagNameMap {
    '${tag}': ${classOf(tag)};
  }
}
`;

/** Properties that every HTML element has. */
const NATIVE_PROPERTIES = ['lang', 'dir'];

const property = ({ property, type, description }) => `  /** ${description} */\n  ${property}: ${type} | undefined;`;
const attribute = ({ name, type, description }) => `  /** ${description} */\n  '${name}'?: ${typeInMarkup(type)} | undefined;`;
const camelAttribute = ({ property, type, description }) =>
  `  /** ${description} */\n  ${property}?: ${typeInMarkup(type)} | undefined;`;

/** Returns the type of an attribute in markup, which may be text. */
const typeInMarkup = (type) => ({ number: `number | \`\${number}\``, boolean: `boolean | '' | 'true' | 'false'` })[type] ?? type;
