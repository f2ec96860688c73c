// `npm test [-- FILTER]`: builds, then runs the server's, the browser's and the end-to-end tests whose path holds FILTER. The
// last line is the count. What crashes counts as failed, and so does a run in which nothing ran.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { ensureBuilt } from '../scripts/preflight.mjs';
import { ensureChrome } from './support/chrome.mjs';
import { testFiles } from './support/test-files.mjs';

const filter = process.argv[2] ?? '';

/** After so long a test or a whole file of them hangs, and after so long a set, ms: generous, for machines that are slow. */
const HANGS = 20 * 60_000;
const TIMEOUT = 90 * 60_000;

const SETS = [
  { name: 'server', folder: 'test/server', args: nodeTests },
  { name: 'browser', folder: 'test/browser', args: () => ['node_modules/@web/test-runner/dist/bin.js'] },
  {
    name: 'end to end',
    folder: 'test/e2e',
    args: (files, place) => nodeTests(files, place, ['--test-concurrency=1']),
  },
];

function nodeTests(files, place, flags = []) {
  return [
    '--import',
    'tsx',
    '--test',
    `--test-timeout=${HANGS}`,
    ...flags,
    '--test-reporter=./test/support/test-reporter.mjs',
    `--test-reporter-destination=${place}`,
    ...files,
  ];
}

function runSet({ name, folder, args }) {
  const files = testFiles(folder, filter);
  if (files.length === 0) return [];
  const place = `.test/${folder.split('/').at(-1)}-${process.pid}.jsonl`;
  const started = Date.now();
  const { status, stdout, stderr, error } = spawnSync(process.execPath, args(files, place), {
    encoding: 'utf8',
    timeout: TIMEOUT,
    maxBuffer: 1 << 28,
    env: { ...process.env, TEST_FILTER: filter, TEST_RESULTS: place },
  });
  const results = existsSync(place)
    ? readFileSync(place, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];
  rmSync(place, { force: true });
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
  for (const result of results) tell(result);
  return results;
}

function tell({ state, name, file, why, error }) {
  if (state === 'failed') console.log(`\nFAILED ${name}\n  ${file}\n${error.replace(/^/gm, '    ')}\n`);
  if (state === 'skipped' && why) console.log(`  skipped: ${name} (${why})`);
}

function count(results) {
  const of = (state) => results.filter((result) => result.state === state).length;
  return `${of('passed')} passed, ${of('failed')} failed${of('skipped') > 0 ? `, ${of('skipped')} skipped` : ''}`;
}

try {
  mkdirSync('.test', { recursive: true });
  process.env.CHROME_PATH = ensureChrome();
  ensureBuilt();
  const results = SETS.flatMap(runSet);
  const ran = results.some(({ state }) => state !== 'skipped');
  if (!ran) console.log(`No test ran${filter === '' ? '' : ` whose path holds "${filter}"`}.`);
  process.exitCode = ran && results.every(({ state }) => state !== 'failed') ? 0 : 1;
  console.log(ran ? count(results) : '0 passed, 1 failed');
} catch (error) {
  console.log(error instanceof Error ? error.message : error);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}
