// Methods of the Bot API that the double implements.

import type { ApiMethods, ChatFullInfo, ChatMember, User } from '@grammyjs/types';
import { type Args, badRequest, forbidden, numberArg, Refusal, textArg } from './answer.ts';
import type { Channel } from './channel.ts';
import type { Webhook } from './webhook.ts';
import { type ChannelPost, chatWith, type World } from './world.ts';

export interface Telegram extends World {
  readonly channels: Map<number, Channel>;
  readonly webhook: Webhook;
}

type Answers = { readonly [Method in keyof ApiMethods<never>]?: (telegram: Telegram, args: Args) => unknown };

const JOINED = new Set(['creator', 'administrator', 'member']);

const isIn = (member: ChatMember | undefined): boolean =>
  member !== undefined && (JOINED.has(member.status) || (member.status === 'restricted' && member.is_member));

const find = ({ channels }: Telegram, args: Args): Channel => {
  const asked = textArg(args, 'chat_id') ?? '';
  if (asked === '') throw badRequest('chat_id is empty');
  const isAsked = ({ id, username }: Channel) =>
    asked.startsWith('@') ? username?.toLowerCase() === asked.slice(1).toLowerCase() : String(id) === asked;
  const channel = [...channels.values()].find(isAsked);
  if (!channel) throw badRequest('chat not found');
  return channel;
};

/** Finds a channel whose member the bot is. With `orPublic`, a public channel is found without membership. */
const entered = (telegram: Telegram, args: Args, orPublic = false): Channel => {
  const channel = find(telegram, args);
  const own = channel.members.get(telegram.bot.id);
  if (isIn(own) || (orPublic && channel.username !== undefined)) return channel;
  throw forbidden(own?.status === 'kicked' ? 'bot was kicked from the channel chat' : 'bot is not a member of the channel chat');
};

const administered = (telegram: Telegram, args: Args): Channel => {
  const channel = entered(telegram, args);
  if (!channel.isHeard) throw badRequest('member list is inaccessible');
  return channel;
};

const userIn = ({ users, bot }: Telegram, args: Args): User => {
  const id = numberArg(args, 'user_id');
  const user = id === bot.id ? bot : users.get(id ?? 0);
  if (!user) throw badRequest('user not found');
  return user;
};

/** Finds the message that a method changes. `deed` is the name of the action in errors of Telegram. */
const messageIn = (channel: Channel, args: Args, deed: string): ChannelPost => {
  const message = channel.messages.get(numberArg(args, 'message_id') ?? 0);
  if (!message) throw badRequest(`message to ${deed} not found`);
  return message;
};

const chatFacts = ({ chat, username, description, photo, pinned, messages }: Channel): ChatFullInfo.ChannelChat => {
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

const countOf = ({ members, others }: Channel) => [...members.values()].filter(isIn).length + others;

const sent = (telegram: Telegram, args: Args) => {
  const text = textArg(args, 'text') ?? '';
  if (text === '') throw badRequest('message text is empty');
  const user = telegram.users.get(numberArg(args, 'chat_id') ?? 0);
  if (user) return { message_id: 1, from: telegram.bot, chat: chatWith(user), date: telegram.now(), text };
  const channel = entered(telegram, args);
  if (rightsOf(channel, telegram).can_post_messages !== true) throw badRequest('need administrator rights in the channel chat');
  return channel.post({ text });
};

const rightsOf = (channel: Channel, { bot }: World) => {
  const own = channel.members.get(bot.id);
  return own?.status === 'administrator' ? own : { can_post_messages: false, can_delete_messages: false };
};

const deleted = (telegram: Telegram, args: Args) => {
  const channel = entered(telegram, args);
  const { message_id } = messageIn(channel, args, 'delete');
  if (rightsOf(channel, telegram).can_delete_messages !== true) throw badRequest("message can't be deleted");
  channel.delete(message_id);
  return true;
};

/** Copies or forwards a message to a channel or to the private chat of a person. */
const passedOn = (telegram: Telegram, args: Args, deed: 'copy' | 'forward') => {
  const from = entered(telegram, { ...args, chat_id: args.from_chat_id });
  const { message_id, date, chat, ...content } = messageIn(from, args, deed);
  const user = telegram.users.get(numberArg(args, 'chat_id') ?? 0);
  const forward_origin = { type: 'channel' as const, chat, message_id, date };
  const passed = deed === 'copy' ? content : { ...content, forward_origin };
  if (!user) return entered(telegram, args).post(passed);
  return { ...passed, message_id: 1, chat: chatWith(user), date: telegram.now() };
};

/**
 * The methods that the double implements. Another method of the Bot API fails with its name, so that a test shows what is
 * missing.
 */
export const ANSWERS: Answers = {
  getMe: ({ bot }) => bot,
  getChat: (telegram, args) => chatFacts(entered(telegram, args, true)),
  getChatMemberCount: (telegram, args) => countOf(entered(telegram, args, true)),
  getChatMember: (telegram, args) => {
    const channel = administered(telegram, args);
    const user = userIn(telegram, args);
    return channel.members.get(user.id) ?? { status: 'left', user };
  },
  getChatAdministrators: (telegram, args) =>
    [...administered(telegram, args).members.values()].filter(({ status }) => status === 'creator' || status === 'administrator'),
  leaveChat: (telegram, args) => {
    entered(telegram, args).leave(telegram.bot);
    return true;
  },
  getFile: ({ files }, args) => files.tell(textArg(args, 'file_id') ?? ''),
  sendMessage: sent,
  copyMessage: (telegram, args) => ({ message_id: passedOn(telegram, args, 'copy').message_id }),
  forwardMessage: (telegram, args) => passedOn(telegram, args, 'forward'),
  deleteMessage: deleted,
  setMessageReaction: (telegram, args) => {
    messageIn(entered(telegram, args), args, 'react');
    return true;
  },
  savePreparedKeyboardButton: (telegram, args) => ({ id: `prepared-${userIn(telegram, args).id}-${telegram.now()}` }),
  setMyCommands: () => true,
  getWebhookInfo: ({ webhook }) => webhook.info(),
};

/** Calls a method by its name in any case. Fails with 404 for a name that Telegram does not have. */
export const answerMethod = (telegram: Telegram, method: string, args: Args): unknown => {
  const known = Object.entries(ANSWERS).find(([name]) => name.toLowerCase() === method.toLowerCase());
  if (!known?.[1]) throw new Refusal(404, 'Not Found: method not found');
  return known[1](telegram, args);
};
