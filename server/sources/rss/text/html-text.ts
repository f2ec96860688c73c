/**
 * Turns HTML that a stranger wrote into our own text and entities: nothing of the markup is kept, so nothing of it can run.
 * What is hidden, or is no text, is dropped whole. The work grows with the length alone: what is deeper nested than any page
 * is, or longer than any post is shown, ends the reading there.
 */
import { Parser } from 'htmlparser2';
import type { Entity } from '../../../../contract/post.ts';
import { safeLink, webLink } from '../../../lib/safe-url.ts';
import { type Mark, textWriter } from './text-writer.ts';

/** What was read; `images` are the addresses of pictures in their order, `isCut` says that the HTML went on. */
export interface HtmlText {
  readonly text: string;
  readonly entities: Entity[];
  readonly images: readonly string[];
  readonly isCut: boolean;
}

const LONGEST_HTML = 60_000;
const DEEPEST = 200;
const MOST_IMAGES = 10;

type Attributes = Readonly<Record<string, string>>;
type Writer = ReturnType<typeof textWriter>;

/** Numbers and bullets of the lists that are open. */
const lists = () => {
  const open: (number | null)[] = [];
  return {
    open: (tag: string, { start }: Attributes) => void open.push(tag === 'ol' ? Number.parseInt(start ?? '', 10) || 1 : null),
    close: () => void open.pop(),
    /** A list in a list stands in a paragraph of its own no more than its items do. */
    breaks: (): 1 | 2 => (open.length > 0 ? 1 : 2),
    bullet: ({ value }: Attributes): string => {
      const indent = '   '.repeat(Math.max(0, open.length - 1));
      const number = open.at(-1) ?? null;
      if (number === null) return `${indent}• `;
      const told = Number.parseInt(value ?? '', 10) || number;
      open[open.length - 1] = told + 1;
      return `${indent}${told}. `;
    },
  };
};

const linkMark = (href: string | undefined, base: string | null): Mark | null => {
  const url = safeLink(href, base);
  return url === null ? null : { type: 'text_link', url };
};

const markOf = (tag: string, attributes: Attributes, base: string | null, writer: Writer): Mark | null => {
  if (tag === 'a') return linkMark(attributes.href, base);
  if (!writer.isInside('pre')) return MARKS.get(tag) ?? null;
  return null;
};

const image = (attributes: Attributes, base: string | null, writer: Writer, images: string[]): void => {
  // Pages that load late keep the true address elsewhere, and a stand-in where it belongs.
  const src = webLink(attributes['data-src'] ?? attributes['data-lazy-src'] ?? attributes.src, base);
  if (isEmoji(attributes)) writer.flow(attributes.alt ?? '');
  else if (src !== null && !isOrnament(attributes) && !images.includes(src) && images.length < MOST_IMAGES) images.push(src);
};

/** Reads HTML as text of about `most` characters (the writer stops at the first piece past it); links resolve against `base`. */
export function htmlText(html: string, base: string | null, most: number): HtmlText {
  const writer = textWriter(most);
  const list = lists();
  const images: string[] = [];
  let [depth, dropped, cells, isTooDeep] = [0, 0, 0, false];

  const begin = (tag: string, attributes: Attributes): void => {
    if (tag === 'br') writer.endLine();
    else if (tag === 'img') image(attributes, base, writer, images);
    else if (tag === 'q') writer.flow('“');
    else if (tag === 'ul' || tag === 'ol') {
      writer.breakLine(list.breaks());
      list.open(tag, attributes);
    } else if (BREAKS.has(tag)) writer.breakLine(BREAKS.get(tag) ?? 1);
    if (tag === 'li') writer.bullet(list.bullet(attributes));
    if (tag === 'tr') cells = 0;
    if (tag === 'td' || tag === 'th') {
      if (cells > 0) writer.flow(' | ');
      cells += 1;
    }
    writer.open(markOf(tag, attributes, base, writer));
    const language = writer.isInside('pre') ? languageOf(attributes) : null;
    if (language !== null) writer.nameLanguage(language);
  };

  const end = (tag: string): void => {
    writer.close();
    if (tag === 'q') writer.flow('”');
    else if (tag === 'li') writer.bullet('');
    if (tag === 'ul' || tag === 'ol') {
      list.close();
      writer.breakLine(list.breaks());
    } else if (BREAKS.has(tag)) writer.breakLine(BREAKS.get(tag) ?? 1);
  };

  const parser = new Parser({
    onopentag(tag, attributes) {
      depth += 1;
      if (dropped > 0 || DROPPED.has(tag) || isHidden(attributes)) dropped += 1;
      else begin(tag, attributes);
      isTooDeep ||= depth > DEEPEST;
      if (isTooDeep || writer.isCut()) parser.pause();
    },
    ontext(text) {
      if (dropped > 0) return;
      if (writer.isInside('pre')) writer.verbatim(text);
      else writer.flow(text);
    },
    onclosetag(tag) {
      depth -= 1;
      if (dropped > 0) dropped -= 1;
      else end(tag);
    },
  });
  parser.end(html.slice(0, LONGEST_HTML));
  const { text, entities, isCut } = writer.end();
  return { text, entities, images, isCut: isCut || isTooDeep || html.length > LONGEST_HTML };
}

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
