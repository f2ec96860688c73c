import type { MessageEntity } from '@grammyjs/types';
import type { Words } from '../../../../contract/extra.ts';
import type { Entity } from '../../../../contract/post.ts';
import { safeUrl } from '../../../lib/safe-url.ts';
import { digits, isRaw, listField, type Raw, secondsField, textField } from '../../../lib/unknown-fields.ts';

/** What a message may hold at most, far above Telegram's own limits: what is longer is cut, and kept raw. */
export const MOST_LETTERS = 131_072;
const MOST_ENTITIES = 4096;

/** Collects the names of what could not be read or shown, so that the message is kept as it came. */
export type Unread = Set<string>;

/** Cuts a text without leaving half of a character behind. */
export const cut = (text: string, most: number): string => {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? most - 1 : most);
};

type Detail = Pick<Entity, 'type' | 'url' | 'language' | 'userId' | 'emojiId' | 'time'>;
type Detailed = (raw: Raw) => Detail | null;

const plain =
  (type: Entity['type']): Detailed =>
  () => ({ type });

/** Reads an address that may lack its scheme, as `t.me/name`. */
export const linkTo = (url: unknown): string | null => {
  if (typeof url !== 'string' || url.length > 8192) return null;
  return safeUrl(/^\s*[a-z][a-z\d+.-]*:/i.test(url) ? url : `https://${url.trim()}`);
};

const withUser = (type: Entity['type'], user: unknown): Detail => {
  const userId = isRaw(user) ? digits(user.id) : undefined;
  return { type, ...(userId === undefined ? {} : { userId }) };
};

/** Says which entity a mention of a person, a custom emoji or a date is; also as rich text has them. */
export const special = {
  text_mention: (raw: Raw): Detail => withUser('text_mention', raw.user),
  custom_emoji: (raw: Raw): Detail => {
    const emojiId = digits(raw.custom_emoji_id);
    return { type: 'custom_emoji', ...(emojiId === undefined ? {} : { emojiId }) };
  },
  date_time: (raw: Raw): Detail => {
    const time = secondsField(raw, 'unix_time');
    return { type: 'date_time', ...(time === undefined ? {} : { time }) };
  },
} satisfies Record<string, Detailed>;

/** Every type that the Bot API has; a new one does not type-check until it is here. */
const DETAILS: Readonly<Record<MessageEntity['type'], Detailed>> = {
  mention: plain('mention'),
  hashtag: plain('hashtag'),
  cashtag: plain('cashtag'),
  bot_command: plain('bot_command'),
  url: plain('url'),
  email: plain('email'),
  phone_number: plain('phone_number'),
  bold: plain('bold'),
  italic: plain('italic'),
  underline: plain('underline'),
  strikethrough: plain('strikethrough'),
  spoiler: plain('spoiler'),
  blockquote: plain('blockquote'),
  expandable_blockquote: plain('expandable_blockquote'),
  code: plain('code'),
  pre: (raw) => {
    const language = textField(raw, 'language');
    return { type: 'pre', ...(language ? { language: cut(language, 64) } : {}) };
  },
  text_link: (raw) => {
    const url = linkTo(raw.url);
    return url === null ? null : { type: 'text_link', url };
  },
  ...special,
};

const isKnown = (type: string): type is keyof typeof DETAILS => Object.hasOwn(DETAILS, type);

/** Whether a text may be cut here: not within a character of two units. */
const isEdge = (text: string, at: number): boolean => {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return !(before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000);
};

const readEntity = (raw: unknown, text: string): Entity | null => {
  if (!isRaw(raw)) return null;
  const [{ offset, length }, type] = [raw, textField(raw, 'type') ?? ''];
  if (typeof offset !== 'number' || typeof length !== 'number' || !isKnown(type)) return null;
  if (!Number.isSafeInteger(offset) || !Number.isSafeInteger(length) || offset < 0 || length < 1) return null;
  if (offset + length > text.length || !isEdge(text, offset) || !isEdge(text, offset + length)) return null;
  const detail = DETAILS[type](raw);
  return detail && { ...detail, offset, length };
};

/** Orders entities as nesting needs it: from left to right, the outer first. */
export const inOrder = (entities: readonly Entity[]): Entity[] =>
  entities.toSorted((one, other) => one.offset - other.offset || other.length - one.length);

/** Reads a text and its entities from the fields of these names. A bad entity is left out, and its words stay. */
export const readWords = (raw: Raw, name: string, entitiesName: string, unread: Unread): Words => {
  const told = textField(raw, name) ?? '';
  if (raw[name] !== undefined && typeof raw[name] !== 'string') unread.add(name);
  if (raw[entitiesName] !== undefined && !Array.isArray(raw[entitiesName])) unread.add(entitiesName);
  const text = cut(told, MOST_LETTERS);
  const list = listField(raw, entitiesName);
  const read = list.slice(0, MOST_ENTITIES).map((entity) => readEntity(entity, text));
  const entities = inOrder(read.filter((entity) => entity !== null));
  if (text.length < told.length || entities.length < list.length) unread.add(entitiesName);
  return { text, entities };
};
