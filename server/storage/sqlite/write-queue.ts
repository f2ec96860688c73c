import { setImmediate as breathe, setTimeout as wait } from 'node:timers/promises';

/** How long another program's write is waited for in all, ms. */
const PATIENCE = 10_000;
/** How long others have the process to themselves between two tries, ms. */
const PAUSE = 25;

interface Waiting {
  /** Does it, and says how it ended; throws where nothing was begun, for the lock is another's. */
  try(): void;
  fail(error: unknown): void;
  readonly until: number;
}

/** Does writes in their order. Each calls `begun` as soon as it has the write lock: what is locked out before that is tried again. */
export type InOrder = <T>(write: (begun: () => void) => T) => Promise<T>;

const isLocked = (error: unknown): boolean => error instanceof Error && error.message.includes('database is locked');

/**
 * Does writes one after another, at once where nobody else holds the write lock. SQLite's own waiting would hold up everybody who
 * only reads: so it is tried again and again, and fails after `patience` ms.
 */
export const inOrder = (patience = PATIENCE): InOrder => {
  const waiting: Waiting[] = [];
  const isDone = (first: Waiting): boolean => {
    try {
      first.try();
      waiting.shift();
      return true;
    } catch (error) {
      // All that waited long enough go down by the one try: each try holds up the process for some time.
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
      if (waiting.length > 0) await (wasDone ? breathe() : wait(PAUSE));
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
