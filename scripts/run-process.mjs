import { spawn } from 'node:child_process';

/** Runs a process in the foreground. Forwards signals to it, and exits with its exit code. */
export function runProcess(program, args, options = {}) {
  const child = spawn(program === 'node' ? process.execPath : program, args, { stdio: 'inherit', ...options });
  const forward = (signal) => child.kill(signal);
  process.on('SIGINT', forward).on('SIGTERM', forward);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      process.off('SIGINT', forward).off('SIGTERM', forward);
      process.exitCode = code ?? (signal === 'SIGINT' || signal === 'SIGTERM' ? 0 : 1);
      resolve(process.exitCode);
    });
  });
}
