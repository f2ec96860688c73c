/**
 * Download queue: downloads in the background the files that a bot's messages need. The queue is in the store, so that
 * several processes share it and a killed process loses nothing: a file is only recorded when it is complete. If a
 * source rejects all requests for a time, the disk is full or the quota is full, all downloads pause, and no file loses
 * an attempt.
 */

import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { formatFailure, type SourceFailure } from '../lib/failure-codes.ts';
import type { LogFn } from '../lib/logger.ts';
import type { QueuedFile } from '../storage/ports/files.ts';
import type { Store } from '../storage/ports/store.ts';
import { type DownloadLimits, type DownloadOutcome, downloadFile } from './download.ts';
import type { FileSource } from './file-source.ts';
import type { MediaStore } from './media-store.ts';
import { createExternalQuota, type MediaStatus, readMediaStatus, storageFullReason, storePauseReason } from './quota.ts';
import { createThumbnails, type Thumbnails } from './thumbnails.ts';

export interface DownloadQueueDeps {
  readonly store: Store;
  readonly mediaStore: MediaStore;
  readonly source: FileSource;
  readonly limits: DownloadLimits;
  /** Returns the current time, unix milliseconds. */
  readonly now: () => number;
  readonly log: LogFn;
}

export interface DownloadQueue {
  start(): void;
  /** Stops, and returns the files in progress to the queue. */
  stop(): Promise<void>;
  status(): Promise<MediaStatus>;
}

/** Maximum interval of checks, ms: another process may have left files in the queue. */
const POLL_INTERVAL_MS = 10_000;
const MIN_CHECK_DELAY_MS = 20;
const BACK_OFF_FACTOR = 4;
/** Attempts that failures of an unreachable source do not use up, so that a file survives an outage of a day. */
const RESERVED_TRIES = 2;

/**
 * Waiting times in this process use a monotonic clock. Due times in the store use the system clock, which all processes
 * share.
 */
const elapsed = (): number => performance.now();

type PauseState = ReturnType<typeof createPauseState>;

/** Pause state: while it is paused, this process starts no download. The reason is stored, so that operators see it. */
const createPauseState = ({ store, log }: Pick<DownloadQueueDeps, 'store' | 'log'>) => {
  let pausedUntil = 0;
  let currentReason: string | null = null;

  const setReason = async (reason: string | null): Promise<void> => {
    currentReason = reason;
    await storePauseReason(store, reason);
  };

  return {
    isPaused: (): boolean => elapsed() < pausedUntil,
    remainingMs: (): number => pausedUntil - elapsed(),
    reason: (): string | null => currentReason,
    async pause(failure: SourceFailure, ms: number): Promise<void> {
      const reason = formatFailure(failure);
      pausedUntil = Math.max(pausedUntil, elapsed() + ms);
      if (reason === currentReason) return;
      log(`Downloads are paused: ${failure.sentence}.`);
      await setReason(reason);
    },
    async resume(): Promise<void> {
      if (currentReason !== null) await setReason(null);
    },
  };
};

/** Rate limit: returns a function that waits until the next request may be sent, `spacingMs` after the previous one. */
const createSpacing = (spacingMs: number): (() => Promise<void>) => {
  let nextStartAt = 0;
  return async () => {
    const startAt = Math.max(elapsed(), nextStartAt);
    nextStartAt = startAt + spacingMs;
    if (startAt > elapsed()) await wait(startAt - elapsed());
  };
};

type SpaceCheck = ReturnType<typeof createSpaceCheck>;

/** Space check: enforces the quota before a file is claimed, and pauses the downloads while nothing can be stored. */
const createSpaceCheck = (
  { store, mediaStore, limits }: DownloadQueueDeps,
  { thumbnails, pauseState }: { readonly thumbnails: Thumbnails; readonly pauseState: PauseState },
) => {
  // The stored files may have exceeded the quota, also while no process ran.
  let mayExceedQuota = true;
  return {
    recordSaved(): void {
      mayExceedQuota = true;
    },
    async mayDownload(): Promise<boolean> {
      if (pauseState.isPaused()) return false;
      if (!mayExceedQuota && (await store.nextFileDue()) === null) return false;
      const fullReason = await storageFullReason({ store, mediaStore, thumbnails, limits });
      // A download in progress may have paused the queue in the meantime.
      if (pauseState.isPaused()) return false;
      mayExceedQuota = false;
      if (fullReason === null) await pauseState.resume();
      else await pauseState.pause(fullReason, limits.fullPauseMs);
      return fullReason === null;
    },
  };
};

/** Computes the delay before the next attempt, ms: exponential backoff with jitter of a quarter. */
const backOffMs = (tries: number, limits: DownloadLimits): number =>
  Math.min(limits.maxBackOffMs, limits.firstBackOffMs * BACK_OFF_FACTOR ** tries) * (0.75 + Math.random() / 2);

/** Stores the result of a download: the file is saved, rejected, or returned to the queue. */
const recordOutcome = async (
  { uniqueId, tries }: QueuedFile,
  outcome: DownloadOutcome,
  { store, limits, now }: DownloadQueueDeps,
  { pauseState, signal }: Pick<DownloaderContext, 'pauseState' | 'signal'>,
): Promise<void> => {
  if (outcome.type === 'saved') return store.markFileSaved(uniqueId, outcome.file);
  const { type, failure, seconds } = outcome;
  const reason = formatFailure(failure);
  if (signal.aborted) return store.postponeFile(uniqueId, now(), false, reason);
  if (type === 'too-large' || type === 'over-share') return store.markFileRejected(uniqueId, type, reason);
  if (type === 'gone' || (type === 'retry' && tries + 1 >= limits.maxTries))
    return store.markFileRejected(uniqueId, 'failed', reason);
  const countsAsTry = type === 'retry' || tries < limits.maxTries - RESERVED_TRIES;
  if (type === 'retry' || type === 'unreachable')
    return store.postponeFile(uniqueId, now() + backOffMs(tries, limits), countsAsTry, reason);
  // Pauses before the file is returned to the queue: the store's listeners check the queue at once.
  await pauseState.pause(failure, type === 'full' ? limits.fullPauseMs : seconds * 1000);
  await store.postponeFile(uniqueId, now(), false, reason);
};

