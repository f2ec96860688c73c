/**
 * Download queue: downloads in the background the files that a bot's messages need. The queue is in the store, so that several
 * processes share it and a killed process loses nothing: a file is only recorded when it is complete. If a source rejects all
 * requests for a time, the disk is full or the quota is full, all downloads pause, and no file loses an attempt.
 */

import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { formatFailure, type SourceFailure } from '../lib/failure-codes.ts';
import type { LogFn } from '../lib/logger.ts';
import type { QueuedFile } from '../storage/ports/files.ts';
import type { Store } from '../storage/ports/store.ts';
import { type DownloadLimits, type DownloadOutcome, downloadFile } from './download.ts';
import type { FileSource } from './file-source.ts';
import { createExternalQuota, type MediaStatus, readMediaStatus, storageFullReason, storePauseReason } from './quota.ts';
import { createThumbnails } from './thumbnails.ts';

export interface DownloadQueueDeps {
  readonly store: Store;
  readonly dataDir: string;
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

/** Creates the downloader of one process. Nothing is downloaded before `start()`. */
export const createDownloadQueue = (deps: DownloadQueueDeps): DownloadQueue => {
  const { store, dataDir, limits, now, log } = deps;
  // Waiting times in this process use a monotonic clock. Due times in the store use the system clock, which all processes share.
  const elapsed = () => performance.now();
  const thumbnails = createThumbnails({ dataDir, store });
  const quotaDeps = { store, dataDir, thumbnails, limits };
  const externalQuota = createExternalQuota({ store, quota: limits.quota, elapsed });
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  let [isChecking, isCheckRequested, pausedUntil, nextStartAt] = [false, false, 0, 0];
  // The stored files may have exceeded the quota, also while no process ran.
  let mayExceedQuota = true;
  let pauseReason: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  let unsubscribe = () => {};

  const pause = async (failure: SourceFailure | null, ms = 0): Promise<void> => {
    const reason = failure === null ? null : formatFailure(failure);
    pausedUntil = Math.max(pausedUntil, elapsed() + ms);
    if (reason === pauseReason) return;
    if (failure !== null) log(`No files are fetched for now: ${failure.sentence}.`);
    pauseReason = reason;
    await storePauseReason(store, reason);
  };

  const backOff = (tries: number): number =>
    Math.min(limits.maxBackOffMs, limits.firstBackOffMs * 4 ** tries) * (0.75 + Math.random() / 2);

  const recordOutcome = async ({ uniqueId, tries }: QueuedFile, outcome: DownloadOutcome): Promise<void> => {
    if (outcome.type === 'kept') return store.markFileSaved(uniqueId, outcome.file);
    const { type, failure, seconds } = outcome;
    const reason = formatFailure(failure);
    if (stopping.signal.aborted) return store.postponeFile(uniqueId, now(), false, reason);
    if (type === 'too-large' || type === 'over-share') return store.markFileRejected(uniqueId, type, reason);
    if (type === 'gone' || (type === 'again' && tries + 1 >= limits.maxTries))
      return store.markFileRejected(uniqueId, 'failed', reason);
    // A source that is unreachable for a day leaves a file its last two attempts.
    const counts = type === 'again' || tries < limits.maxTries - 2;
    if (type === 'again' || type === 'away') return store.postponeFile(uniqueId, now() + backOff(tries), counts, reason);
    // Pauses before the file is returned to the queue: the store's watchers check at once.
    await pause(failure, type === 'full' ? limits.fullPauseMs : seconds * 1000);
    await store.postponeFile(uniqueId, now(), false, reason);
  };

  const waitForSpacing = async (): Promise<void> => {
    const free = Math.max(elapsed(), nextStartAt);
    nextStartAt = free + limits.spacingMs;
    if (free > elapsed()) await wait(free - elapsed());
  };

  const download = async (file: QueuedFile): Promise<void> => {
    const extendClaim = () => void store.extendFileClaim(file.uniqueId, now() + limits.leaseMs).catch(() => {});
    const claimTimer = setInterval(extendClaim, limits.leaseMs / 3);
    try {
      await waitForSpacing();
      // Another download may have been told to wait since this one was taken.
      if (elapsed() < pausedUntil)
        return await store.postponeFile(file.uniqueId, now(), false, pauseReason ?? 'it waits its turn');
      const outcome = (await externalQuota.rejectionOf(file)) ?? (await downloadFile(file, deps, stopping.signal));
      await recordOutcome(file, outcome);
      if (outcome.type !== 'kept') return;
      mayExceedQuota = true;
      externalQuota.addSavedFile(file, outcome.file);
      await thumbnails.renderAll(outcome.file).catch(() => {});
    } finally {
      clearInterval(claimTimer);
    }
  };

  const startDownload = (file: QueuedFile): void => {
    const downloading: Promise<void> = download(file)
      .catch((error: unknown) => log('A fetched file could not be noted.', error))
      .finally(() => {
        running.delete(downloading);
        check();
      });
    running.add(downloading);
  };

  const mayDownload = async (): Promise<boolean> => {
    if (elapsed() < pausedUntil) return false;
    if (!mayExceedQuota && (await store.nextFileDue()) === null) return false;
    const full = await storageFullReason(quotaDeps);
    // A download in progress may have been told to wait while this was read.
    if (elapsed() < pausedUntil) return false;
    mayExceedQuota = false;
    await pause(full, full === null ? 0 : limits.fullPauseMs);
    return full === null;
  };

  const claimDueFiles = async (): Promise<void> => {
    while (running.size < limits.maxConcurrent && !stopping.signal.aborted && (await mayDownload())) {
      const [file] = await store.claimFiles(1, now(), now() + limits.leaseMs);
      if (!file) return;
      startDownload(file);
    }
  };

  const scheduleNextCheck = async (): Promise<void> => {
    const due = await store.nextFileDue();
    // A job that ends triggers a check itself.
    const delay =
      running.size >= limits.maxConcurrent || due === null ? POLL_INTERVAL_MS : Math.max(pausedUntil - elapsed(), due - now());
    checkAfter(Math.min(POLL_INTERVAL_MS, Math.max(20, delay)));
  };

  /** Replaces the timer of the next check, so that there is never more than one. */
  const checkAfter = (ms: number): void => {
    clearTimeout(timer);
    if (!stopping.signal.aborted) timer = setTimeout(check, ms).unref();
  };

  /** Takes the files that are due. If it is called during a check, it checks once more. */
  const check = (): void => {
    isCheckRequested = true;
    if (isChecking || stopping.signal.aborted) return;
    isChecking = true;
    const checkUntilIdle = async () => {
      while (isCheckRequested) {
        isCheckRequested = false;
        await claimDueFiles();
      }
      await scheduleNextCheck();
    };
    void checkUntilIdle()
      .catch((error: unknown) => {
        log('The files that wait could not be looked for.', error);
        checkAfter(POLL_INTERVAL_MS);
      })
      .finally(() => {
        isChecking = false;
        // A job that ended at once, such as a rejected one, may have called `look` just before this check ended.
        if (isCheckRequested) check();
      });
  };

  return {
    start() {
      unsubscribe = store.onChange(check);
      void storePauseReason(store, null).then(check, check);
    },
    async stop() {
      stopping.abort();
      unsubscribe();
      clearTimeout(timer);
      await Promise.all(running);
    },
    status: () => readMediaStatus({ store, dataDir, quota: limits.quota }),
  };
};
