// `npm test [-- FILTER]`: builds, then runs the server, browser and end-to-end tests whose path contains FILTER. The last line
// is the count. A crashed test process counts as a failed test, and so does a run without any test.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { ensureBuilt } from '../scripts/preflight.mjs';
import { ensureChrome } from './support/chrome.mjs';
import { testFiles } from './support/test-files.mjs';

const filter = process.argv[2] ?? '';

/** Timeout of a test, and of a whole test file. It is generous, for slow machines. */
const TEST_TIMEOUT_MS = 20 * 60_000;
/** Timeout of a set of tests. */
const SET_TIMEOUT_MS = 90 * 60_000;

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
    '--test-reporter=./test/support/test-reporter.mjs',
    `--test-reporter-destination=${resultsPath}`,
    ...files,
  ];
}

function runSet({ name, folder, args }) {
  const files = testFiles(folder, filter);
  if (files.length === 0) return [];
  const resultsPath = `.test/${folder.split('/').at(-1)}-${process.pid}.jsonl`;
  const started = Date.now();
  const { status, stdout, stderr, error } = spawnSync(process.execPath, args(files, resultsPath), {
    encoding: 'utf8',
    timeout: SET_TIMEOUT_MS,
    maxBuffer: 1 << 28,
    env: { ...process.env, TEST_FILTER: filter, TEST_RESULTS: resultsPath },
  });
  const results = existsSync(resultsPath)
    ? readFileSync(resultsPath, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];
  rmSync(resultsPath, { force: true });
  const failures = results.filter(({ state }) => state === 'failed').length;
  const crashed = results.length === 0 || (status !== 0 && failures === 0);
  if (crashed)
    results.push({
      state: 'failed',
      name: `${name}: the runner ended with ${status ?? error}`,
      file: folder,
      error: `${stdout}${stderr}`,
    });
  console.log(`${name}: ${count(results)} in ${((Date.now() - started) / 1000).toFixed(0)} s`);
  for (const result of results) printResult(result);
  return results;
}

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
  const results = SETS.flatMap(runSet);
  const hasRun = results.some(({ state }) => state !== 'skipped');
  if (!hasRun) console.log(`No test ran${filter === '' ? '' : ` whose path holds "${filter}"`}.`);
  process.exitCode = hasRun && results.every(({ state }) => state !== 'failed') ? 0 : 1;
  console.log(hasRun ? count(results) : '0 passed, 1 failed');
} catch (error) {
  console.log(error instanceof Error ? error.message : error);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}
