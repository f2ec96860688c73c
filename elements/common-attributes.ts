import type { AttributeKind } from './attributes.ts';

/** Build constant: true if tags are on third-party pages; see define-element.ts. */
declare const __EMBEDDED__: boolean;

/** Attributes that every tag has. */
export const COMMON_ATTRIBUTES: Readonly<Record<string, AttributeKind>> = {
  lang: 'text',
  dir: ['ltr', 'rtl', 'auto'],
  theme: ['light', 'dark', 'auto'],
  accent: 'text',
  api: 'address',
  grant: 'text',
  density: ['comfortable', 'compact'],
  loading: ['eager', 'lazy'],
  ...(__EMBEDDED__ && { hydrate: ['load', 'idle', 'visible', 'interaction'] }),
};
