// Tests of changed files: the tests that import a changed file, directly or through other modules.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { build } from 'esbuild';
import { browserOptions } from '../../build/app-bundle.mjs';

/** Files that every test depends on. */
const FILES_OF_ALL_TESTS = ['package.json', 'package-lock.json', 'tsconfig.json', 'start.mjs', 'test/run.mjs'];
/** Files of the build. The tests that start the built server use them without an import. */
const BUILT_FILE = /^(src|elements|examples|sw|server|contract|build|public)\/|^(build\.mjs|index\.html)$/;
/** Module that starts the built server, and the test that opens the main pages of the app. */
const SERVER_PROCESS = 'test/support/server-process.ts';
const SMOKE_TEST = 'test/e2e/app.test.ts';
/** Minimum letters of a word that the path of a changed file shares with the name of a test. */
const MIN_WORD_LENGTH = 4;

/** Lists the files that differ from a commit, also new ones, but not deleted ones. */
export function changedFiles(since = 'HEAD') {
  const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
  const [base] = git('merge-base', since, 'HEAD');
  return [...git('diff', '--name-only', '--diff-filter=d', base), ...git('ls-files', '--others', '--exclude-standard')];
}

/**
 * Chooses the tests of changed files:
 * - A test is chosen if it imports a changed file, directly or through other modules.
 * - A changed file that no module imports, for example a document, is used by the modules of the tests whose text contains its
 *   name.
 * - A changed file of the build chooses, of the tests that start the built server, those whose name shares a word with its path,
 *   and the smoke test.
 */
export async function testsOfChanges(tests, changed) {
  if (changed.some((path) => FILES_OF_ALL_TESTS.includes(path))) return tests;
  const importers = await readImporters(tests);
  const mentions = (path) => [...importers.keys()].filter((module) => isTestModule(module) && isMentioned(path, module));
  const starts = changed.flatMap((path) => (importers.has(path) ? [path] : mentions(path)));
  const chosen = importersOf(starts, importers);
  for (const test of testsOfBuild(importersOf([SERVER_PROCESS], importers), changed)) chosen.add(test);
  return tests.filter((test) => chosen.has(test));
}

const isTestModule = (module) => module.startsWith('test/');
const isMentioned = (path, module) => readFileSync(module, 'utf8').includes(basename(path));

/** Returns the modules that import each module. */
async function readImporters(tests) {
  const options = browserOptions();
  const { metafile } = await build({
    ...options,
    entryPoints: tests,
    outdir: '.test/unused',
    packages: 'external',
    platform: 'node',
    external: ['*.mjs'],
    metafile: true,
    write: false,
    splitting: true,
    logLevel: 'error',
  });
  const importers = new Map(Object.keys(metafile.inputs).map((path) => [path, []]));
  for (const [importer, { imports }] of Object.entries(metafile.inputs))
    for (const { path } of imports) importers.get(path)?.push(importer);
  return importers;
}

/** Returns the given modules with all modules that import them, directly or not. */
function importersOf(modules, importers) {
  const found = new Set(modules);
  for (const module of found) for (const importer of importers.get(module) ?? []) found.add(importer);
  return found;
}

function* testsOfBuild(modules, changed) {
  const built = changed.filter((path) => BUILT_FILE.test(path));
  if (built.length === 0) return;
  yield SMOKE_TEST;
  const words = new Set(built.flatMap((path) => wordsOf(path.slice(dirname(path).indexOf('/') + 1))));
  for (const module of modules) if (wordsOf(basename(module, '.test.ts')).some((word) => words.has(word))) yield module;
}

const wordsOf = (path) =>
  path
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word.length >= MIN_WORD_LENGTH);
