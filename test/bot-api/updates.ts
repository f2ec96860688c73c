// Update queue of the Bot API double: pending updates, long polling and allowed types.

import type { Update } from '@grammyjs/types';
import { type Args, conflict, listArg, numberArg } from './answer.ts';

/** An update before Telegram has given it a number. */
export type UpdateContent = Omit<Update, 'update_id'>;

type Type = keyof UpdateContent;

const TYPES: Readonly<Record<Type, true>> = {
  message: true,
  edited_message: true,
  channel_post: true,
  edited_channel_post: true,
  business_connection: true,
  business_message: true,
  edited_business_message: true,
  deleted_business_messages: true,
  guest_message: true,
  stopped_message_generation: true,
  message_reaction: true,
  message_reaction_count: true,
  inline_query: true,
  chosen_inline_result: true,
  callback_query: true,
  shipping_query: true,
  pre_checkout_query: true,
  purchased_paid_media: true,
  poll: true,
  poll_answer: true,
  my_chat_member: true,
  chat_member: true,
  chat_join_request: true,
  chat_boost: true,
  removed_chat_boost: true,
  managed_bot: true,
  subscription: true,
};

const isType = (name: unknown): name is Type => typeof name === 'string' && Object.hasOwn(TYPES, name);

/** Types that a bot receives only if it requests them by name. */
const OPT_IN_TYPES: ReadonlySet<Type> = new Set<Type>(['chat_member', 'message_reaction', 'message_reaction_count']);

/** The updates that a bot has not confirmed yet, in order, and the pollers that wait for them. */
export class Updates {
  pending: Update[] = [];
  #allowed: readonly Type[] = [];
  #next = 100_000_001;
  #held: UpdateContent[] | null = null;
  #wake = new Set<() => void>();
  #poller: ((taken: boolean) => void) | null = null;

  /** Adds an update, unless the bot has not requested its type: Telegram does not store those. */
  add(news: UpdateContent): number | undefined {
    // The update is copied, because later changes of the message are sent in later updates.
    if (this.#held) return void this.#held.push(structuredClone(news));
    if (!Object.keys(news).some((type) => isType(type) && this.#wants(type))) return undefined;
    const update: Update = { ...structuredClone(news), update_id: this.#next++ };
    this.pending.push(update);
    this.wake();
    return update.update_id;
  }

  /** Holds all updates back from now on, until `release`. */
  hold(): void {
    this.#held ??= [];
  }

  /** Releases the held updates in the given order. See `shuffleAndRepeat`. */
  release(
    order: (updates: readonly UpdateContent[]) => readonly UpdateContent[] = (updates) => updates,
  ): readonly UpdateContent[] {
    const released = order(this.#held ?? []);
    this.#held = null;
    for (const news of released) this.add(news);
    return released;
  }

  get allowed(): readonly Type[] {
    return this.#allowed;
  }

  allow(args: Args): void {
    this.#allowed = listArg(args, 'allowed_updates')?.filter(isType) ?? this.#allowed;
  }

  #wants(type: Type): boolean {
    return this.#allowed.length === 0 ? !OPT_IN_TYPES.has(type) : this.#allowed.includes(type);
  }

  confirm(id: number): void {
    this.pending = this.pending.filter((update) => update.update_id !== id);
  }

  wake(): void {
    for (const notify of [...this.#wake]) notify();
  }

  /** Resolves at the next change, or at the latest after this time. */
  change(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const notify = () => {
        this.#wake.delete(notify);
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(notify, milliseconds);
      this.#wake.add(notify);
    });
  }

  /**
   * Returns the response of getUpdates. An offset confirms the updates below it. A second poller ends the first with a conflict
   * error.
   */
  async poll(args: Args, isClosed: () => boolean): Promise<Update[]> {
    this.#poller?.(true);
    let isSuperseded = false;
    const supersede = () => {
      isSuperseded = true;
      this.wake();
    };
    this.#poller = supersede;
    this.allow(args);
    this.#forget(numberArg(args, 'offset') ?? 0);
    const limit = Math.min(Math.max(numberArg(args, 'limit') ?? 100, 1), 100);
    const end = Date.now() + Math.min(numberArg(args, 'timeout') ?? 0, 50) * 1000;
    while (!isSuperseded && !isClosed() && this.pending.length === 0 && Date.now() < end) await this.change(end - Date.now());
    if (this.#poller === supersede) this.#poller = null;
    if (isSuperseded) throw conflict('terminated by other getUpdates request; make sure that only one bot instance is running');
    return this.pending.slice(0, limit);
  }

  #forget(offset: number): void {
    if (offset > 0) this.pending = this.pending.filter((update) => update.update_id >= offset);
    if (offset < 0) this.pending = this.pending.slice(offset);
  }

  /** Ends a waiting poll, as setting a webhook does. */
  endPolling(): void {
    this.#poller?.(true);
  }
}
