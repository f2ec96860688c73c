/** Message parser of Telegram Desktop exports: converts one entry of an export to a post. */
import type { Forward, Poll, Post, Reaction, Reply, Service, Venue } from '../../../contract/post.ts';
import {
  countField,
  isRawObject,
  listField,
  nonEmptyTextField,
  numberField,
  omitUndefined,
  parseDigits,
  type RawObject,
  secondsField,
  textField,
} from '../../lib/unknown-fields.ts';
import { type FileDraft, parseExportedFile } from './parse-media.ts';
import { parseExportedText, parseTextParts } from './parse-text.ts';

/** A message from an export; its file has not been looked up yet. */
export interface MessageDraft {
  readonly post: Omit<Post, 'media' | 'link' | 'pinned'>;
  readonly file: FileDraft | null;
  readonly modifiedAt: number;
}

/** Result of parsing one entry of an export. An `undated` entry takes the date of a neighbour later. */
export type ParsedEntry =
  | { readonly type: 'post'; readonly draft: MessageDraft; readonly note?: string }
  | { readonly type: 'service'; readonly draft: MessageDraft | null; readonly picture: string | null }
  | { readonly type: 'undated'; readonly id: number; readonly other: string }
  | { readonly type: 'bad'; readonly subject: string; readonly reason: string };

