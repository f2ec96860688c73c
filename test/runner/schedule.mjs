// Schedule of a test run: starts jobs in the given order, as many at a time as there are slots.

/**
 * Runs all jobs. A job with `isAlone` runs while no other runs, after the others. `start` returns `ended`, a promise, and `stop`.
 * Returns functions to await the end and to stop early: no job starts any more, and those that run are stopped.
 */
export function runJobs(jobs, { slots, start }) {
  const waiting = [...jobs.filter(({ isAlone }) => !isAlone), ...jobs.filter(({ isAlone }) => isAlone)];
  const running = new Map();
  let isStopped = false;
  let resolveEnd;
  const ended = new Promise((resolve) => {
    resolveEnd = resolve;
  });

  const mayStart = (job) => running.size === 0 || (!job.isAlone && running.size < slots);
  function startNext() {
    while (!isStopped && waiting.length > 0 && mayStart(waiting[0])) {
      const job = waiting.shift();
      const { ended, stop } = start(job);
      running.set(job, stop);
      ended.then(() => {
        running.delete(job);
        startNext();
      });
    }
    if (running.size === 0) resolveEnd();
  }
  startNext();

  return {
    ended,
    running: () => [...running.keys()],
    isStopped: () => isStopped,
    stop() {
      isStopped = true;
      for (const stop of running.values()) stop();
    },
  };
}
