/*
 * What is done for the device's copies when the first posts stand: they stay within bounds, and the pictures of what is kept
 * come after everything that the page shows. A chunk of its own, which brings the way back to the server as well.
 */

import type { ChannelsArea } from '../clients/account-client.ts';
import { tidy } from '../offline/eviction.ts';
import { type Fetching, keepPictures } from '../offline/picture-cache.ts';
import { AMOUNTS, readAmount } from '../offline/retention.ts';
import { readAhead } from './prefetch.ts';
import { savesOf } from './saved-channels.ts';

export { comeBack } from '../sync/reconnect.ts';

/** The page's own pictures come first, ms. */
const REST = 5000;
const OFTEN = 300_000;

/** Keeps house after `rest`, then from time to time and when the network is back, until `signal` ends it. */
export function keepUp({ inside, lineup }: ChannelsArea, signal: AbortSignal, rest = REST): void {
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
    // What is spared needs none of the room.
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
    // A network that has gone comes back.
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

/** Leaves it to one tab, where the browser can tell. */
const alone = async (act: () => Promise<void>): Promise<void> =>
  navigator.locks === undefined
    ? act()
    : navigator.locks.request('changer-upkeep', { ifAvailable: true }, (lock) => (lock === null ? undefined : act()));

/** Whether the reader wants as little fetched as can be, as far as the browser tells. */
export function savesData(): boolean {
  const connection: unknown = Reflect.get(navigator, 'connection');
  return typeof connection === 'object' && connection !== null && Reflect.get(connection, 'saveData') === true;
}
