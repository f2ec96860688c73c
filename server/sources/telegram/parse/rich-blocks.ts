/** Rich message parser: blocks of the Bot API's rich messages, and their conversion to plain text. */
import type { RichBlock } from '@grammyjs/types';
import type { ContentBlock, FormattedText, ListItem, PostExtra, RichTableCell } from '../../../../contract/extra.ts';
import type { Entity } from '../../../../contract/post.ts';
import { concatFormattedText } from '../../../domain/formatted-text.ts';
import { countField, isRawObject, listField, type RawObject, textField } from '../../../lib/unknown-fields.ts';
import { sortEntities, truncateText } from './entities.ts';
import { parseLocation } from './extras.ts';
import { addFile, type FileKind, type FoundFiles } from './files.ts';
import {
  buttonUrl,
  createTextBudget,
  extractText,
  MAX_RICH_TEXT_DEPTH,
  parseRichText,
  spendPart,
  type TextBudget,
} from './rich-text.ts';

type BlockKind = RichBlock['type'];

/** State of parsing a block: the message's files, the remaining budget, and the nesting depth. */
interface ParseContext {
  readonly foundFiles: FoundFiles;
  readonly budget: TextBudget;
  readonly depth: number;
}

/** Maximum length of a list label, of a language, and of the name of an unknown block. */
const MAX_LABEL_LENGTH = 64;
/** Maximum number of columns or rows that a table cell may span. */
const MAX_SPAN = 100;

type ParseBlock = (raw: RawObject, context: ParseContext) => readonly ContentBlock[];

const parseText = (value: unknown, { budget }: ParseContext): FormattedText => parseRichText(value, budget);

/** Returns an object with the text as the field `name`, or an empty object if there is no text. */
const parseOptionalText = <Name extends string>(
  name: Name,
  value: unknown,
  context: ParseContext,
): { [Key in Name]?: FormattedText } | object => {
  const formattedText = value === undefined ? null : parseText(value, context);
  return formattedText === null || formattedText.text === '' ? {} : { [name]: formattedText };
};

const captionOf = ({ caption }: RawObject, context: ParseContext): { caption?: FormattedText; credit?: FormattedText } =>
  isRawObject(caption)
    ? { ...parseOptionalText('caption', caption.text, context), ...parseOptionalText('credit', caption.credit, context) }
    : {};

const parseBlocks = (value: unknown, context: ParseContext): ContentBlock[] => {
  if (!Array.isArray(value)) context.budget.unparsedFields.add('blocks');
  return Array.isArray(value) ? value.flatMap((raw) => parseBlock(raw, context)) : [];
};

const parseTextBlock =
  <Type extends 'paragraph' | 'footer' | 'thinking'>(type: Type): ParseBlock =>
  (raw, context) => [{ type, ...parseText(raw.text, context) }];

const parseFileBlock =
  (kind: FileKind, field: string = kind): ParseBlock =>
  (raw, context) => {
    const index = addFile(context.foundFiles, kind, raw[field], raw.has_spoiler === true);
    const caption = captionOf(raw, context);
    if (index !== null) return [{ type: 'media', layout: 'single', media: [index], ...caption }];
    return createUnknownBlocks(kind, raw, context);
  };

type MediaBlock = Extract<ContentBlock, { type: 'media' }>;

const captionsAsParagraphs = ({ caption, credit }: MediaBlock): ContentBlock[] =>
  [caption, credit].flatMap((formattedText) => (formattedText ? [{ type: 'paragraph' as const, ...formattedText }] : []));

/**
 * Combines several files into one block. The captions of the single files, and blocks that are not files, are added
 * after it.
 */
const parseGroupBlock =
  (layout: 'collage' | 'slideshow'): ParseBlock =>
  (raw, context) => {
    const blocks = parseBlocks(raw.blocks, context);
    const mediaBlocks = blocks.filter((block) => block.type === 'media');
    const otherBlocks = blocks.flatMap((block) => (block.type === 'media' ? captionsAsParagraphs(block) : [block]));
    const media = mediaBlocks.flatMap((block) => block.media);
    return [{ type: 'media', layout, media, ...captionOf(raw, context) }, ...otherBlocks];
  };

const parseListItem = (raw: unknown, context: ParseContext): ListItem[] => {
  if (!isRawObject(raw)) return [];
  const checked = raw.has_checkbox === true ? { checked: raw.is_checked === true } : {};
  const label = truncateText(textField(raw, 'label') ?? '', MAX_LABEL_LENGTH);
  return [{ label, ...checked, blocks: parseBlocks(raw.blocks, context) }];
};

