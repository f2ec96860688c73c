/** Message parser: converts a channel's message from the Bot API to a post. */
import type { Words } from '../../../../contract/extra.ts';
import type { Post, Service } from '../../../../contract/post.ts';
import { joinWords } from '../../../domain/formatted-text.ts';
import type { Message } from '../../../domain/model.ts';
import { countField, defined, filledField, isRaw, type Raw, secondsField } from '../../../lib/unknown-fields.ts';
import { type Bad, bad, type ChatTold, readChatTold } from './chat.ts';
import { CONTENTS, type Content, isContent } from './content.ts';
import { cut } from './entities.ts';
import { type Finds, TELEGRAM_MOST_BYTES } from './files.ts';
import { type FieldsOf, roleOf } from './message-fields.ts';
import { readForward, readReply } from './origin.ts';
import { findWords, makeRoom } from './rich-text.ts';

export interface ReadOptions {
  /** The update's id. Of two versions with the same second, the one of the later update wins. */
  readonly turn?: number;
  /** Files larger than this many bytes are not fetched. The default is Telegram's own limit. */
  readonly maxBytes?: number;
}

/**
 * Result of parsing a channel's message. `post` is shown to readers, including service messages that are relevant to them
 * (`message.post.service`). `service-unshown` only means that this id is not a missing post. `chat` contains the details of the
 * channel in the message, with which a new username is detected.
 */
export type Reading =
  | { readonly type: 'post'; readonly message: Message; readonly chat: ChatTold }
  | {
      readonly type: 'service-unshown';
      readonly id: number;
      readonly date: number;
      readonly name: string;
      readonly raw: string;
      readonly chat: ChatTold;
    }
  | Bad;

const MAX_RAW_LENGTH = 262_144;

/** Serializes a message unchanged. A message that is nested too deep to serialize is replaced by a short text. */
const written = (raw: Raw): string => {
  try {
    return cut(JSON.stringify(raw), MAX_RAW_LENGTH);
  } catch {
    return '"It was nested too deep to be kept."';
  }
};

const SERVICES: Readonly<Record<FieldsOf<'service'>, (raw: Raw) => Service | null>> = {
  channel_chat_created: () => ({ action: 'created' }),
  new_chat_title: (raw) => {
    const title = filledField(raw, 'new_chat_title');
    return title === undefined ? null : { action: 'renamed', title: cut(title, 512) };
  },
  new_chat_photo: () => ({ action: 'picture' }),
  pinned_message: ({ pinned_message }) => {
    const messageId = isRaw(pinned_message) ? countField(pinned_message, 'message_id') : undefined;
    return messageId ? { action: 'pinned', messageId } : null;
  },
};

const isService = (name: string): name is keyof typeof SERVICES => Object.hasOwn(SERVICES, name);

const readService = (raw: Raw): Service | null => {
  const name = Object.keys(raw).find(isService);
  return name === undefined ? null : SERVICES[name](raw);
};

type Shown = Pick<Message['post'], 'text' | 'entities'> & Omit<Content, 'words'>;

const anything = ({ text, entities: _none, ...held }: Shown, { media }: Finds): boolean =>
  text !== '' || media.length > 0 || Object.keys(held).length > 0;

/** Combines the results of all content fields. If a message has two of them, the text and files of both are included. */
const readContents = (raw: Raw, finds: Finds): Shown | null => {
  const read = Object.keys(raw)
    .filter(isContent)
    .map((name) => ({ name, content: CONTENTS[name](raw, finds) }));
  const torn = read.filter(({ content }) => content === null).map(({ name }) => name);
  for (const name of torn) finds.unread.add(name);
  if (read.filter(({ content }) => content?.extra).length > 1) finds.unread.add('extra');
  const all: Content = {};
  for (const { content } of read) Object.assign(all, content);
  const { words: _last, ...held } = all;
  const words = read.map(({ name, content }) => (content === null ? looseWords(raw[name], finds) : content.words));
  const { text, entities } = joinWords(
    words.filter((one) => one !== undefined),
    '\n\n',
  );
  const shown = { text, entities: [...entities], ...held };
  if (torn[0] !== undefined && held.extra === undefined) return { ...shown, extra: { type: 'unknown', name: torn[0] } };
  return anything(shown, finds) ? shown : null;
};

/** Returns all text that unparsable content contains, so that readers do not lose any of it. */
const looseWords = (value: unknown, { unread }: Finds): Words => ({ text: findWords(value, makeRoom(unread)), entities: [] });

/** Creates the content of a message without any known content: its kind by name, and the text that it contains. */
const unheardOf = (raw: Raw, finds: Finds): Shown => {
  const name = Object.keys(raw).find((field) => roleOf(field) === null);
  const { text } = looseWords(name === undefined ? '' : raw[name], finds);
  return { text, entities: [], extra: { type: 'unknown', name: cut(name ?? 'empty', 64) } };
};

const noteUnread = (raw: Raw, { unread }: Finds): void => {
  for (const name of Object.keys(raw)) {
    const role = roleOf(name);
    if (role === null || role === 'kept') unread.add(cut(name, 64));
  }
};

const albumOf = (raw: Raw) => /^\d{1,32}$/.exec(filledField(raw, 'media_group_id') ?? '')?.[0];

/** Parses an unmodified channel message (`channel_post`, `edited_channel_post`). Never throws. */
export const readChannelPost = (raw: unknown, { turn, maxBytes = TELEGRAM_MOST_BYTES }: ReadOptions = {}): Reading => {
  if (!isRaw(raw)) return bad('the message is no object');
  const [chat, id, date] = [readChatTold(raw.chat), countField(raw, 'message_id'), secondsField(raw, 'date')];
  if (chat === null) return bad('its chat is no channel');
  if (!id || id > 2 ** 52) return bad('it has no message id');
  if (date === undefined) return bad('it has no date');

  const finds: Finds = { messageId: id, maxBytes, media: [], files: [], unread: new Set() };
  noteUnread(raw, finds);
  const service = readService(raw);
  const contents = readContents(raw, finds);
  const quiet = Object.keys(raw).find((field) => roleOf(field) === 'quiet' || roleOf(field) === 'service');
  if (contents === null && service === null && quiet !== undefined)
    return { type: 'service-unshown', id, date, name: quiet, raw: written(raw), chat };

  const { pollId, ...shown } = contents ?? (service ? { text: '', entities: [] } : unheardOf(raw, finds));
  const edited = secondsField(raw, 'edit_date');
  const told = defined<Partial<Post>>({
    edited,
    author: filledField(raw, 'author_signature'),
    reply: readReply(raw, chat.channelId, finds.unread),
    forward: readForward(raw.forward_origin, finds.unread),
    service: service ?? undefined,
  });
  const rest = defined<Partial<Message>>({
    albumId: albumOf(raw),
    turn,
    pollId,
    raw: finds.unread.size > 0 ? written(raw) : undefined,
  });
  const post = { channelId: chat.channelId, id, date, reactions: [], ...shown, ...told };
  return {
    type: 'post',
    chat,
    message: { post, media: finds.media, files: finds.files, source: 'bot', seen: edited ?? date, ...rest },
  };
};
