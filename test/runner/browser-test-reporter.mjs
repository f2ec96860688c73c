import { appendFileSync } from 'node:fs';

/** Reporter for the web test runner: writes one JSON line for each test as soon as its file has ended, which test/run.mjs counts. */
export const tellTo = (path) => ({
  reportTestFileResults({ testFile, sessionsForTestFile }) {
    const lines = sessionsForTestFile.flatMap((session) => [...linesOf(session.testResults, testFile), ...faultsOf(session)]);
    appendFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  },
});

function linesOf(results, file, above = []) {
  if (results === undefined) return [];
  const names = [...above, results.name].filter(Boolean);
  const tests = results.tests.map((test) => ({
    state: test.skipped ? 'skipped' : test.passed ? 'passed' : 'failed',
    name: [...names, test.name].join(' > '),
    file,
    why: '',
    milliseconds: test.duration ?? 0,
    error: describe(test.error),
  }));
  return [...tests, ...results.suites.flatMap((suite) => linesOf(suite, file, names))];
}

/** Returns the errors outside any test: the file did not load, or a hook failed. */
const faultsOf = ({ errors, testFile }) =>
  errors.map((error) => ({
    state: 'failed',
    name: 'the file itself',
    file: testFile,
    why: '',
    milliseconds: 0,
    error: describe(error),
  }));

function describe(error) {
  if (error === undefined) return '';
  const compared = 'expected' in error || 'actual' in error ? `\nexpected ${error.expected}\nactual   ${error.actual}` : '';
  return `${error.stack?.includes(error.message) ? error.stack : `${error.message}\n${error.stack ?? ''}`}${compared}`;
}
