/** Item text: composes a post's text from a feed item's title and content. */
import type { Entity } from '../../../../contract/post.ts';
import type { FeedItem, FeedText } from '../types.ts';
import { type HtmlText, htmlToText } from './html-text.ts';
import { createTextWriter } from './text-writer.ts';

/**
 * Maximum length of a post; longer ones link to their source. It is twice Telegram's limit for a message, and as much
 * as people read in a feed.
 */
const MAX_TEXT_LENGTH = 8192;
/** A text is cut after a paragraph only if the paragraph ends after this offset; otherwise too much would be lost. */
const MIN_CUT_OFFSET = MAX_TEXT_LENGTH * 0.9;
const MAX_LINE_LENGTH = 300;
const MAX_ENTITIES = 1000;

/** Converts a feed's text to plain text with entities. */
const toFormattedText = (text: FeedText | null, base: string, maxLength: number): HtmlText => {
  if (text !== null && 'html' in text) return htmlToText(text.html, base, maxLength);
  const writer = createTextWriter(maxLength);
  writer.verbatim(text?.plain ?? '');
  return { ...writer.end(), images: [] };
};

/** Removes half of a surrogate pair that a cut may leave at the end. */
const trimHalfCharacter = (text: string): string => text.replace(/[\ud800-\udbff]$/u, '');

/** Converts a feed's text to one line without entities, for example for a title. Returns '' if there is none. */
export const feedTextToLine = (text: FeedText | null, maxLength = MAX_LINE_LENGTH): string => {
  const line = toFormattedText(text, '', maxLength).text.replace(/\s+/gu, ' ').trim();
  return line.length <= maxLength ? line : `${trimHalfCharacter(line.slice(0, maxLength - 1)).trimEnd()}…`;
};

const normalizeWords = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/**
 * Returns whether the text starts with the title. Short posts have no title, and the software that generates their
 * feeds cuts one out of the text. A title without words, such as an emoji, is compared literally.
 */
const repeatsTitle = (title: string, text: string): boolean => {
  const titleWords = normalizeWords(title);
  if (titleWords === '') return text.startsWith(title);
  return normalizeWords(text.slice(0, title.length * 2 + 20)).startsWith(titleWords);
};

const shiftEntities = (entities: readonly Entity[], offset: number): Entity[] =>
  entities.map((entity) => ({ ...entity, offset: entity.offset + offset }));

/**
 * Returns the position at which to cut a long text: after a paragraph, otherwise after a word, that ends near the
 * limit.
 */
const findCutOffset = (text: string): number => {
  const beginning = text.slice(0, MAX_TEXT_LENGTH);
  const paragraph = beginning.lastIndexOf('\n\n');
  if (paragraph > MIN_CUT_OFFSET) return paragraph;
  const space = beginning.search(/\s\S{0,100}$/u);
  return space > 0 ? space : MAX_TEXT_LENGTH - 1;
};

const cutWithLink = (text: string, entities: readonly Entity[], link: string | null): { text: string; entities: Entity[] } => {
  const shortened = trimHalfCharacter(text.length > MAX_TEXT_LENGTH ? text.slice(0, findCutOffset(text)) : text).trimEnd();
  const cutEntities = entities
    .filter(({ offset }) => offset < shortened.length)
    .map((entity) => ({ ...entity, length: Math.min(entity.length, shortened.length - entity.offset) }));
  const linkEntities: Entity[] = link === null ? [] : [{ type: 'text_link', url: link, offset: shortened.length + 2, length: 1 }];
  return { text: `${shortened}\n\n…`, entities: [...cutEntities, ...linkEntities] };
};

/** Composes a post's text from an item's title and content, and returns it with the pictures of the content. */
export function composeText(item: FeedItem): { text: string; entities: Entity[]; images: readonly string[] } {
  const title = feedTextToLine(item.title);
  const content = toFormattedText(item.content, item.base, MAX_TEXT_LENGTH);
  const entities = [...content.entities, ...findAddresses(content.text, content.entities)];
  const titleEntities: Entity[] = title === '' ? [] : [{ type: 'bold', offset: 0, length: title.length }];
  const isTitleOmitted = title === '' || (content.text !== '' && repeatsTitle(title, content.text));
  const withTitle =
    content.text === ''
      ? { text: title, entities: titleEntities }
      : { text: `${title}\n\n${content.text}`, entities: [...titleEntities, ...shiftEntities(entities, title.length + 2)] };
  const joined = isTitleOmitted ? { text: content.text, entities } : withTitle;
  const composed =
    content.isCut || joined.text.length > MAX_TEXT_LENGTH ? cutWithLink(joined.text, joined.entities, item.link) : joined;
  const ordered = composed.entities.sort((a, b) => a.offset - b.offset || b.length - a.length);
  return { text: composed.text, entities: ordered.slice(0, MAX_ENTITIES), images: content.images };
}

const ADDRESS = /\bhttps?:\/\/[^\s<>"«»“”]{3,2000}/giu;

/**
 * Removes punctuation after a URL, which belongs to the sentence. This includes a closing bracket, unless the URL
 * contains an opening one.
 */
const trimAddress = (address: string): string => {
  const hasOpeningBracket = /[([{]/.test(address);
  let end = address.length;
  for (; end > 0; end -= 1) {
    const last = address[end - 1] ?? '';
    if (/[.,;:!?'’…*_]/u.test(last)) continue;
    if (!/[)\]}]/.test(last) || hasOpeningBracket) break;
  }
  return address.slice(0, end);
};

const LINK_AND_CODE_TYPES: ReadonlySet<string> = new Set(['text_link', 'code', 'pre']);

/** Finds URLs that are written out in a text, outside of links and code. */
export function findAddresses(text: string, entities: readonly Entity[]): Entity[] {
  const linksAndCode = entities.filter(({ type }) => LINK_AND_CODE_TYPES.has(type));
  const isFree = (offset: number) =>
    !linksAndCode.some((entity) => offset >= entity.offset && offset < entity.offset + entity.length);
  return [...text.matchAll(ADDRESS)]
    .filter(({ index }) => isFree(index))
    .map(({ 0: found, index }) => ({ address: trimAddress(found), index }))
    .filter(({ address }) => URL.canParse(address))
    .map(({ address, index }) => ({ type: 'url', offset: index, length: address.length }));
}
