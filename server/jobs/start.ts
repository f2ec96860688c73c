/** Background jobs: start feed polling, file downloads, disconnections and retention. */
import type { Config } from '../config.ts';
import type { Say } from '../lib/logger.ts';
import { LIMITS } from '../media/download.ts';
import { createFetcher } from '../media/download-queue.ts';
import type { FileSource } from '../media/file-source.ts';
import { type Collecting, collectFiles, DAY, HOUR } from '../media/garbage-collection.ts';
import type { FetchPublic } from '../sources/fetch/safe-fetch.ts';
import { allFiles } from '../sources/file-sources.ts';
import { createFeedFiles } from '../sources/rss/file-source.ts';
import { createFeedPoller } from '../sources/rss/poller.ts';
import type { Bot } from '../sources/telegram/bot.ts';
import { createBotFiles } from '../sources/telegram/file-source.ts';
import type { Store } from '../storage/ports/store.ts';
import { createBelievedTime } from './bounded-clock.ts';
import { startLeaving } from './finish-disconnects.ts';
import { startCollectingElsewhere } from './prune-feeds.ts';
import { startForgetting } from './retention.ts';

/** Services that this module uses. */
export type JobDeps = {
  readonly config: Config;
  readonly store: Store;
  readonly bot: Bot | null;
  readonly fetchPublic: FetchPublic;
  readonly now: () => number;
  readonly log: Say;
};

/**
 * Starts the background work: polling sources, downloading files, finishing disconnections and deleting old data. Returns a
 * stop() function.
 */
export const startBackground = ({ config, store, bot, fetchPublic, now, log }: JobDeps): (() => Promise<void>) => {
  const feeds = createFeedPoller({ store, fetchPublic, now, log });
  const source = allFiles(bot && createBotFiles(bot.api, config.botApiFiles), createFeedFiles(fetchPublic));
  bot?.start();
  feeds.start();
  const stopMedia = startMedia({ config, store, source, log });
  const stopLeaving = startLeaving({
    store,
    dataDir: config.dataDir,
    now,
    leaveChat: async (channelId) => bot?.leave(channelId),
    log,
  });
  const believed = createBelievedTime(store, now);
  // On the first use, the bounded clock accepts the system clock. This happens at the start, and not when data is about to be
  // deleted.
  believed().catch(() => {});
  const stopForgetting = startForgetting({ store, days: config.retentionDays, now, believed }, log);
  const stopCollecting = startCollectingElsewhere({ store, dataDir: config.dataDir, believed }, log);
  return async () => {
    await Promise.all([bot?.stop(), feeds.stop(), stopMedia(), stopLeaving(), stopCollecting(), stopForgetting()]);
  };
};

interface MediaParts {
  readonly config: Pick<Config, 'dataDir' | 'mediaQuota' | 'mediaFileBytes'>;
  readonly store: Store;
  /** Source of posts' files. */
  readonly source: FileSource;
  readonly log: Say;
}

/** Starts the background work on files: downloads, and deletion of files that nothing shows. Returns a stop() function. */
export const startMedia = ({ config, store, source, log }: MediaParts): (() => Promise<void>) => {
  const { dataDir, mediaQuota: quota, mediaFileBytes: fileBytes } = config;
  const stopCollecting = collectDaily({ dataDir, store }, log);
  const limits = { ...LIMITS, quota, fileBytes };
  const fetcher = createFetcher({ store, dataDir, source, limits, now: Date.now, log });
  fetcher.start();
  return async () => {
    stopCollecting();
    await fetcher.stop();
  };
};

/** Starts the garbage collection of files: after ten minutes and then daily. Returns a stop() function. */
export const collectDaily = (collecting: Collecting, log: Say): (() => void) => {
  const run = () => {
    collectFiles(collecting).catch((error: unknown) => log('Files that nothing shows could not be deleted.', error));
    timer = setTimeout(run, DAY).unref();
  };
  let timer = setTimeout(run, HOUR / 6).unref();
  return () => clearTimeout(timer);
};
