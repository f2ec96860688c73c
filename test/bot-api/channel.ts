// Channel of the Bot API double: members, posts and the updates that a bot receives about them.

import type { Chat, ChatMember, ChatPhoto, Poll, ReactionCount, User } from '@grammyjs/types';
import type { Sample } from './samples.ts';
import { administrator, type ChannelPost, type Content, type Rights, type TelegramState } from './world.ts';

export interface ChannelOptions {
  readonly title: string;
  readonly username?: string;
  readonly description?: string;
  /** Number of members that the double does not list individually. */
  readonly others?: number;
  readonly owner: User;
}

/**
 * A channel, and the actions of people in it. Each action sends the bot the updates that Telegram would send, and no others.
 */
export class Channel {
  title: string;
  description: string | undefined;
  photo: ChatPhoto | undefined;
  readonly #pins = new Set<number>();
  others: number;
  readonly id: number;
  readonly messages = new Map<number, ChannelPost>();
  readonly members = new Map<number, ChatMember>();
  readonly #world: TelegramState;
  #username: string | undefined;
  #last = 0;
  #albums = 13_000_000_000_000_000n;

  constructor(world: TelegramState, id: number, { title, username, description, others, owner }: ChannelOptions) {
    this.#world = world;
    this.id = id;
    this.title = title;
    this.#username = username;
    this.description = description;
    this.others = others ?? 0;
    this.members.set(owner.id, { status: 'creator', user: owner, is_anonymous: false });
    this.#post({ channel_chat_created: true });
  }

  get username(): string | undefined {
    return this.#username;
  }

  get chat(): Chat.ChannelChat {
    return { id: this.id, type: 'channel', title: this.title, ...(this.#username ? { username: this.#username } : {}) };
  }

  /** The id as our own addresses contain it, without the prefix. */
  get bareId(): string {
    return String(-this.id - 1_000_000_000_000);
  }

  /** True if the bot receives the posts: only as an administrator. */
  get sendsUpdatesToBot(): boolean {
    return this.members.get(this.#world.bot.id)?.status === 'administrator';
  }

  #post(content: Content, more: { date?: number } = {}): ChannelPost {
    const { chat } = this;
    const message: ChannelPost = {
      message_id: ++this.#last,
      sender_chat: chat,
      chat,
      date: this.#world.now(),
      ...more,
      ...content,
    };
    this.messages.set(message.message_id, message);
    if (this.sendsUpdatesToBot) this.#world.updates.add({ channel_post: message });
    return message;
  }

  /** Posts a content. `date` is in unix seconds. */
  post(content: Content, more: { date?: number } = {}): ChannelPost {
    return this.#post(content, more);
  }

  album(contents: readonly Content[]): ChannelPost[] {
    const media_group_id = String(++this.#albums);
    return contents.map((content) => this.#post({ ...content, media_group_id }));
  }

  /** Skips message ids, as messages do that were deleted before the bot could receive them. */
  skip(count: number): void {
    this.#last += count;
  }

  #findMessage(id: number): ChannelPost {
    const message = this.messages.get(id);
    if (!message) throw new Error(`The channel ${this.title} has no message ${id} to act on.`);
    return message;
  }

  edit(id: number, content: Content, edit_date = this.#world.now()): ChannelPost {
    const { caption, caption_entities, entities, reply_markup, ...unchanged } = this.#findMessage(id);
    const message = { ...unchanged, ...content, edit_date };
    this.messages.set(id, message);
    if (this.sendsUpdatesToBot) this.#world.updates.add({ edited_channel_post: message });
    return message;
  }

  react(id: number, reactions: ReactionCount[], date = this.#world.now()): void {
    const message_reaction_count = { chat: this.chat, message_id: this.#findMessage(id).message_id, date, reactions };
    if (this.sendsUpdatesToBot) this.#world.updates.add({ message_reaction_count });
  }

  /** The newest pinned message. Bots cannot request the others. */
  get pinned(): number | undefined {
    return this.#pins.size > 0 ? Math.max(...this.#pins) : undefined;
  }

  pin(id: number): ChannelPost {
    this.#pins.add(id);
    return this.#post({ pinned_message: this.#findMessage(id) });
  }

  /** Unpins a message. Telegram sends bots no update about it. */
  unpin(id: number): void {
    this.#pins.delete(id);
  }

  /** Closes a poll with these votes. Bots receive only this update, and none about earlier votes. */
  closePoll(id: number, votes: readonly number[]): Poll {
    const { poll } = this.#findMessage(id);
    if (!poll) throw new Error(`Message ${id} of ${this.title} is no poll.`);
    const options = poll.options.map((option, index) => ({ ...option, voter_count: votes[index] ?? 0 }));
    const closed: Poll = { ...poll, options, total_voter_count: votes.reduce((sum, count) => sum + count, 0), is_closed: true };
    this.messages.set(id, { ...this.#findMessage(id), poll: closed });
    if (this.sendsUpdatesToBot) this.#world.updates.add({ poll: closed });
    return closed;
  }

  rename(title: string): ChannelPost {
    this.title = title;
    return this.#post({ new_chat_title: title });
  }

  /** Sets or removes the username. Telegram sends bots no update about it: only the chat of the next update contains it. */
  setUsername(username: string | undefined): void {
    this.#username = username;
  }

  setPhoto(sizes: readonly Sample[]): ChannelPost {
    const new_chat_photo = this.#world.files.photo(sizes);
    const [small, big] = [new_chat_photo[1] ?? new_chat_photo[0], new_chat_photo.at(-1)];
    if (!small || !big) throw new Error('A photo has at least one size.');
    this.photo = {
      small_file_id: small.file_id,
      small_file_unique_id: small.file_unique_id,
      big_file_id: big.file_id,
      big_file_unique_id: big.file_unique_id,
    };
    return this.#post({ new_chat_photo });
  }

  removePhoto(): ChannelPost {
    this.photo = undefined;
    return this.#post({ delete_chat_photo: true });
  }

  /** Deletes a message. Telegram sends bots no update about it. */
  delete(id: number): void {
    this.messages.delete(id);
    this.unpin(id);
  }

  #setMember(from: User, user: User, member: ChatMember): void {
    const old_chat_member = this.members.get(user.id) ?? { status: 'left', user };
    this.members.set(user.id, member);
    const update = { chat: this.chat, from, date: this.#world.now(), old_chat_member, new_chat_member: member };
    const isBot = user.id === this.#world.bot.id;
    if (isBot) this.#world.updates.add({ my_chat_member: update });
    else if (this.sendsUpdatesToBot) this.#world.updates.add({ chat_member: update });
  }

  /** Promotes the bot to administrator, or changes its rights. */
  addBot(by: User, rights: Rights = { can_post_messages: true, can_edit_messages: true, can_delete_messages: true }): void {
    this.#setMember(by, this.#world.bot, administrator(this.#world.bot, rights));
  }

  removeBot(by: User): void {
    this.#setMember(by, this.#world.bot, { status: 'kicked', user: this.#world.bot, until_date: 0 });
  }

  promote(user: User, by: User, rights: Rights = { can_post_messages: true }): void {
    this.#setMember(by, user, administrator(user, rights));
  }

  join(user: User): void {
    this.#setMember(user, user, { status: 'member', user });
  }

  leave(user: User): void {
    this.#setMember(user, user, { status: 'left', user });
  }
}
