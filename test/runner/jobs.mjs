// Jobs of a test run: a process for each test file, and one for all files of the browser.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compiledPath } from './compile-tests.mjs';
import { runsAlone } from './test-files.mjs';
import { startTestProcess } from './test-process.mjs';

/** Timeout of a test file. The slowest one takes five minutes on two quiet cores; pairs of servers take about twice as long. */
const FILE_TIMEOUT_MS = (process.env.TEST_SERVERS === 'pair' ? 30 : 15) * 60_000;
const BROWSER_TIMEOUT_MS = 3 * FILE_TIMEOUT_MS;
/** Durations of the files in the last run. Slow files start first. */
const DURATIONS_FILE = '.test/durations.json';
const BROWSER_FOLDER = 'test/browser';
const BROWSER_RUNNER = 'node_modules/@web/test-runner/dist/bin.js';

/**
 * Returns the jobs of the selected tests: one for all files of the browser, and one for each other file. `runFolder` contains the
 * compiled tests, and receives the results. `durations` is the time that each file took in the last run.
 */
export function jobsOf(sets, runFolder, durations) {
  const duration = (file) => durations[file] ?? statSync(file).size;
  return sets.flatMap(({ folder, files }) => {
    if (files.length === 0) return [];
    const resultsPathOf = (name) => join(runFolder, `${name.replaceAll(/[^\w.-]/g, '-')}.jsonl`);
    if (folder === BROWSER_FOLDER) {
      const job = { name: folder, files, resultsPath: resultsPathOf(folder) };
      return [{ ...job, isAlone: false, start: (progress) => startBrowserTests(job, progress) }];
    }
    const slowestFirst = files.toSorted((one, other) => duration(other) - duration(one));
    return slowestFirst.map((name) => {
      const job = { name, files: [name], resultsPath: resultsPathOf(name), compiled: compiledPath(runFolder, name) };
      return { ...job, isAlone: runsAlone(name), start: (progress) => startNodeTest(job, progress) };
    });
  });
}

/** Reads the durations of the files in the last run, ms. */
export function readDurations() {
  try {
    return JSON.parse(readFileSync(DURATIONS_FILE, 'utf8'));
  } catch {
    return {};
  }
}

/** Stores the durations of this run. Files that did not run keep theirs. */
export const storeDurations = (durations) => writeFileSync(DURATIONS_FILE, JSON.stringify({ ...readDurations(), ...durations }));

/** Starts the process of one compiled test file. */
function startNodeTest({ name, compiled, resultsPath }, progress) {
  const reporter = ['--test-reporter=./test/runner/test-reporter.mjs', `--test-reporter-destination=${resultsPath}`];
  const args = ['--enable-source-maps', ...reporter, compiled];
  const onResult = (result) => progress.addResult({ ...result, file: name });
  const { ended, stop } = startTestProcess({ file: name, args, resultsPath, timeoutMs: FILE_TIMEOUT_MS, onResult });
  return { stop, ended: ended.then((milliseconds) => progress.endFile(name, milliseconds)) };
}

/** Starts Web Test Runner, which runs the files of the browser one after another. */
function startBrowserTests({ name, files, resultsPath }, progress) {
  const durationByFile = new Map();
  // The results of a file arrive together. Those that name no file are errors of the runner.
  const onResult = (result) => {
    const file = files.find((source) => result.file.endsWith(source.slice(name.length).replace(/\.tsx?$/, '.js'))) ?? name;
    const previous = [...durationByFile.keys()].at(-1);
    if (previous !== undefined && previous !== file) progress.endFile(previous, durationByFile.get(previous));
    durationByFile.set(file, (durationByFile.get(file) ?? 0) + result.milliseconds);
    progress.addResult({ ...result, file });
  };
  const env = { TEST_FILES: JSON.stringify(files), TEST_RESULTS: resultsPath };
  const { ended, stop } = startTestProcess({
    file: name,
    args: [BROWSER_RUNNER],
    env,
    resultsPath,
    timeoutMs: BROWSER_TIMEOUT_MS,
    onResult,
  });
  return {
    stop,
    ended: ended.then(() => {
      const last = [...durationByFile.entries()].at(-1);
      if (last !== undefined) progress.endFile(...last);
    }),
  };
}
