/**
 * Bot sender: sends the queued notifications of readers who chose the bot. Only the process with the lease sends, so that
 * it can keep Telegram's limits: 30 messages a second in all, and one a second in a chat.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { InlineKeyboardButton } from '@grammyjs/types';
import type { Config } from '../config.ts';
import type { ChatMessage, SendChatMessage, SendResult } from '../sources/telegram/send-message.ts';
import type { NotificationClaim, NotificationResult, QueuedNotification } from '../storage/ports/notifications.ts';
import type { Store } from '../storage/ports/store.ts';
import { createPlanner, type PlanDeps, type PlannedMessage } from './plan.ts';
import { groupByRecipient, unsentResults } from './push-sender.ts';
import { retryLater } from './retry.ts';
import { textsFor } from './texts.ts';

/** Services that this module uses. */
export type BotSenderDeps = Omit<PlanDeps, 'config' | 'store'> & {
  readonly config: Pick<Config, 'botApp' | 'operatorIds' | 'publicUrl'>;
  readonly store: Pick<Store, 'beginSending' | 'channel' | 'claimNotifications' | 'finishSending' | 'post' | 'reader'>;
  readonly sendMessage: SendChatMessage;
  readonly onResults: (sent: number, failed: number) => void;
};

const MAX_MESSAGES_PER_SECOND = 30;
const CHAT_INTERVAL_MS = 1000;
/** Readers per claim. Their messages are sent at the same time, within the limits. */
const READERS_PER_CLAIM = 30;
const CLAIM_MS = 120_000;
/** Rate limit of one bot. Times are unix ms. */
export class BotRateLimit {
  #nextAt = 0;
  #pausedUntil = 0;
  readonly #nextByChat = new Map<string, number>();

  /** Reserves the next time at which a message to a chat may be sent. */
  reserve(chat: string, now: number): number {
    for (const [other, at] of this.#nextByChat) if (at <= now) this.#nextByChat.delete(other);
    const at = Math.max(now, this.#nextAt, this.#nextByChat.get(chat) ?? 0);
    this.#nextAt = Math.max(now, this.#nextAt) + 1000 / MAX_MESSAGES_PER_SECOND;
    this.#nextByChat.set(chat, at + CHAT_INTERVAL_MS);
    return at;
  }

  /** Returns how long Telegram asked to wait, in ms. A message that reserved an earlier time waits too. */
  pauseMs(now: number): number {
    return Math.max(0, this.#pausedUntil - now);
  }

  /** Pauses all messages, because Telegram asked for it. */
  pause(until: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, until);
    this.#nextAt = Math.max(this.#nextAt, until);
  }
}

/** Creates a function that sends one claim of due notifications. It returns false if none is due. */
export function createBotSender(deps: BotSenderDeps): () => Promise<boolean> {
  const limit = new BotRateLimit();
  return async () => {
    const now = deps.now();
    if (limit.pauseMs(now) > 0) return false;
    const claim = await deps.store.claimNotifications('bot', { now, until: now + CLAIM_MS, limit: READERS_PER_CLAIM });
    if (claim === null) return false;
    const plan = createPlanner(deps);
    const recipients = [...groupByRecipient(claim.items)];
    await Promise.all(recipients.map(([recipient, items]) => sendToReader(recipient, items, claim, plan, limit, deps)));
    return true;
  };
}

/** Sends the messages of one reader, one after another. */
async function sendToReader(
  recipient: string,
  items: readonly QueuedNotification[],
  claim: NotificationClaim,
  plan: ReturnType<typeof createPlanner>,
  limit: BotRateLimit,
  deps: BotSenderDeps,
): Promise<void> {
  const { store, now, onResults } = deps;
  const readerId = items[0]?.owner ?? '';
  const finish = (results: NotificationResult[]) => store.finishSending(claim.id, results, Math.floor(now() / 1000));
  const settings = claim.settings.get(readerId);
  if (settings === undefined || !settings.botAccess) return finish([{ recipient, items, type: 'dropped' }]);
  const language = (await store.reader(readerId))?.language ?? 'en';
  const planned = await plan(items, readerId, settings, language);
  await finish(unsentResults(recipient, planned));
  for (const message of planned.messages) {
    await wait(limit.reserve(recipient, now()) - now());
    const pauseMs = limit.pauseMs(now());
    if (pauseMs > 0) {
      await finish([{ recipient, items: message.items, type: 'postpone', due: now() + pauseMs, isRetry: false }]);
      continue;
    }
    if ((await store.beginSending(claim.id, [recipient])).length === 0) return;
    const sent = await deps.sendMessage(readerId, chatMessageOf(message, language, deps.config));
    if (sent.type === 'limited') limit.pause(now() + sent.retryAfterMs);
    const result = resultOf(sent, recipient, message.items, now());
    await finish([result]);
    onResults(result.type === 'sent' ? 1 : 0, result.type === 'failed' ? 1 : 0);
    if (result.type === 'gone') return;
  }
}

function resultOf(sent: SendResult, recipient: string, items: readonly QueuedNotification[], now: number): NotificationResult {
  switch (sent.type) {
    case 'sent':
      return { recipient, items, type: 'sent', shown: [] };
    case 'limited':
      return retryLater(recipient, items, now, sent.retryAfterMs);
    case 'unsent':
      return retryLater(recipient, items, now, null);
    case 'blocked':
      return { recipient, items, type: 'gone' };
    default:
      return { recipient, items, type: 'failed' };
  }
}

/** Returns the message of a chat: the title with the number of posts, the text, and a button that opens the post. */
function chatMessageOf({ payload, news }: PlannedMessage, language: string, config: BotSenderDeps['config']): ChatMessage {
  if (payload.type === 'read') return { text: '', button: null };
  const lines = news.length > 1 ? news.map(({ channel, count }) => `${channel.title} (${count})`) : [payload.body];
  const count = payload.type === 'post' && payload.count > 1 ? ` (${payload.count})` : '';
  const startParam = payload.type === 'post' ? `c_${payload.channelId}_${payload.postId}` : null;
  return {
    text: [`${payload.title}${count}`, ...lines].join('\n'),
    button: buttonOf(textsFor(language).open, payload.url, startParam, config),
  };
}

/** Returns whether messages can have a button that opens the app. */
export const canOpenApp = ({ botApp, publicUrl }: Pick<Config, 'botApp' | 'publicUrl'>): boolean =>
  botApp !== null || (publicUrl?.startsWith('https:') ?? false);

function buttonOf(
  text: string,
  path: string,
  startParam: string | null,
  { botApp, publicUrl }: BotSenderDeps['config'],
): InlineKeyboardButton | null {
  if (botApp !== null) return { text, url: startParam === null ? botApp : `${botApp}?startapp=${startParam}` };
  return publicUrl?.startsWith('https:') ? { text, web_app: { url: publicUrl + path } } : null;
}
