/** How long the database may say nothing to a work of the server's own, ms. */
export const PATIENCE = 10_000;

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

/**
 * Fails what the database has not answered anything to for `limit` ms: a process that stands still, or a network that swallows
 * packets, gives no error. What was asked holds its connection until it is answered, and then goes no further. While nothing at all
 * is answered one work at a time tries it, for a fifth of that; the others fail at once: they would only wait in line.
 */
export const createPatience = (limit: number): LimitedPatience => {
  let givenUp = 0;
  let heardAt = 0;
  let silentAt: number | null = null;
  let isTrying = false;
  const patience: Patience = async (act, since = performance.now()) => {
    const isTry = silentAt !== null;
    if (silentAt !== null && (isTrying || since < silentAt)) throw silent();
    isTrying ||= isTry;
    let isOver = false;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, fail) => {
      timer = setTimeout(
        () => {
          isOver = true;
          const now = performance.now();
          if (now - heardAt >= limit) silentAt ??= now;
          fail(silent());
        },
        isTry ? limit / 5 : limit,
      );
    });
    const heard = () => {
      [heardAt, silentAt] = [performance.now(), null];
      if (isOver) throw silent();
      timer?.refresh();
    };
    const acting = act(heard);
    try {
      return await Promise.race([acting, late]);
    } finally {
      clearTimeout(timer);
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
