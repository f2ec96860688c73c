/** Telegram bot: receives updates, runs the background tasks, and connects channels. */
import type { BotHealth } from '../../../contract/operator.ts';
import type { Config } from '../../config.ts';
import type { LogFn } from '../../lib/logger.ts';
import type { Store } from '../../storage/ports/store.ts';
import { handleUpdate, replayParkedUpdates, retryBadUpdates, type UpdateDeps } from './apply-update.ts';
import { type ChannelTasks, startChannelTasks } from './channel-tasks.ts';
import { type BotApi, createBotApi, describeBotError } from './client.ts';
import { type ConnectChannelDeps, connectLink, connectSharedChannel, leaveChat, preparePicker } from './connect.ts';
import { runWhileLeader } from './leader-loop.ts';
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
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
  readonly log: LogFn;
}

type BotHealthState = ReturnType<typeof createBotHealth>;

interface BotHealthOptions {
  /** True if Telegram calls a webhook; otherwise the bot polls. */
  readonly hasWebhook: boolean;
  /** Seconds. */
  readonly nowSeconds: () => number;
  readonly log: (line: string) => void;
}

/** Bot health: the state that operators see, while this process receives the bot's updates. */
const createBotHealth = ({ hasWebhook, nowSeconds, log }: BotHealthOptions) => {
  const mode = hasWebhook ? 'webhook' : 'polling';
  // `since` is when the bot started to receive updates without a problem, and `lastUpdate` the time of the last update,
  // both in unix seconds. `detail` describes the current problem.
  const state: { username?: string; since?: number; lastUpdate?: number; detail?: string } = {};
  return {
    username: (): string | null => state.username ?? null,
    setUsername(username: string): void {
      state.username = username;
    },
    recordUpdate(): void {
      state.lastUpdate = nowSeconds();
    },
    /** Records a problem, and logs it once. Null means that there is none. */
    reportProblem(problem: string | null): void {
      if (problem === null) {
        delete state.detail;
        state.since ??= nowSeconds();
        return;
      }
      delete state.since;
      if (state.detail !== problem) log(problem);
      state.detail = problem;
    },
    /** Clears the state when another process starts to report the bot's health. */
    clear(): void {
      delete state.since;
      delete state.detail;
    },
    read: (): BotHealth => ({
      type: state.detail === undefined ? mode : 'failed',
      ...state,
    }),
  };
};

interface UpdateHandlerOptions {
  readonly bot: BotApi;
  readonly connectDeps: ConnectChannelDeps;
  readonly config: Config;
  readonly health: BotHealthState;
  readonly triggerTasks: () => void;
  /** Runs work that an update does not wait for, and logs its failure. */
  readonly runInBackground: (action: Promise<unknown>) => void;
}

/** Update handler: applies updates to the store, and starts the actions that they cause. */
const createUpdateHandler = (options: UpdateHandlerOptions) => {
  const { bot, connectDeps, config, health, triggerTasks, runInBackground } = options;
  const { store, operatorIds, now } = connectDeps;

  const resumeChannel = async (channelId: string): Promise<void> => {
    await replayParkedUpdates(channelId, updateDeps);
    triggerTasks();
  };

  const updateDeps: UpdateDeps = {
    store,
    maxBytes: config.maxMediaFileBytes,
    operatorIds,
    now,
    triggerTasks,
    onConnected: ({ channelId }) => resumeChannel(channelId),
    onChannelPicked: (shared, at, updateId) =>
      runInBackground(
        connectSharedChannel(shared, at, updateId, connectDeps).then(
          (connection) => connection && resumeChannel(connection.channelId),
        ),
      ),
    onStartCommand(userId) {
      if (config.botApp !== null) runInBackground(bot.api.sendMessage(userId, `${config.brand.name}: ${config.botApp}`));
    },
  };

  const receiveUpdate = async (update: unknown): Promise<void> => {
    health.recordUpdate();
    await handleUpdate(update, updateDeps);
  };

  return { updateDeps, receiveUpdate, resumeChannel };
};

/** Returns the bot's username, which is requested until it is known. Returns null if Telegram does not respond. */
const fetchUsername = async (bot: BotApi, health: BotHealthState): Promise<string | null> => {
  if (health.username() !== null) return health.username();
  const me = await bot.api.getMe().catch(() => null);
  if (me !== null) health.setUsername(me.username);
  return me?.username ?? null;
};

/** Creates the bot of BOT_TOKEN. */
export const createBot = ({ config, store, now, elapsed, log: logLine }: BotOptions): Bot => {
  const token = config.botToken ?? '';
  const bot = createBotApi(config);
  const botId = Number(token.split(':', 1)[0]);
  const members = createMembers(bot, store, now, elapsed);
  const webhook = webhookUrlOf(config);
  const stopping = new AbortController();
  const nowSeconds = () => Math.floor(now() / 1000);
  let tasks: ChannelTasks | null = null;
  let leaderLoop: Promise<void> | null = null;

  // All log lines of errors pass through here, so the token is never logged, whatever an error contains.
  const log = (line: string): void => logLine(line.replaceAll(token, '…'));
  const logInfo = (line: string): void => logLine(line, undefined, 'info');
  const logError = (error: unknown): void => log(describeBotError(error));
  const runInBackground = (action: Promise<unknown>): void => void action.catch(logError);
  const triggerTasks = (): void => tasks?.trigger();

  const health = createBotHealth({ hasWebhook: webhook !== null, nowSeconds, log });
  const { operatorIds, connectPolicy: connect } = config;
  const connectDeps: ConnectChannelDeps = { bot, botId, store, members, operatorIds, connect, now };
  const { updateDeps, receiveUpdate, resumeChannel } = createUpdateHandler({
    bot,
    connectDeps,
    config,
    health,
    triggerTasks,
    runInBackground,
  });

  const receiveUpdates = async (signal: AbortSignal): Promise<void> => {
    tasks = startChannelTasks({ ...connectDeps, log, updateDeps });
    const receiveDeps = { bot, store, handleUpdate: receiveUpdate, reportProblem: health.reportProblem };
    void fetchUsername(bot, health);
    runInBackground(retryBadUpdates(updateDeps));
    await (webhook === null ? pollUpdates(receiveDeps, signal) : registerWebhook(webhook, receiveDeps, signal));
  };

  /** Starts the work of the one process that has the lease. Returns a stop() function. */
  const startLeaderWork = (): (() => Promise<void>) => {
    const workAbort = new AbortController();
    const done = receiveUpdates(workAbort.signal).catch(logError);
    return async () => {
      workAbort.abort();
      await done;
      await tasks?.stop();
      tasks = null;
      health.clear();
    };
  };

  const startLeaderLoop = (): Promise<void> => {
    const lease = createLease('bot', store, now);
    return runWhileLeader({ lease, startWork: startLeaderWork, log, logInfo, logError }, stopping.signal).catch(logError);
  };

  return {
    api: bot,
    members,
    handleUpdate: receiveUpdate,
    start() {
      leaderLoop ??= startLeaderLoop();
    },
    async stop() {
      stopping.abort();
      await leaderLoop;
    },
    health: health.read,
    async prepareInvite(readerId) {
      await store.recordConnectIntent(readerId, nowSeconds());
      const [username, prepared] = await Promise.all([fetchUsername(bot, health), preparePicker(readerId, bot)]);
      return username === null ? null : { prepared, link: connectLink(username) };
    },
    resumeChannel,
    triggerTasks,
    leaveChannel: (channelId) => leaveChat(channelId, bot),
  };
};
