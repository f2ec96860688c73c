/** Telegram bot: receives updates, runs the background tasks, and connects channels. */
import { setTimeout as wait } from 'node:timers/promises';
import type { BotHealth } from '../../../contract/operator.ts';
import type { Config } from '../../config.ts';
import type { LogFn } from '../../lib/logger.ts';
import type { ChannelConnection } from '../../storage/ports/connections.ts';
import type { Store } from '../../storage/ports/store.ts';
import { handleUpdate, replayParkedUpdates, retryBadUpdates, type UpdateDeps } from './apply-update.ts';
import { type ChannelTasks, startChannelTasks } from './channel-tasks.ts';
import { type BotApi, createBotApi, describeBotError } from './client.ts';
import { type ConnectChannelDeps, connectLink, connectSharedChannel, leaveChat, preparePicker } from './connect.ts';
import { createLease } from './lease.ts';
import { createMembers, type Members } from './members.ts';
import { pollUpdates, registerWebhook, webhookUrlOf } from './receive-updates.ts';

/** The bot with which channels are connected. */
export interface Bot {
  readonly api: BotApi;
  readonly members: Members;
  /** Starts to receive updates, in the background. If Telegram is unreachable, nothing else is blocked. */
  start(): void;
  stop(): Promise<void>;
  health(): BotHealth;
  /** Processes an update. Resolves when it is durably stored; rejects if Telegram should send it again. */
  handleUpdate(update: unknown): Promise<void>;
  /** Returns the data with which a reader adds the bot to a channel, or null while the bot's username is not known. */
  prepareInvite(readerId: string): Promise<{ prepared: string | null; link: string } | null>;
  /** Applies the parked updates of a channel after it was accepted or reconnected, and has its details fetched. */
  resumeChannel(channelId: string): Promise<void>;
  /** Checks for pending tasks now. */
  triggerTasks(): void;
  /** Leaves a channel's chat. */
  leaveChannel(channelId: string): Promise<void>;
}

export interface BotOptions {
  readonly config: Config;
  readonly store: Store;
  /** Milliseconds. */
  readonly now: () => number;
  readonly elapsed: () => number;
  readonly log: LogFn;
}

/** Interval of renewing the lease, in milliseconds. */
const LEASE_RENEW_INTERVAL_MS = 1000;

/** Creates the bot of BOT_TOKEN. */
export const createBot = ({ config, store, now, elapsed, log: logLine }: BotOptions): Bot => {
  const [token, bot] = [config.botToken ?? '', createBotApi(config)];
  const botId = Number(token.split(':', 1)[0]);
  const members = createMembers(bot, store, now, elapsed);
  const webhook = webhookUrlOf(config);
  const lease = createLease('bot', store, now);
  const stopping = new AbortController();
  const seconds = () => Math.floor(now() / 1000);
  const state: { username?: string; since?: number; lastUpdate?: number; detail?: string } = {};
  let chores: ChannelTasks | null = null;
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
    await replayParkedUpdates(channelId, applying);
    chores?.trigger();
  };
  const deciding: ConnectChannelDeps = {
    bot,
    botId,
    store,
    members,
    operatorIds: config.operatorIds,
    connect: config.connectPolicy,
    now,
  };
  const quietly = (act: Promise<unknown>): void => void act.catch((error: unknown) => log(describeBotError(error)));
  const applying: UpdateDeps = {
    store,
    maxBytes: config.maxMediaFileBytes,
    operatorIds: config.operatorIds,
    now,
    triggerTasks: () => chores?.trigger(),
    onConnected: followConnected,
    onShared: (shared, at, turn) =>
      quietly(connectSharedChannel(shared, at, turn, deciding).then((made) => made && followConnected(made))),
    onStart(userId) {
      if (config.botApp !== null) quietly(bot.api.sendMessage(userId, `${config.brand.name}: ${config.botApp}`));
    },
  };
  const take = async (update: unknown): Promise<void> => {
    state.lastUpdate = seconds();
    await handleUpdate(update, applying);
  };
  const learnName = async (): Promise<string | null> => {
    if (state.username !== undefined) return state.username;
    const me = await bot.api.getMe().catch(() => null);
    if (me !== null) state.username = me.username;
    return me?.username ?? null;
  };

  /** Does the work of the one process that has the lease, until the signal aborts. */
  const listen = async (signal: AbortSignal): Promise<void> => {
    chores = startChannelTasks({
      ...deciding,
      log,
      applying,
    });
    const incoming = { bot, store, take, say };
    void learnName();
    quietly(retryBadUpdates(applying));
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
      const isOurs = await lease.acquire().catch((error: unknown) => {
        log(describeBotError(error));
        return false;
      });
      if (!isOurs && listening) {
        log("The bot's lease was lost: another process listens, or the store did not answer.");
        await end();
      }
      if (isOurs && !listening) {
        tell("The bot's lease was taken: this process listens.");
        const ending = new AbortController();
        const done = listen(ending.signal).catch((error: unknown) => log(describeBotError(error)));
        listening = { ending, done };
      }
      await wait(LEASE_RENEW_INTERVAL_MS, undefined, { signal: stopping.signal }).catch(() => null);
    }
    await end();
    await lease.release();
  };

  return {
    api: bot,
    members,
    handleUpdate: take,
    start() {
      running ??= run().catch((error: unknown) => log(describeBotError(error)));
    },
    async stop() {
      stopping.abort();
      await running;
    },
    health: () => ({
      type: state.detail === undefined ? (webhook === null ? 'polling' : 'webhook') : 'failed',
      ...state,
    }),
    async prepareInvite(readerId) {
      await store.recordConnectIntent(readerId, seconds());
      const [username, prepared] = await Promise.all([learnName(), preparePicker(readerId, bot)]);
      return username === null ? null : { prepared, link: connectLink(username) };
    },
    async resumeChannel(channelId) {
      await replayParkedUpdates(channelId, applying);
      chores?.trigger();
    },
    triggerTasks: () => chores?.trigger(),
    leaveChannel: (channelId) => leaveChat(channelId, bot),
  };
};
