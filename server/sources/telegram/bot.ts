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
  let tasks: ChannelTasks | null = null;
  let leaderLoop: Promise<void> | null = null;

  // All log lines of errors pass through here, so the token is never logged, whatever an error contains.
  const log = (line: string): void => logLine(line.replaceAll(token, '…'));
  const logInfo = (line: string): void => logLine(line, undefined, 'info');
  const reportProblem = (problem: string | null): void => {
    if (problem === null) {
      delete state.detail;
      state.since ??= seconds();
      return;
    }
    delete state.since;
    if (state.detail !== problem) log(problem);
    state.detail = problem;
  };

  const resumeConnected = async ({ channelId }: ChannelConnection): Promise<void> => {
    await replayParkedUpdates(channelId, updateDeps);
    tasks?.trigger();
  };
  const connectDeps: ConnectChannelDeps = {
    bot,
    botId,
    store,
    members,
    operatorIds: config.operatorIds,
    connect: config.connectPolicy,
    now,
  };
  const runInBackground = (action: Promise<unknown>): void => void action.catch((error: unknown) => log(describeBotError(error)));
  const updateDeps: UpdateDeps = {
    store,
    maxBytes: config.maxMediaFileBytes,
    operatorIds: config.operatorIds,
    now,
    triggerTasks: () => tasks?.trigger(),
    onConnected: resumeConnected,
    onShared: (shared, at, updateId) =>
      runInBackground(
        connectSharedChannel(shared, at, updateId, connectDeps).then((connection) => connection && resumeConnected(connection)),
      ),
    onStart(userId) {
      if (config.botApp !== null) runInBackground(bot.api.sendMessage(userId, `${config.brand.name}: ${config.botApp}`));
    },
  };
  const receiveUpdate = async (update: unknown): Promise<void> => {
    state.lastUpdate = seconds();
    await handleUpdate(update, updateDeps);
  };
  const fetchUsername = async (): Promise<string | null> => {
    if (state.username !== undefined) return state.username;
    const me = await bot.api.getMe().catch(() => null);
    if (me !== null) state.username = me.username;
    return me?.username ?? null;
  };

  /** Does the work of the one process that has the lease, until the signal aborts. */
  const receiveUpdates = async (signal: AbortSignal): Promise<void> => {
    tasks = startChannelTasks({
      ...connectDeps,
      log,
      updateDeps,
    });
    const receiveDeps = { bot, store, handleUpdate: receiveUpdate, reportProblem };
    void fetchUsername();
    runInBackground(retryBadUpdates(updateDeps));
    await (webhook === null ? pollUpdates(receiveDeps, signal) : registerWebhook(webhook, receiveDeps, signal));
  };
  /** Receives updates while this process has the lease. */
  const runWhileLeader = async (): Promise<void> => {
    let session: { readonly ending: AbortController; readonly done: Promise<void> } | null = null;
    const endSession = async () => {
      session?.ending.abort();
      await session?.done;
      await tasks?.stop();
      [session, tasks] = [null, null];
      // From now on the other process reports the bot's health.
      delete state.since;
      delete state.detail;
    };
    while (!stopping.signal.aborted) {
      const isLeader = await lease.acquire().catch((error: unknown) => {
        log(describeBotError(error));
        return false;
      });
      if (!isLeader && session) {
        log("The bot's lease was lost: another process listens, or the store did not answer.");
        await endSession();
      }
      if (isLeader && !session) {
        logInfo("The bot's lease was taken: this process listens.");
        const abort = new AbortController();
        const done = receiveUpdates(abort.signal).catch((error: unknown) => log(describeBotError(error)));
        session = { ending: abort, done };
      }
      await wait(LEASE_RENEW_INTERVAL_MS, undefined, { signal: stopping.signal }).catch(() => null);
    }
    await endSession();
    await lease.release();
  };

  return {
    api: bot,
    members,
    handleUpdate: receiveUpdate,
    start() {
      leaderLoop ??= runWhileLeader().catch((error: unknown) => log(describeBotError(error)));
    },
    async stop() {
      stopping.abort();
      await leaderLoop;
    },
    health: () => ({
      type: state.detail === undefined ? (webhook === null ? 'polling' : 'webhook') : 'failed',
      ...state,
    }),
    async prepareInvite(readerId) {
      await store.recordConnectIntent(readerId, seconds());
      const [username, prepared] = await Promise.all([fetchUsername(), preparePicker(readerId, bot)]);
      return username === null ? null : { prepared, link: connectLink(username) };
    },
    async resumeChannel(channelId) {
      await replayParkedUpdates(channelId, updateDeps);
      tasks?.trigger();
    },
    triggerTasks: () => tasks?.trigger(),
    leaveChannel: (channelId) => leaveChat(channelId, bot),
  };
};
