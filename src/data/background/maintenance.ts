/*
 * Background maintenance of offline data: keeps the copies on the device within their limits, and downloads pictures and
 * posts for offline use. It starts after the first posts are rendered, so that the page's own requests come first. A separate
 * chunk, which also contains the reconnect logic.
 */

import type { ChannelsArea } from '../clients/account-client.ts';
import { tidy } from '../offline/eviction.ts';
import { type Fetching, keepPictures } from '../offline/picture-cache.ts';
import { AMOUNTS, readAmount } from '../offline/retention.ts';
import { readAhead } from './prefetch.ts';
import { savesOf } from './saved-channels.ts';

export { comeBack } from '../sync/reconnect.ts';

/** Delay before the first run, ms: the page's own pictures load first. */
const START_DELAY_MS = 5000;
const OFTEN = 300_000;

/** Runs maintenance after `rest` ms, then periodically and when the network is back, until `signal` aborts. */
export function keepUp({ inside, lineup }: ChannelsArea, signal: AbortSignal, rest = START_DELAY_MS): void {
  const { device, link } = inside;
  const fetching: Fetching = { signal, lost: new Set() };
  let running: Promise<void> | null = null;
  const run = async () => {
    const kept = await device.kept;
    const amount = AMOUNTS[readAmount()];
    await tidy(kept);
    const { usage = 0, quota = amount.pictures * 5 } = (await navigator.storage?.estimate?.().catch(() => null)) ?? {};
    const fetches = kept.lasting.get() && link.connection.get() === 'online' && usage < quota / 2 && !savesData();
    if (fetches) void savesOf(inside).resume();
    // Pictures of exempt (saved) channels do not reduce the space for the others.
    const pictures = () => keepPictures(kept, fetches ? fetching : null, Math.min(amount.pictures, quota / 5));
    await alone(async () => {
      await pictures();
      if (!fetches) return;
      await readAhead(inside, followed(), amount.posts, signal);
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
  const timer = setInterval(begin, OFTEN);
  link.connection.subscribe(() => link.connection.get() === 'online' && begin());
  signal.addEventListener('abort', () => {
    clearTimeout(first);
    clearInterval(timer);
  });
}

/** Runs `act` in one tab only, where the browser has Web Locks. */
const alone = async (act: () => Promise<void>): Promise<void> =>
  navigator.locks === undefined
    ? act()
    : navigator.locks.request('changer-upkeep', { ifAvailable: true }, (lock) => (lock === null ? undefined : act()));

/**
 * Returns true if the reader asked for reduced data usage (`navigator.connection.saveData`), as far as the browser reports
 * it.
 */
export function savesData(): boolean {
  const connection: unknown = Reflect.get(navigator, 'connection');
  return typeof connection === 'object' && connection !== null && Reflect.get(connection, 'saveData') === true;
}
