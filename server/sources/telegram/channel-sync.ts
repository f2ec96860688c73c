/** Channel sync: fetches a channel's details from Telegram, and checks for deleted posts. */

import type { GrammyError } from 'grammy';
import { FULL_ACCESS } from '../../domain/model.ts';
import type { ChannelConnection } from '../../storage/ports/connections.ts';
import type { Store } from '../../storage/ports/store.ts';
import { type BotApi, isBotApiRejection } from './client.ts';
import { chatIdOf, parseChat } from './parse/chat.ts';
import { parseMember } from './parse/member.ts';

/** Dependencies of fetching a channel's details. */
export interface ChannelSyncDeps {
  readonly bot: BotApi;
  readonly botId: number;
  readonly store: Store;
  /** Milliseconds. */
  readonly now: () => number;
}

/** Returns the bot's current rights. Returns null if it is not an administrator, or may not even request them. */
const readOwnRights = async (chatId: number, { bot, botId }: ChannelSyncDeps): Promise<readonly string[] | null> => {
  try {
    const member = parseMember(await bot.api.getChatMember(chatId, botId));
    return member?.isAdministrator ? [...member.rights] : null;
  } catch (error) {
    // For example "Forbidden: bot is not a member of the channel chat", "Bad Request: chat not found".
    if (isBotApiRejection(error) && (error.error_code === 403 || error.error_code === 400)) return null;
    throw error;
  }
};

const haveSameRights = (first: readonly string[] | null, second: readonly string[] | null): boolean =>
  first === null || second === null ? first === second : first.toSorted().join() === second.toSorted().join();

/**
 * Fetches the bot's rights in a channel, because an update about them may have been lost. Returns whether it is an
 * administrator.
 */
const checkBotRights = async (connection: ChannelConnection, deps: ChannelSyncDeps): Promise<boolean> => {
  const rights = await readOwnRights(chatIdOf(connection.channelId), deps);
  if (!haveSameRights(rights, connection.rights)) await deps.store.recordBotRights(connection.channelId, rights);
  return rights !== null;
};

/**
 * Fetches a channel's details and stores them: its title, usernames, description, photo, members, pinned post, and the
 * bot's rights. Throws if Telegram is unreachable; the channel then stays stale.
 */
export const syncChannel = async (connection: ChannelConnection, deps: ChannelSyncDeps): Promise<void> => {
  const { bot, store, now } = deps;
  const { channelId, stale } = connection;
  const [chatId, at] = [chatIdOf(channelId), Math.floor(now() / 1000)];
  if (!(await checkBotRights(connection, deps)))
    return store.recordDetailsFetched(channelId, { at, stale, photo: connection.photo });
  const details = parseChat(await bot.api.getChat(chatId));
  if (details.type === 'bad') return store.recordDetailsFetched(channelId, { at, stale, photo: connection.photo });
  const members = await bot.api.getChatMemberCount(chatId);
  let photoId = connection.photo;
  // If the channel was disconnected meanwhile, its row must not change. The state is written too, because an import
  // that began before the channel was connected sets it to archived.
  const { status } = (await store.connection(channelId)) ?? {};
  if (status === 'connected') {
    await store.putChannel({
      id: channelId,
      title: details.title,
      username: details.username ?? null,
      about: details.about ?? null,
      members,
      source: 'bot',
      state: 'live',
      since: null,
      private: details.private,
      demo: false,
    });
    const picture = details.photo?.big ?? null;
    if ((picture?.uniqueId ?? null) !== photoId) await store.queueChannelPicture(channelId, picture);
    photoId = picture?.uniqueId ?? null;
  }
  await store.putNewestPin(channelId, details.pinned ?? null, at);
  await store.recordDetailsFetched(channelId, { at, stale, photo: photoId });
};

/** Maximum number of posts that one recheck looks at, the newest of the channel, and number of posts per step. */
const MAX_RECHECKED_POSTS = 200;
const POSTS_PER_RECHECK = 5;

/**
 * Returns whether a message still exists in its channel; null if Telegram does not reveal it.
 *
 * No method of the Bot API reads a message. Of the methods that act on one, removing the bot's own reaction changes
 * nothing: the bot has none and never sets one, and members are not notified. (Forwarding or copying would put the post
 * into another chat, editing a keyboard would remove the channel's own, and deleting would delete the post.) Limits:
 * for an album Telegram checks the first message that is left, so an album counts as existing until all of it is
 * deleted. Service messages and channels without reactions may be rejected for other reasons, which reveal nothing
 * about the message.
 */
const messageExists = async (chatId: number, messageId: number, { api }: BotApi): Promise<boolean | null> => {
  try {
    await api.setMessageReaction(chatId, messageId, []);
    return true;
  } catch (error) {
    if (!isBotApiRejection(error)) throw error;
    return isMessageNotFound(error) ? false : null;
  }
};

/** Error texts of Telegram for a message that does not exist, from its Bot API and from its servers. */
const isMessageNotFound = ({ description }: GrammyError): boolean =>
  /message (to react |)not found|MESSAGE_ID_INVALID|MESSAGE_NOT_FOUND/i.test(description);

/** Returns the posts of a channel below a message id, newest first. */
const readPostsBelow = async (store: Store, channelId: string, below: number, limit: number) => {
  const posts = await store.posts({ channelIds: [channelId], limit: MAX_RECHECKED_POSTS }, FULL_ACCESS);
  return posts.filter((post) => post.id < below && !post.service).slice(0, limit);
};

/** Checks the next few posts of a recheck, marks the deleted ones, and stores the progress. */
export const recheckBatch = async (connection: ChannelConnection, bot: BotApi, store: Store, at: number): Promise<void> => {
  const { channelId, recheckBelow } = connection;
  if (recheckBelow === null) return;
  const posts = await readPostsBelow(store, channelId, recheckBelow, POSTS_PER_RECHECK);
  for (const post of posts) {
    const exists = await messageExists(chatIdOf(channelId), post.id, bot);
    if (exists !== null) await store.markDeletedAtSource(channelId, post.id, exists ? null : (post.gone ?? at));
  }
  const last = posts.at(-1);
  await store.setRecheck(channelId, last === undefined ? null : last.id, at);
};
