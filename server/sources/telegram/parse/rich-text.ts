/** Rich text parser: flattens the Bot API's nested rich text to a text with entities. */
import type { RichText } from '@grammyjs/types';
import type { Words } from '../../../../contract/extra.ts';
import { mailLink } from '../../../../contract/mail-link.ts';
import type { Entity } from '../../../../contract/post.ts';
import { isRaw, type Raw, textField } from '../../../lib/unknown-fields.ts';
import { cut, inOrder, linkTo, MAX_TEXT_LENGTH, special, type Unread } from './entities.ts';

/** Maximum nesting depth, above Telegram's own limit (16). Of deeper parts only the text is used. */
export const MAX_RICH_TEXT_DEPTH = 32;

/** Remaining budget of a message. It limits the letters and parts of the whole message, however they nest. */
export interface Room {
  letters: number;
  parts: number;
  readonly unread: Unread;
}

export const makeRoom = (unread: Unread): Room => ({ letters: MAX_TEXT_LENGTH, parts: 16_384, unread });

/** Takes one part from the budget. Returns false if it is used up. */
export const takePart = (room: Room): boolean => {
  if (room.parts <= 0) room.unread.add('too many parts');
  return room.parts-- > 0;
};

const take = (room: Room, text: string): string => {
  const taken = cut(text, room.letters);
  if (taken.length < text.length) room.unread.add('too long a text');
  room.letters -= taken.length;
  return taken;
};

/** Names of fields with human-readable text. */
const WORDY = new Set([
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
 * Collects the text in a value of unknown structure, in order, one line per string. It walks with a list instead of recursion, so
 * that no nesting depth overflows the stack.
 */
export const findWords = (value: unknown, room: Room): string => {
  const found: string[] = [];
  const waiting: { name: string; value: unknown }[] = [{ name: 'text', value }];
  while (waiting.length > 0 && takePart(room)) {
    const next = waiting.pop();
    if (typeof next?.value === 'string' && WORDY.has(next.name)) found.push(take(room, next.value));
    else if (Array.isArray(next?.value)) {
      const name = next.name;
      for (const item of next.value.toReversed()) waiting.push({ name, value: item });
    } else if (isRaw(next?.value))
      for (const [name, item] of Object.entries(next.value).toReversed()) waiting.push({ name, value: item });
  }
  return found.filter((text) => text.trim() !== '').join('\n');
};

type Kind = Exclude<RichText, string | RichText[]>['type'];
type Detail = Omit<Entity, 'offset' | 'length'>;

/** Parser of a kind of rich text: its entity, if it has one, and the value with its text if that is not `text`. */
interface Piece {
  readonly entity?: (raw: Raw, text: string) => Detail | null;
  readonly words?: (raw: Raw) => unknown;
}

const only = (type: Entity['type']): Piece => ({ entity: () => ({ type }) });

const linked = (url: string | null): Detail | null => (url === null ? null : { type: 'text_link', url });

/** An entity that clients detect from the text itself. If the text differs from the value, the entity is a link to the value. */
const meant = (type: Entity['type'], field: string, link: (value: string) => string | null): Piece => ({
  entity: (raw, text) => {
    const value = textField(raw, field);
    return value === undefined || value.toLowerCase() === text.toLowerCase() ? { type } : (linked(link(value)) ?? { type });
  },
});

const noLink = () => null;

/** Returns the URL of a button; null if the button works only inside Telegram. */
export const buttonUrl = (button: unknown): string | null => {
  const url = isRaw(button) ? linkTo(button.url) : null;
  return url !== null && /^(https?|tg):/i.test(url) ? url : null;
};

/** Parser of each kind of rich text. A new kind is a type error until it is added here. */
const PIECES: Readonly<Record<Kind, Piece>> = {
  bold: only('bold'),
  italic: only('italic'),
  underline: only('underline'),
  strikethrough: only('strikethrough'),
  spoiler: only('spoiler'),
  subscript: only('subscript'),
  superscript: only('superscript'),
  marked: only('marked'),
  code: only('code'),
  date_time: { entity: special.date_time },
  text_mention: { entity: special.text_mention },
  custom_emoji: { entity: special.custom_emoji, words: (raw) => raw.alternative_text },
  mathematical_expression: { entity: () => ({ type: 'math' }), words: (raw) => raw.expression },
  url: { entity: (raw) => linked(linkTo(raw.url)) },
  email_address: meant('email', 'email_address', (value) => linkTo(mailLink(value))),
  phone_number: meant('phone_number', 'phone_number', (value) => linkTo(`tel:${value.replace(/[^\d+]/g, '')}`)),
  bank_card_number: only('bank_card'),
  mention: meant('mention', 'username', noLink),
  hashtag: meant('hashtag', 'hashtag', noLink),
  cashtag: meant('cashtag', 'cashtag', noLink),
  bot_command: meant('bot_command', 'bot_command', noLink),
  button: {
    entity: (raw) => linked(buttonUrl(raw.button)),
    words: (raw) => (isRaw(raw.button) ? raw.button.text : undefined),
  },
  anchor: { words: () => '' },
  anchor_link: {},
  reference: {},
  reference_link: {},
};

const isKnown = (type: string): type is Kind => Object.hasOwn(PIECES, type);

interface Writing {
  text: string;
  readonly entities: Entity[];
}

const writePiece = (into: Writing, raw: Raw, depth: number, room: Room): void => {
  const type = textField(raw, 'type') ?? '';
  if (!isKnown(type)) {
    room.unread.add(`text ${cut(type, 64)}`);
    const { text, ...rest } = raw;
    write(into, text, depth + 1, room);
    into.text += findWords(rest, room);
    return;
  }
  const { entity, words } = PIECES[type];
  const offset = into.text.length;
  const at = into.entities.length;
  write(into, words ? words(raw) : raw.text, depth + 1, room);
  const text = into.text.slice(offset);
  const detail = text === '' ? null : (entity?.(raw, text) ?? null);
  // An outer entity comes before those inside it, as in Telegram's own entities.
  if (detail) into.entities.splice(at, 0, { ...detail, offset, length: text.length });
};

const write = (into: Writing, value: unknown, depth: number, room: Room): void => {
  if (value === undefined || value === null || !takePart(room)) return;
  if (typeof value === 'string') into.text += take(room, value);
  else if (depth > MAX_RICH_TEXT_DEPTH) {
    room.unread.add('nested too deep');
    into.text += findWords(value, room);
  } else if (Array.isArray(value)) for (const part of value) write(into, part, depth + 1, room);
  else if (isRaw(value)) writePiece(into, value, depth, room);
  else room.unread.add(`text ${typeof value}`);
};

/** Flattens rich text to a text with entities. */
export const readRichText = (value: unknown, room: Room): Words => {
  const into: Writing = { text: '', entities: [] };
  write(into, value, 0, room);
  return { text: into.text, entities: inOrder(into.entities) };
};
