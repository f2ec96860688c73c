// Progress of a test run: a line for each failed test and each finished file, and a line that shows what runs.

/** Interval of the line that shows what runs. Elsewhere than on a terminal it is written only if nothing else was. */
const TERMINAL_INTERVAL_MS = 250;
const PLAIN_INTERVAL_MS = 60_000;
/** @typedef {{ write(text: string): unknown, isTTY?: boolean, columns?: number }} Output a terminal, or another stream */
const CLEAR_LINE = '\r\u001b[2K';

/**
 * Creates the progress of `total` files. `runningJobs` returns the names of the jobs that run now. `onFailure` is called after each
 * failed test. Tests that failed only because a hook of their suite failed are counted, and not printed.
 * @param {{ total: number, runningJobs: () => string[], onFailure: () => void, output?: Output, interval?: number }} options
 */
export function createProgress({ total, runningJobs, onFailure, output = process.stdout, interval = PLAIN_INTERVAL_MS }) {
  const isTerminal = output.isTTY === true;
  const startedAt = Date.now();
  const results = [];
  const durations = {};
  let finished = 0;
  let writtenAt = Date.now();

  const status = () =>
    `[${finished}/${total}] ${countResults(results)}, ${seconds(Date.now() - startedAt)}: ${runningJobs().join(', ')}`;
  const show = () => {
    if (isTerminal) output.write(CLEAR_LINE + status().slice(0, (output.columns ?? 80) - 1));
  };
  const print = (line) => {
    output.write(`${isTerminal ? CLEAR_LINE : ''}${line}\n`);
    writtenAt = Date.now();
    show();
  };
  const timer = setInterval(
    () => {
      if (isTerminal) show();
      else if (Date.now() - writtenAt >= interval) print(`  running ${status()}`);
    },
    isTerminal ? TERMINAL_INTERVAL_MS : interval / 10,
  );

  return {
    print,
    addResult(result) {
      results.push(result);
      if (result.state !== 'failed') return;
      if (!result.isCancelled) print(`  FAILED ${result.file}: ${result.name}`);
      onFailure();
    },
    endFile(file, milliseconds) {
      finished++;
      durations[file] = milliseconds;
      print(`  ${file}: ${countResults(results.filter((result) => result.file === file))}, ${seconds(milliseconds)}`);
    },
    results: () => results,
    durations: () => durations,
    end() {
      clearInterval(timer);
      if (isTerminal) output.write(CLEAR_LINE);
    },
  };
}

export const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;

export function countResults(results) {
  const countOf = (state) => results.filter((result) => result.state === state).length;
  return `${countOf('passed')} passed, ${countOf('failed')} failed${countOf('skipped') > 0 ? `, ${countOf('skipped')} skipped` : ''}`;
}
