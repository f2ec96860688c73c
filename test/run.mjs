// `npm test [-- FILTER]`: builds, then runs the server, browser and end-to-end tests whose path contains FILTER. Prints each
// finished file and each failed test at once, then the details of the failures. The last line is the count. A crashed test process counts as a failed test, and so does a run without any test.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import { ensureBuilt } from '../scripts/preflight.mjs';
import { followResults } from './runner/follow-results.mjs';
import { testFiles } from './runner/test-files.mjs';
import { ensureChrome } from './support/chrome.mjs';

const filter = process.argv[2] ?? '';

/** Timeout of a test, and of a whole test file. The slowest file takes five minutes on two quiet cores. */
const TEST_TIMEOUT_MS = 15 * 60_000;
/** Timeout of a set of tests. Pairs of servers take about twice as long. */
const SET_TIMEOUT_MS = (process.env.TEST_SERVERS === 'pair' ? 90 : 45) * 60_000;
/** Maximum characters of the output of a test runner that are kept, to report a crash. */
const MAX_OUTPUT_LENGTH = 20_000;

const SETS = [
  { name: 'server', folder: 'test/server', args: nodeTests },
  { name: 'browser', folder: 'test/browser', args: () => ['node_modules/@web/test-runner/dist/bin.js'] },
  {
    name: 'end to end',
    folder: 'test/e2e',
    args: (files, resultsPath) => nodeTests(files, resultsPath, ['--test-concurrency=1']),
  },
];

function nodeTests(files, resultsPath, flags = []) {
  return [
    '--import',
    'tsx',
    '--test',
    `--test-timeout=${TEST_TIMEOUT_MS}`,
    ...flags,
    '--test-reporter=./test/runner/test-reporter.mjs',
    `--test-reporter-destination=${resultsPath}`,
    ...files,
  ];
}

async function runSet({ name, folder, args }) {
  const files = testFiles(folder, filter);
  if (files.length === 0) return [];
  console.log(`${name}: ${files.length} files`);
  const resultsPath = `.test/${folder.split('/').at(-1)}-${process.pid}.jsonl`;
  const started = Date.now();
  const progress = createProgress();
  const stopFollowing = followResults(resultsPath, progress.add);
  const { status, output } = await runTestRunner(args(files, resultsPath), resultsPath);
  const results = stopFollowing();
  progress.end();
  rmSync(resultsPath, { force: true });
  const failures = results.filter(({ state }) => state === 'failed').length;
  const crashed = results.length === 0 || (status !== 0 && failures === 0);
  if (crashed)
    results.push({
      state: 'failed',
      name: `${name}: the runner ended with ${status}`,
      file: folder,
      milliseconds: 0,
      error: output,
    });
  console.log(`${name}: ${count(results)} in ${seconds(Date.now() - started)}`);
  for (const result of results) printResult(result);
  return results;
}

/** Runs a test runner to its end. Returns its exit code or the signal that ended it, and the last part of its output. */
function runTestRunner(args, resultsPath) {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: SET_TIMEOUT_MS,
    env: { ...process.env, TEST_FILTER: filter, TEST_RESULTS: resultsPath },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output = `${output}${chunk}`.slice(-MAX_OUTPUT_LENGTH);
    });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ status: code ?? signal, output }));
  });
}

/** Prints a line for each failed test at once, and a line for each file when the first result of the next file arrives. */
function createProgress() {
  let results = [];
  const end = () => {
    if (results.length === 0) return;
    const duration = results.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
    console.log(`  ${shortPath(results[0].file)}: ${count(results)}, ${seconds(duration)}`);
    results = [];
  };
  const add = (result) => {
    if (results[0]?.file !== result.file) end();
    results.push(result);
    if (result.state === 'failed') console.log(`  FAILED ${shortPath(result.file)}: ${result.name}`);
  };
  return { add, end };
}

const shortPath = (path) => (isAbsolute(path) ? relative(process.cwd(), path) : path);
const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;

function printResult({ state, name, file, why: reason, error }) {
  if (state === 'failed') console.log(`\nFAILED ${name}\n  ${file}\n${error.replace(/^/gm, '    ')}\n`);
  if (state === 'skipped' && reason) console.log(`  skipped: ${name} (${reason})`);
}

function count(results) {
  const countOf = (state) => results.filter((result) => result.state === state).length;
  return `${countOf('passed')} passed, ${countOf('failed')} failed${countOf('skipped') > 0 ? `, ${countOf('skipped')} skipped` : ''}`;
}

try {
  mkdirSync('.test', { recursive: true });
  process.env.CHROME_PATH = ensureChrome();
  ensureBuilt();
  const results = [];
  for (const set of SETS) results.push(...(await runSet(set)));
  const hasRun = results.some(({ state }) => state !== 'skipped');
  if (!hasRun) console.log(`No test ran${filter === '' ? '' : ` whose path holds "${filter}"`}.`);
  process.exitCode = hasRun && results.every(({ state }) => state !== 'failed') ? 0 : 1;
  console.log(hasRun ? count(results) : '0 passed, 1 failed');
} catch (error) {
  console.log(error instanceof Error ? error.message : error);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}
