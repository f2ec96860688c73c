// Methods of the Bot API that the double implements.

import type { ApiMethods, ChatFullInfo, ChatMember, User } from '@grammyjs/types';
import { type Args, BotApiError, badRequest, forbidden, numberArg, textArg } from './answer.ts';
import type { Channel } from './channel.ts';
import type { Webhook } from './webhook.ts';
import { type ChannelPost, chatWith, type TelegramState } from './world.ts';

export interface Telegram extends TelegramState {
  readonly channels: Map<number, Channel>;
  readonly webhook: Webhook;
}

type Methods = { readonly [Method in keyof ApiMethods<never>]?: (telegram: Telegram, args: Args) => unknown };

const JOINED = new Set(['creator', 'administrator', 'member']);

const isMember = (member: ChatMember | undefined): boolean =>
  member !== undefined && (JOINED.has(member.status) || (member.status === 'restricted' && member.is_member));

const findChannel = ({ channels }: Telegram, args: Args): Channel => {
  const chatId = textArg(args, 'chat_id') ?? '';
  if (chatId === '') throw badRequest('chat_id is empty');
  const matches = ({ id, username }: Channel) =>
    chatId.startsWith('@') ? username?.toLowerCase() === chatId.slice(1).toLowerCase() : String(id) === chatId;
  const channel = [...channels.values()].find(matches);
  if (!channel) throw badRequest('chat not found');
  return channel;
};

/** Finds a channel whose member the bot is. With `orPublic`, a public channel is found without membership. */
const findAccessibleChannel = (telegram: Telegram, args: Args, orPublic = false): Channel => {
  const channel = findChannel(telegram, args);
  const botMember = channel.members.get(telegram.bot.id);
  if (isMember(botMember) || (orPublic && channel.username !== undefined)) return channel;
  throw forbidden(
    botMember?.status === 'kicked' ? 'bot was kicked from the channel chat' : 'bot is not a member of the channel chat',
  );
};

const findAdministeredChannel = (telegram: Telegram, args: Args): Channel => {
  const channel = findAccessibleChannel(telegram, args);
  if (!channel.sendsUpdatesToBot) throw badRequest('member list is inaccessible');
  return channel;
};

const findUser = ({ users, bot }: Telegram, args: Args): User => {
  const id = numberArg(args, 'user_id');
  const user = id === bot.id ? bot : users.get(id ?? 0);
  if (!user) throw badRequest('user not found');
  return user;
};

/** Finds the message that a method changes. `action` is its name in errors of Telegram. */
const findMessage = (channel: Channel, args: Args, action: string): ChannelPost => {
  const message = channel.messages.get(numberArg(args, 'message_id') ?? 0);
  if (!message) throw badRequest(`message to ${action} not found`);
  return message;
};

const fullChatInfo = ({ chat, username, description, photo, pinned, messages }: Channel): ChatFullInfo.ChannelChat => {
  const pinned_message = pinned === undefined ? undefined : messages.get(pinned);
  const gifts = {
    unlimited_gifts: true,
    limited_gifts: true,
    unique_gifts: true,
    premium_subscription: false,
    gifts_from_channels: true,
  };
  return {
    ...chat,
    accent_color_id: 5,
    max_reaction_count: 11,
    accepted_gift_types: gifts,
    ...(username === undefined ? {} : { active_usernames: [username] }),
    ...(description === undefined ? {} : { description }),
    ...(photo === undefined ? {} : { photo }),
    ...(pinned_message === undefined ? {} : { pinned_message }),
  };
};

const memberCount = ({ members, others }: Channel) => [...members.values()].filter(isMember).length + others;

const sendText = (telegram: Telegram, args: Args) => {
  const text = textArg(args, 'text') ?? '';
  if (text === '') throw badRequest('message text is empty');
  const user = telegram.users.get(numberArg(args, 'chat_id') ?? 0);
  if (user) return { message_id: 1, from: telegram.bot, chat: chatWith(user), date: telegram.now(), text };
  const channel = findAccessibleChannel(telegram, args);
  if (rightsOf(channel, telegram).can_post_messages !== true) throw badRequest('need administrator rights in the channel chat');
  return channel.post({ text });
};

const rightsOf = (channel: Channel, { bot }: TelegramState) => {
  const botMember = channel.members.get(bot.id);
  return botMember?.status === 'administrator' ? botMember : { can_post_messages: false, can_delete_messages: false };
};

const deletePost = (telegram: Telegram, args: Args) => {
  const channel = findAccessibleChannel(telegram, args);
  const { message_id } = findMessage(channel, args, 'delete');
  if (rightsOf(channel, telegram).can_delete_messages !== true) throw badRequest("message can't be deleted");
  channel.delete(message_id);
  return true;
};

/** Copies or forwards a message to a channel or to the private chat of a person. */
const copyOrForward = (telegram: Telegram, args: Args, action: 'copy' | 'forward') => {
  const from = findAccessibleChannel(telegram, { ...args, chat_id: args.from_chat_id });
  const { message_id, date, chat, ...content } = findMessage(from, args, action);
  const user = telegram.users.get(numberArg(args, 'chat_id') ?? 0);
  const forward_origin = { type: 'channel' as const, chat, message_id, date };
  const copy = action === 'copy' ? content : { ...content, forward_origin };
  if (!user) return findAccessibleChannel(telegram, args).post(copy);
  return { ...copy, message_id: 1, chat: chatWith(user), date: telegram.now() };
};

/**
 * The methods that the double implements. Another method of the Bot API fails with its name, so that a test shows what is
 * missing.
 */
export const METHODS: Methods = {
  getMe: ({ bot }) => bot,
  getChat: (telegram, args) => fullChatInfo(findAccessibleChannel(telegram, args, true)),
  getChatMemberCount: (telegram, args) => memberCount(findAccessibleChannel(telegram, args, true)),
  getChatMember: (telegram, args) => {
    const channel = findAdministeredChannel(telegram, args);
    const user = findUser(telegram, args);
    return channel.members.get(user.id) ?? { status: 'left', user };
  },
  getChatAdministrators: (telegram, args) =>
    [...findAdministeredChannel(telegram, args).members.values()].filter(
      ({ status }) => status === 'creator' || status === 'administrator',
    ),
  leaveChat: (telegram, args) => {
    findAccessibleChannel(telegram, args).leave(telegram.bot);
    return true;
  },
  getFile: ({ files }, args) => files.tell(textArg(args, 'file_id') ?? ''),
  sendMessage: sendText,
  copyMessage: (telegram, args) => ({ message_id: copyOrForward(telegram, args, 'copy').message_id }),
  forwardMessage: (telegram, args) => copyOrForward(telegram, args, 'forward'),
  deleteMessage: deletePost,
  setMessageReaction: (telegram, args) => {
    findMessage(findAccessibleChannel(telegram, args), args, 'react');
    return true;
  },
  savePreparedKeyboardButton: (telegram, args) => ({ id: `prepared-${findUser(telegram, args).id}-${telegram.now()}` }),
  setMyCommands: () => true,
  getWebhookInfo: ({ webhook }) => webhook.info(),
};

/** Calls a method by its name in any case. Fails with 404 for a name that Telegram does not have. */
export const callMethod = (telegram: Telegram, method: string, args: Args): unknown => {
  const entry = Object.entries(METHODS).find(([name]) => name.toLowerCase() === method.toLowerCase());
  if (!entry?.[1]) throw new BotApiError(404, 'Not Found: method not found');
  return entry[1](telegram, args);
};
