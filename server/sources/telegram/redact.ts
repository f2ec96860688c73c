/** Redaction of updates: removes personal data from updates that are stored for debugging. */
import { isRawObject } from '../../lib/unknown-fields.ts';
import { parseChatSummary } from './parse/chat.ts';

/** Names of fields that identify a person, whatever they contain. */
const PERSON_FIELDS = /^(from|user|creator|contact|custom_title)$|^sender|_user$|_shared$/;
/** Fields that only an object about a person has, whatever the name of that object is. */
const PERSON_ONLY_FIELDS = ['is_bot', 'first_name', 'user_id'];

/**
 * Replaces each string and number of a value by its type. This is enough for debugging: most parsing errors are caused
 * by types.
 */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (isRawObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, fieldValue]) => [name, shapeOf(fieldValue)]));
  return typeof value === 'string' || typeof value === 'number' ? typeof value : value;
};

const isPerson = (name: string, value: unknown): boolean =>
  PERSON_FIELDS.test(name) || (isRawObject(value) && PERSON_ONLY_FIELDS.some((fieldName) => Object.hasOwn(value, fieldName)));

const redactPeople = (name: string, value: unknown): unknown => {
  if (isPerson(name, value)) return shapeOf(value);
  if (Array.isArray(value)) return value.map((fieldValue) => redactPeople('', fieldValue));
  if (!isRawObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([field, fieldValue]) => [field, redactPeople(field, fieldValue)]));
};

const isOfChannel = (name: string, value: unknown): boolean =>
  name === 'poll' || (isRawObject(value) && parseChatSummary(value.chat) !== null);

/**
 * Removes personal data from an update that is stored for debugging. For updates of channels, all other data stays,
 * including posts and their signatures. For messages from users to the bot, and for unknown kinds of updates, only the
 * structure stays.
 */
export const redactUpdate = (update: unknown): unknown => {
  if (!isRawObject(update)) return shapeOf(update);
  const { update_id, ...rest } = update;
  const fields = Object.entries(rest).map(([name, value]) => [
    name,
    isOfChannel(name, value) ? redactPeople(name, value) : shapeOf(value),
  ]);
  return { update_id, ...Object.fromEntries(fields) };
};
