/** Message content parsers: one for each content field of a Bot API message. */
import type { Extra, Words } from '../../../../contract/extra.ts';
import type { Poll, Post } from '../../../../contract/post.ts';
import { filledField, isRaw, type Raw } from '../../../lib/unknown-fields.ts';
import { nameOf } from './chat.ts';
import { readWords } from './entities.ts';
import { EXTRAS, readPlace, readVenue } from './extras.ts';
import { type FileKind, type Finds, findFile } from './files.ts';
import type { FieldsOf } from './message-fields.ts';
import { readPoll } from './reactions-and-polls.ts';
import { flatWords, readRich } from './rich-blocks.ts';

/** Content that one field of a message adds to its post. Its files are added to the finds. */
export interface Content {
  readonly words?: Words;
  readonly extra?: Extra;
  readonly poll?: Poll;
  readonly pollId?: string;
  readonly place?: NonNullable<Post['place']>;
  readonly contact?: NonNullable<Post['contact']>;
}

/** Parses a field of a message. Returns null if it is malformed; the post then shows only the field's name. */
type Read = (raw: Raw, finds: Finds) => Content | null;

const file =
  (kind: FileKind): Read =>
  (raw, finds) =>
    findFile(finds, kind, raw[kind], raw.has_media_spoiler === true) === null ? null : {};

/** Skips a field if another field contains the same in more detail. Telegram sends both for the sake of old clients. */
const unless =
  (better: string, read: Read): Read =>
  (raw, finds) =>
    raw[better] === undefined ? read(raw, finds) : {};

const extra =
  (name: keyof typeof EXTRAS): Read =>
  (raw, { unread }) => {
    const told = raw[name];
    const read = isRaw(told) ? EXTRAS[name](told, unread) : null;
    return read && { extra: read };
  };

const readGame: Read = (raw, finds) => {
  const game = isRaw(raw.game) ? raw.game : null;
  if (game === null) return null;
  if (game.photo !== undefined) findFile(finds, 'photo', game.photo);
  return { extra: EXTRAS.game(game), words: readWords(game, 'text', 'text_entities', finds.unread) };
};

const MEDIA_OF_POLLS = ['photo', 'video', 'animation', 'audio', 'document', 'sticker', 'live_photo'] as const;

/** Parses a poll with its own picture and description. A post cannot show the media of its answers. */
const readPollWhole: Read = (raw, finds) => {
  const [poll, read] = [isRaw(raw.poll) ? raw.poll : {}, readPoll(raw.poll)];
  if (read === null) return null;
  const held = isRaw(poll.media) ? poll.media : {};
  for (const kind of MEDIA_OF_POLLS) if (held[kind] !== undefined) findFile(finds, kind, held[kind]);
  const place = readVenue(held.venue) ?? readPlace(held.location);
  if (isRaw(held.link) || filledField(poll, 'explanation') !== undefined) finds.unread.add('poll');
  if (Array.isArray(poll.options) && poll.options.some((option) => isRaw(option) && option.media !== undefined))
    finds.unread.add('poll');
  const words = readWords(poll, 'description', 'description_entities', finds.unread);
  return { ...read, words, ...(place === null ? {} : { place }) };
};

const readContact: Read = ({ contact }, { unread }) => {
  if (!isRaw(contact)) return null;
  if (contact.vcard !== undefined) unread.add('vcard');
  const phone = filledField(contact, 'phone_number');
  return { contact: { name: nameOf(contact) || (phone ?? ''), ...(phone === undefined ? {} : { phone }) } };
};

const readRichMessage: Read = ({ rich_message }, finds) => {
  const rich = readRich(rich_message, finds);
  return rich && { extra: rich, words: flatWords(rich.blocks) };
};

const placed =
  (name: 'venue' | 'location', read: (raw: unknown) => Post['place'] | null): Read =>
  (raw) => {
    const place = read(raw[name]);
    return place ? { place } : null;
  };

/** Parser of each content field. A field without a parser is a type error. */
export const CONTENTS: Readonly<Record<FieldsOf<'content'>, Read>> = {
  text: (raw, { unread }) => ({ words: readWords(raw, 'text', 'entities', unread) }),
  caption: (raw, { unread }) => ({ words: readWords(raw, 'caption', 'caption_entities', unread) }),
  rich_message: readRichMessage,
  photo: unless('live_photo', file('photo')),
  video: file('video'),
  animation: file('animation'),
  audio: file('audio'),
  voice: file('voice'),
  video_note: file('video_note'),
  document: unless('animation', file('document')),
  sticker: file('sticker'),
  live_photo: file('live_photo'),
  poll: readPollWhole,
  venue: placed('venue', readVenue),
  location: unless('venue', placed('location', readPlace)),
  contact: readContact,
  game: readGame,
  checklist: extra('checklist'),
  dice: extra('dice'),
  giveaway: extra('giveaway'),
  giveaway_winners: extra('giveaway_winners'),
  giveaway_completed: extra('giveaway_completed'),
  story: extra('story'),
  paid_media: extra('paid_media'),
  invoice: extra('invoice'),
};

export const isContent = (name: string): name is keyof typeof CONTENTS => Object.hasOwn(CONTENTS, name);
