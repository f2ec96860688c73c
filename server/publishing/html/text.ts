// Text HTML: renders text with entities as static markup.

import type { FormattedText } from '../../../contract/extra.ts';
import { mailLink } from '../../../contract/mail-link.ts';
import { SPOILER_MASK } from '../../../contract/plain-text.ts';
import { type TextRun, toTextRuns } from '../../../contract/runs.ts';
import { type Branch, nestRuns, STYLE_TAGS } from '../../../src/components/rich-text/nest-runs.ts';
import { splitBlocks, type TextBlock } from '../../../src/components/rich-text/split-blocks.ts';
import { safeHref } from '../../../src/lib/links.ts';
import { escapeMarkup, formatAttributes } from '../../lib/markup.ts';

/** Maximum of a JavaScript date, unix seconds. */
const MAX_DATE_SECONDS = 8.64e12;

const INLINE_TAGS: Partial<Record<TextRun['type'], string>> = { ...STYLE_TAGS, code: 'code', pre: 'code', math: 'code' };

/** A text, and the address of the channel's page, which its hashtag links search. */
interface TextHtmlContext {
  readonly text: string;
  readonly home: string;
}

/**
 * Renders a text with its entities as HTML: paragraphs, quotes and code. `home` is the address of the channel's page.
 */
export function textHtml({ text, entities }: FormattedText, home: string): string {
  const runs = toTextRuns(text, entities);
  return blocksHtml(splitBlocks(text, runs, 0, text.length), runs, { text, home });
}

/** Renders a text within one line as HTML, as in a heading or a cell. */
export const lineHtml = ({ text, entities }: FormattedText, home: string): string =>
  inlineHtml(nestRuns(text, toTextRuns(text, entities), 0, text.length), { text, home }, false);

/** Renders a paragraph, or a `div` if it contains a spoiler: HTML does not allow <details> in a paragraph. */
export const paragraphHtml = (inner: string): string => {
  const tag = inner.includes('<details') ? 'div' : 'p';
  return `<${tag} dir="auto">${inner}</${tag}>`;
};

/** Renders a spoiler that the reader can open. */
export const spoilerHtml = (inner: string): string => `<details><summary>${SPOILER_MASK}</summary>${inner}</details>`;

/** Renders a code block. */
export const codeHtml = (code: string, language: string | undefined): string =>
  `<pre dir="ltr"><code${formatAttributes({ class: language && `language-${language}` })}>${escapeMarkup(code)}</code></pre>`;

const blocksHtml = (blocks: readonly TextBlock[], runs: readonly TextRun[], context: TextHtmlContext): string =>
  blocks.map((block) => blockHtml(block, runs, context)).join('\n');

function blockHtml(block: TextBlock, runs: readonly TextRun[], context: TextHtmlContext): string {
  const { start, end } = block;
  switch (block.type) {
    case 'paragraph':
      return paragraphHtml(inlineHtml(nestRuns(context.text, runs, start, end), context, false));
    case 'pre':
      return codeHtml(context.text.slice(start, end), block.run.entity?.language);
    case 'quote': {
      const innerRuns = runs.filter((run) => run.entity !== block.run.entity);
      return `<blockquote>${blocksHtml(block.blocks, innerRuns, context)}</blockquote>`;
    }
  }
}

const inlineHtml = (branches: readonly Branch[], context: TextHtmlContext, isInLink: boolean): string =>
  branches.map((branch) => (typeof branch === 'string' ? linesHtml(branch) : runHtml(branch, context, isInLink))).join('');

const linesHtml = (text: string): string => escapeMarkup(text).replace(/\r?\n/g, '<br>');

function runHtml({ run, children }: Exclude<Branch, string>, context: TextHtmlContext, isInLink: boolean): string {
  // HTML has no nested links: the inner one would end the outer one.
  const href = isInLink ? null : hrefOf(run, context);
  const inner = inlineHtml(children, context, isInLink || href !== null);
  if (href !== null) return `<a${formatAttributes({ href })}>${inner}</a>`;
  const tag = INLINE_TAGS[run.type];
  if (tag !== undefined) return `<${tag}>${inner}</${tag}>`;
  if (run.type === 'spoiler') return spoilerHtml(inner);
  const time = run.type === 'date_time' ? run.entity?.time : undefined;
  if (time === undefined || Math.abs(time) > MAX_DATE_SECONDS) return inner;
  return `<time${formatAttributes({ datetime: new Date(time * 1000).toISOString() })}>${inner}</time>`;
}

/** Returns the address of a run of text, or null. */
function hrefOf({ type, entity }: TextRun, { text, home }: TextHtmlContext): string | null {
  if (entity === null) return null;
  const content = text.slice(entity.offset, entity.offset + entity.length);
  switch (type) {
    case 'url':
      return safeHref(content);
    case 'text_link':
      return entity.url === undefined ? null : safeHref(entity.url);
    case 'mention':
      return /^@\w+$/.test(content) ? `https://t.me/${content.slice(1)}` : null;
    case 'email':
      return mailLink(content);
    case 'phone_number':
      return `tel:${content.replace(/[^\d+]/g, '')}`;
    case 'hashtag':
    case 'cashtag':
      return `${home}?${new URLSearchParams({ q: content.split('@')[0] ?? content })}`;
    default:
      return null;
  }
}
