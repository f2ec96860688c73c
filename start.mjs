// Command-line entry point of `npm start` and the other npm scripts: installs and builds only what changed, then runs
// the requested command. Needs no installed packages.

import { ensureBuilt, ensureInstalled, ensureNode, writeBuildStamp } from './scripts/preflight.mjs';
import { runProcess } from './scripts/run-process.mjs';

process.chdir(import.meta.dirname);
const [command = 'serve', ...rest] = process.argv.slice(2);

const COMMANDS = {
  async serve() {
    ensureBuilt();
    process.env.NODE_ENV ??= 'production';
    await import('./dist/server/main.js');
  },
  async dev() {
    const { startDevServer } = await import('./scripts/dev-server.mjs');
    await startDevServer(rest);
  },
  async build() {
    if ((await runProcess('node', ['build.mjs'])) === 0) writeBuildStamp();
  },
  import: () => {
    ensureBuilt();
    return runProcess('node', ['dist/server/import.js', ...rest]);
  },
  move: () => {
    ensureBuilt();
    return runProcess('node', ['dist/server/move.js', ...rest]);
  },
  backup: () => {
    ensureBuilt();
    return runProcess('node', ['dist/server/backup.js', ...rest]);
  },
  restore: () => {
    ensureBuilt();
    return runProcess('node', ['dist/server/restore.js', ...rest]);
  },
  async package() {
    await (await import('./build/npm-package.mjs')).buildPackage();
    console.log('The package is in dist/package. "npm pack ./dist/package" packs it.');
  },
  test: () => runProcess('node', ['test/run.mjs', ...rest]),
  fuzz: () => runProcess('node', ['--import', 'tsx', 'test/fuzz/run.ts', ...rest]),
  drill: () => runProcess('node', ['--import', 'tsx', 'test/drill/run.ts', ...rest]),
  check: () => runProcess('node', ['scripts/check.mjs', ...rest]),
  fix: () => runProcess('node', ['scripts/fix.mjs']),
  bench: () => {
    ensureBuilt();
    return runProcess('node', ['--import', 'tsx', 'bench/run.ts', ...rest]);
  },
  screenshots: () => {
    ensureBuilt();
    return runProcess('node', ['--import', 'tsx', 'bench/screenshots.ts', ...rest]);
  },
};

try {
  if (!Object.hasOwn(COMMANDS, command))
    throw new Error(`Unknown command "${command}". The commands are ${Object.keys(COMMANDS).join(', ')}.`);
  ensureNode();
  ensureInstalled();
  await COMMANDS[command]();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
