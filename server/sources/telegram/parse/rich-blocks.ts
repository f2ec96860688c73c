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

type ParseBlock = (raw: RawObject, reading: ParseContext) => readonly ContentBlock[];

const parseText = (value: unknown, { budget }: ParseContext): FormattedText => parseRichText(value, budget);

/** Returns a field with the text, or no field if the text is empty, as with an empty caption. */
const parseOptionalText = <Name extends string>(
  name: Name,
  value: unknown,
  reading: ParseContext,
): { [Key in Name]?: FormattedText } | object => {
  const words = value === undefined ? null : parseText(value, reading);
  return words === null || words.text === '' ? {} : { [name]: words };
};

const captionOf = ({ caption }: RawObject, reading: ParseContext): { caption?: FormattedText; credit?: FormattedText } =>
  isRawObject(caption)
    ? { ...parseOptionalText('caption', caption.text, reading), ...parseOptionalText('credit', caption.credit, reading) }
    : {};

const parseBlocks = (value: unknown, reading: ParseContext): ContentBlock[] => {
  if (!Array.isArray(value)) reading.budget.unparsedFields.add('blocks');
  return Array.isArray(value) ? value.flatMap((raw) => parseBlock(raw, reading)) : [];
};

const parseTextBlock =
  <Type extends 'paragraph' | 'footer' | 'thinking'>(type: Type): ParseBlock =>
  (raw, reading) => [{ type, ...parseText(raw.text, reading) }];

const parseFileBlock =
  (kind: FileKind, field: string = kind): ParseBlock =>
  (raw, reading) => {
    const index = addFile(reading.foundFiles, kind, raw[field], raw.has_spoiler === true);
    const told = captionOf(raw, reading);
    if (index !== null) return [{ type: 'media', layout: 'single', media: [index], ...told }];
    return createUnknownBlocks(kind, raw, reading);
  };

type MediaBlock = Extract<ContentBlock, { type: 'media' }>;

const captionsAsParagraphs = ({ caption, credit }: MediaBlock): ContentBlock[] =>
  [caption, credit].flatMap((words) => (words ? [{ type: 'paragraph' as const, ...words }] : []));

/** Combines several files into one block. The files' own captions, and blocks that are not files, follow below it. */
const parseGroupBlock =
  (layout: 'collage' | 'slideshow'): ParseBlock =>
  (raw, reading) => {
    const inside = parseBlocks(raw.blocks, reading);
    const shown = inside.filter((block) => block.type === 'media');
    const others = inside.flatMap((block) => (block.type === 'media' ? captionsAsParagraphs(block) : [block]));
    const media = shown.flatMap((block) => block.media);
    return [{ type: 'media', layout, media, ...captionOf(raw, reading) }, ...others];
  };

const parseListItem = (raw: unknown, reading: ParseContext): ListItem[] => {
  if (!isRawObject(raw)) return [];
  const checked = raw.has_checkbox === true ? { checked: raw.is_checked === true } : {};
  return [{ label: truncateText(textField(raw, 'label') ?? '', 64), ...checked, blocks: parseBlocks(raw.blocks, reading) }];
};

const ALIGNS: ReadonlySet<unknown> = new Set(['left', 'center', 'right'] satisfies RichTableCell['align'][]);
const isAlign = (value: unknown): value is NonNullable<RichTableCell['align']> => ALIGNS.has(value);

const span = (raw: RawObject, name: 'colspan' | 'rowspan') => {
  const count = countField(raw, name) ?? 1;
  return count > 1 && count <= 100 ? { [name]: count } : {};
};

const parseCell = (raw: unknown, reading: ParseContext): RichTableCell[] => {
  if (!isRawObject(raw) || !spendPart(reading.budget)) return [];
  const align = isAlign(raw.align) ? { align: raw.align } : {};
  const header = raw.is_header === true ? { header: true } : {};
  return [{ ...parseText(raw.text, reading), ...header, ...span(raw, 'colspan'), ...span(raw, 'rowspan'), ...align }];
};

const parseButton = (raw: unknown, reading: ParseContext): { text: string; url?: string }[] => {
  if (!isRawObject(raw)) return [];
  const url = buttonUrl(raw);
  return [{ text: parseText(raw.text, reading).text, ...(url === null ? {} : { url }) }];
};

const headingSizeOf = (raw: RawObject): number => Math.min(Math.max(countField(raw, 'size') ?? 2, 1), 6);

const languageFieldOf = (raw: RawObject) => {
  const name = textField(raw, 'language');
  return name ? { language: truncateText(name, 64) } : {};
};

