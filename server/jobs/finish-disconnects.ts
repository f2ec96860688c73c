/** Pending disconnections: the job that disconnects channels when the time to undo has passed. */
import type { LogFn } from '../lib/logger.ts';
import { removeChannel } from '../media/garbage-collection.ts';
import type { MediaStore } from '../media/media-store.ts';
import type { ChannelConnection } from '../storage/ports/connections.ts';
import type { Store } from '../storage/ports/store.ts';
import { startPeriodicJob } from './periodic-job.ts';

/** Dependencies of the job. */
export interface FinishDisconnectsOptions {
  readonly store: Store;
  readonly mediaStore: MediaStore;
  /** Current time, unix milliseconds. */
  readonly now: () => number;
  /** Removes the bot from a channel's chat. If it throws, the job tries again. */
  readonly leaveChat: (channelId: string) => Promise<void>;
  readonly log: LogFn;
}

/** Interval of the checks, ms: a disconnection can be undone for ten minutes. */
const CHECK_INTERVAL_MS = 5000;

const finishDisconnect = async (
  { channelId, rights, removesContent }: ChannelConnection,
  options: FinishDisconnectsOptions,
): Promise<void> => {
  if (rights !== null) await options.leaveChat(channelId);
  if (removesContent) await removeChannel(channelId, options);
  await options.store.markLeft(channelId);
};

/**
 * Finishes the disconnections that were not undone in time: the bot leaves the chat, and the channel is deleted if that
 * was requested.
 */
export const finishDisconnects = async (options: FinishDisconnectsOptions): Promise<void> => {
  const connections = await options.store.connections();
  const isDue = ({ status, due }: ChannelConnection) => status === 'leaving' && (due ?? 0) * 1000 <= options.now();
  for (const connection of connections.filter(isDue))
    await finishDisconnect(connection, options).catch((error: unknown) => {
      options.log(`Could not finish disconnecting channel ${connection.channelId}.`, error);
    });
};

/**
 * Starts the job in this process. Every process runs it: if two of them finish the same disconnection, the effect is
 * the same. Returns a stop() function.
 */
export const startFinishDisconnects = (options: FinishDisconnectsOptions): (() => Promise<void>) =>
  startPeriodicJob(() => finishDisconnects(options), {
    delayMs: CHECK_INTERVAL_MS,
    intervalMs: CHECK_INTERVAL_MS,
    onError: (error) => options.log('Could not finish the pending disconnections.', error),
  });
