// WebDriver client for WebKitGTK: opens a window and controls it in tests.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { until } from './browser.ts';
import { freePort } from './free-port.ts';

const DRIVER = '/usr/bin/WebKitWebDriver';
const BROWSER = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';
const DISPLAY_SERVER = '/usr/bin/Xvfb';

/** True if WebKitGTK, its driver and a display server are installed. */
export const hasWebKit = [DRIVER, BROWSER, DISPLAY_SERVER].every((file) => existsSync(file));

/** A window of WebKitGTK, with its own profile that is deleted when the window is closed. */
export interface WebKitWindow {
  /** Resolves after the load event of the page. */
  goto(address: string): Promise<void>;
  /** Returns the value of an expression. Awaits a promise. */
  ask(expression: string): Promise<unknown>;
  /** Returns a screenshot as PNG. */
  picture(): Promise<Buffer>;
  close(): Promise<void>;
}

/** Opens WebKitGTK by its driver, on its own display. Call close() when done. */
export async function openWebKit(width = 1280, height = 800): Promise<WebKitWindow> {
  const home = await mkdtemp(join(tmpdir(), 'changer-webkit-'));
  const display = await startDisplay();
  const port = await freePort();
  const driver = spawn(DRIVER, [`--port=${port}`], {
    // As root its sandbox does not start. There is no session bus.
    env: { PATH: process.env.PATH, HOME: home, DISPLAY: display.name, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' },
    stdio: 'ignore',
  });
  const origin = `http://127.0.0.1:${port}`;
  await until(
    () =>
      call(origin, 'GET', '/status').then(
        () => true,
        () => false,
      ),
    'the driver listens',
  );
  const browserOptions = { binary: BROWSER, args: ['--automation'] };
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': browserOptions } };
  const session = `/session/${text(await call(origin, 'POST', '/session', { capabilities }), 'sessionId')}`;
  await call(origin, 'POST', `${session}/window/rect`, { width, height });
  await call(origin, 'POST', `${session}/timeouts`, { script: 10_000 });
  return {
    async goto(url) {
      await call(origin, 'POST', `${session}/url`, { url });
    },
    async ask(expression) {
      // An error is passed to the callback, because the driver waits for the callback until its timeout.
      const script = `const [done] = arguments; Promise.resolve().then(() => ${expression})
        .then((value) => done({ value }), (thrown) => done({ thrown: String(thrown) }));`;
      const found = await call(origin, 'POST', `${session}/execute/async`, { script, args: [] });
      const thrown = of(found, 'thrown');
      if (thrown !== undefined) throw new Error(`${expression}: ${thrown}`);
      return of(found, 'value');
    },
    async picture() {
      return Buffer.from(String(await call(origin, 'GET', `${session}/screenshot`)), 'base64');
    },
    async close() {
      await call(origin, 'DELETE', session).catch(() => {});
      await end(driver);
      await end(display.child);
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Timeout of a command, ms. A browser that hangs would otherwise stop the tests until their own timeout. */
const COMMAND_TIMEOUT_MS = 60_000;

/** Sends one command of W3C WebDriver and returns its value. */
async function call(origin: string, method: string, path: string, body?: object): Promise<unknown> {
  const signal = AbortSignal.timeout(COMMAND_TIMEOUT_MS);
  const response = await fetch(origin + path, { method, signal, ...(body && { body: JSON.stringify(body) }) });
  const json: unknown = await response.json();
  const value = of(json, 'value');
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`);
  return value;
}

const of = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

function text(value: unknown, name: string): string {
  const found = of(value, name);
  if (typeof found !== 'string') throw new Error(`The driver named no ${name}.`);
  return found;
}

/** Starts a display server in memory. The server chooses a display number and reports it. */
async function startDisplay(): Promise<{ readonly child: ChildProcess; readonly name: string }> {
  const child = spawn(DISPLAY_SERVER, ['-displayfd', '1', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [number] = await once(createInterface(child.stdout), 'line');
  return { child, name: `:${number}` };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, 'exit');
}
