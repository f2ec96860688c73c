import type { LineupContents } from '../../../contract/lineup.ts';
import { createSignal, type Signal } from '../../lib/signal.ts';
import { nextUnmuteTime } from './selectors.ts';

/** Maximum delay of a timer, ms. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Timer for the mutes of a line-up that expire by themselves. */
export interface MuteExpiry {
  /** Time when a mute last expired, unix seconds; 0 before the first one. */
  readonly lastExpiry: Signal<number>;
  close(): void;
}

/** Creates the timer. `seconds` returns the current time, unix seconds. */
export function createMuteExpiry(lineup: Signal<LineupContents | null>, seconds: () => number): MuteExpiry {
  const lastExpiry = createSignal(0);
  let timer: ReturnType<typeof setTimeout> | undefined;
  lineup.subscribe(() => {
    const contents = lineup.get();
    if (contents === null) return;
    clearTimeout(timer);
    const end = nextUnmuteTime(contents.entries, seconds());
    if (end !== null) timer = setTimeout(() => lastExpiry.set(seconds()), Math.min((end - seconds()) * 1000, MAX_TIMER_MS));
  });
  return { lastExpiry, close: () => clearTimeout(timer) };
}
