// Rich message HTML: renders the blocks of a rich message as static markup.

import type { ContentBlock, FormattedText, ListItem, RichTableCell } from '../../../contract/extra.ts';
import { safeHref } from '../../../src/lib/links.ts';
import { escapeMarkup, formatAttributes } from '../../lib/markup.ts';
import { codeHtml, lineHtml, paragraphHtml } from './text.ts';

/** Context of the blocks of a rich message: address of its channel's page, its own address, and its files as HTML. */
export interface RichHtmlContext {
  readonly home: string;
  readonly url: string;
  readonly files: readonly string[];
}

/** Maximum depth. No source nests deeper; malicious input must not exhaust the stack. */
const MAX_DEPTH = 16;

/** Renders the blocks of a rich message as HTML. */
export const richHtml = (blocks: readonly ContentBlock[], context: RichHtmlContext, depth = 0): string =>
  depth > MAX_DEPTH ? '' : blocks.map((block) => blockHtml(block, context, depth)).join('\n');

function blockHtml(block: ContentBlock, context: RichHtmlContext, depth: number): string {
  const line = (text: FormattedText) => lineHtml(text, context.home);
  const nestedHtml = (blocks: readonly ContentBlock[]) => richHtml(blocks, context, depth + 1);
  switch (block.type) {
    case 'paragraph':
    case 'footer':
    case 'thinking':
      return paragraphHtml(line(block));
    case 'heading': {
      // The feed reader renders the post's own title above these headings.
      const tag = `h${Math.min(6, Math.max(2, Math.round(block.size) + 1))}`;
      return `<${tag} dir="auto">${line(block)}</${tag}>`;
    }
    case 'pre':
      return codeHtml(block.text, block.language);
    case 'pullquote':
      return `<blockquote>${paragraphHtml(line(block))}${citeHtml(block.credit, context)}</blockquote>`;
    case 'quote':
      return `<blockquote>${nestedHtml(block.blocks)}${citeHtml(block.credit, context)}</blockquote>`;
    case 'divider':
      return '<hr>';
    case 'math':
      return `<p dir="ltr"><code>${escapeMarkup(block.text)}</code></p>`;
    case 'list':
      return `<ul>${block.items.map((item) => listItemHtml(item, nestedHtml)).join('')}</ul>`;
    case 'table': {
      const rows = block.rows.map((row) => `<tr>${row.map((cell) => cellHtml(cell, context)).join('')}</tr>`).join('');
      return `<table>${block.caption ? `<caption>${line(block.caption)}</caption>` : ''}${rows}</table>`;
    }
    case 'details':
      return `<details${block.open === true ? ' open' : ''}><summary>${line(block.summary)}</summary>${nestedHtml(block.blocks)}</details>`;
    case 'media':
      return `${block.media.map((index) => context.files[index] ?? '').join('')}${captionHtml(block, context)}`;
    case 'map':
      return `${venueHtml(block.place)}${captionHtml(block, context)}`;
    case 'buttons':
      return `<p>${block.buttons.map(({ text, url }) => buttonHtml(text, url, context)).join(' · ')}</p>`;
    case 'unknown':
      return `<p><a${formatAttributes({ href: context.url })}>${escapeMarkup(block.name || '…')}</a></p>`;
  }
}

const citeHtml = (credit: FormattedText | undefined, { home }: RichHtmlContext): string =>
  credit === undefined || credit.text === '' ? '' : `<p dir="auto">— <cite>${lineHtml(credit, home)}</cite></p>`;

const captionHtml = (
  { caption, credit }: { readonly caption?: FormattedText; readonly credit?: FormattedText },
  context: RichHtmlContext,
): string => (caption ? paragraphHtml(lineHtml(caption, context.home)) : '') + citeHtml(credit, context);

const BULLETS: ReadonlySet<string> = new Set(['', '•', '-', '*', '·']);

function listItemHtml({ label, checked, blocks }: ListItem, nestedHtml: (blocks: readonly ContentBlock[]) => string): string {
  // A list item has a bullet in HTML.
  const labelHtml = BULLETS.has(label) ? '' : `${escapeMarkup(label)} `;
  const prefix = checked === undefined ? labelHtml : checkboxHtml(checked);
  return `<li>${prefix}${nestedHtml(blocks)}</li>`;
}

/** Returns a checked or unchecked box as text, because feed readers render no checkboxes. */
export const checkboxHtml = (checked: boolean): string => (checked ? '☑ ' : '☐ ');

function cellHtml({ header, colspan, rowspan, align, ...text }: RichTableCell, { home }: RichHtmlContext): string {
  const tag = header === true ? 'th' : 'td';
  return `<${tag}${formatAttributes({ colspan, rowspan, align })} dir="auto">${lineHtml(text, home)}</${tag}>`;
}

/** Renders a button as a link. A button without an address only works at its source, so it links to the post. */
const buttonHtml = (text: string, url: string | undefined, context: RichHtmlContext): string =>
  `<a${formatAttributes({ href: (url === undefined ? null : safeHref(url)) ?? context.url })}>${escapeMarkup(text)}</a>`;

/** Renders a venue as HTML: its name, with a link to a map. */
export function venueHtml({
  latitude,
  longitude,
  title,
  address,
}: {
  readonly latitude: number;
  readonly longitude: number;
  readonly title?: string;
  readonly address?: string;
}): string {
  const label = [title, address].filter(Boolean).join(', ') || `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
  const href = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`;
  return `<p dir="auto">📍 <a${formatAttributes({ href })}>${escapeMarkup(label)}</a></p>`;
}
