/*
 * Background maintenance of offline data: keeps the copies on the device within their limits, and downloads pictures and
 * posts for offline use. It starts after the first posts are rendered, so that the page's own requests come first. A separate
 * chunk, which also contains the reconnect logic.
 */

import { whenIdle } from '../../lib/when-idle.ts';
import { whenLoaded } from '../../lib/when-loaded.ts';
import type { DataClientControl } from '../clients/account-client.ts';
import { evict } from '../offline/eviction.ts';
import { cachePictures, type PictureFetch } from '../offline/picture-cache.ts';
import { RETENTION_LEVELS, readRetentionLevel } from '../offline/retention.ts';
import { prefetchPosts } from './prefetch.ts';
import { savedChannelsOf } from './saved-channels.ts';

export { watchReconnect } from '../sync/reconnect.ts';

/** Delay between the load event and the first run, ms: the page's own pictures load first. */
const START_DELAY_MS = 5000;
const MAINTENANCE_INTERVAL_MS = 300_000;
/** Maximum wait for an idle browser, ms. */
const IDLE_TIMEOUT_MS = 10_000;
/** Downloads start only while less than a half of the storage quota is used. */
const DOWNLOAD_QUOTA_DIVISOR = 2;
/** Pictures use at most a fifth of the storage quota. */
const PICTURES_QUOTA_DIVISOR = 5;

/**
 * Runs maintenance when the page is at rest: `startDelay` ms after the load event, when the browser is idle. Then runs it
 * periodically and when the network is back, until `signal` aborts.
 */
export function startMaintenance({ context, lineup }: DataClientControl, signal: AbortSignal, startDelay = START_DELAY_MS): void {
  const { offline, connection } = context;
  const pictureFetch: PictureFetch = { signal, failedUrls: new Set() };
  let running: Promise<void> | null = null;
  const run = async () => {
    const storage = await offline.storage;
    const limits = RETENTION_LEVELS[readRetentionLevel()];
    await evict(storage);
    const estimate = await navigator.storage?.estimate?.().catch(() => null);
    // The default quota applies if the browser reports none. It does not reduce the limit of pictures.
    const { usage = 0, quota = limits.pictures * PICTURES_QUOTA_DIVISOR } = estimate ?? {};
    const isOnline = connection.connectivity.get() === 'online';
    const hasSpace = usage < quota / DOWNLOAD_QUOTA_DIVISOR;
    const mayDownload = storage.persistent.get() && isOnline && hasSpace && !prefersReducedData();
    if (mayDownload) void savedChannelsOf(context).resume();
    // Pictures of exempt (saved) channels do not reduce the space for the others.
    const maxPictureBytes = Math.min(limits.pictures, quota / PICTURES_QUOTA_DIVISOR);
    const updatePictures = () => cachePictures(storage, mayDownload ? pictureFetch : null, maxPictureBytes);
    await withMaintenanceLock(async () => {
      await updatePictures();
      if (!mayDownload) return;
      await prefetchPosts(context, followedIds(), limits.posts, signal);
      await updatePictures();
    });
  };
  const followedIds = (): string[] => {
    const rows = lineup.get();
    return rows.type === 'loaded' ? rows.value.flatMap((row) => (row.followed ? row.channel.id : [])) : [];
  };
  const start = () => {
    // A failed network is no error here: the next run tries again.
    running ??= run()
      .catch(() => {})
      .finally(() => (running = null));
  };
  void waitForRest(startDelay).then(() => signal.aborted || start());
  const timer = setInterval(start, MAINTENANCE_INTERVAL_MS);
  connection.connectivity.subscribe(() => connection.connectivity.get() === 'online' && start());
  signal.addEventListener('abort', () => clearInterval(timer));
}

/** Waits for the load event, then `delay` ms, then until the browser is idle. */
async function waitForRest(delay: number): Promise<void> {
  await whenLoaded();
  await new Promise((resolve) => setTimeout(resolve, delay));
  await whenIdle(IDLE_TIMEOUT_MS);
}

/** Runs `work` in one tab only, if the browser has Web Locks. */
const withMaintenanceLock = async (work: () => Promise<void>): Promise<void> =>
  navigator.locks === undefined
    ? work()
    : navigator.locks.request('changer-upkeep', { ifAvailable: true }, (lock) => (lock === null ? undefined : work()));

/**
 * Returns true if the reader asked for reduced data usage (`navigator.connection.saveData`), as far as the browser reports
 * it.
 */
function prefersReducedData(): boolean {
  const connection: unknown = Reflect.get(navigator, 'connection');
  return typeof connection === 'object' && connection !== null && Reflect.get(connection, 'saveData') === true;
}
