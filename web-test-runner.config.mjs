import { mkdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { defaultReporter } from '@web/test-runner';
import { chromeLauncher } from '@web/test-runner-chrome';
import { build } from 'esbuild';
import { browserOptions } from './build/app-bundle.mjs';
import { CHROME_ARGS, ensureChrome } from './test/support/chrome.mjs';
import { testFiles } from './test/support/files.mjs';
import { tellTo } from './test/support/web-tally.mjs';

// By itself (`npx wtr`) it tells its results; test/run.mjs names a file for them instead, and may name a filter.
const { TEST_FILTER = '', TEST_RESULTS } = process.env;
const bundles = `.test/browser-${process.pid}`;

// The test runner serves modules one by one and cannot load React, which is CommonJS: so the tests are bundled first.
mkdirSync(bundles, { recursive: true });
process.on('exit', () => rmSync(bundles, { recursive: true, force: true }));
/** esbuild plugin: waitUntil waits as long as a slow machine may take, and not a second. */
const patient = {
  name: 'patient',
  setup(bundler) {
    bundler.onLoad({ filter: /testing-helpers[\\/]src[\\/]helpers\.js$/ }, async ({ path }) => {
      const [impatient, wanted] = ['timeout = 1000 }', 'timeout = 30_000 }'];
      const source = await readFile(path, 'utf8');
      if (!source.includes(impatient)) throw new Error(`${path} no longer has the default of waitUntil`);
      return { contents: source.replace(impatient, wanted) };
    });
  },
};

const options = browserOptions();
await build({
  ...options,
  plugins: [...options.plugins, patient],
  entryPoints: testFiles('test/browser', TEST_FILTER),
  outdir: bundles,
  splitting: true,
  sourcemap: 'inline',
  logLevel: 'error',
});

// Nobody touches the page, and without that a browser plays no sound.
const ARGS = [...CHROME_ARGS, '--autoplay-policy=no-user-gesture-required'];

export default {
  files: [`${bundles}/**/*.test.js`],
  browsers: [chromeLauncher({ launchOptions: { executablePath: ensureChrome(), headless: true, args: ARGS } })],
  // A page behind another has no focus and draws no frames.
  concurrency: 1,
  testsFinishTimeout: 20 * 60_000,
  testFramework: { config: { timeout: 60_000 } },
  // The app's client logs every response, as the specification has it.
  filterBrowserLogs: () => false,
  reporters: TEST_RESULTS === undefined ? [defaultReporter()] : [tellTo(TEST_RESULTS)],
};
