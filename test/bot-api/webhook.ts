// Webhook delivery of the Bot API double: queues per chat, retries, shuffling and repetition.

import type { Update, WebhookInfo } from '@grammyjs/types';
import { type Args, badRequest, flagArg, numberArg, textArg } from './answer.ts';
import { seeded } from './mixing.ts';
import type { Updates } from './updates.ts';

export interface Delivery {
  /** First and longest delay after a failure, ms. Those of Telegram are about a second and a minute. */
  readonly backOff: readonly [number, number];
  /**
   * Delivers waiting updates in a random order, which is the same for the same seed. Without it, they are delivered in order.
   */
  readonly shuffle?: number;
  /** Share of delivered updates that are delivered again, 0 to 1. */
  readonly repeat?: number;
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

const checkUrl = (url: string): void => {
  if (!URL.canParse(url)) throw badRequest('invalid webhook URL specified');
  const { protocol, hostname } = new URL(url);
  // Telegram always requires https, but the server of a test has no certificate.
  if (protocol !== 'https:' && !(protocol === 'http:' && LOOPBACK.has(hostname)))
    throw badRequest('bad webhook: An HTTPS URL must be provided for webhook');
};

const checkSecret = (secret: string | undefined): void => {
  if (secret !== undefined && secret.length > 256) throw badRequest('secret token is too long');
  if (secret !== undefined && !/^[\w-]*$/.test(secret)) throw badRequest('secret token contains unallowed characters');
};

/** Sends updates to a registered address, one at a time for each chat, and repeats each until the response is 2xx. */
export class Webhook {
  url = '';
  delivery: Delivery = { backOff: [20, 1000] };
  /** Each attempt: the sent update and the status of the response; 0 for no response. */
  readonly attempts: { readonly update: Update; readonly status: number }[] = [];
  readonly #updates: Updates;
  #secret: string | undefined;
  #maxConnections = 40;
  #error: Pick<WebhookInfo, 'last_error_date' | 'last_error_message'> = {};
  #running = 0;

  constructor(updates: Updates) {
    this.#updates = updates;
  }

  set(args: Args): string {
    const url = textArg(args, 'url') ?? '';
    if (url === '') return this.remove(args);
    const secret = textArg(args, 'secret_token');
    checkUrl(url);
    checkSecret(secret);
    const same = url === this.url && secret === this.#secret;
    this.url = url;
    this.#secret = secret;
    this.#maxConnections = numberArg(args, 'max_connections') ?? 40;
    this.#updates.allow(args);
    this.#updates.endPolling();
    if (flagArg(args, 'drop_pending_updates')) this.#updates.pending = [];
    void this.#run(++this.#running);
    return same ? 'Webhook is already set' : 'Webhook was set';
  }

  remove(args: Args): string {
    const wasSet = this.url !== '';
    this.stop();
    if (flagArg(args, 'drop_pending_updates')) this.#updates.pending = [];
    return wasSet ? 'Webhook was deleted' : 'Webhook is already deleted';
  }

  stop(): void {
    this.#running++;
    this.url = '';
    this.#error = {};
    this.#updates.wake();
  }

  info(): WebhookInfo {
    const { pending, allowed } = this.#updates;
    const optionalInfo = this.url === '' ? {} : { max_connections: this.#maxConnections, ip_address: '127.0.0.1' };
    const names = allowed.length > 0 ? { allowed_updates: [...allowed] } : {};
    return {
      url: this.url,
      has_custom_certificate: false,
      pending_update_count: pending.length,
      ...optionalInfo,
      ...names,
      ...this.#error,
    };
  }

  async #run(generation: number): Promise<void> {
    const random = seeded(this.delivery.shuffle ?? 0);
    const busy = new Set<number>();
    const queues = new Set<string>();
    while (generation === this.#running) {
      const free = this.#updates.pending.filter((one) => !busy.has(one.update_id) && !queues.has(queueOf(one)));
      const next = this.delivery.shuffle === undefined ? free[0] : free[Math.floor(random() * free.length)];
      if (next === undefined || busy.size >= this.#maxConnections) {
        await this.#updates.change(60_000);
        continue;
      }
      const queue = queueOf(next);
      busy.add(next.update_id);
      if (this.delivery.shuffle === undefined) queues.add(queue);
      void this.#deliver(next, generation, random).finally(() => {
        busy.delete(next.update_id);
        queues.delete(queue);
        this.#updates.wake();
      });
    }
  }

  async #deliver(update: Update, generation: number, random: () => number): Promise<void> {
    const [first, longest] = this.delivery.backOff;
    for (let pause = first; generation === this.#running; pause = Math.min(pause * 2, longest)) {
      const { status, retryAfter } = await this.#send(update);
      if (status >= 200 && status < 300) break;
      await new Promise((resolve) => setTimeout(resolve, Math.max(pause, retryAfter)));
    }
    if (generation !== this.#running) return;
    this.#updates.confirm(update.update_id);
    if (random() < (this.delivery.repeat ?? 0)) await this.#send(update);
  }

  async #send(update: Update): Promise<{ status: number; retryAfter: number }> {
    const secret = this.#secret === undefined ? {} : { 'x-telegram-bot-api-secret-token': this.#secret };
    const headers = { 'content-type': 'application/json', ...secret };
    const response = await fetch(this.url, { method: 'POST', headers, body: JSON.stringify(update) }).catch(() => null);
    await response?.arrayBuffer().catch(() => null);
    const status = response?.status ?? 0;
    this.attempts.push({ update, status });
    if (!response?.ok)
      this.#fail(response ? `Wrong response from the webhook: ${status} ${response.statusText}` : 'Connection refused');
    return { status, retryAfter: Number(response?.headers.get('retry-after') ?? 0) * 1000 };
  }

  #fail(message: string): void {
    this.#error = { last_error_date: Math.floor(Date.now() / 1000), last_error_message: message };
  }
}

/** Telegram sends the updates of one chat in order, and those of different chats in parallel. */
const queueOf = (update: Update): string => {
  const { channel_post, edited_channel_post, message, my_chat_member, chat_member, message_reaction_count } = update;
  const subject = channel_post ?? edited_channel_post ?? message ?? my_chat_member ?? chat_member ?? message_reaction_count;
  return String(subject?.chat.id ?? update.update_id);
};
