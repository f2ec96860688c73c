/** Extra contents parser: checklists, dice, giveaways, stories, paid media, invoices, games and venues. */
import type { Extra, Task } from '../../../../contract/extra.ts';
import type { Place } from '../../../../contract/post.ts';
import {
  countField,
  defined,
  filledField,
  isRaw,
  listField,
  numberField,
  type Raw,
  secondsField,
} from '../../../lib/unknown-fields.ts';
import { nameOf } from './chat.ts';
import { cut, readWords, type Unread } from './entities.ts';

type Of<Type extends Extra['type']> = Extract<Extra, { type: Type }>;
type Item = Of<'paid'>['items'][number];

const MAX_LIST_ITEMS = 200;

const rawsIn = (raw: Raw, name: string): Raw[] => listField(raw, name).slice(0, MAX_LIST_ITEMS).filter(isRaw);

const said = (raw: Raw, name: string): string => cut(filledField(raw, name) ?? '', 4096);

const saidOf = (raw: Raw, name: string): string | undefined => said(raw, name) || undefined;

const readTask = (raw: Raw, unread: Unread): Task => {
  const at = secondsField(raw, 'completion_date');
  const done = at !== undefined || isRaw(raw.completed_by_user) || isRaw(raw.completed_by_chat);
  return { ...readWords(raw, 'text', 'text_entities', unread), done, ...(at === undefined ? {} : { at }) };
};

const checklist = (raw: Raw, unread: Unread): Of<'checklist'> => ({
  type: 'checklist',
  title: readWords(raw, 'title', 'title_entities', unread),
  tasks: rawsIn(raw, 'tasks').map((task) => readTask(task, unread)),
});

const dice = (raw: Raw): Of<'dice'> | null => {
  const value = countField(raw, 'value');
  return value === undefined ? null : { type: 'dice', emoji: said(raw, 'emoji') || '🎲', value };
};

const prizeOf = (raw: Raw) => ({
  months: countField(raw, 'premium_subscription_month_count'),
  stars: countField(raw, 'prize_star_count'),
  prize: saidOf(raw, 'prize_description'),
});

const giveaway = (raw: Raw): Of<'giveaway'> | null => {
  const [winners, until] = [countField(raw, 'winner_count'), secondsField(raw, 'winners_selection_date')];
  if (winners === undefined || until === undefined) return null;
  const channels = rawsIn(raw, 'chats').map(nameOf);
  return { ...defined<Omit<Of<'giveaway'>, 'channels'>>({ type: 'giveaway', winners, until, ...prizeOf(raw) }), channels };
};

/** Parses the result of a giveaway: it is a post if its winners are public, otherwise a service message. */
const giveawayOver = (raw: Raw): Of<'giveaway-over'> | null => {
  const winners = countField(raw, 'winner_count');
  if (winners === undefined) return null;
  const began = isRaw(raw.giveaway_message) ? countField(raw.giveaway_message, 'message_id') : undefined;
  const told = defined<Omit<Of<'giveaway-over'>, 'names'>>({
    type: 'giveaway-over',
    winners,
    unclaimed: countField(raw, 'unclaimed_prize_count'),
    ...prizeOf(raw),
    postId: (countField(raw, 'giveaway_message_id') ?? began) || undefined,
  });
  return { ...told, names: rawsIn(raw, 'winners').map(nameOf) };
};

const story = (raw: Raw): Of<'story'> | null => {
  const [chat, id] = [isRaw(raw.chat) ? raw.chat : {}, countField(raw, 'id')];
  const username = /^\w{1,64}$/.exec(filledField(chat, 'username') ?? '')?.[0];
  const url = username !== undefined && id ? { url: `https://t.me/${username}/s/${id}` } : {};
  return { type: 'story', name: nameOf(chat), ...url };
};

const PAID: ReadonlyMap<unknown, Item['type']> = new Map([
  ['photo', 'photo'],
  ['live_photo', 'photo'],
  ['video', 'video'],
]);

const sizeOf = (raw: Raw): Omit<Item, 'type'> =>
  defined<Omit<Item, 'type'>>({
    width: countField(raw, 'width') || undefined,
    height: countField(raw, 'height') || undefined,
    duration: countField(raw, 'duration') || undefined,
  });

const isIn = (raw: unknown): Raw => (isRaw(raw) ? raw : {});

/** Describes an item for sale. Its file is never fetched, not even in a small size. */
const paidItem = (raw: Raw): Item => {
  const sizes = listField(raw, 'photo');
  const told = raw.type === 'photo' ? sizes.at(-1) : raw.type === 'preview' ? raw : raw[filledField(raw, 'type') ?? ''];
  return { type: PAID.get(raw.type) ?? 'other', ...sizeOf(isIn(told)) };
};

const paid = (raw: Raw, unread: Unread): Of<'paid'> => {
  const items = rawsIn(raw, 'paid_media');
  if (items.some(({ type }) => type !== 'preview' && !PAID.has(type))) unread.add('paid_media');
  return { type: 'paid', stars: countField(raw, 'star_count') ?? 0, items: items.map(paidItem) };
};

const invoice = (raw: Raw): Of<'invoice'> | null => {
  const [amount, currency] = [numberField(raw, 'total_amount'), said(raw, 'currency')];
  if (amount === undefined || !/^[A-Z]{3}$/.test(currency)) return null;
  return { type: 'invoice', title: said(raw, 'title'), about: said(raw, 'description'), amount, currency };
};

const game = (raw: Raw): Of<'game'> => ({ type: 'game', title: said(raw, 'title'), about: said(raw, 'description') });

/**
 * Parsers of contents that have a type of their own in a post, by the names of the Bot API. They return null for malformed input.
 */
export const EXTRAS = {
  checklist,
  dice,
  giveaway,
  giveaway_winners: giveawayOver,
  giveaway_completed: giveawayOver,
  story,
  paid_media: paid,
  invoice,
  game,
} satisfies Record<string, (raw: Raw, unread: Unread) => Extra | null>;

/** Parses a location in degrees; null if it is outside of the valid range. */
export const readPlace = (raw: unknown): Place | null => {
  const [latitude, longitude] = isRaw(raw) ? [numberField(raw, 'latitude'), numberField(raw, 'longitude')] : [];
  if (latitude === undefined || longitude === undefined) return null;
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null;
};

/** Parses a venue: a location with a name and an address. */
export const readVenue = (raw: unknown): Place | null => {
  const place = isRaw(raw) ? readPlace(raw.location) : null;
  if (!isRaw(raw) || place === null) return null;
  return defined<Place>({ ...place, title: filledField(raw, 'title'), address: filledField(raw, 'address') });
};
