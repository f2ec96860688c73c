/** Membership parser: members, administrators and their rights. */
import type { ChatAdministratorRights, ChatMember } from '@grammyjs/types';
import {
  countField,
  isRawObject,
  nonEmptyTextField,
  numberField,
  omitUndefined,
  parseDigits,
  type RawObject,
  secondsField,
} from '../../../lib/unknown-fields.ts';
import { type ChatSummary, channelIdOf, displayNameOf, type ParseFailure, parseChatSummary, parseFailure } from './chat.ts';

/** A right that an administrator of a channel may have. */
export type Right = Exclude<keyof ChatAdministratorRights, 'is_anonymous'>;

/** All rights. A new one is a type error until it is added here. */
const RIGHTS: Readonly<Record<Right, true>> = {
  can_manage_chat: true,
  can_delete_messages: true,
  can_manage_video_chats: true,
  can_restrict_members: true,
  can_promote_members: true,
  can_change_info: true,
  can_invite_users: true,
  can_manage_tags: true,
  can_post_stories: true,
  can_edit_stories: true,
  can_delete_stories: true,
  can_post_messages: true,
  can_edit_messages: true,
  can_pin_messages: true,
  can_manage_topics: true,
  can_manage_direct_messages: true,
  can_send_welcome_messages: true,
};

const isRight = (name: string): name is Right => Object.hasOwn(RIGHTS, name);
const ALL_RIGHTS: readonly Right[] = Object.keys(RIGHTS).filter(isRight);

export interface ParsedUser {
  /** Digits, as in the ids of our sessions. */
  readonly id: string;
  readonly name: string;
  readonly username?: string;
  readonly isBot: boolean;
}

/** A user's status in a channel. */
export interface ParsedMember {
  readonly user: ParsedUser;
  /** `unknown` for a status that this code does not know; such a user does not count as a member. */
  readonly status: ChatMember['status'] | 'unknown';
  readonly isMember: boolean;
  readonly isAdministrator: boolean;
  readonly rights: ReadonlySet<Right>;
}

/** A membership change at `at` (unix seconds), made by `from`. */
export interface MembershipChange {
  readonly type: 'membership';
  readonly chat: ChatSummary;
  readonly actor: ParsedUser;
  readonly at: number;
  readonly before: ParsedMember | null;
  readonly after: ParsedMember;
}

const parseUser = (raw: unknown): ParsedUser | null => {
  const id = isRawObject(raw) ? parseDigits(raw.id) : undefined;
  if (!isRawObject(raw) || id === undefined) return null;
  const fields = { id, name: displayNameOf(raw), isBot: raw.is_bot === true };
  return { ...fields, ...omitUndefined<{ username?: string }>({ username: nonEmptyTextField(raw, 'username') }) };
};

/** Function of each status that returns whether such a user is in the channel. A restricted user has a field for it. */
const IS_MEMBER_BY_STATUS: Readonly<Record<ChatMember['status'], (raw: RawObject) => boolean>> = {
  creator: () => true,
  administrator: () => true,
  member: () => true,
  restricted: (raw) => raw.is_member === true,
  left: () => false,
  kicked: () => false,
};

const isStatus = (status: string): status is ChatMember['status'] => Object.hasOwn(IS_MEMBER_BY_STATUS, status);

const rightsOf = (raw: RawObject): ReadonlySet<Right> => {
  if (raw.status === 'creator') return new Set(ALL_RIGHTS);
  return new Set(raw.status === 'administrator' ? ALL_RIGHTS.filter((right) => raw[right] === true) : []);
};

/** Parses a member of a channel from getChatMember; null if it is none. */
export const parseMember = (raw: unknown): ParsedMember | null => {
  const user = isRawObject(raw) ? parseUser(raw.user) : null;
  if (!isRawObject(raw) || user === null) return null;
  const rawStatus = nonEmptyTextField(raw, 'status') ?? '';
  const status = isStatus(rawStatus) ? rawStatus : 'unknown';
  return {
    user,
    status,
    isMember: status !== 'unknown' && IS_MEMBER_BY_STATUS[status](raw),
    isAdministrator: status === 'creator' || status === 'administrator',
    rights: rightsOf(raw),
  };
};

/** Parses `my_chat_member` and `chat_member` updates. */
export const parseMembershipChange = (raw: unknown): MembershipChange | ParseFailure => {
  const chat = isRawObject(raw) ? parseChatSummary(raw.chat) : null;
  if (!isRawObject(raw) || chat === null) return parseFailure('its chat is not a channel');
  const [actor, at, after] = [parseUser(raw.from), secondsField(raw, 'date'), parseMember(raw.new_chat_member)];
  if (actor === null || after === null) return parseFailure('it does not contain the user, the new status and who changed it');
  if (at === undefined) return parseFailure('it has no date');
  return { type: 'membership', chat, actor, at, before: parseMember(raw.old_chat_member), after };
};

/** A channel that a user picked for the bot's request. */
export interface ChatShared {
  readonly type: 'chat-shared';
  readonly requestId: number;
  readonly channelId: string;
  readonly title?: string;
  readonly username?: string;
  readonly from: ParsedUser;
}

/** Parses a private message that shares a channel with the bot; null for every other message. */
export const parseChatShared = (raw: unknown): ChatShared | ParseFailure | null => {
  if (!isRawObject(raw) || !isRawObject(raw.chat_shared)) return null;
  const { chat_shared } = raw;
  const [from, channelId] = [parseUser(raw.from), channelIdOf(numberField(chat_shared, 'chat_id'))];
  const requestId = countField(chat_shared, 'request_id');
  if (from === null || requestId === undefined) return parseFailure('it does not contain the sender and the request id');
  if (channelId === null) return parseFailure('the shared chat is not a channel');
  const fields = omitUndefined<Pick<ChatShared, 'title' | 'username'>>({
    title: nonEmptyTextField(chat_shared, 'title'),
    username: nonEmptyTextField(chat_shared, 'username'),
  });
  return { type: 'chat-shared', requestId, channelId, from, ...fields };
};