const ALIGNS: ReadonlySet<unknown> = new Set(['left', 'center', 'right'] satisfies RichTableCell['align'][]);
const isAlign = (value: unknown): value is NonNullable<RichTableCell['align']> => ALIGNS.has(value);

const spanOf = (raw: RawObject, name: 'colspan' | 'rowspan') => {
  const count = countField(raw, name) ?? 1;
  return count > 1 && count <= MAX_SPAN ? { [name]: count } : {};
};

const parseCell = (raw: unknown, context: ParseContext): RichTableCell[] => {
  if (!isRawObject(raw) || !spendPart(context.budget)) return [];
  const align = isAlign(raw.align) ? { align: raw.align } : {};
  const header = raw.is_header === true ? { header: true } : {};
  return [{ ...parseText(raw.text, context), ...header, ...spanOf(raw, 'colspan'), ...spanOf(raw, 'rowspan'), ...align }];
};

const parseButton = (raw: unknown, context: ParseContext): { text: string; url?: string }[] => {
  if (!isRawObject(raw)) return [];
  const url = buttonUrl(raw);
  return [{ text: parseText(raw.text, context).text, ...(url === null ? {} : { url }) }];
};

const headingSizeOf = (raw: RawObject): number => Math.min(Math.max(countField(raw, 'size') ?? 2, 1), 6);

const languageFieldOf = (raw: RawObject) => {
  const name = textField(raw, 'language');
  return name ? { language: truncateText(name, MAX_LABEL_LENGTH) } : {};
};

/** Parser of each kind of block. A new kind is a type error until it is added here. */
const BLOCK_PARSERS: Readonly<Record<BlockKind, ParseBlock>> = {
  paragraph: parseTextBlock('paragraph'),
  footer: parseTextBlock('footer'),
  thinking: parseTextBlock('thinking'),
  heading: (raw, context) => [{ type: 'heading', size: headingSizeOf(raw), ...parseText(raw.text, context) }],
  pre: (raw, context) => [{ type: 'pre', ...languageFieldOf(raw), ...parseText(raw.text, context) }],
  divider: () => [{ type: 'divider' }],
  mathematical_expression: (raw, context) => [{ type: 'math', text: parseText(raw.expression, context).text }],
  anchor: () => [],
  list: (raw, context) => [{ type: 'list', items: listField(raw, 'items').flatMap((item) => parseListItem(item, context)) }],
  blockquote: (raw, context) => [
    { type: 'quote', blocks: parseBlocks(raw.blocks, context), ...parseOptionalText('credit', raw.credit, context) },
  ],
  expandable_blockquote: (raw, context) => [
    {
      type: 'quote',
      blocks: [{ type: 'paragraph', ...parseText(raw.text, context) }],
      ...parseOptionalText('credit', raw.credit, context),
      folded: true,
    },
  ],
  pullquote: (raw, context) => [
    { type: 'pullquote', ...parseText(raw.text, context), ...parseOptionalText('credit', raw.credit, context) },
  ],
  collage: parseGroupBlock('collage'),
  slideshow: parseGroupBlock('slideshow'),
  table: (raw, context) => [
    {
      type: 'table',
      rows: listField(raw, 'cells').map((row) => (Array.isArray(row) ? row.flatMap((cell) => parseCell(cell, context)) : [])),
      ...parseOptionalText('caption', raw.caption, context),
    },
  ],
  details: (raw, context) => [
    {
      type: 'details',
      summary: parseText(raw.summary, context),
      blocks: parseBlocks(raw.blocks, context),
      ...(raw.is_open === true ? { open: true } : {}),
    },
  ],
  map: (raw, context) => {
    const location = parseLocation(raw.location);
    if (!location) return createUnknownBlocks('map', raw, context);
    const { caption, credit } = captionOf(raw, context);
    return [
      { type: 'map', place: location, ...(caption ? { caption } : {}) },
      ...(credit ? [{ type: 'paragraph' as const, ...credit }] : []),
    ];
  },
  animation: parseFileBlock('animation'),
  audio: parseFileBlock('audio'),
  document: parseFileBlock('document'),
  photo: parseFileBlock('photo'),
  video: parseFileBlock('video'),
  voice_note: parseFileBlock('voice', 'voice_note'),
  buttons: (raw, context) => [
    { type: 'buttons', buttons: listField(raw, 'buttons').flatMap((button) => parseButton(button, context)) },
  ],
};

