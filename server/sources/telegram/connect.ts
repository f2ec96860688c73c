/** Connecting a channel: permission checks, and the ways to add the bot to a channel. */
import type { ChatAdministratorRights } from '@grammyjs/types';
import type { Config } from '../../config.ts';
import type { ChannelConnection } from '../../storage/ports/connections.ts';
import type { Store } from '../../storage/ports/store.ts';
import { type BotApi, isBotApiRejection } from './client.ts';
import type { Members } from './members.ts';
import { chatIdOf, parseChat } from './parse/chat.ts';
import { type ChatShared, parseMember } from './parse/member.ts';

/** Seconds within which a reader who opened "Connect a channel" must add the bot. */
const CONNECT_INTENT_LIFETIME_SECONDS = 3600;
/** Level of an administrator, see `MemberLevel`. */
const ADMINISTRATOR_LEVEL = 2;
/** Milliseconds that the app waits for the native picker's button. */
const PICKER_TIMEOUT_MS = 3000;

/**
 * The right that a bot needs: to be an administrator at all. Every administrator receives posts, their edits, reaction
 * counts and membership changes, and may call getChatMember. None of this requires the right to post, to edit or to
 * delete, and a bot without those rights can be trusted with a channel. The name of this right is can_manage_chat:
 * every other right implies it.
 */
export const NEEDED_RIGHTS: readonly string[] = ['can_manage_chat'];

const NO_RIGHTS: ChatAdministratorRights = {
  is_anonymous: false,
  can_manage_chat: false,
  can_delete_messages: false,
  can_manage_video_chats: false,
  can_restrict_members: false,
  can_promote_members: false,
  can_change_info: false,
  can_invite_users: false,
  can_post_stories: false,
  can_edit_stories: false,
  can_delete_stories: false,
  can_send_welcome_messages: false,
};

/**
 * Creates a button for the native picker. It offers the channels in which the reader may make the bot an administrator.
 */
const createRequestButton = () => ({
  text: 'Connect a channel',
  request_chat: {
    // The Bot API requires a signed 32-bit number.
    request_id: Math.floor(Math.random() * 2 ** 31),
    chat_is_channel: true,
    request_title: true,
    request_username: true,
    user_administrator_rights: { ...NO_RIGHTS, can_manage_chat: true, can_promote_members: true },
    bot_administrator_rights: { ...NO_RIGHTS, can_manage_chat: true },
  },
});

/** Returns the link with which a channel's administrator adds the bot, with exactly the rights that it needs. */
export const connectLink = (username: string): string =>
  `https://t.me/${username}?startchannel&admin=${NEEDED_RIGHTS.map((right) => right.replace(/^can_/, '')).join('+')}`;

/**
 * Prepares the native picker for a reader. Returns null if Telegram does not respond in time, or responds without a
 * button.
 */
export const preparePicker = async (userId: string, { api }: BotApi): Promise<string | null> => {
  const timeout = new Promise<null>((resolve) => setTimeout(resolve, PICKER_TIMEOUT_MS, null).unref());
  const prepared = api.raw.savePreparedKeyboardButton({ user_id: Number(userId), button: createRequestButton() }).then(
    ({ id }) => id,
    () => null,
  );
  return Promise.race([prepared, timeout]);
};

/** Dependencies of connecting a channel. */
export interface ConnectChannelDeps {
  readonly bot: BotApi;
  readonly botId: number;
  readonly store: Store;
  readonly members: Members;
  readonly operatorIds: ReadonlySet<string>;
  /** The setting CONNECT. */
  readonly connect: Config['connectPolicy'];
  /** Milliseconds. */
  readonly now: () => number;
}

const nowSeconds = ({ now }: Pick<ConnectChannelDeps, 'now'>): number => Math.floor(now() / 1000);

/**
 * Returns whether a user may connect a channel: an operator of the site may. If the setting CONNECT allows it, an
 * administrator of the channel may too, if they opened "Connect a channel" in the last hour.
 */
