import { isRaw } from '../../lib/unknown-fields.ts';
import { readChatTold } from './parse/chat.ts';

/** Redaction of personal data: fields that identify a person, whatever they contain. */
const PEOPLE = /^(from|user|creator|contact|custom_title)$|^sender|_user$|_shared$/;
/** Fields that only an object about a person has, whatever its own name is. */
const MARKS = ['is_bot', 'first_name', 'user_id'];

/**
 * Replaces each string and number of a value by its type. This is enough for debugging: most parsing errors are caused by types.
 */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (isRaw(value)) return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapeOf(each)]));
  return typeof value === 'string' || typeof value === 'number' ? typeof value : value;
};

const isPerson = (name: string, value: unknown): boolean =>
  PEOPLE.test(name) || (isRaw(value) && MARKS.some((mark) => Object.hasOwn(value, mark)));

const strip = (name: string, value: unknown): unknown => {
  if (isPerson(name, value)) return shapeOf(value);
  if (Array.isArray(value)) return value.map((each) => strip('', each));
  if (!isRaw(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([field, each]) => [field, strip(field, each)]));
};

const isOfChannel = (name: string, value: unknown): boolean =>
  name === 'poll' || (isRaw(value) && readChatTold(value.chat) !== null);

/**
 * Removes personal data from an update that is stored for debugging. For updates of channels, all other data stays, including
 * posts and their signatures. For messages from users to the bot, and for unknown kinds of updates, only the structure stays.
 */
export const withoutPeople = (update: unknown): unknown => {
  if (!isRaw(update)) return shapeOf(update);
  const { update_id, ...rest } = update;
  const told = Object.entries(rest).map(([name, value]) => [
    name,
    isOfChannel(name, value) ? strip(name, value) : shapeOf(value),
  ]);
  return { update_id, ...Object.fromEntries(told) };
};
