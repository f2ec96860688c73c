/** Background tasks per channel: sync of its details, rechecks, and decisions on connections. */
import { performance } from 'node:perf_hooks';
import pLimit from 'p-limit';
import type { ChannelConnection } from '../../storage/ports/connections.ts';
import { replayParkedUpdates, type UpdateDeps } from './apply-update.ts';
import { type ChannelSyncDeps, recheckBatch, syncChannel } from './channel-sync.ts';
import { describeBotError } from './client.ts';
import { acceptIfAllowed, type ConnectChannelDeps, connectUnknownChannel } from './connect.ts';

/** Background tasks that send requests to Telegram. Their state is in the store, so they continue after a restart. */
export interface ChannelTasks {
  /** Checks for pending tasks now. */
  trigger(): void;
  /** Stops the tasks. Resolves when none is running. */
  stop(): Promise<void>;
}

export interface ChannelTaskOptions extends ChannelSyncDeps, ConnectChannelDeps {
  readonly updateDeps: UpdateDeps;
  readonly log: (line: string) => void;
}

/**
 * Milliseconds between two checks, and between two tasks of one channel, so that a burst of changes causes one fetch.
 */
const CHECK_INTERVAL_MS = 500;
/** Maximum delay between two attempts of a failing task, in milliseconds. Each delay is twice the previous one. */
const MAX_PAUSE_MS = 600_000;
/** Seconds after which a channel's details are fetched again even if no change was reported. */
const DETAILS_MAX_AGE_SECONDS = 3600;
const MAX_CONCURRENT_TASKS = 4;
/** Seconds by which the update that the bot was added may arrive later than the channel's first posts. */
const MEMBERSHIP_GRACE_SECONDS = 5;

const decideConnection = async (pending: ChannelConnection, options: ChannelTaskOptions): Promise<void> => {
  if (pending.by === null || !(await acceptIfAllowed(pending, pending.by, options))) return;
  const connection = await options.store.connection(pending.channelId);
  if (connection) await options.updateDeps.onConnected(connection);
};

const handleUnknownChannel = async (channelId: string, options: ChannelTaskOptions): Promise<void> => {
  const connection = await connectUnknownChannel(channelId, options);
  if (connection) await options.updateDeps.onConnected(connection);
};

/** Returns the next task of a channel; null if there is none. */
const nextTaskOf = (connection: ChannelConnection, options: ChannelTaskOptions): (() => Promise<void>) | null => {
  const { bot, store, now } = options;
  const at = Math.floor(now() / 1000);
  const { status, stale, detailsReadAt, recheckBelow } = connection;
  if (status === 'leaving') return null;
  if (status === 'asking') return () => decideConnection(connection, options);
  if (stale > 0 || at - (detailsReadAt ?? 0) >= DETAILS_MAX_AGE_SECONDS) return () => syncChannel(connection, options);
  return recheckBelow === null ? null : () => recheckBatch(connection, bot, store, at);
};

/** Starts the tasks. Only one of several processes runs them. */
export const startChannelTasks = (options: ChannelTaskOptions): ChannelTasks => {
  const { store, log, updateDeps } = options;
  const limit = pLimit(MAX_CONCURRENT_TASKS);
  const running = new Map<string, Promise<void>>();
  const pauses = new Map<string, { until: number; durationMs: number }>();
  let checking: Promise<void> | null = null;
  let isTriggeredAgain = false;
  let isStopped = false;

  const runTask = async (channelId: string, task: () => Promise<void>): Promise<void> => {
    try {
      await task();
      pauses.set(channelId, { until: performance.now() + CHECK_INTERVAL_MS, durationMs: CHECK_INTERVAL_MS });
    } catch (error) {
      const durationMs = Math.min((pauses.get(channelId)?.durationMs ?? CHECK_INTERVAL_MS) * 2, MAX_PAUSE_MS);
      pauses.set(channelId, { until: performance.now() + durationMs, durationMs });
      log(`Could not run a task of channel ${channelId}: ${describeBotError(error)}`);
    } finally {
      running.delete(channelId);
    }
  };
  const startTask = (channelId: string, task: (() => Promise<void>) | null): void => {
    const isPaused = (pauses.get(channelId)?.until ?? 0) > performance.now();
    if (task === null || isPaused || running.has(channelId) || isStopped) return;
    running.set(
      channelId,
      limit(() => runTask(channelId, task)),
    );
  };
  const startDueTasks = async (): Promise<void> => {
    for (const channelId of await store.followedWithParkedUpdates()) await replayParkedUpdates(channelId, updateDeps);
    for (const connection of await store.connections()) startTask(connection.channelId, nextTaskOf(connection, options));
    const unknownChannelIds = await store.unknownWithParkedUpdates(Math.floor(options.now() / 1000) - MEMBERSHIP_GRACE_SECONDS);
    for (const channelId of unknownChannelIds) startTask(channelId, () => handleUnknownChannel(channelId, options));
  };
  /** Starts a check. Checks run one at a time. A call during a check causes another check after it. */
  const trigger = (): void => {
    isTriggeredAgain = checking !== null;
    if (checking !== null || isStopped) return;
    checking = startDueTasks()
      .catch((error: unknown) => log(`Could not check the channels for tasks: ${describeBotError(error)}`))
      .finally(() => {
        checking = null;
        if (isTriggeredAgain) trigger();
      });
  };
  const timer = setInterval(trigger, CHECK_INTERVAL_MS).unref();
  trigger();
  return {
    trigger,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await checking;
      await Promise.all(running.values());
    },
  };
};
