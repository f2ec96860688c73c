import { setImmediate as breathe, setTimeout as wait } from 'node:timers/promises';
import { isLost } from '../../lib/infrastructure-errors.ts';

/** How long the database may leave a work of the server's own without an answer, ms. */
export const PATIENCE = 10_000;

/** A work that waits for so long has the database probed; a probe that is not answered within the same time has failed, ms. */
const PROBE_MS = 800;

/** How often works are looked at, ms. */
const LOOK_MS = 200;

/** Does what asks the database; what it does calls `heard` after each answer, which throws where that came too late. */
export type Patience = <T>(act: (heard: () => void) => Promise<T>, since?: number) => Promise<T>;

/** A Patience that knows whether works which it has given up still wait for an answer. */
export interface LimitedPatience {
  readonly patience: Patience;
  readonly isWaitedFor: () => boolean;
}

/** Waits for ever, as what an administrator does may take long. */
export const endless: Patience = (act) => act(() => {});

const silent = (): Error =>
  Object.assign(new Error('The database says nothing, and is not waited for.'), { code: 'DATABASE_SILENT' });

/** Returns a function that resolves with whether `ask` is answered in time. Works that ask meanwhile share one probe. */
const createProbe = (ask: () => Promise<unknown>): (() => Promise<boolean>) => {
  let underWay: Promise<boolean> | null = null;
  const probe = async (): Promise<boolean> => {
    const asked = ask().then(
      () => true,
      // Too many connections is an answer; no connection at all is none.
      (error: unknown) => !isLost(error),
    );
    const inTime = await Promise.race([asked, wait(PROBE_MS, null, { ref: false })]);
    if (inTime !== null) return inTime;
    // An answer may be unread where this process itself was blocked.
    await breathe();
    return Promise.race([asked, wait(PROBE_MS / 10, false, { ref: false })]);
  };
  return () => {
    underWay ??= probe().finally(() => {
      underWay = null;
    });
    return underWay;
  };
};

/** A work that waits for an answer. */
interface Waiting {
  heardAt: number;
  readonly fail: () => void;
}

/**
 * Fails what a silent database does not answer: a process that stands still, or a network that drops packets, gives no error. While a
 * work waits, the database is probed on a new connection (`ask`). Where the probe is not answered either, the database is
 * silent, and the work fails within two seconds. Where it is answered, as a statement is slow or another holds a lock, the work waits
 * for `limit` ms. What was asked holds its connection until it is answered, and then goes no further. While the database is silent one
 * work at a time tries it; the others fail at once: they would only wait in line.
 */
export const createPatience = (limit: number, ask: () => Promise<unknown>): LimitedPatience => {
  const probe = createProbe(ask);
  const waiting = new Set<Waiting>();
  let givenUp = 0;
  let silentAt: number | null = null;
  let isTrying = false;

  const inspect = async (): Promise<void> => {
    const waited = ({ heardAt }: Waiting): number => performance.now() - heardAt;
    if (![...waiting].some((work) => waited(work) >= PROBE_MS)) return;
    const isAnswered = await probe();
    const late = [...waiting].filter((work) => waited(work) >= (isAnswered ? limit : PROBE_MS));
    if (!isAnswered && late.length > 0) silentAt ??= performance.now();
    for (const work of late) work.fail();
  };

  setInterval(() => void inspect(), LOOK_MS).unref();

  const patience: Patience = async (act, since = performance.now()) => {
    const isTry = silentAt !== null;
    if (silentAt !== null && (isTrying || since < silentAt)) throw silent();
    isTrying ||= isTry;
    let isOver = false;
    let work: Waiting | undefined;
    const late = new Promise<never>((_, fail) => {
      work = {
        heardAt: performance.now(),
        fail() {
          isOver = true;
          fail(silent());
        },
      };
      waiting.add(work);
    });
    const heard = () => {
      silentAt = null;
      if (work) work.heardAt = performance.now();
      if (isOver) throw silent();
    };
    const acting = act(heard);
    try {
      return await Promise.race([acting, late]);
    } finally {
      if (work) waiting.delete(work);
      if (isTry) isTrying = false;
      if (isOver) {
        givenUp += 1;
        const end = () => {
          givenUp -= 1;
        };
        acting.then(end, end);
      }
    }
  };
  return { patience, isWaitedFor: () => givenUp > 0 };
};