export const mayConnect = async (channelId: string, userId: string, deps: ConnectChannelDeps): Promise<boolean> => {
  const { store, members, operatorIds, connect, now } = deps;
  if (operatorIds.has(userId)) return true;
  if (connect === 'operators') return false;
  const intentAt = await store.connectIntentAt(userId);
  if (intentAt === null || now() / 1000 - intentAt > CONNECT_INTENT_LIFETIME_SECONDS) return false;
  return (await members.memberLevel(channelId, userId)) === ADMINISTRATOR_LEVEL;
};

/**
 * Accepts a channel that waits for a decision, if the user who added the bot may connect it. The audit event "connect"
 * is written in the same transaction.
 */
export const acceptIfAllowed = async (
  { channelId, title }: Pick<ChannelConnection, 'channelId' | 'title'>,
  userId: string,
  deps: ConnectChannelDeps,
): Promise<boolean> => {
  if (!(await mayConnect(channelId, userId, deps))) return false;
  const auditEntry = { at: nowSeconds(deps), actorId: userId, act: 'connect', channelId, channelTitle: title } as const;
  return deps.store.withAuditEntries([auditEntry]).acceptConnection(channelId, userId);
};

/**
 * Connects a channel whose posts arrive although no update reported that the bot was added: the update was lost, or
 * this store is new. If an operator of the site is one of its administrators, the channel is followed immediately;
 * otherwise it waits for a decision. Throws while the bot is not an administrator, so that the caller retries.
 */
export const connectUnknownChannel = async (channelId: string, deps: ConnectChannelDeps): Promise<ChannelConnection | null> => {
  const { bot, botId, store, operatorIds } = deps;
  const chatId = chatIdOf(channelId);
  const member = parseMember(await bot.api.getChatMember(chatId, botId));
  if (!member?.isAdministrator) throw new Error('the bot receives its posts but is not an administrator of it');
  const details = parseChat(await bot.api.getChat(chatId));
  if (details.type === 'bad') throw new Error(details.reason);
  const administrators = (await bot.api.getChatAdministrators(chatId)).map(({ user }) => user);
  const operator = administrators.find(({ id }) => operatorIds.has(String(id)));
  const addedBy = operator ?? administrators.find(({ is_bot }) => !is_bot);
  const membership = {
    channelId,
    title: details.title,
    username: details.username ?? null,
    // Older than any update that may still arrive about the channel.
    at: 1,
    sequence: 0,
    by: String(addedBy?.id ?? botId),
    rights: [...member.rights],
  };
  const connection = await store.recordMembership(membership, operator !== undefined, nowSeconds(deps));
  return connection.status === 'connected' ? connection : null;
};

/**
 * Connects a channel that was picked in the app. If the bot was its administrator already, no update reports it, so the
 * bot's status is requested.
 */
export const connectSharedChannel = async (
  shared: ChatShared,
  at: number,
  updateId: number,
  deps: ConnectChannelDeps,
): Promise<ChannelConnection | null> => {
  const { bot, botId, store, operatorIds } = deps;
  const member = parseMember(await bot.api.getChatMember(chatIdOf(shared.channelId), botId));
  if (!member?.isAdministrator) return null;
  const membership = {
    channelId: shared.channelId,
    title: shared.title ?? shared.channelId,
    username: shared.username ?? null,
    at,
    sequence: updateId,
    by: shared.from.id,
    rights: [...member.rights],
  };
  const before = await store.connection(shared.channelId);
  const recorded = await store.recordMembership(membership, operatorIds.has(shared.from.id), nowSeconds(deps));
  if (recorded.status === 'asking') await acceptIfAllowed(recorded, shared.from.id, deps);
  const after = await store.connection(shared.channelId);
  return after?.status === 'connected' && before?.status !== 'connected' ? after : null;
};

/** Leaves a channel's chat. If the bot is not in it any more, this counts as success. */
export const leaveChat = async (channelId: string, { api }: BotApi): Promise<void> => {
  const chatId = chatIdOf(channelId);
  if (Number.isNaN(chatId)) return;
  await api.leaveChat(chatId).catch((error: unknown) => {
    if (!isBotApiRejection(error)) throw error;
  });
};