const isKnown = (type: string): type is BlockKind => Object.hasOwn(BLOCK_PARSERS, type);

/** Creates an `unknown` block, followed by the text that the unparsed block contained. */
const createUnknownBlocks = (name: string, raw: unknown, { budget }: ParseContext): readonly ContentBlock[] => {
  budget.unparsedFields.add(`block ${name}`);
  const { text, ...rest } = isRawObject(raw) ? raw : { text: raw };
  const extracted = concatFormattedText([parseRichText(text, budget), { text: extractText(rest, budget), entities: [] }], '\n');
  return [{ type: 'unknown', name }, ...(extracted.text === '' ? [] : [{ type: 'paragraph' as const, ...extracted }])];
};

const parseBlock = (raw: unknown, context: ParseContext): readonly ContentBlock[] => {
  if (!spendPart(context.budget)) return [];
  const name = isRawObject(raw) ? truncateText(textField(raw, 'type') ?? '', MAX_LABEL_LENGTH) : '';
  if (!isRawObject(raw) || !isKnown(name) || context.depth > MAX_RICH_TEXT_DEPTH)
    return createUnknownBlocks(name || 'block', raw, context);
  return BLOCK_PARSERS[name](raw, { ...context, depth: context.depth + 1 });
};

/**
 * Parses a rich message, and adds its files to the found files of the message. Returns null if the value is not a rich
 * message.
 */
export const parseRichBlocks = (value: unknown, foundFiles: FoundFiles): Extract<PostExtra, { type: 'rich' }> | null => {
  if (!isRawObject(value) || !Array.isArray(value.blocks)) return null;
  const blocks = parseBlocks(value.blocks, { foundFiles, budget: createTextBudget(foundFiles.unparsedFields), depth: 0 });
  return { type: 'rich', blocks, ...(value.is_rtl === true ? { rtl: true } : {}) };
};

const EMPTY_TEXT: FormattedText = { text: '', entities: [] };

const unformatted = (text: string): FormattedText => ({ text, entities: [] });

const wrapInEntity = (formattedText: FormattedText, detail: Pick<Entity, 'type' | 'language' | 'url'>): FormattedText =>
  formattedText.text === ''
    ? formattedText
    : {
        text: formattedText.text,
        entities: sortEntities([{ ...detail, offset: 0, length: formattedText.text.length }, ...formattedText.entities]),
      };

const joinLines = (...parts: readonly (FormattedText | undefined)[]): FormattedText =>
  concatFormattedText(
    parts.filter((part) => part !== undefined),
    '\n',
  );

const buttonText = ({ text, url }: { text: string; url?: string }): FormattedText =>
  url === undefined ? unformatted(text) : wrapInEntity(unformatted(text), { type: 'text_link', url });

const flattenBlock = (block: ContentBlock): FormattedText => {
  switch (block.type) {
    case 'paragraph':
    case 'footer':
    case 'thinking':
      return block;
    case 'heading':
      return wrapInEntity(block, { type: 'bold' });
    case 'pre':
      return wrapInEntity(block, { type: 'pre', ...(block.language === undefined ? {} : { language: block.language }) });
    case 'pullquote':
      return joinLines(wrapInEntity(block, { type: 'blockquote' }), block.credit);
    case 'quote':
      return joinLines(
        wrapInEntity(flattenBlocks(block.blocks), { type: block.folded ? 'expandable_blockquote' : 'blockquote' }),
        block.credit,
      );
    case 'math':
      return wrapInEntity(unformatted(block.text), { type: 'math' });
    case 'list':
      return joinLines(
        ...block.items.map(({ label, blocks }) => concatFormattedText([unformatted(label), flattenBlocks(blocks)], ' ')),
      );
    case 'table':
      return joinLines(...block.rows.map((row) => concatFormattedText(row, ' | ')), block.caption);
    case 'details':
      return joinLines(wrapInEntity(block.summary, { type: 'bold' }), flattenBlocks(block.blocks));
    case 'media':
      return joinLines(block.caption, block.credit);
    case 'map':
      return block.caption ?? EMPTY_TEXT;
    case 'buttons':
      return concatFormattedText(block.buttons.map(buttonText), ' | ');
    case 'divider':
    case 'unknown':
      return EMPTY_TEXT;
  }
};

/** Joins the text of all blocks, for search and for clients that cannot render blocks. */
export const flattenBlocks = (blocks: readonly ContentBlock[]): FormattedText =>
  concatFormattedText(blocks.map(flattenBlock), '\n\n');
