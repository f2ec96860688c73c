/** Chat parser: channels in updates and in getChat responses of the Bot API. */
import {
  isRawObject,
  listField,
  nonEmptyTextField,
  numberField,
  omitUndefined,
  type RawObject,
} from '../../../lib/unknown-fields.ts';
import { truncateText } from './entities.ts';

/** Error value: input that could not be parsed, with the reason. */
export interface ParseFailure {
  readonly type: 'bad';
  readonly reason: string;
}

export const parseFailure = (reason: string): ParseFailure => ({ type: 'bad', reason });

/** The details of a channel that every update of it contains. `username` is present only if the channel has one. */
export interface ChatSummary {
  readonly channelId: string;
  readonly title?: string;
  readonly username?: string;
}

// In the Bot API a channel's id is minus this number, minus the bare id. It is not simply the prefix -100: with a bare
// id of eleven digits the result does not begin with -100.
const CHAT_ID_OFFSET = 1_000_000_000_000;

/** Converts a chat id of the Bot API to the bare id; null if it is not a channel or supergroup. */
export const channelIdOf = (chatId: unknown): string | null =>
  typeof chatId === 'number' && Number.isSafeInteger(chatId) && chatId < -CHAT_ID_OFFSET
    ? String(-chatId - CHAT_ID_OFFSET)
    : null;

/** Converts a bare id to the chat id of the Bot API; NaN if it is not an id. */
export const chatIdOf = (channelId: string): number =>
  /^\d{1,15}$/.test(channelId) ? -CHAT_ID_OFFSET - Number(channelId) : Number.NaN;

/** Parses the chat of an update; null unless it is a channel. */
export const parseChatSummary = (raw: unknown): ChatSummary | null => {
  if (!isRawObject(raw) || raw.type !== 'channel') return null;
  const channelId = channelIdOf(raw.id);
  return channelId === null
    ? null
    : omitUndefined<ChatSummary>({
        channelId,
        title: nonEmptyTextField(raw, 'title'),
        username: nonEmptyTextField(raw, 'username'),
      });
};

/** Reference to a channel's picture at Telegram, in one size. */
export interface PhotoRef {
  readonly fileId: string;
  readonly uniqueId: string;
}

/** Details of a channel from getChat. Absent fields mean that the channel does not have them. */
export interface ChatDetails {
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

const parsePhoto = (raw: RawObject): ChatDetails['photo'] => {
  const photo = isRawObject(raw.photo) ? raw.photo : {};
  const refOf = (size: 'small' | 'big'): PhotoRef | undefined => {
    const [fileId, uniqueId] = [nonEmptyTextField(photo, `${size}_file_id`), nonEmptyTextField(photo, `${size}_file_unique_id`)];
    return fileId === undefined || uniqueId === undefined ? undefined : { fileId, uniqueId };
  };
  const [small, big] = [refOf('small'), refOf('big')];
  return small && big && { small, big };
};

/** Parses the getChat response for a channel. */
export const parseChat = (raw: unknown): ChatDetails | ParseFailure => {
  const summary = parseChatSummary(raw);
  if (!isRawObject(raw) || summary === null) return parseFailure('it is not a channel');
  const activeUsernames = listField(raw, 'active_usernames').filter(
    (name): name is string => typeof name === 'string' && name !== '',
  );
  const username = summary.username ?? activeUsernames[0];
  const pinned = isRawObject(raw.pinned_message) ? numberField(raw.pinned_message, 'message_id') : undefined;
  const details = omitUndefined<Omit<ChatDetails, 'usernames'>>({
    type: 'channel',
    channelId: summary.channelId,
    title: summary.title ?? summary.channelId,
    username,
    about: nonEmptyTextField(raw, 'description'),
    photo: parsePhoto(raw),
    pinned: pinned !== undefined && Number.isSafeInteger(pinned) && pinned > 0 ? pinned : undefined,
    private: username === undefined,
  });
  const usernames = summary.username === undefined ? activeUsernames : [summary.username, ...activeUsernames];
  return { ...details, usernames: [...new Set(usernames)] };
};

/** Maximum length of a name. Longer names are cut. */
const MAX_NAME_LENGTH = 512;

/** Returns the name of a person or a chat as Telegram shows it; '' if there is none. */
export const displayNameOf = (raw: RawObject): string => {
  const personName = [nonEmptyTextField(raw, 'first_name'), nonEmptyTextField(raw, 'last_name')].filter(Boolean).join(' ');
  const name = nonEmptyTextField(raw, 'title') ?? (personName || (nonEmptyTextField(raw, 'username') ?? ''));
  return truncateText(name, MAX_NAME_LENGTH);
};
