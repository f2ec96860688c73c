// Source of launch data: accepted only from Telegram clients.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Frame } from 'playwright-core';
import { APP, serveAt, WEB_CLIENT } from '../host/addresses.ts';
import { ANDROID, DARK, launchHash, OLD, SILENT, STRICT, WEB_A, WEB_K } from '../host/host-doubles.ts';
import { type PageServer, startPageServer } from '../host/page-server.ts';
import { asTelegram, type Browser, launchBrowser, type Page } from '../support/browser.ts';

/** Well-formed launch data. Their signature does not matter here. */
const DATA = `query_id=q&user=%7B%22id%22%3A77%2C%22first_name%22%3A%22A%22%7D&auth_date=1700000000&hash=${'a'.repeat(64)}`;
const IGNORED = { kind: 'browser', launchData: null, readerId: null, path: '/main' };

describe('launch data', () => {
  let browser: Browser;
  let appServer: PageServer;
  let clientServer: PageServer;

  before(async () => {
    [browser, appServer, clientServer] = await Promise.all([
      launchBrowser(),
      startPageServer('browser-host-entry.ts'),
      startPageServer('telegram-client.ts'),
    ]);
  });
  after(async () => {
    await browser.close();
    await Promise.all([appServer.stop(), clientServer.stop()]);
  });

  const started = (frame: Frame) => frame.waitForFunction(() => window.host !== undefined);
  const seen = (frame: Frame) =>
    frame.evaluate(() => ({
      kind: window.host.kind as string,
      launchData: window.host.launchData(),
      readerId: window.host.readerId(),
      path: location.pathname + location.search + location.hash,
    }));
  /** Returns the history state and the session storage of the tab. A frame of another site has no access to storage. */
  const historyAndStorage = (frame: Frame) =>
    frame.evaluate(() => {
      const state = JSON.stringify(history.state);
      try {
        return state + JSON.stringify(sessionStorage);
      } catch {
        return state;
      }
    });
  const withPage = async (action: (page: Page) => Promise<void>): Promise<void> => {
    const page = await browser.newPage();
    await action(page);
    await page.close();
  };
  async function open(page: Page, address: string): Promise<void> {
    await page.goto(appServer.origin + address);
    await started(page.mainFrame());
  }
  /** Embeds the app in a frame of a page at an address, as a double of a web client does. */
  async function embedApp(page: Page, address: string, double = WEB_A): Promise<Frame> {
    await Promise.all([serveAt(page, address, clientServer), serveAt(page, APP, appServer)]);
    await page.goto(address);
    await page.evaluate(([name, url, data]) => window.hold(name, url, data), [double.name, `${APP}/main`, DATA] as const);
    const frame = page.frames().find((one) => one.url().startsWith(APP));
    assert.ok(frame);
    await started(frame);
    return frame;
  }

  it('is accepted with the proxy of a native client, and in a frame of a web client', async () => {
    await withPage(async (page) => {
      await asTelegram(page);
      await open(page, `/main${launchHash(ANDROID, DARK, DATA)}`);
      assert.deepEqual(await seen(page.mainFrame()), { ...IGNORED, kind: 'telegram', launchData: DATA, readerId: '77' });
    });
    for (const double of [WEB_A, WEB_K, OLD, STRICT, SILENT])
      await withPage(async (page) => {
        const frame = await embedApp(page, WEB_CLIENT, double);
        const found = { ...IGNORED, kind: 'telegram', launchData: DATA, readerId: '77' };
        assert.deepEqual(await seen(frame), found, double.name);
      });
  });

  it('is ignored in a plain browser, in the hash and in the query, and is removed from the address', async () => {
    const hash = launchHash(ANDROID, DARK, DATA);
    for (const address of [`/main${hash}`, `/main?${hash.slice(1)}`, `/main?tgWebAppData=${encodeURIComponent(DATA)}`])
      await withPage(async (page) => {
        await open(page, address);
        for (const load of ['first', 'second']) {
          assert.deepEqual(await seen(page.mainFrame()), IGNORED, `${address}, ${load} load`);
          assert.doesNotMatch(await historyAndStorage(page.mainFrame()), /tgWebAppData/);
          await page.reload();
          await started(page.mainFrame());
        }
      });
  });

  it('is ignored in a tab that is already open, and in a tab that stored it before this check existed', () =>
    withPage(async (page) => {
      await open(page, '/main');
      await page.evaluate((data) => sessionStorage.setItem('changer_launch', `tgWebAppData=${data}`), encodeURIComponent(DATA));
      const reloaded = page.waitForEvent('load');
      await page.evaluate(
        (hash) => {
          location.hash = hash;
        },
        launchHash(ANDROID, DARK, DATA),
      );
      await reloaded;
      await started(page.mainFrame());
      assert.deepEqual(await seen(page.mainFrame()), IGNORED);
    }));

  it('is ignored in the query, also in Telegram', () =>
    withPage(async (page) => {
      await asTelegram(page);
      await open(page, `/main?tgWebAppData=${encodeURIComponent(DATA)}&tgWebAppVersion=9.6`);
      assert.deepEqual(await seen(page.mainFrame()), { ...IGNORED, kind: 'telegram' });
    }));

  it('is ignored in a frame of a site that is not a web client, whatever that site posts', async () => {
    for (const site of ['https://web.telegram.org.example/k/', 'https://telegram.org/k/', 'https://attacker.example/'])
      await withPage(async (page) => {
        const frame = await embedApp(page, site);
        assert.deepEqual(await seen(frame), IGNORED, site);
        assert.doesNotMatch(await historyAndStorage(frame), /tgWebAppData/);
        assert.deepEqual(await page.evaluate(() => window.holder.posted), []);
      });
  });
});
