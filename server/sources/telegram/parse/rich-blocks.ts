/** Rich message parser: blocks of the Bot API's rich messages, and their conversion to plain text. */
import type { RichBlock } from '@grammyjs/types';
import type { Block, Cell, Extra, ListItem, Words } from '../../../../contract/extra.ts';
import type { Entity } from '../../../../contract/post.ts';
import { joinWords } from '../../../domain/formatted-text.ts';
import { countField, isRaw, listField, type Raw, textField } from '../../../lib/unknown-fields.ts';
import { cut, inOrder } from './entities.ts';
import { readPlace } from './extras.ts';
import { type FileKind, type Finds, findFile } from './files.ts';
import { buttonUrl, findWords, MAX_RICH_TEXT_DEPTH, makeRoom, type Room, readRichText, takePart } from './rich-text.ts';

type Kind = RichBlock['type'];

/** State of parsing a block: the message's files, the remaining budget, and the nesting depth. */
interface Reading {
  readonly finds: Finds;
  readonly room: Room;
  readonly depth: number;
}

type ReadBlock = (raw: Raw, reading: Reading) => readonly Block[];

const wordsOf = (value: unknown, { room }: Reading): Words => readRichText(value, room);

/** Returns a field with the text, or no field if the text is empty, as with an empty caption. */
const saying = <Name extends string>(name: Name, value: unknown, reading: Reading): { [Key in Name]?: Words } | object => {
  const words = value === undefined ? null : wordsOf(value, reading);
  return words === null || words.text === '' ? {} : { [name]: words };
};

const captionOf = ({ caption }: Raw, reading: Reading): { caption?: Words; credit?: Words } =>
  isRaw(caption) ? { ...saying('caption', caption.text, reading), ...saying('credit', caption.credit, reading) } : {};

const blocksOf = (value: unknown, reading: Reading): Block[] => {
  if (!Array.isArray(value)) reading.room.unread.add('blocks');
  return Array.isArray(value) ? value.flatMap((raw) => readBlock(raw, reading)) : [];
};

const wordy =
  <Type extends 'paragraph' | 'footer' | 'thinking'>(type: Type): ReadBlock =>
  (raw, reading) => [{ type, ...wordsOf(raw.text, reading) }];

const one =
  (kind: FileKind, field: string = kind): ReadBlock =>
  (raw, reading) => {
    const index = findFile(reading.finds, kind, raw[field], raw.has_spoiler === true);
    const told = captionOf(raw, reading);
    if (index !== null) return [{ type: 'media', layout: 'single', media: [index], ...told }];
    return unknown(kind, raw, reading);
  };

type Shown = Extract<Block, { type: 'media' }>;

const loose = ({ caption, credit }: Shown): Block[] =>
  [caption, credit].flatMap((words) => (words ? [{ type: 'paragraph' as const, ...words }] : []));

/** Combines several files into one block. The files' own captions, and blocks that are not files, follow below it. */
const several =
  (layout: 'collage' | 'slideshow'): ReadBlock =>
  (raw, reading) => {
    const inside = blocksOf(raw.blocks, reading);
    const shown = inside.filter((block) => block.type === 'media');
    const others = inside.flatMap((block) => (block.type === 'media' ? loose(block) : [block]));
    const media = shown.flatMap((block) => block.media);
    return [{ type: 'media', layout, media, ...captionOf(raw, reading) }, ...others];
  };

const readItem = (raw: unknown, reading: Reading): ListItem[] => {
  if (!isRaw(raw)) return [];
  const checked = raw.has_checkbox === true ? { checked: raw.is_checked === true } : {};
  return [{ label: cut(textField(raw, 'label') ?? '', 64), ...checked, blocks: blocksOf(raw.blocks, reading) }];
};

const ALIGNS: ReadonlySet<unknown> = new Set(['left', 'center', 'right'] satisfies Cell['align'][]);
const isAlign = (value: unknown): value is NonNullable<Cell['align']> => ALIGNS.has(value);

const span = (raw: Raw, name: 'colspan' | 'rowspan') => {
  const count = countField(raw, name) ?? 1;
  return count > 1 && count <= 100 ? { [name]: count } : {};
};

const readCell = (raw: unknown, reading: Reading): Cell[] => {
  if (!isRaw(raw) || !takePart(reading.room)) return [];
  const align = isAlign(raw.align) ? { align: raw.align } : {};
  const header = raw.is_header === true ? { header: true } : {};
  return [{ ...wordsOf(raw.text, reading), ...header, ...span(raw, 'colspan'), ...span(raw, 'rowspan'), ...align }];
};

const readButton = (raw: unknown, reading: Reading): { text: string; url?: string }[] => {
  if (!isRaw(raw)) return [];
  const url = buttonUrl(raw);
  return [{ text: wordsOf(raw.text, reading).text, ...(url === null ? {} : { url }) }];
};

const sizeOf = (raw: Raw): number => Math.min(Math.max(countField(raw, 'size') ?? 2, 1), 6);

const language = (raw: Raw) => {
  const name = textField(raw, 'language');
  return name ? { language: cut(name, 64) } : {};
};

