// SQLite write queue: runs writes one after another, and retries while another program holds the write lock.

import { setImmediate as breathe, setTimeout as wait } from 'node:timers/promises';
import { StorageError } from '../../lib/infrastructure-errors.ts';

/** Maximum total wait for another program's write, ms. */
const WRITE_LOCK_TIMEOUT_MS = 10_000;
/** Pause between two attempts, in which the process does other work, ms. */
const RETRY_PAUSE_MS = 25;

interface QueuedWrite {
  /** Runs the write and settles its promise. Throws if nothing was started because another program holds the lock. */
  try(): void;
  fail(error: unknown): void;
  readonly until: number;
}

/** Runs writes in their order. Each write calls `begun` as soon as it has the write lock. A write without the lock is retried. */
export type WriteQueue = <T>(write: (begun: () => void) => T) => Promise<T>;

const isLocked = (error: unknown): boolean => error instanceof StorageError && error.kind === 'busy';

/**
 * Runs writes one after another, immediately if no other program holds the write lock. SQLite's own waiting would block all
 * readers of this process. Therefore a locked write is retried, and fails after `patience` ms.
 */
export const createWriteQueue = (patience = WRITE_LOCK_TIMEOUT_MS): WriteQueue => {
  const waiting: QueuedWrite[] = [];
  const isDone = (first: QueuedWrite): boolean => {
    try {
      first.try();
      waiting.shift();
      return true;
    } catch (error) {
      // A single failed attempt fails all writes that have waited long enough, because each attempt blocks the process for some
      // time.
      for (let [late] = waiting; late !== undefined && late.until <= performance.now(); [late] = waiting) {
        late.fail(error);
        waiting.shift();
      }
      return false;
    }
  };
  const goOn = async () => {
    for (let [first] = waiting; first !== undefined; [first] = waiting) {
      const wasDone = isDone(first);
      if (waiting.length > 0) await (wasDone ? breathe() : wait(RETRY_PAUSE_MS));
    }
  };
  return (write) =>
    new Promise((done, fail) => {
      const tryIt = () => {
        let hasBegun = false;
        try {
          done(
            write(() => {
              hasBegun = true;
            }),
          );
        } catch (error) {
          if (!hasBegun && isLocked(error)) throw error;
          fail(error);
        }
      };
      waiting.push({ try: tryIt, fail, until: performance.now() + patience });
      if (waiting.length === 1) void goOn();
    });
};
