// `npm test [-- FILTER…]`: builds, then runs the server, browser and end-to-end tests whose path contains a filter. Prints each
// failed test and each finished file at once, then the details of the failures. The last line is the count. A crashed test process
// counts as a failed test, and so does a run without any test.
//   --bail             stops at the first failed test
//   --changed[=COMMIT] runs the tests of the files that differ from a commit, by default from the last one
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync, symlinkSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/preflight.mjs';
import { changedFiles, testsOfChanges } from './runner/changed-tests.mjs';
import { compileTests } from './runner/compile-tests.mjs';
import { jobsOf, readDurations, storeDurations } from './runner/jobs.mjs';
import { countResults, seconds } from './runner/progress.mjs';
import { runTests } from './runner/run-tests.mjs';
import { TEST_SETS, testFiles } from './runner/test-files.mjs';
import { ensureChrome } from './support/chrome.mjs';

/** Compiled tests and results of this run. */
const runFolder = join('.test', `run-${process.pid}`);

/** A file system in memory, which Linux has, and the free bytes from which the tests use it. */
const MEMORY_FOLDER = '/dev/shm';
const MIN_MEMORY_BYTES = 4 * 1024 ** 3;

/**
 * Creates the folder for the temporary files of the tests. It is in memory if there is enough of it: most of the time of a small
 * database is the wait for the disk.
 */
function makeTemporaryFolder() {
  const folder = mkdtempSync(join(hasMemoryFolder() ? MEMORY_FOLDER : tmpdir(), 'changer-run-'));
  // Like /tmp: the database server runs as another user.
  chmodSync(folder, 0o1777);
  // tsx, with which some tests start programs from source, stores compiled modules in such a folder.
  const cacheName = `tsx-${process.getuid?.() ?? ''}`;
  mkdirSync(join(tmpdir(), cacheName), { recursive: true });
  symlinkSync(join(tmpdir(), cacheName), join(folder, cacheName));
  return folder;
}

function hasMemoryFolder() {
  if (process.env.TMPDIR !== undefined) return false;
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return bavail * bsize >= MIN_MEMORY_BYTES;
  } catch {
    return false;
  }
}

/** Selects the test files of each set. */
async function selectTests({ filters, changed }) {
  const sets = TEST_SETS.map((set) => ({ ...set, files: testFiles(set.folder, filters) }));
  if (changed === undefined) return sets;
  const all = sets.flatMap(({ files }) => files);
  const chosen = new Set(await testsOfChanges(all, changedFiles(changed)));
  return sets.map((set) => ({ ...set, files: set.files.filter((file) => chosen.has(file)) }));
}

/** Prints the failures with their errors, the reasons of skipped tests, and the count of each set. */
function printReport(results) {
  for (const { name, folder } of TEST_SETS) {
    const ofSet = results.filter(({ file }) => file.startsWith(folder));
    if (ofSet.length > 0) console.log(`${name}: ${countResults(ofSet)}`);
  }
  for (const { state, name, file, why, error, isCancelled } of results) {
    if (state === 'failed' && !isCancelled) console.log(`\nFAILED ${name}\n  ${file}\n${error.replace(/^/gm, '    ')}\n`);
    if (state === 'skipped' && why) console.log(`  skipped: ${name} (${why})`);
  }
}

async function main() {
  const { values: options, positionals: filters } = parseArgs({
    args: process.argv.slice(2).map((argument) => (argument === '--changed' ? '--changed=HEAD' : argument)),
    options: { bail: { type: 'boolean', default: false }, changed: { type: 'string' } },
    allowPositionals: true,
  });
  const startedAt = Date.now();
  mkdirSync(runFolder, { recursive: true });
  process.env.CHROME_PATH = ensureChrome();
  ensureBuilt();
  const sets = await selectTests({ filters, changed: options.changed });
  console.log(sets.map(({ name, files }) => `${name}: ${files.length} files`).join(', '));
  const jobs = jobsOf(sets, runFolder, readDurations());
  if (jobs.length === 0 && options.changed !== undefined) {
    console.log('No test uses a changed file.\n0 passed, 0 failed');
    return;
  }
  await compileTests(runFolder);
  // A pair of servers with its database and proxy uses all cores.
  const slots = process.env.TEST_SERVERS === 'pair' ? 1 : availableParallelism();
  const { results, durations, isStopped } = await runTests(jobs, { bail: options.bail, slots });
  storeDurations(durations);
  printReport(results);
  if (isStopped) console.log('The run was stopped before its end.');
  const hasRun = results.some(({ state }) => state !== 'skipped');
  if (!hasRun) console.log(`No test ran${filters.length === 0 ? '' : ` whose path contains ${filters.join(' or ')}`}.`);
  process.exitCode = hasRun && !isStopped && results.every(({ state }) => state !== 'failed') ? 0 : 1;
  console.log(`The run took ${seconds(Date.now() - startedAt)}.`);
  console.log(hasRun ? countResults(results) : '0 passed, 1 failed');
}

const temporaryFolder = makeTemporaryFolder();
try {
  // Some tests need files on a disk.
  process.env.TEST_DISK = tmpdir();
  process.env.TMPDIR = temporaryFolder;
  await main();
} catch (error) {
  console.log(error instanceof Error ? error.message : error);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
} finally {
  for (const folder of [runFolder, temporaryFolder]) rmSync(folder, { recursive: true, force: true });
}
