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
