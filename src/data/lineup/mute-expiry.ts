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
  lineup.subscribe(() => {
    const contents = lineup.get();
    if (contents === null) return;
    clearTimeout(timer);
    const end = nextUnmuteTime(contents.entries, seconds());
    if (end !== null) timer = setTimeout(() => lastExpiry.set(seconds()), Math.min((end - seconds()) * 1000, MAX_TIMER_MS));
  });
  signal.addEventListener('abort', () => clearTimeout(timer));
  return lastExpiry;
}
