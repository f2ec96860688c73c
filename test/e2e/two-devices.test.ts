// Synchronization of one reader between two devices.

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { ANDROID, DARK, launchHash } from '../host/host-doubles.ts';
import { asTelegram, type Browser, type BrowserContext, launchBrowser, type Page, until } from '../support/browser.ts';
import { type RunningServer, startServer } from '../support/server.ts';

/** A device of the reader: a browser context with its own storage. */
interface Device {
  readonly context: BrowserContext;
  readonly page: Page;
}

const MERGE_NOTICE = 'Changes from another device were merged into your line-up.';

describe('one reader on two devices', () => {
  let server: RunningServer;
  let browser: Browser;
  let one: Device;
  let other: Device;

  before(async () => {
    const env = { BOT_TOKEN: '12345:TEST' };
    [server, browser] = await Promise.all([startServer({ development: true, env }), launchBrowser()]);
  });
  after(async () => {
    await browser.close();
    await server.stop();
  });
  beforeEach(async () => {
    one = await open(81);
    other = await open(81);
  });
  afterEach(async () => {
    await Promise.all([one.context.close(), other.context.close()]);
  });

  async function open(user: number): Promise<Device> {
    const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    const data = await (await fetch(`${server.origin}/dev/launch-data?user=${user}`)).text();
    await asTelegram(page);
    await page.goto(`${server.origin}/changer${launchHash(ANDROID, DARK, data)}`);
    await page.locator('changer-dial .others').waitFor();
    await until(() => page.evaluate(() => sessionStorage.getItem('access_token') !== null), 'signed in');
    await saved({ context, page });
    return { context, page };
  }
  const saved = ({ page }: Device) =>
    until(
      async () =>
        (await page.evaluate(`JSON.stringify(document.querySelector('changer-layout').services.dataClient.syncStatus.get())`)) ===
        '{"type":"saved"}',
      'all is saved',
    );
  const names = ({ page }: Device) => page.locator('changer-dial [data-row] .row-title').allTextContents();
  const order = async (device: Device) => (await names(device)).join(' · ');
  const row = ({ page }: Device, name: string) => page.locator('changer-dial [data-row]', { hasText: name });
  const waiting = ({ page }: Device, count: string) => page.locator('changer-dial').getByText(count).waitFor();
  const isMuted = async (device: Device, name: string) => /\bmuted\b/.test((await row(device, name).getAttribute('class')) ?? '');
  async function pressOnRow(device: Device, name: string, key: string): Promise<void> {
    await row(device, name).locator('.row-main').focus();
    await device.page.keyboard.press(key);
  }

  it('merges the offline changes of both devices by channel, the later change wins, and offers an undo', async () => {
    const before = await names(one);
    const [first = '', second = '', third = '', fourth = ''] = before;
    assert.deepEqual(await names(other), before);
    await Promise.all([one.context.setOffline(true), other.context.setOffline(true)]);
    // Both devices change the first channel, the other device later. Each also changes a channel of its own.
    await pressOnRow(one, second, 'm');
    await pressOnRow(one, first, 'm');
    await until(() => isMuted(one, first), 'the first device has muted the channel');
    await waiting(one, '2 changes waiting');
    await pressOnRow(other, first, 'm');
    await pressOnRow(other, first, 'm');
    await until(async () => !(await isMuted(other, first)), 'the other device has muted and unmuted the channel');
    await pressOnRow(other, fourth, 'Alt+ArrowUp');
    const moved = [first, second, fourth, third, ...before.slice(4)];
    await until(async () => (await order(other)) === moved.join(' · '), 'the other device has moved a channel');
    await waiting(other, '3 changes waiting');

    await one.context.setOffline(false);
    await saved(one);
    await other.context.setOffline(false);
    await other.page.locator('changer-dial .lineup-note', { hasText: MERGE_NOTICE }).waitFor();
    await saved(other);
    for (const device of [one, other]) {
      await until(async () => (await order(device)) === moved.join(' · '), 'both devices have the order');
      await until(() => isMuted(device, second), 'both devices have the changes of only one device');
      await until(async () => !(await isMuted(device, first)), 'both devices have the later change of the same channel');
    }

    const mergeNotice = other.page.locator('changer-dial .lineup-note', { hasText: MERGE_NOTICE });
    await mergeNotice.getByRole('button', { name: 'Undo' }).click();
    await mergeNotice.waitFor({ state: 'detached' });
    for (const device of [one, other]) {
      await until(async () => !(await isMuted(device, second)), 'the other device has the channel in its own state');
      await until(async () => (await order(device)) === moved.join(' · '), 'the other device keeps its own change');
    }
  });
});
