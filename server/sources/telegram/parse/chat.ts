import { defined, filledField, isRaw, listField, numberField, type Raw } from '../../../lib/unknown-fields.ts';
import { cut } from './entities.ts';

/** What could not be read, and why. */
export interface Bad {
  readonly type: 'bad';
  readonly reason: string;
}

export const bad = (reason: string): Bad => ({ type: 'bad', reason });

/** A channel as an update names it in passing; a username is told only where there is one. */
export interface ChatTold {
  readonly channelId: string;
  readonly title?: string;
  readonly username?: string;
}

// Telegram's bots see a channel's id with this taken away from minus it; ids of eleven digits do not begin with -100.
const OFFSET = 1_000_000_000_000;

/** Turns a chat id as bots see it into the bare one; null for what is no channel or supergroup. */
export const channelIdOf = (chatId: unknown): string | null =>
  typeof chatId === 'number' && Number.isSafeInteger(chatId) && chatId < -OFFSET ? String(-chatId - OFFSET) : null;

/** Turns a bare id into the one that bots use; NaN for what is none. */
export const chatIdOf = (channelId: string): number => (/^\d{1,15}$/.test(channelId) ? -OFFSET - Number(channelId) : Number.NaN);

/** Reads the chat of an update; null unless it is a channel. */
export const readChatTold = (raw: unknown): ChatTold | null => {
  if (!isRaw(raw) || raw.type !== 'channel') return null;
  const channelId = channelIdOf(raw.id);
  return channelId === null
    ? null
    : defined<ChatTold>({ channelId, title: filledField(raw, 'title'), username: filledField(raw, 'username') });
};

/** A picture of a channel, to be fetched. */
export interface PhotoRef {
  readonly fileId: string;
  readonly uniqueId: string;
}

/** A channel as getChat tells it: what is absent here is not there. */
export interface ChannelFacts {
  readonly type: 'channel';
  readonly channelId: string;
  readonly title: string;
  readonly username?: string;
  /** All that lead to the channel, the first of them shown. */
  readonly usernames: readonly string[];
  readonly about?: string;
  readonly photo?: { readonly small: PhotoRef; readonly big: PhotoRef };
  readonly pinned?: number;
  /** It has no username, so only its members can read it. */
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

/** Reads what getChat answers of a channel. */
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

/** Names a person or a chat as Telegram shows them; empty where nothing is told. */
export const nameOf = (raw: Raw): string => {
  const person = [filledField(raw, 'first_name'), filledField(raw, 'last_name')].filter(Boolean).join(' ');
  return cut(filledField(raw, 'title') ?? (person || (filledField(raw, 'username') ?? '')), 512);
};
