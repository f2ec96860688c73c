/** Message entities parser: text and its entities from the Bot API. */
import type { MessageEntity } from '@grammyjs/types';
import type { FormattedText } from '../../../../contract/extra.ts';
import type { Entity } from '../../../../contract/post.ts';
import { safePostUrl } from '../../../lib/safe-url.ts';
import { isRawObject, listField, parseDigits, type RawObject, secondsField, textField } from '../../../lib/unknown-fields.ts';

/** Upper limits of a message, far above Telegram's own. Longer text is cut, and the raw message is stored. */
export const MAX_TEXT_LENGTH = 131_072;
const MAX_ENTITIES = 4096;
const MAX_URL_LENGTH = 8192;
const MAX_LANGUAGE_LENGTH = 64;

/** Collects the names of fields that could not be parsed or shown. If there are any, the raw message is stored. */
export type UnparsedFields = Set<string>;

const isHighSurrogate = (codeUnit: number): boolean => codeUnit >= 0xd800 && codeUnit < 0xdc00;

/** Cuts a text to a length in UTF-16 units, without splitting a surrogate pair. */
export const truncateText = (text: string, maxLength: number): string => {
  if (text.length <= maxLength) return text;
  const splitsPair = isHighSurrogate(text.charCodeAt(maxLength - 1));
  return text.slice(0, splitsPair ? maxLength - 1 : maxLength);
};

type EntityDetail = Pick<Entity, 'type' | 'url' | 'language' | 'userId' | 'emojiId' | 'time'>;
type ParseDetail = (raw: RawObject) => EntityDetail | null;

const plainDetail =
  (type: Entity['type']): ParseDetail =>
  () => ({ type });

/** Parses a URL whose scheme may be missing, as in `t.me/name`. */
export const parseLink = (url: unknown): string | null => {
  if (typeof url !== 'string' || url.length > MAX_URL_LENGTH) return null;
  return safePostUrl(/^\s*[a-z][a-z\d+.-]*:/i.test(url) ? url : `https://${url.trim()}`);
};

const withUser = (type: Entity['type'], user: unknown): EntityDetail => {
  const userId = isRawObject(user) ? parseDigits(user.id) : undefined;
  return { type, ...(userId === undefined ? {} : { userId }) };
};

/** Parsers of the entities for a mention of a person, a custom emoji and a date; rich text uses them too. */
export const SPECIAL_DETAILS = {
  text_mention: (raw: RawObject): EntityDetail => withUser('text_mention', raw.user),
  custom_emoji: (raw: RawObject): EntityDetail => {
    const emojiId = parseDigits(raw.custom_emoji_id);
    return { type: 'custom_emoji', ...(emojiId === undefined ? {} : { emojiId }) };
  },
  date_time: (raw: RawObject): EntityDetail => {
    const time = secondsField(raw, 'unix_time');
    return { type: 'date_time', ...(time === undefined ? {} : { time }) };
  },
} satisfies Record<string, ParseDetail>;

/** Parser of each entity type of the Bot API. A new type is a type error until it is added here. */
const DETAIL_PARSERS: Readonly<Record<MessageEntity['type'], ParseDetail>> = {
  mention: plainDetail('mention'),
  hashtag: plainDetail('hashtag'),
  cashtag: plainDetail('cashtag'),
  bot_command: plainDetail('bot_command'),
  url: plainDetail('url'),
  email: plainDetail('email'),
  phone_number: plainDetail('phone_number'),
  bold: plainDetail('bold'),
  italic: plainDetail('italic'),
  underline: plainDetail('underline'),
  strikethrough: plainDetail('strikethrough'),
  spoiler: plainDetail('spoiler'),
  blockquote: plainDetail('blockquote'),
  expandable_blockquote: plainDetail('expandable_blockquote'),
  code: plainDetail('code'),
  pre: (raw) => {
    const language = textField(raw, 'language');
    return { type: 'pre', ...(language ? { language: truncateText(language, MAX_LANGUAGE_LENGTH) } : {}) };
  },
  text_link: (raw) => {
    const url = parseLink(raw.url);
    return url === null ? null : { type: 'text_link', url };
  },
  ...SPECIAL_DETAILS,
};

const isKnown = (type: string): type is keyof typeof DETAIL_PARSERS => Object.hasOwn(DETAIL_PARSERS, type);

/** Returns whether a text may be cut at an offset, which is not allowed inside a surrogate pair. */
const isCharacterBoundary = (text: string, at: number): boolean => {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return !(isHighSurrogate(before) && after >= 0xdc00 && after < 0xe000);
};

const parseEntity = (raw: unknown, text: string): Entity | null => {
  if (!isRawObject(raw)) return null;
  const { offset, length } = raw;
  const type = textField(raw, 'type') ?? '';
  if (typeof offset !== 'number' || typeof length !== 'number' || !isKnown(type)) return null;
  if (!Number.isSafeInteger(offset) || !Number.isSafeInteger(length) || offset < 0 || length < 1) return null;
  if (offset + length > text.length || !isCharacterBoundary(text, offset) || !isCharacterBoundary(text, offset + length))
    return null;
  const detail = DETAIL_PARSERS[type](raw);
  return detail && { ...detail, offset, length };
};

/** Sorts entities as nesting requires: from left to right, outer ones first. */
export const sortEntities = (entities: readonly Entity[]): Entity[] =>
  entities.toSorted((first, second) => first.offset - second.offset || second.length - first.length);

/** Parses a text and its entities from the fields with these names. An invalid entity is omitted; its text stays. */
export const parseFormattedText = (
  raw: RawObject,
  name: string,
  entitiesName: string,
  unparsedFields: UnparsedFields,
): FormattedText => {
  const rawText = textField(raw, name) ?? '';
  if (raw[name] !== undefined && typeof raw[name] !== 'string') unparsedFields.add(name);
  if (raw[entitiesName] !== undefined && !Array.isArray(raw[entitiesName])) unparsedFields.add(entitiesName);
  const text = truncateText(rawText, MAX_TEXT_LENGTH);
  const rawEntities = listField(raw, entitiesName);
  const parsed = rawEntities.slice(0, MAX_ENTITIES).map((entity) => parseEntity(entity, text));
  const entities = sortEntities(parsed.filter((entity) => entity !== null));
  if (text.length < rawText.length || entities.length < rawEntities.length) unparsedFields.add(entitiesName);
  return { text, entities };
};
