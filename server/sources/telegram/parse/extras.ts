/** Extra contents parser: checklists, dice, giveaways, stories, paid media, invoices, games and venues. */
import type { PostExtra, Task } from '../../../../contract/extra.ts';
import type { Venue } from '../../../../contract/post.ts';
import {
  countField,
  isRawObject,
  listField,
  nonEmptyTextField,
  numberField,
  omitUndefined,
  type RawObject,
  secondsField,
} from '../../../lib/unknown-fields.ts';
import { displayNameOf } from './chat.ts';
import { parseFormattedText, truncateText, type UnparsedFields } from './entities.ts';

type ExtraOf<Type extends PostExtra['type']> = Extract<PostExtra, { type: Type }>;
type PaidItem = ExtraOf<'paid'>['items'][number];

const MAX_LIST_ITEMS = 200;
const MAX_SHORT_TEXT_LENGTH = 4096;

const rawItemsOf = (raw: RawObject, name: string): RawObject[] =>
  listField(raw, name).slice(0, MAX_LIST_ITEMS).filter(isRawObject);

const shortTextOf = (raw: RawObject, name: string): string =>
  truncateText(nonEmptyTextField(raw, name) ?? '', MAX_SHORT_TEXT_LENGTH);

const optionalShortText = (raw: RawObject, name: string): string | undefined => shortTextOf(raw, name) || undefined;

const parseTask = (raw: RawObject, unparsedFields: UnparsedFields): Task => {
  const at = secondsField(raw, 'completion_date');
  const done = at !== undefined || isRawObject(raw.completed_by_user) || isRawObject(raw.completed_by_chat);
  return { ...parseFormattedText(raw, 'text', 'text_entities', unparsedFields), done, ...(at === undefined ? {} : { at }) };
};

const parseChecklist = (raw: RawObject, unparsedFields: UnparsedFields): ExtraOf<'checklist'> => ({
  type: 'checklist',
  title: parseFormattedText(raw, 'title', 'title_entities', unparsedFields),
  tasks: rawItemsOf(raw, 'tasks').map((task) => parseTask(task, unparsedFields)),
});

const parseDice = (raw: RawObject): ExtraOf<'dice'> | null => {
  const value = countField(raw, 'value');
  return value === undefined ? null : { type: 'dice', emoji: shortTextOf(raw, 'emoji') || '🎲', value };
};

const prizeOf = (raw: RawObject) => ({
  months: countField(raw, 'premium_subscription_month_count'),
  stars: countField(raw, 'prize_star_count'),
  prize: optionalShortText(raw, 'prize_description'),
});

const parseGiveaway = (raw: RawObject): ExtraOf<'giveaway'> | null => {
  const [winners, until] = [countField(raw, 'winner_count'), secondsField(raw, 'winners_selection_date')];
  if (winners === undefined || until === undefined) return null;
  const channels = rawItemsOf(raw, 'chats').map(displayNameOf);
  return {
    ...omitUndefined<Omit<ExtraOf<'giveaway'>, 'channels'>>({ type: 'giveaway', winners, until, ...prizeOf(raw) }),
    channels,
  };
};

/** Parses the result of a giveaway: it is a post if its winners are public, otherwise a service message. */
const parseGiveawayResult = (raw: RawObject): ExtraOf<'giveaway-over'> | null => {
  const winners = countField(raw, 'winner_count');
  if (winners === undefined) return null;
  const giveawayMessageId = isRawObject(raw.giveaway_message) ? countField(raw.giveaway_message, 'message_id') : undefined;
  const fields = omitUndefined<Omit<ExtraOf<'giveaway-over'>, 'names'>>({
    type: 'giveaway-over',
    winners,
    unclaimed: countField(raw, 'unclaimed_prize_count'),
    ...prizeOf(raw),
    postId: (countField(raw, 'giveaway_message_id') ?? giveawayMessageId) || undefined,
  });
  return { ...fields, names: rawItemsOf(raw, 'winners').map(displayNameOf) };
};

