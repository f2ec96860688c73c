/** Telegram bot: receives updates, runs the background tasks, and connects channels. */
import { setTimeout as wait } from 'node:timers/promises';
import type { BotHealth } from '../../../contract/operator.ts';
import type { Config } from '../../config.ts';
import type { Say } from '../../lib/logger.ts';
import type { ChannelConnection } from '../../storage/ports/connections.ts';
import type { Store } from '../../storage/ports/store.ts';
import { type Applying, replayBad, replayParked, takeUpdate } from './apply-update.ts';
import { type Chores, startChores } from './channel-tasks.ts';
import { type BotApi, createBotApi, sayRefused } from './client.ts';
import { connectLink, connectShared, type Deciding, leaveChat, preparePicker } from './connect.ts';
import { createLease } from './lease.ts';
import { createMembers, type Members } from './members.ts';
import { pollUpdates, registerWebhook, webhookOf } from './receive-updates.ts';

/** The bot with which channels are connected. */
export interface Bot {
  readonly api: BotApi;
  readonly members: Members;
  /** Starts to receive updates, in the background. If Telegram is unreachable, nothing else is blocked. */
  start(): void;
  stop(): Promise<void>;
  health(): BotHealth;
  /** Processes an update. Resolves when it is durably stored; rejects if Telegram should send it again. */
  take(update: unknown): Promise<void>;
  /** Returns the data with which a reader adds the bot to a channel, or null while the bot's username is not known. */
  invite(readerId: string): Promise<{ prepared: string | null; link: string } | null>;
  /** Applies the parked updates of a channel after it was accepted or reconnected, and has its details fetched. */
  resume(channelId: string): Promise<void>;
  /** Checks for pending tasks now. */
  wake(): void;
  /** Leaves a channel's chat. */
  leave(channelId: string): Promise<void>;
}

export interface BotOptions {
  readonly config: Config;
  readonly store: Store;
  /** Milliseconds. */
  readonly now: () => number;
  readonly passed: () => number;
  readonly log: Say;
}

/** Interval of renewing the lease, in milliseconds. */
const RENEW = 1000;

/** Creates the bot of BOT_TOKEN. */
export const createBot = ({ config, store, now, passed, log: logLine }: BotOptions): Bot => {
  const [token, bot] = [config.botToken ?? '', createBotApi(config)];
  const botId = Number(token.split(':', 1)[0]);
  const members = createMembers(bot, store, now, passed);
  const webhook = webhookOf(config);
  const lease = createLease('bot', store, now);
  const stopping = new AbortController();
  const seconds = () => Math.floor(now() / 1000);
  const state: { username?: string; since?: number; lastUpdate?: number; detail?: string } = {};
  let chores: Chores | null = null;
  let running: Promise<void> | null = null;

  // All log lines of errors pass through here, so the token is never logged, whatever an error contains.
  const log = (line: string): void => logLine(line.replaceAll(token, '…'));
  const tell = (line: string): void => logLine(line, undefined, 'info');
  const say = (problem: string | null): void => {
    if (problem === null) {
      delete state.detail;
      state.since ??= seconds();
      return;
    }
    delete state.since;
    if (state.detail !== problem) log(problem);
    state.detail = problem;
  };

  const followConnected = async ({ channelId }: ChannelConnection): Promise<void> => {
    await replayParked(channelId, applying);
    chores?.wake();
  };
  const deciding: Deciding = { bot, botId, store, members, operatorIds: config.operatorIds, connect: config.connect, now };
  const quietly = (act: Promise<unknown>): void => void act.catch((error: unknown) => log(sayRefused(error)));
  const applying: Applying = {
    store,
    maxBytes: config.mediaFileBytes,
    operatorIds: config.operatorIds,
    now,
    wake: () => chores?.wake(),
    onConnected: followConnected,
    onShared: (shared, at, turn) =>
      quietly(connectShared(shared, at, turn, deciding).then((made) => made && followConnected(made))),
    onStart(userId) {
      if (config.botApp !== null) quietly(bot.api.sendMessage(userId, `${config.brand.name}: ${config.botApp}`));
    },
  };
  const take = async (update: unknown): Promise<void> => {
    state.lastUpdate = seconds();
    await takeUpdate(update, applying);
  };
  const learnName = async (): Promise<string | null> => {
    if (state.username !== undefined) return state.username;
    const me = await bot.api.getMe().catch(() => null);
    if (me !== null) state.username = me.username;
    return me?.username ?? null;
  };

  /** Does the work of the one process that has the lease, until the signal aborts. */
  const listen = async (signal: AbortSignal): Promise<void> => {
    chores = startChores({
      ...deciding,
      log,
      applying,
    });
    const incoming = { bot, store, take, say };
    void learnName();
    quietly(replayBad(applying));
    await (webhook === null ? pollUpdates(incoming, signal) : registerWebhook(webhook, incoming, signal));
  };
  /** Receives updates while this process has the lease. */
  const run = async (): Promise<void> => {
    let listening: { readonly ending: AbortController; readonly done: Promise<void> } | null = null;
    const end = async () => {
      listening?.ending.abort();
      await listening?.done;
      await chores?.stop();
      [listening, chores] = [null, null];
      // From now on the other process reports the bot's health.
      delete state.since;
      delete state.detail;
    };
    while (!stopping.signal.aborted) {
      const isOurs = await lease.hold().catch((error: unknown) => {
        log(sayRefused(error));
        return false;
      });
      if (!isOurs && listening) {
        log("The bot's lease was lost: another process listens, or the store did not answer.");
        await end();
      }
      if (isOurs && !listening) {
        tell("The bot's lease was taken: this process listens.");
        const ending = new AbortController();
        const done = listen(ending.signal).catch((error: unknown) => log(sayRefused(error)));
        listening = { ending, done };
      }
      await wait(RENEW, undefined, { signal: stopping.signal }).catch(() => null);
    }
    await end();
    await lease.release();
  };

  return {
    api: bot,
    members,
    take,
    start() {
      running ??= run().catch((error: unknown) => log(sayRefused(error)));
    },
    async stop() {
      stopping.abort();
      await running;
    },
    health: () => ({
      type: state.detail === undefined ? (webhook === null ? 'polling' : 'webhook') : 'failed',
      ...state,
    }),
    async invite(readerId) {
      await store.putIntent(readerId, seconds());
      const [username, prepared] = await Promise.all([learnName(), preparePicker(readerId, bot)]);
      return username === null ? null : { prepared, link: connectLink(username) };
    },
    async resume(channelId) {
      await replayParked(channelId, applying);
      chores?.wake();
    },
    wake: () => chores?.wake(),
    leave: (channelId) => leaveChat(channelId, bot),
  };
};
