// Test runner: processes, schedule, progress, and the choice of tests for changed files.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import { testsOfChanges } from '../runner/changed-tests.mjs';
import { createProgress } from '../runner/progress.mjs';
import { runTests } from '../runner/run-tests.mjs';
import { runJobs } from '../runner/schedule.mjs';
import { TEST_SETS, testFiles } from '../runner/test-files.mjs';
import { startTestProcess } from '../runner/test-process.mjs';
import { makeFolder } from './support/make-app.ts';

interface Result {
  readonly state: string;
  readonly name: string;
  readonly file: string;
  readonly error: string;
}

type Progress = ReturnType<typeof createProgress>;

const REPORTER = resolve(import.meta.dirname, '../runner/test-reporter.mjs');

/** Writes a test file with this code. Returns a job that runs it. */
function jobOf(t: TestContext, name: string, code: string, timeoutMs = 60_000) {
  const folder = makeFolder(t);
  const [file, resultsPath] = [join(folder, `${name}.mjs`), join(folder, 'results.jsonl')];
  writeFileSync(file, `import { it } from 'node:test';\nimport assert from 'node:assert';\n${code}`);
  const args = [`--test-reporter=${REPORTER}`, `--test-reporter-destination=${resultsPath}`, file];
  return {
    name,
    files: [name],
    isAlone: false,
    start: (progress: Progress) => {
      const onResult = (result: Result) => progress.addResult({ ...result, file: name });
      const { ended, stop } = startTestProcess({ file: name, args, resultsPath, timeoutMs, onResult });
      return { stop, ended: ended.then((ms: number) => progress.endFile(name, ms)) };
    },
  };
}

async function run(jobs: readonly ReturnType<typeof jobOf>[], options: { bail?: boolean; slots?: number } = {}) {
  const output = new PassThrough();
  const end = await runTests(jobs, { bail: false, slots: 1, ...options, output });
  return { ...end, results: end.results as Result[], text: String(output.read()) };
}

const states = (results: readonly Result[]) => results.map(({ state, name }) => `${state} ${name}`);

describe('a run of test files', () => {
  it('prints each failed test when it has failed, and each file with its count and time when it has ended', async (t) => {
    const code =
      "it('is right', () => {});\nit('is wrong', () => assert.equal(1, 2));\nit('waits', { skip: 'later' }, () => {});";
    const { results, text, durations } = await run([jobOf(t, 'mixed', code), jobOf(t, 'good', "it('is good', () => {});")]);
    assert.deepEqual(states(results), ['passed is right', 'failed is wrong', 'skipped waits', 'passed is good']);
    assert.match(
      text,
      /^ {2}FAILED mixed: is wrong\n {2}mixed: 1 passed, 1 failed, 1 skipped, [\d.]+ s\n {2}good: 1 passed, 0 failed, [\d.]+ s\n$/,
    );
    assert.match(String(results[1]?.error), /1 == 2/);
    assert.deepEqual(Object.keys(durations), ['mixed', 'good']);
  });

  it('reports a process that exits by itself as a failed test, with its output', async (t) => {
    const { results } = await run([jobOf(t, 'crash', "console.error('out of memory'); process.exit(3);")]);
    assert.deepEqual(states(results), ['failed the process ended with 3']);
    assert.match(String(results[0]?.error), /out of memory/);
  });

  it('ends a process that does not end in time, and the servers that it started', async (t) => {
    const pidFile = join(makeFolder(t), 'pid');
    const code = `import { spawn } from 'node:child_process';
      import { writeFileSync } from 'node:fs';
      const { pid } = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
      writeFileSync(${JSON.stringify(pidFile)}, String(pid));
      it('hangs', () => new Promise((resolve) => setTimeout(resolve, 100_000)));`;
    const { results } = await run([jobOf(t, 'hang', code, 1500)]);
    assert.equal(results.at(-1)?.name, 'the process did not end within 1.5 s');
    const pid = Number(readFileSync(pidFile, 'utf8'));
    while (isAlive(pid)) await new Promise((next) => setTimeout(next, 20));
  });

  it('stops at the first failed test with `bail`, and starts no other file', async (t) => {
    const marker = join(makeFolder(t), 'started');
    const late = `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(marker)}, '');`;
    const failing =
      "it('is wrong', () => assert.fail());\nit('goes on', () => new Promise((resolve) => setTimeout(resolve, 60_000)));";
    const { results, isStopped } = await run([jobOf(t, 'failing', failing), jobOf(t, 'late', late)], { bail: true });
    assert.equal(isStopped, true);
    assert.equal(states(results)[0], 'failed is wrong');
    assert.equal(existsSync(marker), false);
  });
});

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A zombie has ended; its parent has not read its exit code.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

