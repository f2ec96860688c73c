/** Chat parser: channels in updates and in getChat responses of the Bot API. */
import { defined, filledField, isRaw, listField, numberField, type Raw } from '../../../lib/unknown-fields.ts';
import { cut } from './entities.ts';

/** Error value: input that could not be parsed, with the reason. */
export interface Bad {
  readonly type: 'bad';
  readonly reason: string;
}

export const bad = (reason: string): Bad => ({ type: 'bad', reason });

/** The details of a channel that every update of it contains. `username` is present only if the channel has one. */
export interface ChatTold {
  readonly channelId: string;
  readonly title?: string;
  readonly username?: string;
}

// In the Bot API a channel's id is minus this number, minus the bare id. It is not simply the prefix -100: with a bare id of
// eleven digits the result does not begin with -100.
const OFFSET = 1_000_000_000_000;

/** Converts a chat id of the Bot API to the bare id; null if it is not a channel or supergroup. */
export const channelIdOf = (chatId: unknown): string | null =>
  typeof chatId === 'number' && Number.isSafeInteger(chatId) && chatId < -OFFSET ? String(-chatId - OFFSET) : null;

/** Converts a bare id to the chat id of the Bot API; NaN if it is not an id. */
export const chatIdOf = (channelId: string): number => (/^\d{1,15}$/.test(channelId) ? -OFFSET - Number(channelId) : Number.NaN);

/** Parses the chat of an update; null unless it is a channel. */
export const readChatTold = (raw: unknown): ChatTold | null => {
  if (!isRaw(raw) || raw.type !== 'channel') return null;
  const channelId = channelIdOf(raw.id);
  return channelId === null
    ? null
    : defined<ChatTold>({ channelId, title: filledField(raw, 'title'), username: filledField(raw, 'username') });
};

/** A channel's picture, to be fetched. */
export interface PhotoRef {
  readonly fileId: string;
  readonly uniqueId: string;
}

/** Details of a channel from getChat. Absent fields mean that the channel does not have them. */
export interface ChannelFacts {
  readonly type: 'channel';
  readonly channelId: string;
  readonly title: string;
  readonly username?: string;
  /** All usernames of the channel; the first is shown. */
  readonly usernames: readonly string[];
  readonly about?: string;
  readonly photo?: { readonly small: PhotoRef; readonly big: PhotoRef };
  readonly pinned?: number;
  /** True if it has no username, so that only its members can read it. */
  readonly private: boolean;
}

const readPhoto = (raw: Raw): ChannelFacts['photo'] => {
  const photo = isRaw(raw.photo) ? raw.photo : {};
  const refOf = (size: 'small' | 'big'): PhotoRef | undefined => {
    const [fileId, uniqueId] = [filledField(photo, `${size}_file_id`), filledField(photo, `${size}_file_unique_id`)];
    return fileId === undefined || uniqueId === undefined ? undefined : { fileId, uniqueId };
  };
  const [small, big] = [refOf('small'), refOf('big')];
  return small && big && { small, big };
};

/** Parses the getChat response for a channel. */
export const readChat = (raw: unknown): ChannelFacts | Bad => {
  const told = readChatTold(raw);
  if (!isRaw(raw) || told === null) return bad('it is no channel');
  const active = listField(raw, 'active_usernames').filter((name): name is string => typeof name === 'string' && name !== '');
  const username = told.username ?? active[0];
  const pinned = isRaw(raw.pinned_message) ? numberField(raw.pinned_message, 'message_id') : undefined;
  const facts = defined<Omit<ChannelFacts, 'usernames'>>({
    type: 'channel',
    channelId: told.channelId,
    title: told.title ?? told.channelId,
    username,
    about: filledField(raw, 'description'),
    photo: readPhoto(raw),
    pinned: pinned !== undefined && Number.isSafeInteger(pinned) && pinned > 0 ? pinned : undefined,
    private: username === undefined,
  });
  return { ...facts, usernames: [...new Set(told.username === undefined ? active : [told.username, ...active])] };
};

/** Returns the name of a person or a chat as Telegram shows it; '' if there is none. */
export const nameOf = (raw: Raw): string => {
  const person = [filledField(raw, 'first_name'), filledField(raw, 'last_name')].filter(Boolean).join(' ');
  return cut(filledField(raw, 'title') ?? (person || (filledField(raw, 'username') ?? '')), 512);
};
