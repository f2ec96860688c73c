import type { Preset } from '../../../../contract/lineup.ts';
import { isPublished, rssPath } from '../../../../contract/published.ts';
import type { LineupRow } from '../../../data/model/types.ts';

/** What a file of the line-up tells. */
export interface Exported {
  readonly title: string;
  readonly made: Date;
  /** The followed rows, in order, those of private channels left out: no other reader could read them. */
  readonly rows: readonly LineupRow[];
  readonly presets: readonly Preset[];
  /** The origin of this site. */
  readonly origin: string;
  /** The path of a channel's own page. */
  pageOf(row: LineupRow): string;
}

/**
 * Writes a line-up as OPML 2.0 (http://opml.org/spec2.opml), which other readers of feeds import. A feed that the reader added
 * has its own address, a channel of this site the address of its feed here; an import here finds the channel by either. A channel
 * without a feed (of the demo network, or from elsewhere by a shared line-up) is a link to its page. Presets are categories, which
 * other readers take for folders.
 */
export function writeOpml({ title, made, rows, presets, origin, pageOf }: Exported): string {
  const outlines = rows.map((row) => {
    const { entry, channel } = row;
    const text = attribute('text', channel.title) + attribute('title', channel.title);
    const categories = presets.filter(({ channelIds }) => channelIds.includes(channel.id)).map(({ name }) => categoryOf(name));
    const category = categories.length === 0 ? '' : attribute('category', categories.join(','));
    const page = origin + pageOf(row);
    const feed = entry.feed ?? (isPublished(channel) ? origin + rssPath(channel) : null);
    const type = feed === null ? ` type="link"${attribute('url', page)}` : ` type="rss"${attribute('xmlUrl', feed)}`;
    const address = type + (entry.feed === undefined ? attribute('htmlUrl', page) : '');
    return `    <outline${text}${address}${category}/>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0">
  <head>
    <title>${escaped(title)}</title>
    <dateCreated>${made.toUTCString()}</dateCreated>
    <docs>http://opml.org/spec2.opml</docs>
  </head>
  <body>
${outlines.join('')}  </body>
</opml>
`;
}

/** Commas and slashes divide categories, and the format has no way to write them: they are percent-encoded, and so is the sign. */
export const categoryOf = (name: string): string => `/${name.replace(/[%,/]/g, encodeURIComponent)}`;

const attribute = (name: string, value: string): string => ` ${name}="${escaped(value)}"`;

/** What XML 1.0 cannot hold at all. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const IMPOSSIBLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

const escaped = (text: string): string =>
  text.replace(IMPOSSIBLE, '').replace(/[&<>"'\t\n\r]/g, (found) => ENTITIES[found] ?? `&#${found.charCodeAt(0)};`);