describe('the schedule', () => {
  it('fills its slots, and runs a file alone after the others', async () => {
    const running = new Set<string>();
    const starts: string[] = [];
    const start = ({ name }: { name: string }) => {
      running.add(name);
      starts.push([...running].join(' '));
      return { stop: () => {}, ended: new Promise<void>((end) => setImmediate(end)).then(() => void running.delete(name)) };
    };
    const jobs = ['alone', 'a', 'b', 'c'].map((name) => ({ name, isAlone: name === 'alone' }));
    await runJobs(jobs, { slots: 2, start }).ended;
    assert.deepEqual(starts, ['a', 'a b', 'b c', 'alone']);
  });
});

describe('the progress', () => {
  it('is one line on a terminal, which shows what runs and is replaced', async () => {
    const output = Object.assign(new PassThrough(), { isTTY: true, columns: 60 });
    const progress = createProgress({ total: 9, runningJobs: () => ['a.test.ts', 'b.test.ts'], onFailure: () => {}, output });
    progress.addResult({ state: 'passed', name: 'works', file: 'c' });
    progress.endFile('c', 1200);
    progress.end();
    assert.equal(
      String(output.read()),
      '\r\u001b[2K  c: 1 passed, 0 failed, 1.2 s\n\r\u001b[2K[1/9] 1 passed, 0 failed, 0.0 s: a.test.ts, b.test.ts\r\u001b[2K',
    );
  });

  it('is a line from time to time elsewhere', async () => {
    const output = new PassThrough();
    const progress = createProgress({ total: 9, runningJobs: () => ['a.test.ts'], onFailure: () => {}, output, interval: 20 });
    const [line] = await once(output, 'data');
    progress.end();
    assert.match(String(line), /^ {2}running \[0\/9\] 0 passed, 0 failed, [\d.]+ s: a\.test\.ts\n$/);
  });
});

describe('the tests of changed files', () => {
  const all = TEST_SETS.flatMap(({ folder }) => testFiles(folder));
  const chosen = async (...changed: string[]): Promise<string[]> => testsOfChanges(all, changed);

  it('import a changed file, directly or through other modules', async () => {
    const tests = await chosen('server/http/content-negotiation.ts');
    assert.ok(tests.includes('test/server/http/content-negotiation.test.ts'));
    assert.ok(tests.includes('test/server/posts/routes.test.ts'), 'it builds the app');
    assert.ok(!tests.includes('test/server/domain/pins.test.ts'));
    assert.ok(!tests.some((path) => path.startsWith('test/browser/')));
    assert.deepEqual(await chosen('test/server/domain/pins.test.ts'), ['test/server/domain/pins.test.ts']);
  });

  it('are those of the browser for a component, and the end-to-end tests with a word of its path', async () => {
    const tests = await chosen('src/features/search/SearchPage.tsx');
    assert.ok(tests.includes('test/browser/features/search.test.tsx'));
    assert.ok(tests.includes('test/e2e/search.test.ts'));
    assert.ok(tests.includes('test/e2e/app.test.ts'), 'the smoke test');
    assert.ok(!tests.includes('test/e2e/nginx.test.ts'));
  });

  it('name a changed file that no module imports', async () => {
    const tests = await chosen('ARCHITECTURE.md');
    assert.ok(tests.includes('test/server/architecture.test.ts'));
    assert.ok(!tests.includes('test/server/domain/pins.test.ts'));
  });

  it('are all tests if the packages changed', async () => {
    assert.deepEqual(await chosen('package-lock.json'), all);
  });
});
