import { performance } from 'node:perf_hooks';
import pLimit from 'p-limit';
import type { ChannelConnection } from '../../storage/ports/connections.ts';
import { type Applying, replayParked } from './apply-update.ts';
import { type Refreshing, recheckSome, refreshChannel } from './channel-sync.ts';
import { sayRefused } from './client.ts';
import { type Deciding, decide, meetStranger } from './connect.ts';

/** What asks Telegram in the background. All of it is written down in the store, so a restart goes on where this one ended. */
export interface Chores {
  /** Looks now for something to do. */
  wake(): void;
  /** Ends it; resolves when nothing is under way. */
  stop(): Promise<void>;
}

export interface ChoreOptions extends Refreshing, Deciding {
  readonly applying: Applying;
  readonly log: (line: string) => void;
}

/** Milliseconds between two looks, and between two chores of one channel: a burst of changes is read once. */
const LOOK = 500;
const MOST_PAUSE = 600_000;
/** Seconds after which a channel's facts are read anew though nobody told of a change. */
const FRESH_FOR = 3600;
const AT_ONCE = 4;
/** Seconds in which what tells of the bot in a channel may come after the channel's first posts. */
const LATE = 5;

const answer = async (asking: ChannelConnection, options: ChoreOptions): Promise<void> => {
  if (asking.by === null || !(await decide(asking, asking.by, options))) return;
  const connection = await options.store.connection(asking.channelId);
  if (connection) await options.applying.onConnected(connection);
};

const meet = async (channelId: string, options: ChoreOptions): Promise<void> => {
  const connection = await meetStranger(channelId, options);
  if (connection) await options.applying.onConnected(connection);
};

/** What there is to do for a channel; null for nothing. */
const choreOf = (connection: ChannelConnection, options: ChoreOptions): (() => Promise<void>) | null => {
  const { bot, store, now } = options;
  const at = Math.floor(now() / 1000);
  const { status, stale, readAt, recheck } = connection;
  if (status === 'leaving') return null;
  if (status === 'asking') return () => answer(connection, options);
  if (stale > 0 || at - (readAt ?? 0) >= FRESH_FOR) return () => refreshChannel(connection, options);
  return recheck === null ? null : () => recheckSome(connection, bot, store, at);
};

/** Starts the chores; one process of several does them. */
export const startChores = (options: ChoreOptions): Chores => {
  const { store, log, applying } = options;
  const turn = pLimit(AT_ONCE);
  const underWay = new Map<string, Promise<void>>();
  const pauses = new Map<string, { until: number; length: number }>();
  let looking: Promise<void> | null = null;
  let again = false;
  let stopped = false;

  const attempt = async (channelId: string, chore: () => Promise<void>): Promise<void> => {
    try {
      await chore();
      pauses.set(channelId, { until: performance.now() + LOOK, length: LOOK });
    } catch (error) {
      const length = Math.min((pauses.get(channelId)?.length ?? LOOK) * 2, MOST_PAUSE);
      pauses.set(channelId, { until: performance.now() + length, length });
      log(`The channel ${channelId} could not be looked after: ${sayRefused(error)}`);
    } finally {
      underWay.delete(channelId);
    }
  };
  const begin = (channelId: string, chore: (() => Promise<void>) | null): void => {
    const isPaused = (pauses.get(channelId)?.until ?? 0) > performance.now();
    if (chore === null || isPaused || underWay.has(channelId) || stopped) return;
    underWay.set(
      channelId,
      turn(() => attempt(channelId, chore)),
    );
  };
  const look = async (): Promise<void> => {
    for (const channelId of await store.followedParked()) await replayParked(channelId, applying);
    for (const connection of await store.connections()) begin(connection.channelId, choreOf(connection, options));
    const strangers = await store.strangersParked(Math.floor(options.now() / 1000) - LATE);
    for (const channelId of strangers) begin(channelId, () => meet(channelId, options));
  };
  /** One look at a time; a wake during one is another after it. */
  const wake = (): void => {
    again = looking !== null;
    if (looking !== null || stopped) return;
    looking = look()
      .catch((error: unknown) => log(`Channels could not be looked after: ${sayRefused(error)}`))
      .finally(() => {
        looking = null;
        if (again) wake();
      });
  };
  const timer = setInterval(wake, LOOK).unref();
  wake();
  return {
    wake,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await looking;
      await Promise.all(underWay.values());
    },
  };
};
