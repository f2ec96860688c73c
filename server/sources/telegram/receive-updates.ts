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
/**
 * Maximum number of parallel connections that Telegram may open. More would not help: the store writes sequentially.
 */
const MAX_CONNECTIONS = 8;
/** Maximum number of updates in a response, which is the limit of the Bot API. */
const MAX_UPDATES_PER_POLL = 100;
const WEBHOOK_SECRET_SETTING = 'webhook-secret';
/** First and maximum delay between two attempts, in milliseconds. Each delay is twice the previous one. */
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Returns the URL of the webhook, or null if Telegram could not call one. Telegram requires https; a Bot API server of
 * our own on this machine does not.
 */
export const webhookUrlOf = ({ publicUrl, botApiRoot }: Pick<Config, 'publicUrl' | 'botApiRoot'>): string | null => {
  if (publicUrl === null) return null;
  const isLocalServer = botApiRoot !== null && LOOPBACK_HOSTS.has(new URL(botApiRoot).hostname);
  return publicUrl.startsWith('https:') || isLocalServer ? `${publicUrl}${WEBHOOK_PATH}` : null;
};

/** Cached secret of each store, or the pending read of it. The secret never changes, and each POST needs it. */
const secrets = new WeakMap<Store, Promise<string>>();

/**
 * Returns the secret that authenticates Telegram's calls. It is created at the first start, once for all processes of a
 * database.
 */
export const readWebhookSecret = (store: Store): Promise<string> => {
  const cached = secrets.get(store);
  if (cached !== undefined) return cached;
  const pendingRead = store.getOrCreateSetting(WEBHOOK_SECRET_SETTING, randomBytes(32).toString('base64url'));
  secrets.set(store, pendingRead);
  // After a failure, the next call reads from the store again.
  pendingRead.catch(() => secrets.delete(store));
  return pendingRead;
};

/** Compares a secret in constant time. */
export const matchesSecret = (receivedSecret: string, secret: string): boolean => {
  const [received, expected] = [Buffer.from(receivedSecret), Buffer.from(secret)];
  return received.length === expected.length && timingSafeEqual(received, expected);
};

/** Dependencies of receiving updates. `reportProblem` reports a problem to operators; null means that there is none. */
export interface ReceiveUpdatesDeps {
  readonly bot: BotApi;
  readonly store: Store;
  readonly handleUpdate: (update: unknown) => Promise<void>;
  readonly reportProblem: (problem: string | null) => void;
}

/**
 * Returns whether Telegram rejected the token, which a retry does not change. 404 is the status for a token of the
 * wrong format.
 */
const isTokenRefused = (error: unknown): boolean =>
  error instanceof GrammyError && (error.error_code === 401 || error.error_code === 404);

const isWebhookSet = (error: unknown): boolean =>
  error instanceof GrammyError && error.error_code === 409 && /webhook/.test(error.description);

const describeProblem = (error: unknown): string => {
  if (isTokenRefused(error)) return 'Telegram rejected BOT_TOKEN: set the token that @BotFather shows, and restart the server.';
  if (isWebhookSet(error))
    return 'Another program has set a webhook with this BOT_TOKEN: stop that program, or give it a different bot.';
  if (error instanceof GrammyError && error.error_code === 409)
    return 'Another program polls with this BOT_TOKEN: stop that program, or give it a different bot. The server retries.';
  return describeBotError(error);
};

/** Milliseconds to wait that Telegram requested. */
const retryAfterMs = (error: unknown): number => (error instanceof GrammyError ? (error.parameters.retry_after ?? 0) * 1000 : 0);

/** Waits for some milliseconds, or until the signal aborts. */
const pause = (milliseconds: number, signal: AbortSignal): Promise<unknown> =>
  wait(milliseconds, undefined, { signal }).catch(() => null);

/**
 * Retries an action with exponential backoff until it succeeds or the signal aborts. Returns false if the signal
 * aborted, or if Telegram rejected the token.
 */
const retryUntilDone = async (
  action: () => Promise<unknown>,
  { reportProblem }: Pick<ReceiveUpdatesDeps, 'reportProblem'>,
  signal: AbortSignal,
): Promise<boolean> => {
  for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    try {
      await action();
      reportProblem(null);
      return true;
    } catch (error) {
      if (signal.aborted) break;
      reportProblem(describeProblem(error));
      if (isTokenRefused(error)) return false;
      await pause(Math.max(pauseMs, retryAfterMs(error)), signal);
    }
  }
  return false;
};

/** Registers the webhook at Telegram, with retries. Pending updates are not dropped. */
export const registerWebhook = async (url: string, deps: ReceiveUpdatesDeps, signal: AbortSignal): Promise<void> => {
  const secret_token = await readWebhookSecret(deps.store);
  const options = {
    secret_token,
    allowed_updates: [...ALLOWED_UPDATES],
    max_connections: MAX_CONNECTIONS,
    drop_pending_updates: false,
  };
  await retryUntilDone(() => deps.bot.api.setWebhook(url, options, toGrammySignal(signal)), deps, signal);
};

/** Applies a batch in order, and moves `offset` past each update that is durably stored. */
const handleBatch = async (
  updates: readonly unknown[],
  offset: { next: number },
  { handleUpdate }: ReceiveUpdatesDeps,
): Promise<void> => {
  for (const update of updates) {
    await handleUpdate(update);
    // An update without an id does not change the offset.
    offset.next = (updateIdOf(update) ?? offset.next - 1) + 1;
  }
};

const requestUpdates = async (
  offset: { next: number },
  timeoutSeconds: number,
  { bot }: ReceiveUpdatesDeps,
  signal: AbortSignal,
) => {
  const request = {
    offset: offset.next,
    timeout: timeoutSeconds,
    limit: MAX_UPDATES_PER_POLL,
    allowed_updates: [...ALLOWED_UPDATES],
  };
  try {
    return await bot.api.getUpdates(request, toGrammySignal(signal));
  } catch (error) {
    if (isWebhookSet(error)) await bot.api.deleteWebhook({ drop_pending_updates: false }).catch(() => null);
    throw error;
  }
};

/**
 * Long polling: requests updates until the signal aborts. A request with an offset confirms all updates before it, so
 * the offset moves only past updates that are durably applied. After a crash Telegram sends the others again. (grammY's
 * own loop also confirms updates that failed.)
 */
export const pollUpdates = async (deps: ReceiveUpdatesDeps, signal: AbortSignal): Promise<void> => {
  const { bot, reportProblem } = deps;
  if (!(await retryUntilDone(() => bot.api.deleteWebhook({ drop_pending_updates: false }, toGrammySignal(signal)), deps, signal)))
    return;
  const offset = { next: 0 };
  let pauseMs = FIRST_PAUSE_MS;
  // The first poll, and the first one after a failure, does not wait, so that success is reported immediately.
  let timeoutSeconds = 0;
  while (!signal.aborted) {
    try {
      await handleBatch(await requestUpdates(offset, timeoutSeconds, deps, signal), offset, deps);
      reportProblem(null);
      [pauseMs, timeoutSeconds] = [FIRST_PAUSE_MS, POLL_TIMEOUT_SECONDS];
    } catch (error) {
      if (signal.aborted) return;
      reportProblem(describeProblem(error));
      if (isTokenRefused(error)) return;
      await pause(Math.max(pauseMs, retryAfterMs(error)), signal);
      [pauseMs, timeoutSeconds] = [Math.min(pauseMs * 2, MAX_PAUSE_MS), 0];
    }
  }
};
