/** Receiving updates from Telegram: by webhook or by long polling. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { GrammyError } from 'grammy';
import type { Config } from '../../config.ts';
import type { Store } from '../../storage/ports/store.ts';
import { ALLOWED_UPDATES, updateIdOf } from './apply-update.ts';
import { type BotApi, describeBotError, toGrammySignal } from './client.ts';

/** Path of the webhook under PUBLIC_URL, to which Telegram posts updates. */
export const WEBHOOK_PATH = '/api/telegram/webhook';

/** Seconds that a long poll waits for an update. */
const POLL_TIMEOUT_SECONDS = 25;
/** Maximum number of parallel connections that Telegram may open. More would not help: the store writes sequentially. */
const MAX_CONNECTIONS = 8;
const WEBHOOK_SECRET_SETTING = 'webhook-secret';
/** First and maximum delay between two attempts, in milliseconds. Each delay is twice the previous one. */
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Returns the URL of the webhook, or null if Telegram could not call one. Telegram requires https; a Bot API server of our own on
 * this machine does not.
 */
export const webhookUrlOf = ({ publicUrl, botApiRoot }: Pick<Config, 'publicUrl' | 'botApiRoot'>): string | null => {
  if (publicUrl === null) return null;
  const beside = botApiRoot !== null && LOOPBACK.has(new URL(botApiRoot).hostname);
  return publicUrl.startsWith('https:') || beside ? `${publicUrl}${WEBHOOK_PATH}` : null;
};

/** Cached secret of each store, or the pending read of it. The secret never changes, and each POST needs it. */
const secrets = new WeakMap<Store, Promise<string>>();

/**
 * Returns the secret that authenticates Telegram's calls. It is created at the first start, once for all processes of a database.
 */
export const readWebhookSecret = (store: Store): Promise<string> => {
  const known = secrets.get(store);
  if (known !== undefined) return known;
  const read = store.getOrCreateSetting(WEBHOOK_SECRET_SETTING, randomBytes(32).toString('base64url'));
  secrets.set(store, read);
  // After a failure, the next call reads from the store again.
  read.catch(() => secrets.delete(store));
  return read;
};

/** Compares a secret in constant time. */
export const matchesSecret = (given: string, secret: string): boolean => {
  const [one, other] = [Buffer.from(given), Buffer.from(secret)];
  return one.length === other.length && timingSafeEqual(one, other);
};

/** Dependencies of receiving updates. `say` reports a problem to operators; null means that there is none. */
export interface ReceiveUpdatesDeps {
  readonly bot: BotApi;
  readonly store: Store;
  readonly take: (update: unknown) => Promise<void>;
  readonly say: (problem: string | null) => void;
}

/**
 * Returns whether Telegram rejected the token, which a retry does not change. 404 is the status for a token of the wrong format.
 */
const isTokenRefused = (error: unknown): boolean =>
  error instanceof GrammyError && (error.error_code === 401 || error.error_code === 404);

const isWebhookSet = (error: unknown): boolean =>
  error instanceof GrammyError && error.error_code === 409 && /webhook/.test(error.description);

const describeProblem = (error: unknown): string => {
  if (isTokenRefused(error)) return 'Telegram refuses BOT_TOKEN: take the token that @BotFather shows and start again.';
  if (isWebhookSet(error)) return 'Another program has set a webhook with this BOT_TOKEN: stop it, or give it a bot of its own.';
  if (error instanceof GrammyError && error.error_code === 409)
    return 'Another program polls with this BOT_TOKEN: stop it, or give it a bot of its own. It is tried again.';
  return describeBotError(error);
};

/** Milliseconds to wait that Telegram requested. */
const retryAfterMs = (error: unknown): number => (error instanceof GrammyError ? (error.parameters.retry_after ?? 0) * 1000 : 0);

/** Waits, but not longer than until the signal aborts. */
const pause = (milliseconds: number, signal: AbortSignal): Promise<unknown> =>
  wait(milliseconds, undefined, { signal }).catch(() => null);

/** Retries an action with exponential backoff until it succeeds or the signal aborts. Returns false if it was given up. */
const retryUntilDone = async (
  act: () => Promise<unknown>,
  { say }: Pick<ReceiveUpdatesDeps, 'say'>,
  signal: AbortSignal,
): Promise<boolean> => {
  for (let wait = FIRST_PAUSE_MS; !signal.aborted; wait = Math.min(wait * 2, MAX_PAUSE_MS)) {
    try {
      await act();
      say(null);
      return true;
    } catch (error) {
      if (signal.aborted) break;
      say(describeProblem(error));
      if (isTokenRefused(error)) return false;
      await pause(Math.max(wait, retryAfterMs(error)), signal);
    }
  }
  return false;
};

/** Registers the webhook at Telegram, with retries. Pending updates are not dropped. */
export const registerWebhook = async (url: string, incoming: ReceiveUpdatesDeps, signal: AbortSignal): Promise<void> => {
  const secret_token = await readWebhookSecret(incoming.store);
  const options = {
    secret_token,
    allowed_updates: [...ALLOWED_UPDATES],
    max_connections: MAX_CONNECTIONS,
    drop_pending_updates: false,
  };
  await retryUntilDone(() => incoming.bot.api.setWebhook(url, options, toGrammySignal(signal)), incoming, signal);
};

/** Applies a batch in order, and moves `place` past each update that is durably stored. */
const handleAll = async (updates: readonly unknown[], place: { next: number }, { take }: ReceiveUpdatesDeps): Promise<void> => {
  for (const update of updates) {
    await take(update);
    place.next = (updateIdOf(update) ?? place.next - 1) + 1;
  }
};

const requestUpdates = async (place: { next: number }, timeout: number, { bot }: ReceiveUpdatesDeps, signal: AbortSignal) => {
  const asked = { offset: place.next, timeout, limit: 100, allowed_updates: [...ALLOWED_UPDATES] };
  try {
    return await bot.api.getUpdates(asked, toGrammySignal(signal));
  } catch (error) {
    if (isWebhookSet(error)) await bot.api.deleteWebhook({ drop_pending_updates: false }).catch(() => null);
    throw error;
  }
};

/**
 * Long polling: requests updates until the signal aborts. A request with an offset confirms all updates before it, so the offset
 * moves only past updates that are durably applied. After a crash Telegram sends the others again. (grammY's own loop also
 * confirms updates that failed.)
 */
export const pollUpdates = async (incoming: ReceiveUpdatesDeps, signal: AbortSignal): Promise<void> => {
  const { bot, say } = incoming;
  if (
    !(await retryUntilDone(
      () => bot.api.deleteWebhook({ drop_pending_updates: false }, toGrammySignal(signal)),
      incoming,
      signal,
    ))
  )
    return;
  const place = { next: 0 };
  let wait = FIRST_PAUSE_MS;
  // The first poll, and the first one after a failure, does not wait, so that success is reported immediately.
  let timeout = 0;
  while (!signal.aborted) {
    try {
      await handleAll(await requestUpdates(place, timeout, incoming, signal), place, incoming);
      say(null);
      [wait, timeout] = [FIRST_PAUSE_MS, POLL_TIMEOUT_SECONDS];
    } catch (error) {
      if (signal.aborted) return;
      say(describeProblem(error));
      if (isTokenRefused(error)) return;
      await pause(wait, signal);
      [wait, timeout] = [Math.min(wait * 2, MAX_PAUSE_MS), 0];
    }
  }
};
