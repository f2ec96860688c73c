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
export const createDownloadQueue = (parts: DownloadQueueDeps): DownloadQueue => {
  const { store, dataDir, limits, now, log } = parts;
  // Waiting times in this process use a monotonic clock. Due times in the store use the system clock, which all processes share.
  const passed = () => performance.now();
  const sizes = createThumbnails({ dataDir, store });
  const rooms = { store, dataDir, sizes, limits };
  const share = createExternalQuota({ store, quota: limits.quota, elapsed: passed });
  const jobs = new Set<Promise<void>>();
  const ended = new AbortController();
  let [looking, missed, freeAt, nextCall] = [false, false, 0, 0];
  // The stored files may have exceeded the quota, also while no process ran.
  let grown = true;
  let paused: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  let unwatch = () => {};

  const pause = async (failure: SourceFailure | null, ms = 0): Promise<void> => {
    const reason = failure === null ? null : formatFailure(failure);
    freeAt = Math.max(freeAt, passed() + ms);
    if (reason === paused) return;
    if (failure !== null) log(`No files are fetched for now: ${failure.sentence}.`);
    paused = reason;
    await storePauseReason(store, reason);
  };

  const backOff = (tries: number): number =>
    Math.min(limits.maxBackOffMs, limits.firstBackOffMs * 4 ** tries) * (0.75 + Math.random() / 2);

  const settle = async ({ uniqueId, tries }: QueuedFile, outcome: DownloadOutcome): Promise<void> => {
    if (outcome.type === 'kept') return store.markFileSaved(uniqueId, outcome.file);
    const { type, failure, seconds } = outcome;
    const reason = formatFailure(failure);
    if (ended.signal.aborted) return store.postponeFile(uniqueId, now(), false, reason);
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

  const spaceOut = async (): Promise<void> => {
    const free = Math.max(passed(), nextCall);
    nextCall = free + limits.spacingMs;
    if (free > passed()) await wait(free - passed());
  };

  const fetchOne = async (wanted: QueuedFile): Promise<void> => {
    const stay = () => void store.extendFileClaim(wanted.uniqueId, now() + limits.leaseMs).catch(() => {});
    const hold = setInterval(stay, limits.leaseMs / 3);
    try {
      await spaceOut();
      // Another download may have been told to wait since this one was taken.
      if (passed() < freeAt) return await store.postponeFile(wanted.uniqueId, now(), false, paused ?? 'it waits its turn');
      const outcome = (await share.rejectionOf(wanted)) ?? (await downloadFile(wanted, parts, ended.signal));
      await settle(wanted, outcome);
      if (outcome.type !== 'kept') return;
      grown = true;
      share.addSavedFile(wanted, outcome.file);
      await sizes.renderAll(outcome.file).catch(() => {});
    } finally {
      clearInterval(hold);
    }
  };

  const begin = (wanted: QueuedFile): void => {
    const job: Promise<void> = fetchOne(wanted)
      .catch((error: unknown) => log('A fetched file could not be noted.', error))
      .finally(() => {
        jobs.delete(job);
        look();
      });
    jobs.add(job);
  };

  const mayFetch = async (): Promise<boolean> => {
    if (passed() < freeAt) return false;
    if (!grown && (await store.nextFileDue()) === null) return false;
    const full = await storageFullReason(rooms);
    // A download in progress may have been told to wait while this was read.
    if (passed() < freeAt) return false;
    grown = false;
    await pause(full, full === null ? 0 : limits.fullPauseMs);
    return full === null;
  };

  const takeAll = async (): Promise<void> => {
    while (jobs.size < limits.maxConcurrent && !ended.signal.aborted && (await mayFetch())) {
      const [wanted] = await store.claimFiles(1, now(), now() + limits.leaseMs);
      if (!wanted) return;
      begin(wanted);
    }
  };

  const rest = async (): Promise<void> => {
    const due = await store.nextFileDue();
    // A job that ends triggers a check itself.
    const until = jobs.size >= limits.maxConcurrent || due === null ? POLL_INTERVAL_MS : Math.max(freeAt - passed(), due - now());
    lookIn(Math.min(POLL_INTERVAL_MS, Math.max(20, until)));
  };

  /** Replaces the timer of the next check, so that there is never more than one. */
  const lookIn = (ms: number): void => {
    clearTimeout(timer);
    if (!ended.signal.aborted) timer = setTimeout(look, ms).unref();
  };

  /** Takes the files that are due. If it is called during a check, it checks once more. */
  const look = (): void => {
    missed = true;
    if (looking || ended.signal.aborted) return;
    looking = true;
    const untilDone = async () => {
      while (missed) {
        missed = false;
        await takeAll();
      }
      await rest();
    };
    void untilDone()
      .catch((error: unknown) => {
        log('The files that wait could not be looked for.', error);
        lookIn(POLL_INTERVAL_MS);
      })
      .finally(() => {
        looking = false;
        // A job that ended at once, such as a rejected one, may have called `look` just before this check ended.
        if (missed) look();
      });
  };

  return {
    start() {
      unwatch = store.onChange(look);
      void storePauseReason(store, null).then(look, look);
    },
    async stop() {
      ended.abort();
      unwatch();
      clearTimeout(timer);
      await Promise.all(jobs);
    },
    status: () => readMediaStatus({ store, dataDir, quota: limits.quota }),
  };
};
