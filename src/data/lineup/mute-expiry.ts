import type { LineupContents } from '../../../contract/lineup.ts';
import { createSignal, type Signal } from '../../lib/signal.ts';
import { nextUnmuteTime } from './selectors.ts';

/** Maximum delay of a timer, ms. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Mute expiry: returns the time when a mute of the line-up last expired by itself, unix seconds; 0 before the first.
 * `nowSeconds` returns the current time, unix seconds.
 */
export function createMuteExpiry(
  lineup: Signal<LineupContents | null>,
  nowSeconds: () => number,
  signal: AbortSignal,
): Signal<number> {
  const lastExpiry = createSignal(0);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const schedule = (): void => {
    clearTimeout(timer);
    const muteEnd = nextUnmuteTime(lineup.get()?.entries ?? [], nowSeconds());
    if (muteEnd === null) return;
    const expire = () => {
      // A mute that ends later than the maximum delay needs several timers.
      if (muteEnd <= nowSeconds()) lastExpiry.set(nowSeconds());
      schedule();
    };
    timer = setTimeout(expire, Math.min((muteEnd - nowSeconds()) * 1000, MAX_TIMER_MS));
  };
  lineup.subscribe(schedule);
  signal.addEventListener('abort', () => clearTimeout(timer));
  return lastExpiry;
}
