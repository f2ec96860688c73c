import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** Interval of the histogram's timer in ms. The histogram counts it as delay. */
const RESOLUTION_MS = 1;
/** Duration in ms below which one try is enough. Further tries could only be shorter. */
const SHORT_MS = 8;
const MAX_TRIES = 6;
/** Time in which the histogram's timer starts before a measurement, and records the last delay after it. */
const TIMER_MARGIN_MS = 5;
const NANOSECONDS_PER_MS = 1e6;

/** Input that is measured. `run` sends or parses it. */
export interface Attempt {
  readonly name: string;
  readonly run: () => unknown;
}

/** Attempt that blocks the event loop longest. */
export interface WorstAttempt {
  /** Number of all attempts. */
  readonly attempts: number;
  readonly name: string;
  readonly ms: number;
}

async function measureBlocking(run: () => unknown): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  await sleep(TIMER_MARGIN_MS);
  delays.reset();
  const cpuBefore = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(cpuBefore);
  await sleep(TIMER_MARGIN_MS);
  delays.disable();
  // Other processes on the machine also delay the loop. What this process does cannot take longer than its own CPU
  // time.
  return Math.min(Math.max(0, delays.max / NANOSECONDS_PER_MS - RESOLUTION_MS), (user + system) / 1000);
}

/**
 * Returns the maximum time that an attempt blocks the event loop, in ms: the minimum of several tries, because other
 * programs can only increase it.
 */
async function measureMinimumBlocking({ run }: Attempt): Promise<number> {
  let minimum = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < MAX_TRIES && minimum > SHORT_MS; tries += 1)
    minimum = Math.min(minimum, await measureBlocking(run));
  return minimum;
}

/** Event-loop blocking: returns the attempt that blocks the event loop longest. `BENCH_ALL` logs the time of each. */
export async function findWorstAttempt(attempts: readonly Attempt[]): Promise<WorstAttempt> {
  let worst: WorstAttempt = { attempts: attempts.length, name: '', ms: 0 };
  for (const attempt of attempts) {
    const ms = Math.round((await measureMinimumBlocking(attempt)) * 10) / 10;
    if (process.env.BENCH_ALL) console.log(`${ms} ms ${attempt.name}`);
    if (ms >= worst.ms) worst = { ...worst, name: attempt.name, ms };
  }
  return worst;
}
