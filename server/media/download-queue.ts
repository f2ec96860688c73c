/**
 * Fetches in the background what a bot's messages want. What waits is in the store, so that several processes share it and a
 * killed one loses nothing: a file is only told of when it is whole. A source that lets nobody through, a full disk and a full
 * quota pause everything and cost no file a try.
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
  /** Milliseconds. */
  readonly now: () => number;
  readonly log: Say;
}

export interface Fetcher {
  start(): void;
  /** Gives back what is under way. */
  stop(): Promise<void>;
  status(): Promise<MediaStatus>;
}

/** Looked for at least so often, for another process may have left something. */
const LOOK_MS = 10_000;

/** Makes the fetcher of one process; nothing is fetched before start(). */
export const createFetcher = (parts: FetcherParts): Fetcher => {
  const { store, dataDir, limits, now, log } = parts;
  // What waits here goes by no clock that is set; what waits in the store goes by the clock that all processes have.
  const passed = () => performance.now();
  const sizes = createSizes({ dataDir, store });
  const rooms = { store, dataDir, sizes, limits };
  const share = createShare({ store, quota: limits.quota, passed });
  const jobs = new Set<Promise<void>>();
  const ended = new AbortController();
  let [looking, missed, freeAt, nextCall] = [false, false, 0, 0];
  // What is kept may have grown over the quota, also while nothing ran here.
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
    // A source that was away for a day leaves a file its last two tries.
    const counts = type === 'again' || tries < limits.tries - 2;
    if (type === 'again' || type === 'away') return store.fileLater(uniqueId, now() + backOff(tries), counts, reason);
    // The pause stands before the file is given back: whoever watches the store looks at once.
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
      // Another may have been told to wait since this one was taken.
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
    // A file under way may have been told to wait while this was read.
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
    // A job that ends looks by itself.
    const until = jobs.size >= limits.atOnce || due === null ? LOOK_MS : Math.max(freeAt - passed(), due - now());
    clearTimeout(timer);
    if (!ended.signal.aborted) timer = setTimeout(look, Math.min(LOOK_MS, Math.max(20, until))).unref();
  };

  /** Takes what is due; called again while it looks, it looks once more. */
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
        timer = setTimeout(look, LOOK_MS).unref();
      })
      .finally(() => {
        looking = false;
        // A job that was over at once, as one that is refused, may have ended while this was about to rest.
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
