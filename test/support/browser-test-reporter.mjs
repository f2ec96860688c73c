import { writeFileSync } from 'node:fs';

/** Reporter for the web test runner: writes one JSON line for each test, which test/run.mjs counts. */
export const tellTo = (path) => ({
  onTestRunFinished({ sessions }) {
    const lines = sessions.flatMap((session) => [...linesOf(session.testResults, session.testFile), ...faultsOf(session)]);
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
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
    error: describe(test.error),
  }));
  return [...tests, ...results.suites.flatMap((suite) => linesOf(suite, file, names))];
}

/** Returns the errors outside any test: the file did not load, or a hook failed. */
const faultsOf = ({ errors, testFile }) =>
  errors.map((error) => ({ state: 'failed', name: 'the file itself', file: testFile, why: '', error: describe(error) }));

function describe(error) {
  if (error === undefined) return '';
  const compared = 'expected' in error || 'actual' in error ? `\nexpected ${error.expected}\nactual   ${error.actual}` : '';
  return `${error.stack?.includes(error.message) ? error.stack : `${error.message}\n${error.stack ?? ''}`}${compared}`;
}
