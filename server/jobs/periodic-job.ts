/** Periodic job: runs a task after a delay and then at an interval, for as long as the process runs. */
interface PeriodicJobOptions {
  /** Time from the start to the first run, and from the end of a run to the next one, ms. */
  readonly delayMs: number;
  readonly intervalMs: number;
  readonly onError: (error: unknown) => void;
}

/**
 * Starts a job. Its timer does not keep the process alive, and a change of the system clock does not affect it. Returns a stop()
 * function, which aborts the signal of the task and waits for its end.
 */
export function startPeriodicJob(
  task: (signal: AbortSignal) => Promise<unknown>,
  { delayMs, intervalMs, onError }: PeriodicJobOptions,
): () => Promise<void> {
  const stopping = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  const run = () => {
    running = task(stopping.signal)
      .catch(onError)
      .finally(() => {
        if (!stopping.signal.aborted) timer = setTimeout(run, intervalMs).unref();
      });
  };
  let timer = setTimeout(run, delayMs).unref();
  return async () => {
    stopping.abort();
    clearTimeout(timer);
    await running;
  };
}
