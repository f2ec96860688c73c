// Runs one test file in a process of its own, and reports each result as soon as its test has ended.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { followResults } from './follow-results.mjs';

/** Maximum characters of the output of a process that are kept, to report a crash. */
const MAX_OUTPUT_LENGTH = 20_000;
/** Time that a process has to end its servers and browsers. */
const STOP_TIMEOUT_MS = 5000;

/**
 * Starts a process that writes results to `resultsPath`. A crash and a timeout are failed results. `ended` resolves with the
 * duration in ms. `stop` ends the process and the processes that it started; then its end is not a crash.
 */
export function startTestProcess({ file, args, env = {}, resultsPath, timeoutMs, onResult }) {
  const startedAt = Date.now();
  // A process group of its own, so that its servers end with it.
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Without the variable by which `node --test` recognizes its own processes.
    env: { ...process.env, ...env, NODE_TEST_CONTEXT: undefined },
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output = `${output}${chunk}`.slice(-MAX_OUTPUT_LENGTH);
    });
  let [isTooLate, isStopped] = [false, false];
  const endGroup = () => {
    signalGroup(child, 'SIGTERM');
    setTimeout(() => signalGroup(child, 'SIGKILL'), STOP_TIMEOUT_MS).unref();
  };
  const timer = setTimeout(() => {
    isTooLate = true;
    endGroup();
  }, timeoutMs);
  const stopFollowing = followResults(resultsPath, onResult);
  // A process that crashed leaves its servers.
  child.once('exit', endGroup);

  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve(String(error)));
    child.once('close', (code, signal) => resolve(code ?? signal));
  }).then((status) => {
    clearTimeout(timer);
    const results = stopFollowing();
    rmSync(resultsPath, { force: true });
    const hasFailed = results.some(({ state }) => state === 'failed');
    if (!isStopped && status !== 0 && (isTooLate || !hasFailed)) {
      const reason = isTooLate ? `did not end within ${timeoutMs / 1000} s` : `ended with ${status}`;
      onResult({ state: 'failed', name: `the process ${reason}`, file, why: '', milliseconds: 0, error: output });
    }
    return Date.now() - startedAt;
  });
  const stop = () => {
    isStopped = true;
    endGroup();
  };
  return { ended, stop };
}

function signalGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group has ended.
  }
}
