// Killed browser: no change of a reader is lost when the browser or the server is killed.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { chromium } from 'playwright-core';
import { ANDROID, DARK, launchHash } from '../host/host-doubles.ts';
import { asTelegram, type Browser, markAllPostsUnread, type Page, until } from '../support/browser.ts';
import { CHROME_ARGS, ensureChrome } from '../support/chrome.mjs';
import { type RunningServer, startServer } from '../support/server.ts';

/** A browser with a persistent profile. It can be killed, as a phone kills an app. */
interface Profiled {
  readonly page: Page;
  readonly browser: Browser;
  readonly child: ChildProcess;
}

async function open(profile: string): Promise<Profiled> {
  const args = [...CHROME_ARGS, '--headless=new', `--user-data-dir=${profile}`, '--remote-debugging-port=0', 'about:blank'];
  const child = spawn(ensureChrome(), args, { stdio: 'ignore', detached: true });
  const port = join(profile, 'DevToolsActivePort');
  let address = '';
  await until(async () => {
    address = (await readFile(port, 'utf8').catch(() => '')).split('\n')[0] ?? '';
    return address !== '';
  }, 'the browser listens');
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${address}`);
  const [context] = browser.contexts();
  assert.ok(context);
  const page = await context.newPage();
  await page.setViewportSize({ width: 1280, height: 900 });
  return { page, browser, child };
}

/** Kills every process of the browser at once. */
async function kill({ child }: Profiled, profile: string): Promise<void> {
  const ended = once(child, 'exit');
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  await ended;
  await rm(join(profile, 'DevToolsActivePort'), { force: true });
  for (const lock of ['SingletonLock', 'SingletonCookie', 'SingletonSocket']) await rm(join(profile, lock), { force: true });
}

const READ_MARKERS = `JSON.stringify([...document.querySelector('changer-layout').services.dataClient.readMarkers.get()].sort())`;
/** Script that returns true if the newest post of a channel is read. */
const IS_READ = `(({ lineup, readMarkers: marks }) => {
  const rows = lineup.get();
  return rows.type === 'loaded' && rows.value.some(({ channel }) => marks.get().get(channel.id) === channel.latest?.id);
})(document.querySelector('changer-layout').services.dataClient)`;

describe('a reader whose browser is killed', () => {
  let server: RunningServer;
  let profile: string;
  let now: Profiled;

  before(async () => {
    server = await startServer({ development: true, env: { BOT_TOKEN: '12345:TEST' } });
  });
  after(() => server.stop());
  beforeEach(async () => {
    profile = await mkdtemp(join(tmpdir(), 'changer-profile-'));
    now = await open(profile);
  });
  afterEach(async () => {
    await kill(now, profile).catch(() => {});
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    await server.resume();
  });

  const at = async (path: string, seen: string) => {
    await now.page.goto(server.origin + path);
    await now.page.locator(seen).first().waitFor();
    await until(async () => Number(await countStored('changer-public', '')) > 0, 'the device stores data');
  };
  /**
   * Returns the number of entries in a database of the device whose key begins with the prefix. A slow device may take seconds
   * to open a database.
   */
  const countStored = (database: string, prefix: string) =>
    now.page.evaluate(
      async ([name, start]) =>
        // Opening a database that does not exist would create it.
        (await indexedDB.databases()).some((known) => known.name === name) &&
        new Promise<number>((resolve) => {
          const openRequest = indexedDB.open(name);
          openRequest.onsuccess = () => {
            const objectStore = openRequest.result.transaction('things').objectStore('things');
            const counting = objectStore.count(IDBKeyRange.bound(start, `${start}\uffff`));
            counting.onsuccess = () => {
              openRequest.result.close();
              resolve(counting.result);
            };
          };
        }),
      [database, prefix] as const,
    );
  const saved = () => until(async () => (await dataClientJson('syncStatus.get()')) === '{"type":"saved"}', 'all is saved');
  const killAndReopen = async () => {
    await saved();
    await kill(now, profile);
    now = await open(profile);
  };
  const first = () => now.page.locator('changer-feed article:not(.service)').first();
  const star = () => first().getByRole('button', { name: 'Star' });
  const pressed = async (expected: string) =>
    until(async () => (await star().getAttribute('aria-pressed')) === expected, 'the star');
  const rowNames = () => now.page.locator('changer-dial [data-row] .row-title').allTextContents();
  const row = (index: number) => now.page.locator('changer-dial [data-row] .row-main').nth(index);
  const dataClientJson = async (expression: string): Promise<string> =>
    JSON.stringify(await now.page.evaluate(`document.querySelector('changer-layout').services.dataClient.${expression}`));
  /** Returns the read marker of each channel, ordered by channel id. */
  const readMarkers = () => now.page.evaluate<string>(READ_MARKERS);
  async function launch(): Promise<void> {
    const data = await (await fetch(`${server.origin}/dev/launch-data?user=61`)).text();
    await asTelegram(now.page);
    await now.page.goto(`${server.origin}/main${launchHash(ANDROID, DARK, data)}`);
    await first().waitFor();
    await until(async () => (await now.page.evaluate(() => sessionStorage.getItem('access_token'))) !== null, 'signed in');
  }

  it('keeps a star that was shown', async () => {
    await at('/main', 'changer-feed article');
    await star().click();
    await pressed('true');
    await killAndReopen();
    await at('/main', 'changer-feed article');
    await pressed('true');
  });

  it('keeps the position of a moved channel, and a muted channel', async () => {
    await at('/changer', 'changer-dial [data-row]');
    const [firstRow, secondRow] = await rowNames();
    await row(0).focus();
    await now.page.keyboard.press('Alt+ArrowDown');
    await until(async () => (await rowNames())[1] === firstRow, 'the row has moved');
    await row(1).press('m');
    await now.page.locator('changer-dial [data-row].muted').waitFor();
    await killAndReopen();
    await at('/changer', 'changer-dial [data-row].muted');
    assert.deepEqual((await rowNames()).slice(0, 2), [secondRow, firstRow]);
  });

  it('keeps the read markers', async () => {
    await markAllPostsUnread(now.page, server.origin, { unread: 1 });
    await at('/main', 'changer-feed article');
    await until(() => now.page.evaluate<boolean>(IS_READ), 'the newest post of a channel is marked as read');
    const before = await readMarkers();
    await killAndReopen();
    await at('/main', 'changer-feed article');
    await until(async () => (await readMarkers()) === before, 'the read markers are restored');
  });

  it('keeps in the account the changes that the server received before it was killed, and sends the others later', async () => {
    await launch();
    await star().click();
    await pressed('true');
    await saved();
    await server.halt('SIGKILL');
    const second = now.page.locator('changer-feed article:not(.service)').nth(1).getByRole('button', { name: 'Star' });
    await second.click();
    await until(async () => (await countStored('changer-reader-61', 'out/star/')) === 1, 'the second star is in the outbox');
    assert.match(await dataClientJson('syncStatus.get()'), /waiting/);
    await kill(now, profile);
    await server.resume();
    now = await open(profile);
    await launch();
    await saved();
    await pressed('true');
    const stars = await now.page.evaluate(async () => {
      const headers = { 'Access-Token': sessionStorage.getItem('access_token') ?? '' };
      return (await (await fetch('/api/stars', { headers })).json()).items.length;
    });
    assert.equal(stars, 2);
  });
});
