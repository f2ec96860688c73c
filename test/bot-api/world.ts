// Data model of the Bot API double: users, chats and members.

import type { Chat, ChatAdministratorRights, ChatMember, Message, Update, User, UserFromGetMe } from '@grammyjs/types';
import type { Files } from './files.ts';
import type { Updates } from './updates.ts';

/** The fields of a message without its id, chat and date. */
export type Content = Partial<Omit<Message, 'message_id' | 'chat' | 'date'>>;
export type ChannelPost = Message & Update.Channel;

/** The part of Telegram that a bot in channels sees. */
export interface TelegramState {
  readonly bot: UserFromGetMe;
  readonly users: Map<number, User>;
  readonly files: Files;
  readonly updates: Updates;
  /** Returns unix seconds. A test may replace it. */
  now: () => number;
}

/** Creates a user with a name. */
export const person = (id: number, first_name: string, more: Partial<User> = {}): User => ({
  id,
  is_bot: false,
  first_name,
  ...more,
});

const NO_RIGHTS: ChatAdministratorRights = {
  is_anonymous: false,
  can_manage_chat: true,
  can_delete_messages: false,
  can_manage_video_chats: false,
  can_restrict_members: false,
  can_promote_members: false,
  can_change_info: false,
  can_invite_users: false,
  can_post_stories: false,
  can_edit_stories: false,
  can_delete_stories: false,
  can_post_messages: false,
  can_edit_messages: false,
  can_manage_direct_messages: false,
  can_send_welcome_messages: false,
};

export type Rights = Partial<ChatAdministratorRights>;

/** Returns an administrator with these rights and no others. */
export const administrator = (user: User, rights: Rights = {}): ChatMember => ({
  status: 'administrator',
  user,
  can_be_edited: false,
  ...NO_RIGHTS,
  ...rights,
});

/** Returns the private chat of a person with the bot. */
export const chatWith = ({ id, first_name, username }: User): Chat.PrivateChat => ({
  id,
  type: 'private',
  first_name,
  ...(username === undefined ? {} : { username }),
});
