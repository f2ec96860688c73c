import type { Say } from '../lib/logger.ts';
import { removeChannel } from '../media/garbage-collection.ts';
import type { ChannelConnection } from '../storage/ports/connections.ts';
import type { Store } from '../storage/ports/store.ts';

/** What finishing disconnections works with. */
export interface LeavingOptions {
  readonly store: Store;
  readonly dataDir: string;
  /** Milliseconds. */
  readonly now: () => number;
  /** Takes the bot out of a channel's chat; throws to be tried again. */
  readonly leaveChat: (channelId: string) => Promise<void>;
  readonly log: Say;
}

/** Milliseconds between two looks: an undo lasts ten minutes. */
const LOOK = 5000;

const leave = async ({ channelId, rights, removes }: ChannelConnection, options: LeavingOptions): Promise<void> => {
  if (rights !== null) await options.leaveChat(channelId);
  if (removes) await removeChannel(channelId, options);
  await options.store.noteLeft(channelId);
};

/** Finishes what was disconnected and not taken back in time: the bot leaves, and what was to go goes. */
export const finishLeaving = async (options: LeavingOptions): Promise<void> => {
  const connections = await options.store.connections();
  const due = connections.filter((one) => one.status === 'leaving' && (one.due ?? 0) * 1000 <= options.now());
  for (const connection of due)
    await leave(connection, options).catch((error: unknown) => {
      options.log(`The channel ${connection.channelId} could not be left.`, error);
    });
};

/** Does so from now on, in every process: what two do at once is done once. Answers how to stop. */
export const startLeaving = (options: LeavingOptions): (() => Promise<void>) => {
  let under: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    under = under.then(() => finishLeaving(options)).catch((error: unknown) => options.log('Channels could not be left.', error));
  }, LOOK).unref();
  return async () => {
    clearInterval(timer);
    await under;
  };
};