/** Parser of each kind of block. A new kind is a type error until it is added here. */
const BLOCK_PARSERS: Readonly<Record<BlockKind, ParseBlock>> = {
  paragraph: parseTextBlock('paragraph'),
  footer: parseTextBlock('footer'),
  thinking: parseTextBlock('thinking'),
  heading: (raw, reading) => [{ type: 'heading', size: headingSizeOf(raw), ...parseText(raw.text, reading) }],
  pre: (raw, reading) => [{ type: 'pre', ...languageFieldOf(raw), ...parseText(raw.text, reading) }],
  divider: () => [{ type: 'divider' }],
  mathematical_expression: (raw, reading) => [{ type: 'math', text: parseText(raw.expression, reading).text }],
  anchor: () => [],
  list: (raw, reading) => [{ type: 'list', items: listField(raw, 'items').flatMap((item) => parseListItem(item, reading)) }],
  blockquote: (raw, reading) => [
    { type: 'quote', blocks: parseBlocks(raw.blocks, reading), ...parseOptionalText('credit', raw.credit, reading) },
  ],
  expandable_blockquote: (raw, reading) => [
    {
      type: 'quote',
      blocks: [{ type: 'paragraph', ...parseText(raw.text, reading) }],
      ...parseOptionalText('credit', raw.credit, reading),
      folded: true,
    },
  ],
  pullquote: (raw, reading) => [
    { type: 'pullquote', ...parseText(raw.text, reading), ...parseOptionalText('credit', raw.credit, reading) },
  ],
  collage: parseGroupBlock('collage'),
  slideshow: parseGroupBlock('slideshow'),
  table: (raw, reading) => [
    {
      type: 'table',
      rows: listField(raw, 'cells').map((row) => (Array.isArray(row) ? row.flatMap((cell) => parseCell(cell, reading)) : [])),
      ...parseOptionalText('caption', raw.caption, reading),
    },
  ],
  details: (raw, reading) => [
    {
      type: 'details',
      summary: parseText(raw.summary, reading),
      blocks: parseBlocks(raw.blocks, reading),
      ...(raw.is_open === true ? { open: true } : {}),
    },
  ],
  map: (raw, reading) => {
    const place = parseLocation(raw.location);
    if (!place) return createUnknownBlocks('map', raw, reading);
    const { caption, credit } = captionOf(raw, reading);
    return [
      { type: 'map', place, ...(caption ? { caption } : {}) },
      ...(credit ? [{ type: 'paragraph' as const, ...credit }] : []),
    ];
  },
  animation: parseFileBlock('animation'),
  audio: parseFileBlock('audio'),
  document: parseFileBlock('document'),
  photo: parseFileBlock('photo'),
  video: parseFileBlock('video'),
  voice_note: parseFileBlock('voice', 'voice_note'),
  buttons: (raw, reading) => [
    { type: 'buttons', buttons: listField(raw, 'buttons').flatMap((button) => parseButton(button, reading)) },
  ],
};

const isKnown = (type: string): type is BlockKind => Object.hasOwn(BLOCK_PARSERS, type);

/** Creates an `unknown` block, followed by the text that the unparsed block contained. */
const createUnknownBlocks = (name: string, raw: unknown, { budget }: ParseContext): readonly ContentBlock[] => {
  budget.unparsedFields.add(`block ${name}`);
  const { text, ...rest } = isRawObject(raw) ? raw : { text: raw };
  const said = concatFormattedText([parseRichText(text, budget), { text: extractText(rest, budget), entities: [] }], '\n');
  return [{ type: 'unknown', name }, ...(said.text === '' ? [] : [{ type: 'paragraph' as const, ...said }])];
};

const parseBlock = (raw: unknown, reading: ParseContext): readonly ContentBlock[] => {
  if (!spendPart(reading.budget)) return [];
  const name = isRawObject(raw) ? truncateText(textField(raw, 'type') ?? '', 64) : '';
  if (!isRawObject(raw) || !isKnown(name) || reading.depth > MAX_RICH_TEXT_DEPTH)
    return createUnknownBlocks(name || 'block', raw, reading);
  return BLOCK_PARSERS[name](raw, { ...reading, depth: reading.depth + 1 });
};

/** Parses a rich message and adds its files to the message's finds. Returns null if the value is not a rich message. */
export const parseRichBlocks = (value: unknown, finds: FoundFiles): Extract<PostExtra, { type: 'rich' }> | null => {
  if (!isRawObject(value) || !Array.isArray(value.blocks)) return null;
  const blocks = parseBlocks(value.blocks, { foundFiles: finds, budget: createTextBudget(finds.unparsedFields), depth: 0 });
  return { type: 'rich', blocks, ...(value.is_rtl === true ? { rtl: true } : {}) };
};

const EMPTY_TEXT: FormattedText = { text: '', entities: [] };

const unformatted = (text: string): FormattedText => ({ text, entities: [] });

const wrapInEntity = (words: FormattedText, detail: Pick<Entity, 'type' | 'language' | 'url'>): FormattedText =>
  words.text === ''
    ? words
    : { text: words.text, entities: sortEntities([{ ...detail, offset: 0, length: words.text.length }, ...words.entities]) };

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
