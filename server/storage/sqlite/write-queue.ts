// SQLite write queue: runs writes one after another, and retries while another program holds the write lock.

import { setTimeout as wait, setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { StorageError } from '../../lib/infrastructure-errors.ts';

/** Maximum total wait for another program's write, ms. */
const WRITE_LOCK_TIMEOUT_MS = 10_000;
/** Pause between two attempts, in which the process does other work, ms. */
const RETRY_PAUSE_MS = 25;

interface QueuedWrite {
  /** Runs the write and settles its promise. Throws if nothing was started because another program holds the lock. */
  try(): void;
  fail(error: unknown): void;
  /** Time after which the write fails instead of being retried, in performance.now(). */
  readonly deadline: number;
}

/**
 * Queues a write. Writes run in their order. Each write calls `onBegin` as soon as it has the write lock; a write that
 * did not get the lock is retried.
 */
export type WriteQueue = <T>(write: (onBegin: () => void) => T) => Promise<T>;

const isLocked = (error: unknown): boolean => error instanceof StorageError && error.kind === 'busy';

/**
 * Runs writes one after another, immediately if no other program holds the write lock. SQLite's own waiting would block
 * all readers of this process. Therefore a locked write is retried, and fails after `timeoutMs`.
 */
export const createWriteQueue = (timeoutMs = WRITE_LOCK_TIMEOUT_MS): WriteQueue => {
  const queue: QueuedWrite[] = [];
  /** Runs the first write of the queue, and removes it. Returns false if another program holds the write lock. */
  const attempt = (first: QueuedWrite): boolean => {
    try {
      first.try();
      queue.shift();
      return true;
    } catch (error) {
      // A single failed attempt fails all writes that have waited long enough, because each attempt blocks the process
      // for some time.
      for (let [expired] = queue; expired !== undefined && expired.deadline <= performance.now(); [expired] = queue) {
        expired.fail(error);
        queue.shift();
      }
      return false;
    }
  };
  /** Runs all queued writes. Other work of the process runs between two attempts. */
  const drain = async () => {
    for (let [first] = queue; first !== undefined; [first] = queue) {
      const isDone = attempt(first);
      if (queue.length > 0) await (isDone ? yieldToEventLoop() : wait(RETRY_PAUSE_MS));
    }
  };
  return (write) =>
    new Promise((resolve, fail) => {
      const attemptWrite = () => {
        let hasBegun = false;
        try {
          resolve(
            write(() => {
              hasBegun = true;
            }),
          );
        } catch (error) {
          if (!hasBegun && isLocked(error)) throw error;
          fail(error);
        }
      };
      queue.push({ try: attemptWrite, fail, deadline: performance.now() + timeoutMs });
      if (queue.length === 1) void drain();
    });
};
