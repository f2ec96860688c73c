/** Rich text parser: flattens the Bot API's nested rich text to a text with entities. */
import type { RichText } from '@grammyjs/types';
import type { FormattedText } from '../../../../contract/extra.ts';
import { mailLink } from '../../../../contract/mail-link.ts';
import type { Entity } from '../../../../contract/post.ts';
import { isRawObject, type RawObject, textField } from '../../../lib/unknown-fields.ts';
import { MAX_TEXT_LENGTH, parseLink, SPECIAL_DETAILS, sortEntities, truncateText, type UnparsedFields } from './entities.ts';

/** Maximum nesting depth, above Telegram's own limit (16). Of deeper parts only the text is used. */
export const MAX_RICH_TEXT_DEPTH = 32;

/** Remaining budget of a message. It limits the characters and the parts of the complete message, however they nest. */
export interface TextBudget {
  characters: number;
  parts: number;
  readonly unparsedFields: UnparsedFields;
}

const MAX_PARTS = 16_384;
const MAX_TYPE_LENGTH = 64;

/** Creates the budget of one message. */
export const createTextBudget = (unparsedFields: UnparsedFields): TextBudget => ({
  characters: MAX_TEXT_LENGTH,
  parts: MAX_PARTS,
  unparsedFields,
});

/** Takes one part from the budget. Returns false if it is used up. */
export const spendPart = (budget: TextBudget): boolean => {
  if (budget.parts <= 0) budget.unparsedFields.add('too many parts');
  return budget.parts-- > 0;
};

/** Returns the text, cut to the remaining budget. */
const spendText = (budget: TextBudget, text: string): string => {
  const truncated = truncateText(text, budget.characters);
  if (truncated.length < text.length) budget.unparsedFields.add('too long a text');
  budget.characters -= truncated.length;
  return truncated;
};

/** Names of fields with human-readable text. */
const TEXT_FIELD_NAMES = new Set([
  'text',
  'caption',
  'credit',
  'title',
  'summary',
  'label',
  'description',
  'alternative_text',
  'expression',
]);

/**
 * Collects the text in a value of unknown structure, in order, one line per string. It walks with a list instead of
 * recursion, so that no nesting depth overflows the stack.
 */
export const extractText = (value: unknown, budget: TextBudget): string => {
  const texts: string[] = [];
  const pending: { name: string; value: unknown }[] = [{ name: 'text', value }];
  while (pending.length > 0 && spendPart(budget)) {
    const next = pending.pop();
    if (typeof next?.value === 'string' && TEXT_FIELD_NAMES.has(next.name)) texts.push(spendText(budget, next.value));
    else if (Array.isArray(next?.value)) {
      const name = next.name;
      for (const item of next.value.toReversed()) pending.push({ name, value: item });
    } else if (isRawObject(next?.value))
      for (const [name, item] of Object.entries(next.value).toReversed()) pending.push({ name, value: item });
  }
  return texts.filter((text) => text.trim() !== '').join('\n');
};

type RichTextKind = Exclude<RichText, string | RichText[]>['type'];
type EntityDetail = Omit<Entity, 'offset' | 'length'>;

/** Parser of a kind of rich text: its entity, if it has one, and the value with its text if that is not `text`. */
interface PieceParser {
  readonly entity?: (raw: RawObject, text: string) => EntityDetail | null;
  readonly textSource?: (raw: RawObject) => unknown;
}

const plainPiece = (type: Entity['type']): PieceParser => ({ entity: () => ({ type }) });

const linkDetail = (url: string | null): EntityDetail | null => (url === null ? null : { type: 'text_link', url });

/**
 * An entity that clients detect from the text itself. If the text differs from the value, the entity is a link to the
 * value.
 */
const linkedPiece = (type: Entity['type'], field: string, link: (value: string) => string | null): PieceParser => ({
  entity: (raw, text) => {
    const value = textField(raw, field);
    return value === undefined || value.toLowerCase() === text.toLowerCase() ? { type } : (linkDetail(link(value)) ?? { type });
  },
});

const noLink = () => null;

