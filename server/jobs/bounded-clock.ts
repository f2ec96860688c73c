/** Bounded clock for retention jobs: never ahead of the system clock, and behind a system clock that jumped forward. */
import { performance } from 'node:perf_hooks';
import { type Store, TRUSTED_TIME_SETTING } from '../storage/ports/store.ts';

/**
 * Maximum pace of the bounded clock, as a multiple of a monotonic clock, which cannot be set. So if the system clock is
 * a year ahead, fifteen days remain to correct it before any data counts as a year old. After a month of downtime, the
 * bounded clock has caught up in thirty hours. The advances of several processes add up.
 */
const MAX_CLOCK_PACE = 24;

/**
 * Creates a function that returns the bounded time, unix ms, and stores it for later starts. `elapsed` is ms since an
 * arbitrary moment.
 */
export const createBoundedClock = (
  store: Pick<Store, 'setting' | 'putSetting'>,
  now: () => number,
  elapsed: () => number = () => performance.now(),
): (() => Promise<number>) => {
  let lastRead = elapsed();
  return async () => {
    const [systemTime, elapsedMs] = [now(), elapsed() - lastRead];
    lastRead += elapsedMs;
    const stored = await store.setting(TRUSTED_TIME_SETTING);
    // On the first use, the system clock is accepted.
    const boundedTime = stored === null ? systemTime : Number(stored);
    // A system clock that is behind does not reduce the stored time.
    const nextTime = Math.max(boundedTime, Math.min(systemTime, boundedTime + elapsedMs * MAX_CLOCK_PACE));
    if (String(nextTime) !== stored) await store.putSetting(TRUSTED_TIME_SETTING, String(nextTime));
    return Math.min(systemTime, nextTime);
  };
};
