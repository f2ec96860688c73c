/** Background jobs: start feed polling, file downloads, disconnections and retention. */
import type { Config } from '../config.ts';
import type { LogFn } from '../lib/logger.ts';
import { DOWNLOAD_LIMITS } from '../media/download.ts';
import { createDownloadQueue } from '../media/download-queue.ts';
import type { FileSource } from '../media/file-source.ts';
import { collectGarbage, DAY_MS, type GarbageCollectionDeps, HOUR_MS } from '../media/garbage-collection.ts';
import type { MediaStore } from '../media/media-store.ts';
import type { NotificationService } from '../notifications/service.ts';
import type { FetchPublic } from '../sources/fetch/safe-fetch.ts';
import { combineFileSources } from '../sources/file-sources.ts';
import { createFeedFileSource } from '../sources/rss/file-source.ts';
import { createFeedPoller } from '../sources/rss/poller.ts';
import type { Bot } from '../sources/telegram/bot.ts';
import { createBotFileSource } from '../sources/telegram/file-source.ts';
import type { Store } from '../storage/ports/store.ts';
import { createBoundedClock } from './bounded-clock.ts';
import { startFinishDisconnects } from './finish-disconnects.ts';
import { startPeriodicJob } from './periodic-job.ts';
import { startPruneFeeds } from './prune-feeds.ts';
import { startRetention } from './retention.ts';

/** Delay of the first garbage collection after the start, ms: ten minutes. */
const GARBAGE_COLLECTION_DELAY_MS = HOUR_MS / 6;

/** Services that this module uses. */
export type JobDeps = {
  readonly config: Config;
  readonly store: Store;
  readonly mediaStore: MediaStore;
  readonly bot: Bot | null;
  readonly fetchPublic: FetchPublic;
  readonly notifications: NotificationService | null;
  readonly now: () => number;
  readonly log: LogFn;
};

/**
 * Starts the background work: polling sources, downloading files, finishing disconnections and deleting old data.
 * Returns a stop() function.
 */
export const startBackgroundJobs = ({
  config,
  store,
  mediaStore,
  bot,
  fetchPublic,
  notifications,
  now,
  log,
}: JobDeps): (() => Promise<void>) => {
  const feedPoller = createFeedPoller({ store, fetchPublic, now, log });
  const source = combineFileSources(bot && createBotFileSource(bot.api, config.botApiFiles), createFeedFileSource(fetchPublic));
  bot?.start();
  notifications?.start();
  feedPoller.start();
  const stopMedia = startMediaJobs({ config, store, mediaStore, source, log });
  const stopDisconnects = startFinishDisconnects({
    store,
    mediaStore,
    now,
    leaveChat: async (channelId) => bot?.leaveChannel(channelId),
    log,
  });
  const boundedNow = createBoundedClock(store, now);
  // On the first use, the bounded clock accepts the system clock. This happens at the start, and not when data is about
  // to be deleted.
  boundedNow().catch(() => {});
  const stopRetention = startRetention({ store, days: config.retentionDays, now, boundedNow }, log);
  const stopPruning = startPruneFeeds({ store, mediaStore, boundedNow }, log);
  return async () => {
    await Promise.all([
      bot?.stop(),
      notifications?.stop(),
      feedPoller.stop(),
      stopMedia(),
      stopDisconnects(),
      stopPruning(),
      stopRetention(),
    ]);
  };
};

interface MediaJobDeps {
  readonly config: Pick<Config, 'mediaQuota' | 'maxMediaFileBytes'>;
  readonly store: Store;
  readonly mediaStore: MediaStore;
  /** Source of posts' files. */
  readonly source: FileSource;
  readonly log: LogFn;
}

/**
 * Starts the background work on files: downloads, and deletion of files that nothing shows. Returns a stop() function.
 */
export const startMediaJobs = ({ config, store, mediaStore, source, log }: MediaJobDeps): (() => Promise<void>) => {
  const { mediaQuota: quota, maxMediaFileBytes: fileBytes } = config;
  const stopGarbageCollection = startGarbageCollection({ mediaStore, store }, log);
  const limits = { ...DOWNLOAD_LIMITS, quota, fileBytes };
  const downloads = createDownloadQueue({ store, mediaStore, source, limits, now: Date.now, log });
  downloads.start();
  return async () => {
    await Promise.all([stopGarbageCollection(), downloads.stop()]);
  };
};

/** Starts the garbage collection of files: after ten minutes and then daily. Returns a stop() function. */
export const startGarbageCollection = (deps: GarbageCollectionDeps, log: LogFn): (() => Promise<void>) =>
  startPeriodicJob((signal) => collectGarbage(deps, signal), {
    delayMs: GARBAGE_COLLECTION_DELAY_MS,
    intervalMs: DAY_MS,
    onError: (error) => log('Could not delete unused files.', error),
  });