/** Parser of each kind of block. A new kind is a type error until it is added here. */
const BLOCKS: Readonly<Record<Kind, ReadBlock>> = {
  paragraph: wordy('paragraph'),
  footer: wordy('footer'),
  thinking: wordy('thinking'),
  heading: (raw, reading) => [{ type: 'heading', size: sizeOf(raw), ...wordsOf(raw.text, reading) }],
  pre: (raw, reading) => [{ type: 'pre', ...language(raw), ...wordsOf(raw.text, reading) }],
  divider: () => [{ type: 'divider' }],
  mathematical_expression: (raw, reading) => [{ type: 'math', text: wordsOf(raw.expression, reading).text }],
  anchor: () => [],
  list: (raw, reading) => [{ type: 'list', items: listField(raw, 'items').flatMap((item) => readItem(item, reading)) }],
  blockquote: (raw, reading) => [
    { type: 'quote', blocks: blocksOf(raw.blocks, reading), ...saying('credit', raw.credit, reading) },
  ],
  expandable_blockquote: (raw, reading) => [
    {
      type: 'quote',
      blocks: [{ type: 'paragraph', ...wordsOf(raw.text, reading) }],
      ...saying('credit', raw.credit, reading),
      folded: true,
    },
  ],
  pullquote: (raw, reading) => [{ type: 'pullquote', ...wordsOf(raw.text, reading), ...saying('credit', raw.credit, reading) }],
  collage: several('collage'),
  slideshow: several('slideshow'),
  table: (raw, reading) => [
    {
      type: 'table',
      rows: listField(raw, 'cells').map((row) => (Array.isArray(row) ? row.flatMap((cell) => readCell(cell, reading)) : [])),
      ...saying('caption', raw.caption, reading),
    },
  ],
  details: (raw, reading) => [
    {
      type: 'details',
      summary: wordsOf(raw.summary, reading),
      blocks: blocksOf(raw.blocks, reading),
      ...(raw.is_open === true ? { open: true } : {}),
    },
  ],
  map: (raw, reading) => {
    const place = readPlace(raw.location);
    if (!place) return unknown('map', raw, reading);
    const { caption, credit } = captionOf(raw, reading);
    return [
      { type: 'map', place, ...(caption ? { caption } : {}) },
      ...(credit ? [{ type: 'paragraph' as const, ...credit }] : []),
    ];
  },
  animation: one('animation'),
  audio: one('audio'),
  document: one('document'),
  photo: one('photo'),
  video: one('video'),
  voice_note: one('voice', 'voice_note'),
  buttons: (raw, reading) => [
    { type: 'buttons', buttons: listField(raw, 'buttons').flatMap((button) => readButton(button, reading)) },
  ],
};

const isKnown = (type: string): type is Kind => Object.hasOwn(BLOCKS, type);

/** Creates an `unknown` block, followed by the text that the unparsed block contained. */
const unknown = (name: string, raw: unknown, { room }: Reading): readonly Block[] => {
  room.unread.add(`block ${name}`);
  const { text, ...rest } = isRaw(raw) ? raw : { text: raw };
  const said = joinWords([readRichText(text, room), { text: findWords(rest, room), entities: [] }], '\n');
  return [{ type: 'unknown', name }, ...(said.text === '' ? [] : [{ type: 'paragraph' as const, ...said }])];
};

const readBlock = (raw: unknown, reading: Reading): readonly Block[] => {
  if (!takePart(reading.room)) return [];
  const name = isRaw(raw) ? cut(textField(raw, 'type') ?? '', 64) : '';
  if (!isRaw(raw) || !isKnown(name) || reading.depth > MAX_RICH_TEXT_DEPTH) return unknown(name || 'block', raw, reading);
  return BLOCKS[name](raw, { ...reading, depth: reading.depth + 1 });
};

/** Parses a rich message and adds its files to the message's finds. Returns null if the value is not a rich message. */
export const readRich = (value: unknown, finds: Finds): Extract<Extra, { type: 'rich' }> | null => {
  if (!isRaw(value) || !Array.isArray(value.blocks)) return null;
  const blocks = blocksOf(value.blocks, { finds, room: makeRoom(finds.unread), depth: 0 });
  return { type: 'rich', blocks, ...(value.is_rtl === true ? { rtl: true } : {}) };
};

const NOTHING: Words = { text: '', entities: [] };

const just = (text: string): Words => ({ text, entities: [] });

const around = (words: Words, detail: Pick<Entity, 'type' | 'language' | 'url'>): Words =>
  words.text === ''
    ? words
    : { text: words.text, entities: inOrder([{ ...detail, offset: 0, length: words.text.length }, ...words.entities]) };

const lines = (...parts: readonly (Words | undefined)[]): Words =>
  joinWords(
    parts.filter((part) => part !== undefined),
    '\n',
  );

const button = ({ text, url }: { text: string; url?: string }): Words =>
  url === undefined ? just(text) : around(just(text), { type: 'text_link', url });

const flatten = (block: Block): Words => {
  switch (block.type) {
    case 'paragraph':
    case 'footer':
    case 'thinking':
      return block;
    case 'heading':
      return around(block, { type: 'bold' });
    case 'pre':
      return around(block, { type: 'pre', ...(block.language === undefined ? {} : { language: block.language }) });
    case 'pullquote':
      return lines(around(block, { type: 'blockquote' }), block.credit);
    case 'quote':
      return lines(
        around(flatWords(block.blocks), { type: block.folded ? 'expandable_blockquote' : 'blockquote' }),
        block.credit,
      );
    case 'math':
      return around(just(block.text), { type: 'math' });
    case 'list':
      return lines(...block.items.map(({ label, blocks }) => joinWords([just(label), flatWords(blocks)], ' ')));
    case 'table':
      return lines(...block.rows.map((row) => joinWords(row, ' | ')), block.caption);
    case 'details':
      return lines(around(block.summary, { type: 'bold' }), flatWords(block.blocks));
    case 'media':
      return lines(block.caption, block.credit);
    case 'map':
      return block.caption ?? NOTHING;
    case 'buttons':
      return joinWords(block.buttons.map(button), ' | ');
    case 'divider':
    case 'unknown':
      return NOTHING;
  }
};

/** Joins the text of all blocks, for search and for clients that cannot render blocks. */
export const flatWords = (blocks: readonly Block[]): Words => joinWords(blocks.map(flatten), '\n\n');