/** Returns the URL of a button; null if the button works only inside Telegram. */
export const buttonUrl = (button: unknown): string | null => {
  const url = isRawObject(button) ? parseLink(button.url) : null;
  return url !== null && /^(https?|tg):/i.test(url) ? url : null;
};

/** Parser of each kind of rich text. A new kind is a type error until it is added here. */
const PIECE_PARSERS: Readonly<Record<RichTextKind, PieceParser>> = {
  bold: plainPiece('bold'),
  italic: plainPiece('italic'),
  underline: plainPiece('underline'),
  strikethrough: plainPiece('strikethrough'),
  spoiler: plainPiece('spoiler'),
  subscript: plainPiece('subscript'),
  superscript: plainPiece('superscript'),
  marked: plainPiece('marked'),
  code: plainPiece('code'),
  date_time: { entity: SPECIAL_DETAILS.date_time },
  text_mention: { entity: SPECIAL_DETAILS.text_mention },
  custom_emoji: { entity: SPECIAL_DETAILS.custom_emoji, textSource: (raw) => raw.alternative_text },
  mathematical_expression: { entity: () => ({ type: 'math' }), textSource: (raw) => raw.expression },
  url: { entity: (raw) => linkDetail(parseLink(raw.url)) },
  email_address: linkedPiece('email', 'email_address', (value) => parseLink(mailLink(value))),
  phone_number: linkedPiece('phone_number', 'phone_number', (value) => parseLink(`tel:${value.replace(/[^\d+]/g, '')}`)),
  bank_card_number: plainPiece('bank_card'),
  mention: linkedPiece('mention', 'username', noLink),
  hashtag: linkedPiece('hashtag', 'hashtag', noLink),
  cashtag: linkedPiece('cashtag', 'cashtag', noLink),
  bot_command: linkedPiece('bot_command', 'bot_command', noLink),
  button: {
    entity: (raw) => linkDetail(buttonUrl(raw.button)),
    textSource: (raw) => (isRawObject(raw.button) ? raw.button.text : undefined),
  },
  anchor: { textSource: () => '' },
  anchor_link: {},
  reference: {},
  reference_link: {},
};

const isKnown = (type: string): type is RichTextKind => Object.hasOwn(PIECE_PARSERS, type);

interface TextOutput {
  text: string;
  readonly entities: Entity[];
}

const writePiece = (output: TextOutput, raw: RawObject, depth: number, budget: TextBudget): void => {
  const type = textField(raw, 'type') ?? '';
  if (!isKnown(type)) {
    budget.unparsedFields.add(`text ${truncateText(type, MAX_TYPE_LENGTH)}`);
    const { text, ...rest } = raw;
    writeRichText(output, text, depth + 1, budget);
    output.text += extractText(rest, budget);
    return;
  }
  const { entity, textSource } = PIECE_PARSERS[type];
  const offset = output.text.length;
  const entityIndex = output.entities.length;
  writeRichText(output, textSource ? textSource(raw) : raw.text, depth + 1, budget);
  const text = output.text.slice(offset);
  const detail = text === '' ? null : (entity?.(raw, text) ?? null);
  // An outer entity comes before those inside it, as in Telegram's own entities.
  if (detail) output.entities.splice(entityIndex, 0, { ...detail, offset, length: text.length });
};

const writeRichText = (output: TextOutput, value: unknown, depth: number, budget: TextBudget): void => {
  if (value === undefined || value === null || !spendPart(budget)) return;
  if (typeof value === 'string') output.text += spendText(budget, value);
  else if (depth > MAX_RICH_TEXT_DEPTH) {
    budget.unparsedFields.add('nested too deep');
    output.text += extractText(value, budget);
  } else if (Array.isArray(value)) for (const part of value) writeRichText(output, part, depth + 1, budget);
  else if (isRawObject(value)) writePiece(output, value, depth, budget);
  else budget.unparsedFields.add(`text ${typeof value}`);
};

/** Flattens rich text to a text with entities. */
export const parseRichText = (value: unknown, budget: TextBudget): FormattedText => {
  const output: TextOutput = { text: '', entities: [] };
  writeRichText(output, value, 0, budget);
  return { text: output.text, entities: sortEntities(output.entities) };
};
