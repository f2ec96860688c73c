import { performance } from 'node:perf_hooks';
import { BELIEVED_TIME, type Store } from '../storage/ports/store.ts';

/**
 * The time as far as it can be believed, for what erases: never ahead of the machine's clock, and behind one that jumped. It gains
 * on the clock at this many times the pace at which time passes by a measure that nobody sets. So a clock that is a year ahead has
 * fifteen days in which to be put right before anything is taken for a year old, and a server that was off for a month
 * has caught up in thirty hours. Each process adds its own pace.
 */
const PACE = 24;

/** Makes what answers the time that can be believed, unix ms, and notes it for later starts. `passed` is ms since any moment. */
export const createBelievedTime = (
  store: Pick<Store, 'fact' | 'putFact'>,
  now: () => number,
  passed: () => number = () => performance.now(),
): (() => Promise<number>) => {
  let asked = passed();
  return async () => {
    const [clock, since] = [now(), passed() - asked];
    asked += since;
    const noted = await store.fact(BELIEVED_TIME);
    // A store that never noted any takes the clock's word once.
    const believed = noted === null ? clock : Number(noted);
    // A clock that is behind says nothing of the time that was believed.
    const next = Math.max(believed, Math.min(clock, believed + since * PACE));
    if (String(next) !== noted) await store.putFact(BELIEVED_TIME, String(next));
    return Math.min(clock, next);
  };
};
