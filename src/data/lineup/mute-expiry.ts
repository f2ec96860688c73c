import type { LineupContents } from '../../../contract/lineup.ts';
import { createSignal, type Signal } from '../../lib/signal.ts';
import { nextUnmuteTime } from './selectors.ts';

/** Maximum delay of a timer, ms. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Mute expiry: returns the time when a mute of the line-up last expired by itself, unix seconds; 0 before the first. `seconds`
 * returns the current time, unix seconds.
 */
export function createMuteExpiry(
  lineup: Signal<LineupContents | null>,
  seconds: () => number,
  signal: AbortSignal,
): Signal<number> {
  const lastExpiry = createSignal(0);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const schedule = (): void => {
    clearTimeout(timer);
    const end = nextUnmuteTime(lineup.get()?.entries ?? [], seconds());
    if (end === null) return;
    const expire = () => {
      // A mute that ends after the longest timer needs several.
      if (end <= seconds()) lastExpiry.set(seconds());
      schedule();
    };
    timer = setTimeout(expire, Math.min((end - seconds()) * 1000, MAX_TIMER_MS));
  };
  lineup.subscribe(schedule);
  signal.addEventListener('abort', () => clearTimeout(timer));
  return lastExpiry;
}
