import { isRaw } from '../../lib/unknown-fields.ts';
import { readChatTold } from './parse/chat.ts';

/** Fields that say who somebody is, whatever is in them. */
const PEOPLE = /^(from|user|creator|contact|custom_title)$|^sender|_user$|_shared$/;
/** What only a person has, under whichever name one stands. */
const MARKS = ['is_bot', 'first_name', 'user_id'];

/** A value with the types of its words and numbers in their place: a reading that fails mostly fails by these. */
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
 * Takes the people out of an update that is kept so that its fault can be found. Of what a channel told, its posts and their
 * signatures among it, all else stays; of what people wrote to the bot, and of kinds that nobody knows, the shape.
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
