/*
 * Background maintenance of offline data: keeps the copies on the device within their limits, and downloads pictures and
 * posts for offline use. It starts after the first posts are rendered, so that the page's own requests come first. A separate
 * chunk, which also contains the reconnect logic.
 */

import type { DataClientControl } from '../clients/account-client.ts';
import { evict } from '../offline/eviction.ts';
import { cachePictures, type PictureFetch } from '../offline/picture-cache.ts';
import { RETENTION_LEVELS, readRetentionLevel } from '../offline/retention.ts';
import { prefetchPosts } from './prefetch.ts';
import { savedChannelsOf } from './saved-channels.ts';

export { watchReconnect } from '../sync/reconnect.ts';

/** Delay before the first run, ms: the page's own pictures load first. */
const START_DELAY_MS = 5000;
const MAINTENANCE_INTERVAL_MS = 300_000;

/** Runs maintenance after `rest` ms, then periodically and when the network is back, until `signal` aborts. */
export function startMaintenance(
  { context: inside, lineup }: DataClientControl,
  signal: AbortSignal,
  rest = START_DELAY_MS,
): void {
  const { offline: device, connection: link } = inside;
  const fetching: PictureFetch = { signal, failedUrls: new Set() };
  let running: Promise<void> | null = null;
  const run = async () => {
    const kept = await device.storage;
    const amount = RETENTION_LEVELS[readRetentionLevel()];
    await evict(kept);
    const { usage = 0, quota = amount.pictures * 5 } = (await navigator.storage?.estimate?.().catch(() => null)) ?? {};
    const fetches = kept.persistent.get() && link.connectivity.get() === 'online' && usage < quota / 2 && !prefersReducedData();
    if (fetches) void savedChannelsOf(inside).resume();
    // Pictures of exempt (saved) channels do not reduce the space for the others.
    const pictures = () => cachePictures(kept, fetches ? fetching : null, Math.min(amount.pictures, quota / 5));
    await withMaintenanceLock(async () => {
      await pictures();
      if (!fetches) return;
      await prefetchPosts(inside, followed(), amount.posts, signal);
      await pictures();
    });
  };
  const followed = (): string[] => {
    const rows = lineup.get();
    return rows.type === 'loaded' ? rows.value.flatMap((row) => (row.followed ? row.channel.id : [])) : [];
  };
  const begin = () => {
    // A failed network is no error here: the next run tries again.
    running ??= run()
      .catch(() => {})
      .finally(() => (running = null));
  };
  const first = setTimeout(begin, rest);
  const timer = setInterval(begin, MAINTENANCE_INTERVAL_MS);
  link.connectivity.subscribe(() => link.connectivity.get() === 'online' && begin());
  signal.addEventListener('abort', () => {
    clearTimeout(first);
    clearInterval(timer);
  });
}

/** Runs `act` in one tab only, where the browser has Web Locks. */
const withMaintenanceLock = async (act: () => Promise<void>): Promise<void> =>
  navigator.locks === undefined
    ? act()
    : navigator.locks.request('changer-upkeep', { ifAvailable: true }, (lock) => (lock === null ? undefined : act()));

/**
 * Returns true if the reader asked for reduced data usage (`navigator.connection.saveData`), as far as the browser reports
 * it.
 */
export function prefersReducedData(): boolean {
  const connection: unknown = Reflect.get(navigator, 'connection');
  return typeof connection === 'object' && connection !== null && Reflect.get(connection, 'saveData') === true;
}
