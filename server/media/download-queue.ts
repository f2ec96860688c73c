/**
 * Download queue: downloads in the background the files that a bot's messages need. The queue is in the store, so that several
 * processes share it and a killed process loses nothing: a file is only recorded when it is complete. If a source rejects all
 * requests for a time, the disk is full or the quota is full, all downloads pause, and no file loses an attempt.
 */

import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { type SourceFailure, writeFailure } from '../lib/failure-codes.ts';
import type { Say } from '../lib/logger.ts';
import type { WantedFile } from '../storage/ports/files.ts';
import type { Store } from '../storage/ports/store.ts';
import { fetchFile, type Limits, type Outcome } from './download.ts';
import type { FileSource } from './file-source.ts';
import { createShare, type MediaStatus, readMediaStatus, tellPause, whyFull } from './quota.ts';
import { createSizes } from './thumbnails.ts';

export interface FetcherParts {
  readonly store: Store;
  readonly dataDir: string;
  readonly source: FileSource;
  readonly limits: Limits;
  /** Returns the current time, unix milliseconds. */
  readonly now: () => number;
  readonly log: Say;
}

export interface Fetcher {
  start(): void;
  /** Stops, and returns the files in progress to the queue. */
  stop(): Promise<void>;
  status(): Promise<MediaStatus>;
}

/** Maximum interval of checks, ms: another process may have left files in the queue. */
const POLL_INTERVAL_MS = 10_000;

/** Creates the downloader of one process. Nothing is downloaded before `start()`. */
export const createFetcher = (parts: FetcherParts): Fetcher => {
  const { store, dataDir, limits, now, log } = parts;
  // Waiting times in this process use a monotonic clock. Due times in the store use the system clock, which all processes share.
  const passed = () => performance.now();
  const sizes = createSizes({ dataDir, store });
  const rooms = { store, dataDir, sizes, limits };
  const share = createShare({ store, quota: limits.quota, passed });
  const jobs = new Set<Promise<void>>();
  const ended = new AbortController();
  let [looking, missed, freeAt, nextCall] = [false, false, 0, 0];
  // The stored files may have exceeded the quota, also while no process ran.
  let grown = true;
  let paused: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  let unwatch = () => {};

  const pause = async (failure: SourceFailure | null, ms = 0): Promise<void> => {
    const reason = failure === null ? null : writeFailure(failure);
    freeAt = Math.max(freeAt, passed() + ms);
    if (reason === paused) return;
    if (failure !== null) log(`No files are fetched for now: ${failure.sentence}.`);
    paused = reason;
    await tellPause(store, reason);
  };

  const backOff = (tries: number): number =>
    Math.min(limits.longestBackOff, limits.backOff * 4 ** tries) * (0.75 + Math.random() / 2);

  const settle = async ({ uniqueId, tries }: WantedFile, outcome: Outcome): Promise<void> => {
    if (outcome.type === 'kept') return store.fileKept(uniqueId, outcome.file);
    const { type, failure, seconds } = outcome;
    const reason = writeFailure(failure);
    if (ended.signal.aborted) return store.fileLater(uniqueId, now(), false, reason);
    if (type === 'too-large' || type === 'over-share') return store.fileRefused(uniqueId, type, reason);
    if (type === 'gone' || (type === 'again' && tries + 1 >= limits.tries)) return store.fileRefused(uniqueId, 'failed', reason);
    // A source that is unreachable for a day leaves a file its last two attempts.
    const counts = type === 'again' || tries < limits.tries - 2;
    if (type === 'again' || type === 'away') return store.fileLater(uniqueId, now() + backOff(tries), counts, reason);
    // Pauses before the file is returned to the queue: the store's watchers check at once.
    await pause(failure, type === 'full' ? limits.pause : seconds * 1000);
    await store.fileLater(uniqueId, now(), false, reason);
  };

  const spaceOut = async (): Promise<void> => {
    const free = Math.max(passed(), nextCall);
    nextCall = free + limits.spacing;
    if (free > passed()) await wait(free - passed());
  };

  const fetchOne = async (wanted: WantedFile): Promise<void> => {
    const stay = () => void store.holdFile(wanted.uniqueId, now() + limits.lease).catch(() => {});
    const hold = setInterval(stay, limits.lease / 3);
    try {
      await spaceOut();
      // Another download may have been told to wait since this one was taken.
      if (passed() < freeAt) return await store.fileLater(wanted.uniqueId, now(), false, paused ?? 'it waits its turn');
      const outcome = (await share.refuse(wanted)) ?? (await fetchFile(wanted, parts, ended.signal));
      await settle(wanted, outcome);
      if (outcome.type !== 'kept') return;
      grown = true;
      share.count(wanted, outcome.file);
      await sizes.makeAll(outcome.file).catch(() => {});
    } finally {
      clearInterval(hold);
    }
  };

  const begin = (wanted: WantedFile): void => {
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
    const full = await whyFull(rooms);
    // A download in progress may have been told to wait while this was read.
    if (passed() < freeAt) return false;
    grown = false;
    await pause(full, full === null ? 0 : limits.pause);
    return full === null;
  };

  const takeAll = async (): Promise<void> => {
    while (jobs.size < limits.atOnce && !ended.signal.aborted && (await mayFetch())) {
      const [wanted] = await store.takeFiles(1, now(), now() + limits.lease);
      if (!wanted) return;
      begin(wanted);
    }
  };

  const rest = async (): Promise<void> => {
    const due = await store.nextFileDue();
    // A job that ends triggers a check itself.
    const until = jobs.size >= limits.atOnce || due === null ? POLL_INTERVAL_MS : Math.max(freeAt - passed(), due - now());
    clearTimeout(timer);
    if (!ended.signal.aborted) timer = setTimeout(look, Math.min(POLL_INTERVAL_MS, Math.max(20, until))).unref();
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
        timer = setTimeout(look, POLL_INTERVAL_MS).unref();
      })
      .finally(() => {
        looking = false;
        // A job that ended at once, such as a rejected one, may have called `look` just before this check ended.
        if (missed) look();
      });
  };

  return {
    start() {
      unwatch = store.watch(look);
      void tellPause(store, null).then(look, look);
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
