import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { runProcess } from './run-process.mjs';

/** Sources of the app in the browser: a change starts a rebuild. */
const BROWSER_SOURCES = ['src', 'elements', 'sw', 'contract', 'public', 'build', 'index.html', 'build.mjs'];

/** Development server: restarts the server and rebuilds the app when a source changes. */
export async function startDevServer(args) {
  const rebuild = coalesceRuns(build);
  await rebuild();
  const watchers = BROWSER_SOURCES.map((path) => watch(path, { recursive: true }, rebuild));
  console.log('The app as embedded by Telegram: /dev/telegram');
  await runProcess('node', [
    'node_modules/tsx/dist/cli.mjs',
    'watch',
    '--clear-screen=false',
    'server/main.ts',
    '--dev',
    ...args,
  ]);
  for (const watcher of watchers) watcher.close();
}

const build = () =>
  new Promise((resolve) =>
    spawn(process.execPath, ['build.mjs', '--budgets=report'], { stdio: ['ignore', 'ignore', 'inherit'] }).on('close', resolve),
  );

/** Runs one call at a time. Calls during a run are merged into one further run after it. */
function coalesceRuns(run) {
  let running = null;
  let isRequested = false;
  return () => {
    isRequested = running !== null;
    running ??= (async () => {
      do {
        isRequested = false;
        await run();
      } while (isRequested);
      running = null;
    })();
    return running;
  };
}
