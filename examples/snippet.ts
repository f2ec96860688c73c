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

/** Writes the lines that a site pastes; without a version the script is always the newest. */
export function writeSnippet(
  { tag, attributes }: Example,
  { href, text }: Fallback,
  origin: string,
  pinned: Version | null,
): string {
  const written = [...attributes]
    .map(([name, value]) => (value === '' ? ` ${name}` : ` ${name}="${escapeHtml(value)}"`))
    .join('');
  return `${writeScript(tag, origin, pinned)}\n<${tag}${written}>\n  <a href="${escapeHtml(href)}">${escapeHtml(text)}</a>\n</${tag}>`;
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
