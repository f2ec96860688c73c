/** Snippet of the examples page: writes and parses the HTML that includes a tag. */
import { isPrerendered, prerenderPath } from '../contract/prerender.ts';
import type { Version } from './described.ts';

/** Content of a snippet: a tag and its attributes. */
export interface Example {
  readonly tag: string;
  readonly attributes: ReadonlyMap<string, string>;
}

/** Link inside the tag, which is shown until the tag's content is there, or if the tag cannot load. */
export interface Fallback {
  readonly href: string;
  readonly text: string;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (each) => ESCAPES[each] ?? each);

/** Options for including the tag. */
export interface Way {
  /** Pinned version; null for the newest script. */
  readonly pinned: Version | null;
  /** True if the tag's first posts are preloaded with the page. */
  readonly ahead: boolean;
}

/**
 * Returns true if a tag's first posts can be preloaded. Their URL contains the language, so it is known only if the tag has
 * `lang`.
 */
export const canComeAhead = ({ tag, attributes }: Example): boolean => isPrerendered(tag) && attributes.has('lang');

/** Returns the HTML that a site pastes. */
export function writeSnippet(example: Example, { href, text }: Fallback, origin: string, { pinned, ahead }: Way): string {
  const { tag, attributes } = example;
  const written = [...attributes]
    .map(([name, value]) => (value === '' ? ` ${name}` : ` ${name}="${escapeHtml(value)}"`))
    .join('');
  const preload = ahead && pinned === null && canComeAhead(example) ? writePreload(example, origin) : '';
  return `${preload}${writeScript(tag, origin, pinned)}\n<${tag}${written}>\n  <a href="${escapeHtml(href)}">${escapeHtml(text)}</a>\n</${tag}>`;
}

function writePreload({ tag, attributes }: Example, origin: string): string {
  if (!isPrerendered(tag)) return '';
  const path = prerenderPath(tag, (name) => attributes.get(name));
  return `<link rel="preload" as="fetch" crossorigin href="${escapeHtml(origin + path)}">\n`;
}

function writeScript(tag: string, origin: string, pinned: Version | null): string {
  const integrity = pinned?.files.get(`${tag}.js`)?.integrity;
  if (pinned === null || integrity === undefined) return `<script type="module" src="${origin}/elements/${tag}.js"></script>`;
  return `<script type="module" src="${origin}/elements/v/${pinned.version}/${tag}.js"\n  integrity="${integrity}" crossorigin="anonymous"></script>`;
}

const OPENING = /<(changer-[\w-]+)((?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*)\s*>/g;
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;

/**
 * Parses HTML that was edited by hand: returns the first known tag with its known attributes; null if there is none. It does not
 * use the browser's parser, which would try to load the scripts in it, and the page's Content-Security-Policy would report each.
 */
export function readSnippet(text: string, known: ReadonlyMap<string, readonly string[]>): Example | null {
  const found = [...text.matchAll(OPENING)].find(([, tag = '']) => known.has(tag));
  if (found === undefined) return null;
  const [, tag = '', written = ''] = found;
  const given = [...written.matchAll(ATTRIBUTE)]
    .map(([, name = '', ...values]): [string, string] => [name.toLowerCase(), unescapeHtml(values.join(''))])
    .filter(([name]) => known.get(tag)?.includes(name));
  return { tag, attributes: new Map(given) };
}

const unescapeHtml = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot);/g, (each) => Object.keys(ESCAPES).find((plain) => ESCAPES[plain] === each) ?? each);
