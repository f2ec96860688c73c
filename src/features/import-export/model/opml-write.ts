import type { Preset } from '../../../../contract/lineup.ts';
import { isPublished, rssPath } from '../../../../contract/published.ts';
import type { LineupRow } from '../../../data/model/types.ts';

/** OPML export: the data that a file of the line-up contains. */
export interface OpmlExport {
  readonly title: string;
  readonly createdAt: Date;
  /** Followed rows, in order. Private channels are excluded: no other feed reader could read them. */
  readonly rows: readonly LineupRow[];
  readonly presets: readonly Preset[];
  /** Origin of this site. */
  readonly origin: string;
  /** Returns the path of a channel's own page. */
  pagePath(row: LineupRow): string;
}

/**
 * Serializes a line-up as OPML 2.0 (http://opml.org/spec2.opml), which other feed readers can import. A feed that the
 * reader added has its own URL; a channel of this site has the URL of its feed here. An import on this site finds the
 * channel by either URL. A channel without a feed (of the demo network, or an external one from a shared line-up)
 * becomes a link to its page. Presets become categories, which other feed readers treat as folders.
 */
export function writeLineupOpml({ title, createdAt, rows, presets, origin, pagePath }: OpmlExport): string {
  const outlines = rows.map((row) => {
    const { entry, channel } = row;
    const names = formatAttribute('text', channel.title) + formatAttribute('title', channel.title);
    const categories = presets.filter(({ channelIds }) => channelIds.includes(channel.id)).map(({ name }) => categoryOf(name));
    const category = categories.length === 0 ? '' : formatAttribute('category', categories.join(','));
    const pageUrl = origin + pagePath(row);
    const feedUrl = entry.feed ?? (isPublished(channel) ? origin + rssPath(channel) : null);
    const target =
      feedUrl === null ? ` type="link"${formatAttribute('url', pageUrl)}` : ` type="rss"${formatAttribute('xmlUrl', feedUrl)}`;
    const addresses = target + (entry.feed === undefined ? formatAttribute('htmlUrl', pageUrl) : '');
    return `    <outline${names}${addresses}${category}/>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0">
  <head>
    <title>${escapeXml(title)}</title>
    <dateCreated>${createdAt.toUTCString()}</dateCreated>
    <docs>http://opml.org/spec2.opml</docs>
  </head>
  <body>
${outlines.join('')}  </body>
</opml>
`;
}

/**
 * Encodes a category name. Commas and slashes separate categories, and the format has no escape for them, so they are
 * percent-encoded, and so is the percent sign.
 */
export const categoryOf = (name: string): string => `/${name.replace(/[%,/]/g, encodeURIComponent)}`;

const formatAttribute = (name: string, value: string): string => ` ${name}="${escapeXml(value)}"`;

/** Characters that XML 1.0 cannot contain. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds control characters
const INVALID_XML_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

const escapeXml = (text: string): string =>
  text
    .replace(INVALID_XML_CHARACTERS, '')
    .replace(/[&<>"'\t\n\r]/g, (character) => ENTITIES[character] ?? `&#${character.charCodeAt(0)};`);