/** Fields of unsupported content, with the name of the content. */
const UNSUPPORTED_FIELDS: readonly (readonly [string, string])[] = [
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

const SERVICE_ACTIONS: ReadonlyMap<string, Service['action']> = new Map([
  ['create_channel', 'created'],
  ['edit_group_title', 'renamed'],
  ['edit_chat_title', 'renamed'],
  ['edit_channel_title', 'renamed'],
  ['pin_message', 'pinned'],
  ['edit_group_photo', 'picture'],
  ['edit_chat_photo', 'picture'],
  ['edit_channel_photo', 'picture'],
]);

const channelIdOfPeer = (peer: string | undefined) => /^channel(\d+)$/.exec(peer ?? '')?.[1];

const parseForward = (raw: RawObject): Forward | undefined => {
  if (!('forwarded_from' in raw) && !('forwarded_from_id' in raw)) return undefined;
  const origin = omitUndefined<Omit<Forward, 'name'>>({
    channelId: channelIdOfPeer(textField(raw, 'forwarded_from_id')),
    date: secondsField(raw, 'forwarded_date_unixtime'),
  });
  return { name: nonEmptyTextField(raw, 'forwarded_from') ?? null, ...origin };
};

const parseReply = (raw: RawObject): Reply | undefined => {
  const id = countField(raw, 'reply_to_message_id');
  return id ? omitUndefined<Reply>({ id, channelId: channelIdOfPeer(textField(raw, 'reply_to_peer_id')) }) : undefined;
};

const parseReaction = (value: unknown): Reaction[] => {
  const count = isRawObject(value) ? countField(value, 'count') : undefined;
  if (!isRawObject(value) || !count) return [];
  if (value.type === 'paid') return [{ emoji: '⭐', paid: true, count }];
  const emojiId = parseDigits(value.document_id);
  return [omitUndefined<Reaction>({ emoji: nonEmptyTextField(value, 'emoji') ?? '✨', emojiId, count })];
};

const parsePoll = (value: unknown): Poll | undefined => {
  if (!isRawObject(value)) return undefined;
  const answers = listField(value, 'answers').filter(isRawObject);
  const total = countField(value, 'total_voters');
  // Before the reader has voted, Telegram supplies the total and no votes. The zeros are then not real counts.
  const hasRealCounts = answers.some((answer) => countField(answer, 'voters')) || total === 0;
  const options = answers.map((answer) =>
    omitUndefined<Poll['options'][number]>({
      text: parseTextParts(answer.text).text,
      votes: hasRealCounts ? countField(answer, 'voters') : undefined,
      correct: answer.correct === true || undefined,
    }),
  );
  return omitUndefined<Poll>({ question: parseTextParts(value.question).text, closed: value.closed === true, total, options });
};

const parseVenue = (raw: RawObject): Venue | undefined => {
  const location = raw.location_information;
  const [latitude, longitude] = isRawObject(location)
    ? [numberField(location, 'latitude'), numberField(location, 'longitude')]
    : [];
  if (latitude === undefined || longitude === undefined) return undefined;
  return omitUndefined<Venue>({
    latitude,
    longitude,
    title: nonEmptyTextField(raw, 'place_name'),
    address: nonEmptyTextField(raw, 'address'),
  });
};

const parseContact = (raw: RawObject): Post['contact'] | undefined => {
  const contact = raw.contact_information;
  if (!isRawObject(contact)) return undefined;
  const phone = nonEmptyTextField(contact, 'phone_number');
  const name = [textField(contact, 'first_name'), textField(contact, 'last_name')].filter(Boolean).join(' ');
  return { name: name || (phone ?? ''), ...(phone ? { phone } : {}) };
};

const parseUnsupported = (raw: RawObject): string | undefined =>
  UNSUPPORTED_FIELDS.find(([field]) => raw[field] !== undefined && raw[field] !== null)?.[1];

const parsePost = (raw: RawObject, channelId: string, id: number, date: number): MessageDraft => {
  const { text, entities } = parseExportedText(raw);
  const file = parseExportedFile(raw, id);
  const edited = secondsField(raw, 'edited_unixtime');
  const attachments = { poll: parsePoll(raw.poll), place: parseVenue(raw), contact: parseContact(raw) };
  const isEmpty = text === '' && file === null && !attachments.poll && !attachments.place && !attachments.contact;
  const optionalFields = omitUndefined<Partial<Post>>({
    edited,
    author: nonEmptyTextField(raw, 'author'),
    reply: parseReply(raw),
    forward: parseForward(raw),
    ...attachments,
    other: parseUnsupported(raw) ?? (isEmpty ? 'unknown' : undefined),
  });
  const reactions = listField(raw, 'reactions').flatMap(parseReaction);
  return { post: { channelId, id, date, text, entities, reactions, ...optionalFields }, file, modifiedAt: edited ?? date };
};

const parseService = (raw: RawObject, channelId: string, id: number, date: number): ParsedEntry => {
  const action = SERVICE_ACTIONS.get(textField(raw, 'action') ?? '');
  if (!action) return { type: 'service', draft: null, picture: null };
  const service = omitUndefined<Service>({
    action,
    title: nonEmptyTextField(raw, 'title'),
    messageId: countField(raw, 'message_id') || undefined,
  });
  const post = { channelId, id, date, text: '', entities: [], reactions: [], service };
  const picture = action === 'picture' ? (nonEmptyTextField(raw, 'photo') ?? null) : null;
  return { type: 'service', draft: { post, file: null, modifiedAt: date }, picture };
};

/** Parses the local date as if it were UTC, because an export does not contain its time zone. Returns unix seconds. */
const parseLocalDate = (raw: RawObject): number | undefined => {
  const date = textField(raw, 'date') ?? '';
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(date) ? Date.parse(`${date}Z`) : Number.NaN;
  return Number.isNaN(time) || time <= 0 ? undefined : time / 1000;
};

const LOCAL_DATE_NOTE = 'it has no date_unixtime, so its local date was taken as UTC';

/** Parses one entry of an export's messages. `index` identifies an entry without an id. */
export const parseExportedMessage = (value: unknown, channelId: string, index: number): ParsedEntry => {
  const badEntry = (reason: string, id?: number): ParsedEntry => ({
    type: 'bad',
    subject: id ? `message ${id}` : `entry ${index}`,
    reason,
  });
  if (!isRawObject(value)) return badEntry('it is not an object');
  const id = numberField(value, 'id');
  if (id === undefined || !Number.isSafeInteger(id) || id === 0) return badEntry('its id is not a whole number');
  const type = textField(value, 'type');
  if (type !== 'message' && type !== 'service' && type !== 'unsupported')
    return badEntry(`its type is ${JSON.stringify(value.type) ?? 'absent'}`, id);
  if (id < 0) return type === 'service' ? { type: 'service', draft: null, picture: null } : badEntry('its id is negative', id);
  if (type === 'unsupported') return { type: 'undated', id, other: 'unsupported' };
  const unixtime = secondsField(value, 'date_unixtime');
  const date = unixtime ?? parseLocalDate(value);
  if (date === undefined) return badEntry('it has no date', id);
  const text = value.text ?? value.text_entities ?? '';
  if (typeof text !== 'string' && !Array.isArray(text)) return badEntry('its text is neither a string nor a list', id);
  if (type === 'service') return parseService(value, channelId, id, date);
  const note = unixtime === undefined ? { note: LOCAL_DATE_NOTE } : {};
  return { type: 'post', draft: parsePost(value, channelId, id, date), ...note };
};

/** Creates the post of an entry of which the export contains only the id. */
export const createUndatedDraft = (channelId: string, id: number, other: string, date: number): MessageDraft => ({
  // The date is a neighbour's. `modifiedAt` is 0, so that any later information about the post counts as newer.
  post: { channelId, id, date, text: '', entities: [], reactions: [], other },
  file: null,
  modifiedAt: 0,
});
