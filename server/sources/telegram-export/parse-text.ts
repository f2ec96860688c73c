/** Rich text parser of Telegram Desktop exports. */
import type { Entity } from '../../../contract/post.ts';
import { safePostUrl } from '../../lib/safe-url.ts';
import { isRawObject, listField, parseDigits, type RawObject, secondsField, textField } from '../../lib/unknown-fields.ts';

/** Maps Telegram Desktop's names of entity types to ours. */
const TYPES: ReadonlyMap<string, Entity['type']> = new Map([
  ['mention', 'mention'],
  ['hashtag', 'hashtag'],
  ['cashtag', 'cashtag'],
  ['bot_command', 'bot_command'],
  ['link', 'url'],
  ['email', 'email'],
  ['phone', 'phone_number'],
  ['bank_card', 'bank_card'],
  ['bold', 'bold'],
  ['italic', 'italic'],
  ['underline', 'underline'],
  ['strikethrough', 'strikethrough'],
  ['spoiler', 'spoiler'],
  ['blockquote', 'blockquote'],
  ['expandable_blockquote', 'expandable_blockquote'],
  ['code', 'code'],
  ['pre', 'pre'],
  ['text_link', 'text_link'],
  ['mention_name', 'text_mention'],
  ['custom_emoji', 'custom_emoji'],
  ['date', 'date_time'],
  ['date_time', 'date_time'],
  ['formatted_date', 'date_time'],
]);

type EntityDetail = Pick<Entity, 'type' | 'url' | 'language' | 'userId' | 'emojiId' | 'time'>;

/** Names of the fields that may contain the time of a date part, in the order of preference. */
const TIME_FIELDS = ['unixtime', 'date_unixtime', 'timestamp', 'time', 'date'];

/** Returns the time of a date part in unix seconds; undefined if it has none. */
const timeOf = (part: RawObject) => TIME_FIELDS.map((name) => secondsField(part, name)).find(Boolean);

/**
 * Returns the entity of a text part. Returns null if the part has no entity, or if its link is not safe, for example a
 * link to a script.
 */
const detailOf = (part: RawObject): EntityDetail | null => {
  const type = TYPES.get(textField(part, 'type') ?? '');
  if (type === undefined) return null;
  if (type === 'blockquote' && part.collapsed === true) return { type: 'expandable_blockquote' };
  if (type === 'text_link') {
    const url = safePostUrl(textField(part, 'href'));
    return url === null ? null : { type, url };
  }
  const language = type === 'pre' ? textField(part, 'language') : null;
  const userId = type === 'text_mention' ? parseDigits(part.user_id) : null;
  const emojiId = type === 'custom_emoji' ? parseDigits(part.document_id) : null;
  const time = type === 'date_time' ? timeOf(part) : null;
  return {
    type,
    ...(language ? { language } : {}),
    ...(userId ? { userId } : {}),
    ...(emojiId ? { emojiId } : {}),
    ...(time ? { time } : {}),
  };
};

/**
 * Types of entities that are merged with an adjacent entity of the same type: an export may split one entity into
 * several.
 */
const JOINABLE_TYPES = new Set([
  'bold',
  'italic',
  'underline',
  'strikethrough',
  'spoiler',
  'blockquote',
  'expandable_blockquote',
  'code',
]);

const canJoin = (last: Entity | undefined, next: Entity): last is Entity =>
  last !== undefined && last.type === next.type && JOINABLE_TYPES.has(next.type) && last.offset + last.length === next.offset;

const addEntity = (entities: Entity[], entity: Entity): void => {
  const last = entities.at(-1);
  if (canJoin(last, entity)) entities[entities.length - 1] = { ...last, length: last.length + entity.length };
  else entities.push(entity);
};

/** A text with its entities; offsets are in UTF-16 units. */
export interface ExportedText {
  readonly text: string;
  readonly entities: Entity[];
}

/** Maximum nesting depth of text parts. Exports nest less; deeper parts are ignored. */
const MAX_DEPTH = 16;

const partsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value.flat(MAX_DEPTH) : [value]);

const textOfPart = (part: unknown): string => {
  const runs = isRawObject(part) ? partsOf(part.text) : [part];
  return runs.filter((run) => typeof run === 'string').join('');
};

/** Joins the parts into which an export splits a text. A part that is neither text nor an object is ignored. */
export const parseTextParts = (value: unknown): ExportedText => {
  const entities: Entity[] = [];
  let text = '';
  for (const part of partsOf(value)) {
    const run = textOfPart(part);
    const detail = isRawObject(part) ? detailOf(part) : null;
    if (detail && run.length > 0) addEntity(entities, { ...detail, offset: text.length, length: run.length });
    text += run;
  }
  return { text, entities };
};

/** Parses a message's text from text_entities, which is flat. If that is absent or empty, parses it from text. */
export const parseExportedText = (raw: RawObject): ExportedText => {
  const parsed = parseTextParts(listField(raw, 'text_entities'));
  return parsed.text === '' ? parseTextParts(raw.text ?? '') : parsed;
};
