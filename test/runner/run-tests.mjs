// Run of test jobs, with its progress.
import { createProgress } from './progress.mjs';
import { runJobs } from './schedule.mjs';

/**
 * Runs the jobs. Returns the results of all tests, the durations of the files in ms, and whether the run was stopped before its
 * end: by a signal, or with `bail` by a failed test.
 * @param {{ bail: boolean, slots: number, output?: import('./progress.mjs').Output }} options
 */
export async function runTests(jobs, { bail, slots, output }) {
  const progress = createProgress({
    total: jobs.reduce((sum, { files }) => sum + files.length, 0),
    runningJobs: () => run.running().map(({ name }) => name),
    onFailure: () => bail && run.stop(),
    output,
  });
  const run = runJobs(jobs, { slots, start: (job) => job.start(progress) });
  const signals = ['SIGINT', 'SIGTERM'];
  for (const signal of signals) process.once(signal, run.stop);
  await run.ended;
  for (const signal of signals) process.off(signal, run.stop);
  progress.end();
  return { results: progress.results(), durations: progress.durations(), isStopped: run.isStopped() };
}