interface DownloaderContext {
  readonly pauseState: PauseState;
  readonly spaceCheck: SpaceCheck;
  readonly thumbnails: Thumbnails;
  readonly signal: AbortSignal;
}

/** Downloader: returns a function that downloads one claimed file, and extends the claim meanwhile. */
const createDownloader = (deps: DownloadQueueDeps, context: DownloaderContext): ((file: QueuedFile) => Promise<void>) => {
  const { store, limits, now } = deps;
  const { pauseState, spaceCheck, thumbnails, signal } = context;
  const waitForSpacing = createSpacing(limits.spacingMs);
  const externalQuota = createExternalQuota({ store, quota: limits.quota, elapsed });

  const download = async (file: QueuedFile): Promise<void> => {
    await waitForSpacing();
    // Another download may have paused the queue after this file was claimed.
    if (pauseState.isPaused())
      return store.postponeFile(file.uniqueId, now(), false, pauseState.reason() ?? 'it waits in the queue');
    const outcome = (await externalQuota.rejectionOf(file)) ?? (await downloadFile(file, deps, signal));
    await recordOutcome(file, outcome, deps, context);
    if (outcome.type !== 'saved') return;
    spaceCheck.recordSaved();
    externalQuota.addSavedFile(file, outcome.file);
    await thumbnails.renderAll(outcome.file).catch(() => {});
  };

  return async (file) => {
    const extendClaim = () => void store.extendFileClaim(file.uniqueId, now() + limits.leaseMs).catch(() => {});
    const claimTimer = setInterval(extendClaim, limits.leaseMs / 3);
    await download(file).finally(() => clearInterval(claimTimer));
  };
};

interface CheckLoopOptions {
  readonly check: () => Promise<void>;
  /** Returns the time until the next check, ms. */
  readonly nextDelayMs: () => Promise<number>;
  readonly log: LogFn;
}

/**
 * Check loop: checks when it is triggered, and otherwise after a delay. A trigger during a check causes one more check.
 */
const createCheckLoop = ({ check, nextDelayMs, log }: CheckLoopOptions) => {
  let [isChecking, isCheckRequested, isStopped] = [false, false, false];
  let timer: NodeJS.Timeout | undefined;

  /** Replaces the timer of the next check, so that there is never more than one. */
  const triggerAfter = (ms: number): void => {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(trigger, ms).unref();
  };

  const checkUntilDone = async (): Promise<void> => {
    while (isCheckRequested) {
      isCheckRequested = false;
      await check();
    }
    triggerAfter(await nextDelayMs());
  };

  const trigger = (): void => {
    isCheckRequested = true;
    if (isChecking || isStopped) return;
    isChecking = true;
    void checkUntilDone()
      .catch((error: unknown) => {
        log('Could not check the download queue.', error);
        triggerAfter(POLL_INTERVAL_MS);
      })
      .finally(() => {
        isChecking = false;
        // A download that ended at once, such as a rejected one, may have called `trigger` just before this check
        // ended.
        if (isCheckRequested) trigger();
      });
  };

  const stop = (): void => {
    isStopped = true;
    clearTimeout(timer);
  };

  return { trigger, stop };
};

/** Creates the downloader of one process. Nothing is downloaded before `start()`. */
export const createDownloadQueue = (deps: DownloadQueueDeps): DownloadQueue => {
  const { store, mediaStore, limits, now, log } = deps;
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  const thumbnails = createThumbnails({ mediaStore, store });
  const pauseState = createPauseState(deps);
  const spaceCheck = createSpaceCheck(deps, { thumbnails, pauseState });
  const download = createDownloader(deps, { thumbnails, pauseState, spaceCheck, signal: stopping.signal });
  let unsubscribe = () => {};

  const startDownload = (file: QueuedFile): void => {
    const downloading: Promise<void> = download(file)
      .catch((error: unknown) => log('Could not record the result of a download.', error))
      .finally(() => {
        running.delete(downloading);
        checkLoop.trigger();
      });
    running.add(downloading);
  };

  const claimDueFiles = async (): Promise<void> => {
    while (running.size < limits.maxConcurrent && !stopping.signal.aborted && (await spaceCheck.mayDownload())) {
      const [file] = await store.claimFiles(1, now(), now() + limits.leaseMs);
      if (!file) return;
      startDownload(file);
    }
  };

  const nextDelayMs = async (): Promise<number> => {
    const due = await store.nextFileDue();
    // A download that ends triggers a check itself.
    if (running.size >= limits.maxConcurrent || due === null) return POLL_INTERVAL_MS;
    const delay = Math.max(pauseState.remainingMs(), due - now());
    return Math.min(POLL_INTERVAL_MS, Math.max(MIN_CHECK_DELAY_MS, delay));
  };

  const checkLoop = createCheckLoop({ check: claimDueFiles, nextDelayMs, log });

  return {
    start() {
      unsubscribe = store.onChange(checkLoop.trigger);
      void storePauseReason(store, null).then(checkLoop.trigger, checkLoop.trigger);
    },
    async stop() {
      stopping.abort();
      unsubscribe();
      checkLoop.stop();
      await Promise.all(running);
    },
    status: () => readMediaStatus({ store, mediaStore, quota: limits.quota }),
  };
};
