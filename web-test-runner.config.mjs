// Configuration of Web Test Runner: bundles the browser tests, and runs them in Chrome.

import { mkdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { defaultReporter } from '@web/test-runner';
import { chromeLauncher } from '@web/test-runner-chrome';
import { build } from 'esbuild';
import { browserOptions } from './build/app-bundle.mjs';
import { tellTo } from './test/runner/browser-test-reporter.mjs';
import { testFiles } from './test/runner/test-files.mjs';
import { CHROME_ARGS, ensureChrome } from './test/support/chrome.mjs';

// With `npx wtr`, all tests run and the results are printed. `test/run.mjs` sets the test files (TEST_FILES), and a file for the
// results (TEST_RESULTS).
const { TEST_FILES, TEST_RESULTS } = process.env;
const bundleDir = `.test/browser-${process.pid}`;

// Web Test Runner serves modules one by one and cannot load React, which is CommonJS. So the tests are bundled first.
mkdirSync(bundleDir, { recursive: true });
process.on('exit', () => rmSync(bundleDir, { recursive: true, force: true }));
/** esbuild plugin: raises the default timeout of `waitUntil` from 1 s to 30 s, because a test machine may be slow. */
const longerWaitTimeout = {
  name: 'longer-wait-timeout',
  setup(bundler) {
    bundler.onLoad({ filter: /testing-helpers[\\/]src[\\/]helpers\.js$/ }, async ({ path }) => {
      const [defaultTimeout, longerTimeout] = ['timeout = 1000 }', 'timeout = 30_000 }'];
      const source = await readFile(path, 'utf8');
      if (!source.includes(defaultTimeout)) throw new Error(`${path} no longer has the default of waitUntil`);
      return { contents: source.replace(defaultTimeout, longerTimeout) };
    });
  },
};

const options = browserOptions();
await build({
  ...options,
  plugins: [...options.plugins, longerWaitTimeout],
  entryPoints: TEST_FILES === undefined ? testFiles('test/browser') : JSON.parse(TEST_FILES),
  outbase: 'test/browser',
  outdir: bundleDir,
  splitting: true,
  sourcemap: 'inline',
  logLevel: 'error',
});

// There is no user gesture in tests, and without one a browser does not play sound.
const ARGS = [...CHROME_ARGS, '--autoplay-policy=no-user-gesture-required'];

export default {
  files: [`${bundleDir}/**/*.test.js`],
  browsers: [chromeLauncher({ launchOptions: { executablePath: ensureChrome(), headless: true, args: ARGS } })],
  // Only one page at a time: a page in the background has no focus and renders no frames.
  concurrency: 1,
  testsFinishTimeout: 20 * 60_000,
  testFramework: { config: { timeout: 60_000 } },
  // The app's API client logs every response, so the browser's log is not printed.
  filterBrowserLogs: () => false,
  reporters: TEST_RESULTS === undefined ? [defaultReporter()] : [tellTo(TEST_RESULTS)],
};
