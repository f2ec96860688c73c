import { mkdirSync, rmSync } from 'node:fs';
import { chromeLauncher } from '@web/test-runner-chrome';
import { build } from 'esbuild';
import { browserOptions } from './build/web.mjs';
import { CHROME_ARGS, ensureChrome } from './test/support/chrome.mjs';
import { testFiles } from './test/support/files.mjs';
import { tellTo } from './test/support/web-tally.mjs';

const BUNDLES = '.test/browser';
const filter = process.env.TEST_FILTER ?? '';

// The test runner serves modules one by one and cannot load React, which is CommonJS: so the tests are bundled first.
rmSync(BUNDLES, { recursive: true, force: true });
mkdirSync(BUNDLES, { recursive: true });
await build({
  ...browserOptions(),
  entryPoints: testFiles('test/browser', filter),
  outdir: BUNDLES,
  splitting: true,
  sourcemap: 'inline',
  logLevel: 'error',
});

export default {
  files: [`${BUNDLES}/**/*.test.js`],
  browsers: [chromeLauncher({ launchOptions: { executablePath: ensureChrome(), headless: true, args: CHROME_ARGS } })],
  concurrency: 2,
  testsFinishTimeout: 120_000,
  testFramework: { config: { timeout: 10_000 } },
  // axios asks for its own addresses; no test server stands behind them.
  filterBrowserLogs: () => process.env.TEST_LOGS !== undefined,
  reporters: [tellTo('.test/browser.jsonl')],
};
