import type { GrammyError } from 'grammy';
import type { ChannelConnection } from '../../storage/ports/connections.ts';
import type { Store } from '../../storage/ports/store.ts';
import { type BotApi, isRefusal } from './client.ts';
import { chatIdOf, readChat } from './parse/chat.ts';
import { readMember } from './parse/member.ts';

/** What reading a channel's facts works with. */
export interface Refreshing {
  readonly bot: BotApi;
  readonly botId: number;
  readonly store: Store;
  /** Milliseconds. */
  readonly now: () => number;
}

/** The bot's rights as they are; null where it is no administrator, or may not even ask. */
const ownRights = async (chatId: number, { bot, botId }: Refreshing): Promise<readonly string[] | null> => {
  try {
    const member = readMember(await bot.api.getChatMember(chatId, botId));
    return member?.isAdministrator ? [...member.rights] : null;
  } catch (error) {
    // As "Forbidden: bot is not a member of the channel chat", "Bad Request: chat not found".
    if (isRefusal(error) && (error.error_code === 403 || error.error_code === 400)) return null;
    throw error;
  }
};

const sameRights = (one: readonly string[] | null, other: readonly string[] | null): boolean =>
  one === null || other === null ? one === other : one.toSorted().join() === other.toSorted().join();

/** Asks how the bot stands to a channel, where an update of it may have been lost. */
const checkStanding = async (connection: ChannelConnection, refreshing: Refreshing): Promise<boolean> => {
  const rights = await ownRights(chatIdOf(connection.channelId), refreshing);
  if (!sameRights(rights, connection.rights)) await refreshing.store.notePresence(connection.channelId, rights);
  return rights !== null;
};

/**
 * Reads a channel's facts anew and keeps them: its title, usernames, description, photo, members, what is pinned, and the bot's
 * rights. Throws when Telegram cannot be asked; the channel stays stale then.
 */
export const refreshChannel = async (connection: ChannelConnection, refreshing: Refreshing): Promise<void> => {
  const { bot, store, now } = refreshing;
  const { channelId, stale } = connection;
  const [chatId, at] = [chatIdOf(channelId), Math.floor(now() / 1000)];
  if (!(await checkStanding(connection, refreshing))) return store.factsRead(channelId, { at, stale, photo: connection.photo });
  const facts = readChat(await bot.api.getChat(chatId));
  if (facts.type === 'bad') return store.factsRead(channelId, { at, stale, photo: connection.photo });
  const members = await bot.api.getChatMemberCount(chatId);
  let { photo } = connection;
  // Meanwhile it may have been disconnected; and an import that began before it was connected says that it is an archive.
  const { status } = (await store.connection(channelId)) ?? {};
  if (status === 'connected') {
    await store.putChannel({
      id: channelId,
      title: facts.title,
      username: facts.username ?? null,
      about: facts.about ?? null,
      members,
      source: 'bot',
      state: 'live',
      since: null,
      private: facts.private,
      demo: false,
    });
    const told = facts.photo?.big ?? null;
    if ((told?.uniqueId ?? null) !== photo) await store.wantChannelPicture(channelId, told);
    photo = told?.uniqueId ?? null;
  }
  await store.pin(channelId, facts.pinned ?? null, at);
  await store.factsRead(channelId, { at, stale, photo });
};

/** Posts that one recheck looks for, the newest of the channel, and how many are asked after in one go. */
export const RECHECKED = 200;
const AT_ONCE = 5;

/**
 * Whether a message is still in its channel; null where Telegram does not say.
 *
 * No method of the Bot API looks at a message. Of those that touch one, taking back the bot's own reaction changes nothing: it
 * has none and never sets one, and members are not told. (Forwarding or copying would put the post into somebody's chat,
 * editing a keyboard would take away the channel's own, deleting is deleting.) Its limits: of an album Telegram answers for the
 * first message that is left, so an album counts as there until all of it is gone; service messages and channels without
 * reactions may be refused for other reasons, which say nothing about the message.
 */
const isThere = async (chatId: number, messageId: number, { api }: BotApi): Promise<boolean | null> => {
  try {
    await api.setMessageReaction(chatId, messageId, []);
    return true;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return sayGone(error) ? false : null;
  }
};

/** Telegram's words for a message that is not there: its Bot API's own, and its servers'. */
const sayGone = ({ description }: GrammyError): boolean =>
  /message (to react |)not found|MESSAGE_ID_INVALID|MESSAGE_NOT_FOUND/i.test(description);

const EVERYTHING = { privateChannels: 'all' } as const;

/** The posts of a channel below a message id, the newest first. */
const postsBelow = async (store: Store, channelId: string, below: number, limit: number) => {
  const posts = await store.posts({ channelIds: [channelId], limit: RECHECKED }, EVERYTHING);
  return posts.filter((post) => post.id < below && !post.service).slice(0, limit);
};

/** Looks for the next few posts of a recheck, marks those that are gone, and notes how far it came. */
export const recheckSome = async (connection: ChannelConnection, bot: BotApi, store: Store, at: number): Promise<void> => {
  const { channelId, recheck } = connection;
  if (recheck === null) return;
  const posts = await postsBelow(store, channelId, recheck, AT_ONCE);
  for (const post of posts) {
    const there = await isThere(chatIdOf(channelId), post.id, bot);
    if (there !== null) await store.markGone(channelId, post.id, there ? null : (post.gone ?? at));
  }
  const last = posts.at(-1);
  await store.setRecheck(channelId, last === undefined ? null : last.id, at);
};
