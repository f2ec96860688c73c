/** Message parser of Telegram Desktop exports: converts one entry of an export to a post. */
import type { Forward, Place, Poll, Post, Reaction, Reply, Service } from '../../../contract/post.ts';
import {
  countField,
  defined,
  digits,
  filledField,
  isRaw,
  listField,
  numberField,
  type Raw,
  secondsField,
  textField,
} from '../../lib/unknown-fields.ts';
import { type FileDraft, readFile } from './parse-media.ts';
import { readParts, readText } from './parse-text.ts';

/** A message from an export; its file has not been looked up yet. */
export interface Draft {
  readonly post: Omit<Post, 'media' | 'link' | 'pinned'>;
  readonly file: FileDraft | null;
  readonly seen: number;
}

/** Result of parsing one entry of an export. An `undated` entry takes the date of a neighbour later. */
export type Reading =
  | { readonly type: 'post'; readonly draft: Draft; readonly note?: string }
  | { readonly type: 'service'; readonly draft: Draft | null; readonly picture: string | null }
  | { readonly type: 'undated'; readonly id: number; readonly other: string }
  | { readonly type: 'bad'; readonly what: string; readonly reason: string };

/** Fields of contents that we cannot show, with the name of the content. */
const OTHERS: readonly (readonly [string, string])[] = [
  ['game_title', 'game'],
  ['game_message_id', 'game'],
  ['invoice_information', 'invoice'],
  ['giveaway_information', 'giveaway'],
  ['giveaway_results', 'giveaway'],
  ['paid_stars_amount', 'paid_media'],
  ['paid_media', 'paid_media'],
  ['todo_list', 'checklist'],
  ['story_id', 'story'],
  ['story', 'story'],
  ['rich_message', 'rich_message'],
  ['dice', 'dice'],
];

const SERVICES: ReadonlyMap<string, Service['action']> = new Map([
  ['create_channel', 'created'],
  ['edit_group_title', 'renamed'],
  ['edit_chat_title', 'renamed'],
  ['edit_channel_title', 'renamed'],
  ['pin_message', 'pinned'],
  ['edit_group_photo', 'picture'],
  ['edit_chat_photo', 'picture'],
  ['edit_channel_photo', 'picture'],
]);

const channelIn = (peer: string | undefined) => /^channel(\d+)$/.exec(peer ?? '')?.[1];

const readForward = (raw: Raw): Forward | undefined => {
  if (!('forwarded_from' in raw) && !('forwarded_from_id' in raw)) return undefined;
  const rest = defined<Omit<Forward, 'name'>>({
    channelId: channelIn(textField(raw, 'forwarded_from_id')),
    date: secondsField(raw, 'forwarded_date_unixtime'),
  });
  return { name: filledField(raw, 'forwarded_from') ?? null, ...rest };
};

const readReply = (raw: Raw): Reply | undefined => {
  const id = countField(raw, 'reply_to_message_id');
  return id ? defined<Reply>({ id, channelId: channelIn(textField(raw, 'reply_to_peer_id')) }) : undefined;
};

const readReaction = (value: unknown): Reaction[] => {
  const count = isRaw(value) ? countField(value, 'count') : undefined;
  if (!isRaw(value) || !count) return [];
  if (value.type === 'paid') return [{ emoji: '⭐', paid: true, count }];
  const emojiId = digits(value.document_id);
  return [defined<Reaction>({ emoji: filledField(value, 'emoji') ?? '✨', emojiId, count })];
};

const readPoll = (value: unknown): Poll | undefined => {
  if (!isRaw(value)) return undefined;
  const answers = listField(value, 'answers').filter(isRaw);
  const total = countField(value, 'total_voters');
  // Before the reader has voted, Telegram supplies the total and no votes. The zeros are then not real counts.
  const told = answers.some((answer) => countField(answer, 'voters')) || total === 0;
  const options = answers.map((answer) =>
    defined<Poll['options'][number]>({
      text: readParts(answer.text).text,
      votes: told ? countField(answer, 'voters') : undefined,
      correct: answer.correct === true || undefined,
    }),
  );
  return defined<Poll>({ question: readParts(value.question).text, closed: value.closed === true, total, options });
};

