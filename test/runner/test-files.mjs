// Test files: the sets of tests, and the files of each.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Sets of tests, in the order of their start. Tests of `browser` run in one process, which bundles them for a page. */
export const TEST_SETS = [
  { name: 'browser', folder: 'test/browser' },
  { name: 'server', folder: 'test/server' },
  { name: 'end to end', folder: 'test/e2e' },
];

/** First lines of a test file whose results depend on the time that other processes use. */
const ALONE = /^\/\/ Runs alone: /m;

/** Lists the test files of a folder whose path contains one of `filters`, or all if there are none. */
export const testFiles = (folder, filters = []) =>
  (existsSync(folder) ? readdirSync(folder, { recursive: true }) : [])
    .map((name) => join(folder, name))
    .filter((path) => /\.test\.tsx?$/.test(path) && (filters.length === 0 || filters.some((filter) => path.includes(filter))))
    .sort();

/** Returns whether no other test may run at the same time. */
export const runsAlone = (path) => ALONE.test(readFileSync(path, 'utf8').slice(0, 500));
