/** Message content parsers: one for each content field of a Bot API message. */
import type { FormattedText, PostExtra } from '../../../../contract/extra.ts';
import type { Poll, Post } from '../../../../contract/post.ts';
import { isRawObject, nonEmptyTextField, type RawObject } from '../../../lib/unknown-fields.ts';
import { displayNameOf } from './chat.ts';
import { parseFormattedText } from './entities.ts';
import { EXTRA_PARSERS, parseLocation, parseVenue } from './extras.ts';
import { addFile, type FileKind, type FoundFiles } from './files.ts';
import type { FieldsOf } from './message-fields.ts';
import { parsePoll } from './reactions-and-polls.ts';
import { flattenBlocks, parseRichBlocks } from './rich-blocks.ts';

/** Content that one field of a message adds to its post. Its files are added to `FoundFiles`. */
export interface FieldContent {
  readonly formattedText?: FormattedText;
  readonly extra?: PostExtra;
  readonly poll?: Poll;
  readonly pollId?: string;
  readonly place?: NonNullable<Post['place']>;
  readonly contact?: NonNullable<Post['contact']>;
}

/** Parses a field of a message. Returns null if it is malformed; the post then shows only the field's name. */
type ParseField = (raw: RawObject, foundFiles: FoundFiles) => FieldContent | null;

const parseFileField =
  (kind: FileKind): ParseField =>
  (raw, foundFiles) =>
    addFile(foundFiles, kind, raw[kind], raw.has_media_spoiler === true) === null ? null : {};

/**
 * Skips a field if another field contains the same in more detail. Telegram sends both fields, because old clients know
 * only one.
 */
const unlessField =
  (otherName: string, parse: ParseField): ParseField =>
  (raw, foundFiles) =>
    raw[otherName] === undefined ? parse(raw, foundFiles) : {};

const parseExtraField =
  (name: keyof typeof EXTRA_PARSERS): ParseField =>
  (raw, { unparsedFields }) => {
    const value = raw[name];
    const extra = isRawObject(value) ? EXTRA_PARSERS[name](value, unparsedFields) : null;
    return extra && { extra };
  };

const parseGame: ParseField = (raw, foundFiles) => {
  const game = isRawObject(raw.game) ? raw.game : null;
  if (game === null) return null;
  if (game.photo !== undefined) addFile(foundFiles, 'photo', game.photo);
  return {
    extra: EXTRA_PARSERS.game(game),
    formattedText: parseFormattedText(game, 'text', 'text_entities', foundFiles.unparsedFields),
  };
};

const POLL_MEDIA_KINDS = ['photo', 'video', 'animation', 'audio', 'document', 'sticker', 'live_photo'] as const;

/** Parses a poll with its own picture and description. A post cannot show the media of its answers. */
const parsePollContent: ParseField = (raw, foundFiles) => {
  const [poll, parsed] = [isRawObject(raw.poll) ? raw.poll : {}, parsePoll(raw.poll)];
  if (parsed === null) return null;
  const pollMedia = isRawObject(poll.media) ? poll.media : {};
  for (const kind of POLL_MEDIA_KINDS) if (pollMedia[kind] !== undefined) addFile(foundFiles, kind, pollMedia[kind]);
  const place = parseVenue(pollMedia.venue) ?? parseLocation(pollMedia.location);
  if (isRawObject(pollMedia.link) || nonEmptyTextField(poll, 'explanation') !== undefined) foundFiles.unparsedFields.add('poll');
  if (Array.isArray(poll.options) && poll.options.some((option) => isRawObject(option) && option.media !== undefined))
    foundFiles.unparsedFields.add('poll');
  const formattedText = parseFormattedText(poll, 'description', 'description_entities', foundFiles.unparsedFields);
  return { ...parsed, formattedText, ...(place === null ? {} : { place }) };
};

const parseContact: ParseField = ({ contact }, { unparsedFields }) => {
  if (!isRawObject(contact)) return null;
  if (contact.vcard !== undefined) unparsedFields.add('vcard');
  const phone = nonEmptyTextField(contact, 'phone_number');
  return { contact: { name: displayNameOf(contact) || (phone ?? ''), ...(phone === undefined ? {} : { phone }) } };
};

const parseRichMessage: ParseField = ({ rich_message }, foundFiles) => {
  const rich = parseRichBlocks(rich_message, foundFiles);
  return rich && { extra: rich, formattedText: flattenBlocks(rich.blocks) };
};

const parsePlaceField =
  (name: 'venue' | 'location', parse: (raw: unknown) => Post['place'] | null): ParseField =>
  (raw) => {
    const place = parse(raw[name]);
    return place ? { place } : null;
  };

/** Parser of each content field. A field without a parser is a type error. */
export const CONTENT_PARSERS: Readonly<Record<FieldsOf<'content'>, ParseField>> = {
  text: (raw, { unparsedFields }) => ({ formattedText: parseFormattedText(raw, 'text', 'entities', unparsedFields) }),
  caption: (raw, { unparsedFields }) => ({
    formattedText: parseFormattedText(raw, 'caption', 'caption_entities', unparsedFields),
  }),
  rich_message: parseRichMessage,
  photo: unlessField('live_photo', parseFileField('photo')),
  video: parseFileField('video'),
  animation: parseFileField('animation'),
  audio: parseFileField('audio'),
  voice: parseFileField('voice'),
  video_note: parseFileField('video_note'),
  document: unlessField('animation', parseFileField('document')),
  sticker: parseFileField('sticker'),
  live_photo: parseFileField('live_photo'),
  poll: parsePollContent,
  venue: parsePlaceField('venue', parseVenue),
  location: unlessField('venue', parsePlaceField('location', parseLocation)),
  contact: parseContact,
  game: parseGame,
  checklist: parseExtraField('checklist'),
  dice: parseExtraField('dice'),
  giveaway: parseExtraField('giveaway'),
  giveaway_winners: parseExtraField('giveaway_winners'),
  giveaway_completed: parseExtraField('giveaway_completed'),
  story: parseExtraField('story'),
  paid_media: parseExtraField('paid_media'),
  invoice: parseExtraField('invoice'),
};

export const isContentField = (name: string): name is keyof typeof CONTENT_PARSERS => Object.hasOwn(CONTENT_PARSERS, name);