const parseStory = (raw: RawObject): ExtraOf<'story'> | null => {
  const [chat, id] = [isRawObject(raw.chat) ? raw.chat : {}, countField(raw, 'id')];
  const username = /^\w{1,64}$/.exec(nonEmptyTextField(chat, 'username') ?? '')?.[0];
  const url = username !== undefined && id ? { url: `https://t.me/${username}/s/${id}` } : {};
  return { type: 'story', name: displayNameOf(chat), ...url };
};

const PAID_TYPES: ReadonlyMap<unknown, PaidItem['type']> = new Map([
  ['photo', 'photo'],
  ['live_photo', 'photo'],
  ['video', 'video'],
]);

const dimensionsOf = (raw: RawObject): Omit<PaidItem, 'type'> =>
  omitUndefined<Omit<PaidItem, 'type'>>({
    width: countField(raw, 'width') || undefined,
    height: countField(raw, 'height') || undefined,
    duration: countField(raw, 'duration') || undefined,
  });

const rawOrEmpty = (raw: unknown): RawObject => (isRawObject(raw) ? raw : {});

/** Returns the object with the dimensions of an item for sale. A photo has several sizes, the largest of them last. */
const paidMediaOf = (raw: RawObject): unknown => {
  if (raw.type === 'photo') return listField(raw, 'photo').at(-1);
  return raw.type === 'preview' ? raw : raw[nonEmptyTextField(raw, 'type') ?? ''];
};

/** Describes an item for sale. Its file is never fetched, not even in a small size. */
const parsePaidItem = (raw: RawObject): PaidItem => ({
  type: PAID_TYPES.get(raw.type) ?? 'other',
  ...dimensionsOf(rawOrEmpty(paidMediaOf(raw))),
});

const parsePaidMedia = (raw: RawObject, unparsedFields: UnparsedFields): ExtraOf<'paid'> => {
  const items = rawItemsOf(raw, 'paid_media');
  if (items.some(({ type }) => type !== 'preview' && !PAID_TYPES.has(type))) unparsedFields.add('paid_media');
  return { type: 'paid', stars: countField(raw, 'star_count') ?? 0, items: items.map(parsePaidItem) };
};

const parseInvoice = (raw: RawObject): ExtraOf<'invoice'> | null => {
  const [amount, currency] = [numberField(raw, 'total_amount'), shortTextOf(raw, 'currency')];
  if (amount === undefined || !/^[A-Z]{3}$/.test(currency)) return null;
  return { type: 'invoice', title: shortTextOf(raw, 'title'), about: shortTextOf(raw, 'description'), amount, currency };
};

const parseGame = (raw: RawObject): ExtraOf<'game'> => ({
  type: 'game',
  title: shortTextOf(raw, 'title'),
  about: shortTextOf(raw, 'description'),
});

/**
 * Parsers of contents that have a separate type in a post, by the names of the Bot API. They return null for malformed
 * input.
 */
export const EXTRA_PARSERS = {
  checklist: parseChecklist,
  dice: parseDice,
  giveaway: parseGiveaway,
  giveaway_winners: parseGiveawayResult,
  giveaway_completed: parseGiveawayResult,
  story: parseStory,
  paid_media: parsePaidMedia,
  invoice: parseInvoice,
  game: parseGame,
} satisfies Record<string, (raw: RawObject, unparsedFields: UnparsedFields) => PostExtra | null>;

/** Parses a location in degrees; null if it is outside of the valid range. */
export const parseLocation = (raw: unknown): Venue | null => {
  const [latitude, longitude] = isRawObject(raw) ? [numberField(raw, 'latitude'), numberField(raw, 'longitude')] : [];
  if (latitude === undefined || longitude === undefined) return null;
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null;
};

/** Parses a venue: a location with a name and an address. */
export const parseVenue = (raw: unknown): Venue | null => {
  const location = isRawObject(raw) ? parseLocation(raw.location) : null;
  if (!isRawObject(raw) || location === null) return null;
  return omitUndefined<Venue>({
    ...location,
    title: nonEmptyTextField(raw, 'title'),
    address: nonEmptyTextField(raw, 'address'),
  });
};
