import { drawingOf, isDrawn } from '../contract/drawn.ts';
import type { Version } from './described.ts';

/** What the snippet says: a tag, its attributes, and the link that stands in it until its content is there. */
export interface Example {
  readonly tag: string;
  readonly attributes: ReadonlyMap<string, string>;
}

/** A link that is shown where the tag cannot be. */
export interface Fallback {
  readonly href: string;
  readonly text: string;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (each) => ESCAPES[each] ?? each);

/** What a site may choose beside the tag. */
export interface Way {
  /** Without one the script is always the newest. */
  readonly pinned: Version | null;
  /** The tag's first posts come with the page. */
  readonly ahead: boolean;
}

/** Whether a tag's first posts can be named before it stands: only in a language that it says itself. */
export const canComeAhead = ({ tag, attributes }: Example): boolean => isDrawn(tag) && attributes.has('lang');

/** Writes the lines that a site pastes. */
export function writeSnippet(example: Example, { href, text }: Fallback, origin: string, { pinned, ahead }: Way): string {
  const { tag, attributes } = example;
  const written = [...attributes]
    .map(([name, value]) => (value === '' ? ` ${name}` : ` ${name}="${escapeHtml(value)}"`))
    .join('');
  const preload = ahead && pinned === null && canComeAhead(example) ? writePreload(example, origin) : '';
  return `${preload}${writeScript(tag, origin, pinned)}\n<${tag}${written}>\n  <a href="${escapeHtml(href)}">${escapeHtml(text)}</a>\n</${tag}>`;
}

function writePreload({ tag, attributes }: Example, origin: string): string {
  if (!isDrawn(tag)) return '';
  const address = origin + drawingOf(tag, (name) => attributes.get(name));
  return `<link rel="preload" as="fetch" crossorigin href="${escapeHtml(address)}">\n`;
}

function writeScript(tag: string, origin: string, pinned: Version | null): string {
  const integrity = pinned?.files.get(`${tag}.js`)?.integrity;
  if (pinned === null || integrity === undefined) return `<script type="module" src="${origin}/elements/${tag}.js"></script>`;
  return `<script type="module" src="${origin}/elements/v/${pinned.version}/${tag}.js"\n  integrity="${integrity}" crossorigin="anonymous"></script>`;
}

const OPENING = /<(changer-[\w-]+)((?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*)\s*>/g;
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;

/**
 * Reads lines that were edited by hand: the first tag that is known, and those of its attributes that are; null where there is
 * none. No parser of the browser's sees them: it would try what scripts they hold, and the page's policy would complain of each.
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
