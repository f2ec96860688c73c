/** Leader loop: renews a lease, and does the work of the one process that has it. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Lease } from './lease.ts';

export interface LeaderLoopOptions {
  readonly lease: Lease;
  /** Starts the work when this process gets the lease. The returned function stops it. */
  readonly startWork: () => () => Promise<void>;
  readonly log: (line: string) => void;
  readonly logInfo: (line: string) => void;
  readonly logError: (error: unknown) => void;
}

/** Interval of renewing the lease, in milliseconds. */
const LEASE_RENEW_INTERVAL_MS = 1000;

/** Works while this process has the lease, until the signal aborts. Then it stops the work and releases the lease. */
export const runWhileLeader = async (options: LeaderLoopOptions, signal: AbortSignal): Promise<void> => {
  const { lease, startWork, log, logInfo, logError } = options;
  let stopWork: (() => Promise<void>) | null = null;
  while (!signal.aborted) {
    const isLeader = await lease.acquire().catch((error: unknown) => {
      logError(error);
      return false;
    });
    if (!isLeader && stopWork !== null) {
      log("Lost the bot's lease: another process receives the updates, or the database did not respond.");
      await stopWork();
      stopWork = null;
    }
    if (isLeader && stopWork === null) {
      logInfo("Acquired the bot's lease: this process receives the updates.");
      stopWork = startWork();
    }
    await wait(LEASE_RENEW_INTERVAL_MS, undefined, { signal }).catch(() => null);
  }
  await stopWork?.();
  await lease.release();
};
