import { randomBytes, timingSafeEqual } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { GrammyError } from 'grammy';
import type { Config } from '../../config.ts';
import type { Store } from '../../storage/ports/store.ts';
import { ALLOWED_UPDATES, updateIdOf } from './apply-update.ts';
import { type BotApi, endedBy, sayRefused } from './client.ts';

/** Where Telegram posts updates to, under PUBLIC_URL. */
export const WEBHOOK_PATH = '/api/telegram/webhook';

/** Seconds that a long poll waits for an update. */
const POLL = 25;
/** Connections that Telegram may open beside each other: the store writes one after another. */
const CONNECTIONS = 8;
const FACT = 'webhook-secret';
/** Milliseconds between two tries, twice as many each time. */
const FIRST_PAUSE = 1000;
const MOST_PAUSE = 60_000;

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The address of the webhook, or null where Telegram could not reach one: it wants https, and a server of our own beside us does not. */
export const webhookOf = ({ publicUrl, botApiRoot }: Pick<Config, 'publicUrl' | 'botApiRoot'>): string | null => {
  if (publicUrl === null) return null;
  const beside = botApiRoot !== null && LOOPBACK.has(new URL(botApiRoot).hostname);
  return publicUrl.startsWith('https:') || beside ? `${publicUrl}${WEBHOOK_PATH}` : null;
};

/** The secret of each store, or its reading: it never changes, and each POST needs it. */
const secrets = new WeakMap<Store, Promise<string>>();

/** Returns the secret by which Telegram's calls are known. It is made at the first start, once by all processes of a database. */
export const webhookSecret = (store: Store): Promise<string> => {
  const known = secrets.get(store);
  if (known !== undefined) return known;
  const read = store.factOr(FACT, randomBytes(32).toString('base64url'));
  secrets.set(store, read);
  // A store that failed is asked again.
  read.catch(() => secrets.delete(store));
  return read;
};

/** Compares a secret in a time that tells nothing of it. */
export const isSecret = (given: string, secret: string): boolean => {
  const [one, other] = [Buffer.from(given), Buffer.from(secret)];
  return one.length === other.length && timingSafeEqual(one, other);
};

/** What coming in needs: `say` tells an operator how it stands, null that all is well. */
export interface Incoming {
  readonly bot: BotApi;
  readonly store: Store;
  readonly take: (update: unknown) => Promise<void>;
  readonly say: (problem: string | null) => void;
}

/** A token that Telegram refuses stays refused: 404 is for one that is not even spelled like one. */
const isTokenRefused = (error: unknown): boolean =>
  error instanceof GrammyError && (error.error_code === 401 || error.error_code === 404);

const isWebhookSet = (error: unknown): boolean =>
  error instanceof GrammyError && error.error_code === 409 && /webhook/.test(error.description);

const sayWhy = (error: unknown): string => {
  if (isTokenRefused(error)) return 'Telegram refuses BOT_TOKEN: take the token that @BotFather shows and start again.';
  if (isWebhookSet(error)) return 'Another program has set a webhook with this BOT_TOKEN: stop it, or give it a bot of its own.';
  if (error instanceof GrammyError && error.error_code === 409)
    return 'Another program polls with this BOT_TOKEN: stop it, or give it a bot of its own. It is tried again.';
  return sayRefused(error);
};

/** Milliseconds that Telegram said to wait. */
const toldToWait = (error: unknown): number => (error instanceof GrammyError ? (error.parameters.retry_after ?? 0) * 1000 : 0);

/** Waits, at most until the signal. */
const pause = (milliseconds: number, signal: AbortSignal): Promise<unknown> =>
  wait(milliseconds, undefined, { signal }).catch(() => null);

/** Does something until it succeeds or the signal comes, ever more patiently; false where it was given up. */
const persist = async (act: () => Promise<unknown>, { say }: Pick<Incoming, 'say'>, signal: AbortSignal): Promise<boolean> => {
  for (let wait = FIRST_PAUSE; !signal.aborted; wait = Math.min(wait * 2, MOST_PAUSE)) {
    try {
      await act();
      say(null);
      return true;
    } catch (error) {
      if (signal.aborted) break;
      say(sayWhy(error));
      if (isTokenRefused(error)) return false;
      await pause(Math.max(wait, toldToWait(error)), signal);
    }
  }
  return false;
};

/** Tells Telegram where to post updates, until it knows. What waits there is kept. */
export const registerWebhook = async (url: string, incoming: Incoming, signal: AbortSignal): Promise<void> => {
  const secret_token = await webhookSecret(incoming.store);
  const options = {
    secret_token,
    allowed_updates: [...ALLOWED_UPDATES],
    max_connections: CONNECTIONS,
    drop_pending_updates: false,
  };
  await persist(() => incoming.bot.api.setWebhook(url, options, endedBy(signal)), incoming, signal);
};

/** Applies a batch in its order, moving `place` past each update that is durably kept. */
const takeAll = async (updates: readonly unknown[], place: { next: number }, { take }: Incoming): Promise<void> => {
  for (const update of updates) {
    await take(update);
    place.next = (updateIdOf(update) ?? place.next - 1) + 1;
  }
};

const ask = async (place: { next: number }, timeout: number, { bot }: Incoming, signal: AbortSignal) => {
  const asked = { offset: place.next, timeout, limit: 100, allowed_updates: [...ALLOWED_UPDATES] };
  try {
    return await bot.api.getUpdates(asked, endedBy(signal));
  } catch (error) {
    if (isWebhookSet(error)) await bot.api.deleteWebhook({ drop_pending_updates: false }).catch(() => null);
    throw error;
  }
};

/**
 * Asks for updates again and again until the signal comes. Asking from an id on confirms all before it, so the id moves only
 * past what is durably applied: Telegram gives the rest again after a crash. (grammY's own loop confirms what failed.)
 */
export const pollUpdates = async (incoming: Incoming, signal: AbortSignal): Promise<void> => {
  const { bot, say } = incoming;
  if (!(await persist(() => bot.api.deleteWebhook({ drop_pending_updates: false }, endedBy(signal)), incoming, signal))) return;
  const place = { next: 0 };
  let wait = FIRST_PAUSE;
  // The first poll, and the first after a failure, does not wait: that all is well is known at once.
  let timeout = 0;
  while (!signal.aborted) {
    try {
      await takeAll(await ask(place, timeout, incoming, signal), place, incoming);
      say(null);
      [wait, timeout] = [FIRST_PAUSE, POLL];
    } catch (error) {
      if (signal.aborted) return;
      say(sayWhy(error));
      if (isTokenRefused(error)) return;
      await pause(wait, signal);
      [wait, timeout] = [Math.min(wait * 2, MOST_PAUSE), 0];
    }
  }
};
