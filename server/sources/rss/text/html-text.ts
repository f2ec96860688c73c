/**
 * HTML sanitizer: converts untrusted HTML to plain text with entities. No markup is retained, so nothing can run.
 * Hidden elements and elements that are not text are dropped with their contents. The processing time is linear in the
 * length: parsing stops at HTML that is nested deeper than any page, or longer than any post.
 */
import { Parser } from 'htmlparser2';
import type { Entity } from '../../../../contract/post.ts';
import { resolveSafeLink, resolveWebLink } from '../../../lib/safe-url.ts';
import { createTextWriter, type TextStyle } from './text-writer.ts';

/**
 * Result of the conversion. `images` are the URLs of pictures in document order. `isCut` is true if the HTML continued.
 */
export interface HtmlText {
  readonly text: string;
  readonly entities: Entity[];
  readonly images: readonly string[];
  readonly isCut: boolean;
}

const MAX_HTML_LENGTH = 60_000;
const MAX_DEPTH = 200;
const MAX_IMAGES = 10;

type Attributes = Readonly<Record<string, string>>;
type Writer = ReturnType<typeof createTextWriter>;

/** State of the open lists: the next number of each numbered list, null for a list with bullets. */
const createListTracker = () => {
  const nextNumbers: (number | null)[] = [];
  return {
    open: (tag: string, { start }: Attributes): void => {
      nextNumbers.push(tag === 'ol' ? Number.parseInt(start ?? '', 10) || 1 : null);
    },
    close: () => void nextNumbers.pop(),
    /**
     * Returns the number of line breaks around a list. A nested list is not a separate paragraph, so it has one, as its
     * items do.
     */
    breaks: (): 1 | 2 => (nextNumbers.length > 0 ? 1 : 2),
    bullet: ({ value }: Attributes): string => {
      const indent = '   '.repeat(Math.max(0, nextNumbers.length - 1));
      const number = nextNumbers.at(-1) ?? null;
      if (number === null) return `${indent}• `;
      const itemNumber = Number.parseInt(value ?? '', 10) || number;
      nextNumbers[nextNumbers.length - 1] = itemNumber + 1;
      return `${indent}${itemNumber}. `;
    },
  };
};

const linkStyle = (href: string | undefined, base: string | null): TextStyle | null => {
  const url = resolveSafeLink(href, base);
  return url === null ? null : { type: 'text_link', url };
};

const textStyleOf = (tag: string, attributes: Attributes, base: string | null, writer: Writer): TextStyle | null => {
  if (tag === 'a') return linkStyle(attributes.href, base);
  if (!writer.isInside('pre')) return TEXT_STYLES.get(tag) ?? null;
  return null;
};

const collectImage = (attributes: Attributes, base: string | null, writer: Writer, images: string[]): void => {
  // Pages that load images lazily have the real URL in another attribute, and a placeholder in `src`.
  const src = resolveWebLink(attributes['data-src'] ?? attributes['data-lazy-src'] ?? attributes.src, base);
  if (isEmoji(attributes)) writer.flow(attributes.alt ?? '');
  else if (src !== null && !isOrnament(attributes) && !images.includes(src) && images.length < MAX_IMAGES) images.push(src);
};

/**
 * Converts HTML to text of about `maxLength` characters (the writer stops at the first piece past it). Links are
 * resolved against `base`.
 */