const readPlace = (raw: Raw): Place | undefined => {
  const at = raw.location_information;
  const [latitude, longitude] = isRaw(at) ? [numberField(at, 'latitude'), numberField(at, 'longitude')] : [];
  if (latitude === undefined || longitude === undefined) return undefined;
  return defined<Place>({ latitude, longitude, title: filledField(raw, 'place_name'), address: filledField(raw, 'address') });
};

const readContact = (raw: Raw): Post['contact'] | undefined => {
  const contact = raw.contact_information;
  if (!isRaw(contact)) return undefined;
  const phone = filledField(contact, 'phone_number');
  const name = [textField(contact, 'first_name'), textField(contact, 'last_name')].filter(Boolean).join(' ');
  return { name: name || (phone ?? ''), ...(phone ? { phone } : {}) };
};

const readOther = (raw: Raw): string | undefined =>
  OTHERS.find(([field]) => raw[field] !== undefined && raw[field] !== null)?.[1];

const readPost = (raw: Raw, channelId: string, id: number, date: number): Draft => {
  const { text, entities } = readText(raw);
  const file = readFile(raw, id);
  const edited = secondsField(raw, 'edited_unixtime');
  const shown = { poll: readPoll(raw.poll), place: readPlace(raw), contact: readContact(raw) };
  const empty = text === '' && file === null && !shown.poll && !shown.place && !shown.contact;
  const known = defined<Partial<Post>>({
    edited,
    author: filledField(raw, 'author'),
    reply: readReply(raw),
    forward: readForward(raw),
    ...shown,
    other: readOther(raw) ?? (empty ? 'unknown' : undefined),
  });
  const reactions = listField(raw, 'reactions').flatMap(readReaction);
  return { post: { channelId, id, date, text, entities, reactions, ...known }, file, seen: edited ?? date };
};

const readService = (raw: Raw, channelId: string, id: number, date: number): Reading => {
  const action = SERVICES.get(textField(raw, 'action') ?? '');
  if (!action) return { type: 'service', draft: null, picture: null };
  const service = defined<Service>({
    action,
    title: filledField(raw, 'title'),
    messageId: countField(raw, 'message_id') || undefined,
  });
  const post = { channelId, id, date, text: '', entities: [], reactions: [], service };
  const picture = action === 'picture' ? (filledField(raw, 'photo') ?? null) : null;
  return { type: 'service', draft: { post, file: null, seen: date }, picture };
};

const localDate = (raw: Raw): number | undefined => {
  const date = textField(raw, 'date') ?? '';
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(date) ? Date.parse(`${date}Z`) : Number.NaN;
  return Number.isNaN(time) || time <= 0 ? undefined : time / 1000;
};

const NO_UNIXTIME = 'it has no date_unixtime, so its local date was taken as UTC';

/** Parses one entry of an export's messages. `index` identifies an entry without an id. */
export const readMessage = (value: unknown, channelId: string, index: number): Reading => {
  const bad = (reason: string, id?: number): Reading => ({ type: 'bad', what: id ? `message ${id}` : `entry ${index}`, reason });
  if (!isRaw(value)) return bad('it is no object');
  const id = numberField(value, 'id');
  if (id === undefined || !Number.isSafeInteger(id) || id === 0) return bad('it has no id that is a whole number');
  const type = textField(value, 'type');
  if (type === 'unsupported') return { type: 'undated', id, other: 'unsupported' };
  if (type !== 'message' && type !== 'service') return bad(`its type is ${JSON.stringify(value.type) ?? 'absent'}`, id);
  if (id < 0) return type === 'service' ? { type: 'service', draft: null, picture: null } : bad('its id is negative', id);
  const told = secondsField(value, 'date_unixtime');
  const date = told ?? localDate(value);
  if (date === undefined) return bad('it has no date', id);
  const text = value.text ?? value.text_entities ?? '';
  if (typeof text !== 'string' && !Array.isArray(text)) return bad('its text is neither a string nor a list', id);
  if (type === 'service') return readService(value, channelId, id, date);
  return { type: 'post', draft: readPost(value, channelId, id, date), ...(told === undefined ? { note: NO_UNIXTIME } : {}) };
};

/** Creates the post of an entry of which the export contains only the id. */
export const undatedDraft = (channelId: string, id: number, other: string, date: number): Draft => ({
  // The date is a neighbour's. `seen` is 0, so that any later information about the post counts as newer.
  post: { channelId, id, date, text: '', entities: [], reactions: [], other },
  file: null,
  seen: 0,
});
