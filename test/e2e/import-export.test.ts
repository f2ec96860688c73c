// Import and export of a line-up: shared links, feeds and files.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { encodeLineupLink } from '../../src/features/import-export/model/lineup-link.ts';
import { ANDROID, DARK, launchHash } from '../host/host-doubles.ts';
import {
  asTelegram,
  type Browser,
  type BrowserContext,
  launchBrowser,
  type Page,
  readIndexedDbText,
  until,
  workerControls,
} from '../support/browser.ts';
import { type RunningServer, startServer } from '../support/server.ts';

const FEED = {
  id: 'f-00000000000000aa',
  title: 'Far Tides',
  source: 'feed',
  state: 'live',
  private: false,
  demo: false,
  elsewhere: true,
};

describe('import and export of a line-up', () => {
  let server: RunningServer;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let ids: readonly string[];

  before(async () => {
    const env = { BOT_APP: 'https://t.me/harbour_bot/app' };
    [server, browser] = await Promise.all([startServer({ development: true, env }), launchBrowser()]);
    const { items } = await (await fetch(`${server.origin}/api/channels`)).json();
    ids = items.map(({ id }: { id: string }) => id);
  });
  after(async () => {
    await browser.close();
    await server.stop();
  });
  beforeEach(async () => {
    context = await browser.newContext({ locale: 'en-GB' });
    page = await context.newPage();
  });
  afterEach(async () => {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
    await server.resume();
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const order = () =>
    page.locator('changer-dial [data-row]').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-row')));
  const waitForOrder = (expected: readonly string[]) =>
    until(async () => (await order()).join() === expected.join(), `the line-up is ${expected.join()}`);
  const waitUntilStored = () =>
    until(async () => (await readIndexedDbText(page)).includes('"followed":false'), 'the line-up is stored');
  const open = (path: string) => page.goto(server.origin + path);
  const waitUntilAddressCleared = () =>
    until(async () => new URL(page.url()).search === '', 'the address no longer contains the line-up');
  const title = (name: string) => page.getByRole('dialog', { name });

  it('replaces the default line-up of a new reader with a shared one, stores it, and removes it from the address', async () => {
    const shared = [ids[4] ?? '', ids[1] ?? ''];
    await open('/main');
    await open(`/changer?lineup=${encodeLineupLink({ name: 'Mornings', channelIds: [...shared, '999'] })}`);
    await title('Mornings').getByText('2 channels. 1 is left out').waitFor();
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: /^Replace mine/ }).focus();
    await page.keyboard.press('Enter');
    await waitForOrder(shared);
    await waitUntilAddressCleared();
    await waitUntilStored();
    await page.reload();
    await waitForOrder(shared);
    assert.equal(await page.getByRole('dialog').count(), 0);
    await page.goBack();
    await page.goForward();
    await waitForOrder(shared);
    assert.equal(await page.getByRole('dialog').count(), 0);
  });

  it('opens a shared line-up by Telegram’s start parameter', async () => {
    const data = await (await fetch(`${server.origin}/dev/launch-data?user=7&name=Olga`)).text();
    const code = encodeLineupLink({ name: 'Mornings', channelIds: ids.slice(0, 2) });
    await asTelegram(page);
    await open(`/main?tgWebAppStartParam=l_${code}${launchHash(ANDROID, DARK, data)}`);
    await title('Mornings').waitFor();
    await page.keyboard.press('Escape');
    await waitUntilAddressCleared();
    await page.reload();
    await waitForOrder(ids);
    assert.equal(await page.getByRole('dialog').count(), 0);
  });

  it('opens a shared line-up offline, from the cache', async () => {
    await open('/changer');
    await waitForOrder(ids);
    await workerControls(page);
    // The chunks that load when the page is idle are in the copy of the service worker, like all others.
    await until(async () => (await page.evaluate(() => caches.keys())).length === 1, 'the service worker has its copy');
    await server.halt();
    await context.setOffline(true);
    await open(`/changer?lineup=${encodeLineupLink({ name: 'Mornings', channelIds: [ids[2] ?? '', FEED.id] })}`);
    await title('Mornings').getByText('Some of them could not be checked.').waitFor();
    await page.getByRole('button', { name: /^Replace mine/ }).click();
    await waitForOrder([ids[2] ?? '']);
    await context.setOffline(false);
  });

  it('follows a feed, and restores the default line-up after an undo', async () => {
    let isFeedAdded = false;
    await page.route('**/api/feeds', (route) => {
      isFeedAdded = true;
      return route.fulfill({ json: FEED });
    });
    await page.route('**/api/channels?also=*', async (route) => {
      const response = await (await route.fetch()).json();
      await route.fulfill({ json: { ...response, items: isFeedAdded ? [...response.items, FEED] : response.items } });
    });
    await open('/changer');
    await page.getByLabel('Add a feed by its address').fill('tides.example/feed');
    await page.keyboard.press('Enter');
    await waitForOrder([...ids, FEED.id]);
    await until(async () => (await page.getByLabel('Add a feed by its address').inputValue()) === '', 'the field is empty');
    await button('Undo').first().click();
    await waitForOrder(ids);
    await waitUntilStored();
    await page.reload();
    await waitForOrder(ids);
  });

  it('exports a file that another device can import', async () => {
    await open('/changer');
    await waitForOrder(ids);
    const [download] = await Promise.all([page.waitForEvent('download'), button('Export OPML').click()]);
    assert.match(download.suggestedFilename(), /^line-up-.*\.opml$/);
    const text = await readFile(await download.path(), 'utf8');
    assert.equal(text.match(/<outline /g)?.length, ids.length);
    await button('Import OPML').click();
    await page.locator('changer-dial input[type=file]').setInputFiles(await download.path());
    await page.getByText(`${ids.length} channels are in it. You have ${ids.length} already.`).waitFor();
    assert.equal(await page.locator('changer-dial .pick-row input:not(:disabled)').count(), 0);
  });
});