export function htmlToText(html: string, base: string | null, maxLength: number): HtmlText {
  const writer = createTextWriter(maxLength);
  const lists = createListTracker();
  const images: string[] = [];
  let [depth, droppedDepth, cellCount, isTooDeep] = [0, 0, 0, false];

  const openElement = (tag: string, attributes: Attributes): void => {
    if (tag === 'br') writer.endLine();
    else if (tag === 'img') collectImage(attributes, base, writer, images);
    else if (tag === 'q') writer.flow('“');
    else if (tag === 'ul' || tag === 'ol') {
      writer.breakLine(lists.breaks());
      lists.open(tag, attributes);
    } else if (LINE_BREAKS.has(tag)) writer.breakLine(LINE_BREAKS.get(tag) ?? 1);
    if (tag === 'li') writer.bullet(lists.bullet(attributes));
    if (tag === 'tr') cellCount = 0;
    if (tag === 'td' || tag === 'th') {
      if (cellCount > 0) writer.flow(' | ');
      cellCount += 1;
    }
    writer.open(textStyleOf(tag, attributes, base, writer));
    const language = writer.isInside('pre') ? languageOf(attributes) : null;
    if (language !== null) writer.nameLanguage(language);
  };

  const closeElement = (tag: string): void => {
    writer.close();
    if (tag === 'q') writer.flow('”');
    else if (tag === 'li') writer.bullet('');
    if (tag === 'ul' || tag === 'ol') {
      lists.close();
      writer.breakLine(lists.breaks());
    } else if (LINE_BREAKS.has(tag)) writer.breakLine(LINE_BREAKS.get(tag) ?? 1);
  };

  const parser = new Parser({
    onopentag(tag, attributes) {
      depth += 1;
      if (droppedDepth > 0 || DROPPED_TAGS.has(tag) || isHidden(attributes)) droppedDepth += 1;
      else openElement(tag, attributes);
      isTooDeep ||= depth > MAX_DEPTH;
      if (isTooDeep || writer.isCut()) parser.pause();
    },
    ontext(text) {
      if (droppedDepth > 0) return;
      if (writer.isInside('pre')) writer.verbatim(text);
      else writer.flow(text);
    },
    onclosetag(tag) {
      depth -= 1;
      if (droppedDepth > 0) droppedDepth -= 1;
      else closeElement(tag);
    },
  });
  parser.end(html.slice(0, MAX_HTML_LENGTH));
  const { text, entities, isCut } = writer.end();
  return { text, entities, images, isCut: isCut || isTooDeep || html.length > MAX_HTML_LENGTH };
}

/** Elements dropped with their contents: scripts, frames, graphics, form controls, and metadata of the page. */
const DROPPED_TAGS: ReadonlySet<string> = new Set(
  `script style iframe frame frameset noframes svg math object embed applet noscript noembed template head title canvas map
   audio video select button textarea dialog portal xmp plaintext listing datalist meter progress`.split(/\s+/),
);

/** Block elements, with the number of line breaks around them. */
const LINE_BREAKS: ReadonlyMap<string, 1 | 2> = new Map([
  ...'p blockquote pre h1 h2 h3 h4 h5 h6 figure table hr dl fieldset'.split(' ').map((tag) => [tag, 2] as const),
  ...'div section article header footer main aside nav address details summary form center'
    .split(' ')
    .map((tag) => [tag, 1] as const),
  ...'figcaption caption li dt dd tr'.split(' ').map((tag) => [tag, 1] as const),
]);

/** Tags that format their text, whatever their attributes. */
const TEXT_STYLES: ReadonlyMap<string, TextStyle> = new Map<string, TextStyle>([
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

const HIDING_STYLE =
  /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden|mso-hide|(?:font-size|opacity)\s*:\s*0(?:px|pt|em|rem|%)?\s*(?:;|!|$))/i;
const HIDING_CLASS = /(?:^|\s)(?:screen-reader-text|sr-only|visually-hidden|visuallyhidden|mastodon-invisible)(?:\s|$)/i;

/** Returns whether an element is not visible: hidden for everyone, or only meant for screen readers. */
export const isHidden = (attributes: Attributes): boolean =>
  'hidden' in attributes ||
  attributes['aria-hidden']?.toLowerCase() === 'true' ||
  HIDING_STYLE.test(attributes.style ?? '') ||
  HIDING_CLASS.test(attributes.class ?? '');

/**
 * Returns the language of a code block from its class, such as `language-ts` or GitHub's `highlight-source-ts`, or from
 * its attributes.
 */
export const languageOf = ({ class: className = '', lang, 'data-lang': declared }: Attributes): string | null =>
  (/(?:language|lang|highlight-source|brush:\s*)[-_]?([a-z0-9+#-]{1,20})/i.exec(className)?.[1] ?? declared ?? lang ?? '')
    .toLowerCase()
    .match(/^[a-z0-9+#-]{1,20}$/)?.[0] ?? null;

const sizeOf = (text: string | undefined): number => Number.parseInt(text ?? '', 10) || Number.POSITIVE_INFINITY;

/**
 * Minimum size of a picture, px. Smaller images are ornaments, tracking pixels and avatars, not pictures of the post.
 */
const MIN_IMAGE_PIXELS = 48;

/** Returns whether an image represents an emoji. */
const isEmoji = ({ class: className = '', alt = '' }: Attributes): boolean =>
  /(?:^|\s)(?:emoji|wp-smiley|emojione|twemoji)(?:\s|$)/i.test(className) ||
  /^\p{Extended_Pictographic}(?:\p{Emoji}|\ufe0f|\u200d)*$/u.test(alt);

const isOrnament = ({ width, height }: Attributes): boolean => Math.min(sizeOf(width), sizeOf(height)) < MIN_IMAGE_PIXELS;
