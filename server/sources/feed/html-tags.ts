import type { Mark } from '../rss/text/text-writer.ts';

/** Dropped with all that is in them: what runs, frames, draws or asks, and what a page says about itself. */
export const DROPPED: ReadonlySet<string> = new Set(
  `script style iframe frame frameset noframes svg math object embed applet noscript noembed template head title canvas map
   audio video select button textarea dialog portal xmp plaintext listing datalist meter progress`.split(/\s+/),
);

/** Blocks, and how many line breaks stand around them. */
export const BREAKS: ReadonlyMap<string, 1 | 2> = new Map([
  ...'p blockquote pre h1 h2 h3 h4 h5 h6 figure table hr dl fieldset'.split(' ').map((tag) => [tag, 2] as const),
  ...'div section article header footer main aside nav address details summary form center'
    .split(' ')
    .map((tag) => [tag, 1] as const),
  ...'figcaption caption li dt dd tr'.split(' ').map((tag) => [tag, 1] as const),
]);

/** Tags that mark the text in them, whatever their attributes. */
export const MARKS: ReadonlyMap<string, Mark> = new Map<string, Mark>([
  ...'b strong h1 h2 h3 h4 h5 h6 th'.split(' ').map((tag) => [tag, { type: 'bold' }] as const),
  ...'i em cite dfn var'.split(' ').map((tag) => [tag, { type: 'italic' }] as const),
  ...'u ins'.split(' ').map((tag) => [tag, { type: 'underline' }] as const),
  ...'s strike del'.split(' ').map((tag) => [tag, { type: 'strikethrough' }] as const),
  ...'code kbd samp tt'.split(' ').map((tag) => [tag, { type: 'code' }] as const),
  ['blockquote', { type: 'blockquote' }],
  ['pre', { type: 'pre' }],
  ['sub', { type: 'subscript' }],
  ['sup', { type: 'superscript' }],
  ['mark', { type: 'marked' }],
]);

type Attributes = Readonly<Record<string, string>>;

const HIDING_STYLE =
  /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden|mso-hide|(?:font-size|opacity)\s*:\s*0(?:px|pt|em|rem|%)?\s*(?:;|!|$))/i;
const HIDING_CLASS = /(?:^|\s)(?:screen-reader-text|sr-only|visually-hidden|visuallyhidden|mastodon-invisible)(?:\s|$)/i;

/** Tells whether a browser would show nothing of an element, or its page nothing to those who see it. */
export const isHidden = (attributes: Attributes): boolean =>
  'hidden' in attributes ||
  attributes['aria-hidden']?.toLowerCase() === 'true' ||
  HIDING_STYLE.test(attributes.style ?? '') ||
  HIDING_CLASS.test(attributes.class ?? '');

/** The language that a code block says it is in, as `language-ts` or GitHub's `highlight-source-ts`. */
export const languageOf = ({ class: names = '', lang, 'data-lang': told }: Attributes): string | null =>
  (/(?:language|lang|highlight-source|brush:\s*)[-_]?([a-z0-9+#-]{1,20})/i.exec(names)?.[1] ?? told ?? lang ?? '')
    .toLowerCase()
    .match(/^[a-z0-9+#-]{1,20}$/)?.[0] ?? null;

const sizeOf = (text: string | undefined): number => Number.parseInt(text ?? '', 10) || Number.POSITIVE_INFINITY;

/** Small images are ornaments, counters and faces, not pictures of the post. */
const SMALLEST = 48;

/** A picture that an emoji stands for. */
export const isEmoji = ({ class: names = '', alt = '' }: Attributes): boolean =>
  /(?:^|\s)(?:emoji|wp-smiley|emojione|twemoji)(?:\s|$)/i.test(names) ||
  /^\p{Extended_Pictographic}(?:\p{Emoji}|\ufe0f|\u200d)*$/u.test(alt);

export const isOrnament = ({ width, height }: Attributes): boolean => Math.min(sizeOf(width), sizeOf(height)) < SMALLEST;
