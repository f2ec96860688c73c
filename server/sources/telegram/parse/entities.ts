/** Message entities parser: text and its entities from the Bot API. */
import type { MessageEntity } from '@grammyjs/types';
import type { Words } from '../../../../contract/extra.ts';
import type { Entity } from '../../../../contract/post.ts';
import { safeUrl } from '../../../lib/safe-url.ts';
import { digits, isRaw, listField, type Raw, secondsField, textField } from '../../../lib/unknown-fields.ts';

/** Upper limits of a message, far above Telegram's own. Longer text is cut, and the raw message is stored. */
export const MAX_TEXT_LENGTH = 131_072;
const MAX_ENTITIES = 4096;

/** Collects the names of fields that could not be parsed or shown. If there are any, the raw message is stored. */
export type Unread = Set<string>;

/** Cuts a text without splitting a surrogate pair. */
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

/** Parses a URL whose scheme may be missing, as in `t.me/name`. */
export const linkTo = (url: unknown): string | null => {
  if (typeof url !== 'string' || url.length > 8192) return null;
  return safeUrl(/^\s*[a-z][a-z\d+.-]*:/i.test(url) ? url : `https://${url.trim()}`);
};

const withUser = (type: Entity['type'], user: unknown): Detail => {
  const userId = isRaw(user) ? digits(user.id) : undefined;
  return { type, ...(userId === undefined ? {} : { userId }) };
};

/** Parsers of the entities for a mention of a person, a custom emoji and a date; rich text uses them too. */
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

/** Parser of each entity type of the Bot API. A new type is a type error until it is added here. */
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

/** Returns whether a text may be cut here, which is not inside a surrogate pair. */
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

/** Sorts entities as nesting requires: from left to right, outer ones first. */
export const inOrder = (entities: readonly Entity[]): Entity[] =>
  entities.toSorted((one, other) => one.offset - other.offset || other.length - one.length);

/** Parses a text and its entities from the fields with these names. An invalid entity is omitted; its text stays. */
export const readWords = (raw: Raw, name: string, entitiesName: string, unread: Unread): Words => {
  const told = textField(raw, name) ?? '';
  if (raw[name] !== undefined && typeof raw[name] !== 'string') unread.add(name);
  if (raw[entitiesName] !== undefined && !Array.isArray(raw[entitiesName])) unread.add(entitiesName);
  const text = cut(told, MAX_TEXT_LENGTH);
  const list = listField(raw, entitiesName);
  const read = list.slice(0, MAX_ENTITIES).map((entity) => readEntity(entity, text));
  const entities = inOrder(read.filter((entity) => entity !== null));
  if (text.length < told.length || entities.length < list.length) unread.add(entitiesName);
  return { text, entities };
};
