// Repair and reset: deletion of stored files and data from the self-test page.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Browser, launchBrowser, type Page, readIndexedDbText, until, workerControls } from '../support/browser.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { cacheNames, oneCopyIsLeft, purgeIsOver } from '../support/stored-copies.ts';

describe('repair and reset', () => {
  let server: RunningServer;
  let browser: Browser;

  before(async () => {
    [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  });
  after(async () => {
    await browser.close();
    await server.stop();
  });

  const posts = (page: Page) => page.locator('changer-feed article');
  const box = (page: Page, name: RegExp) => page.getByRole('checkbox', { name });

  /** Opens the reset dialog, for a reader who starred a post and whose device has the files of the app. */
  async function openResetDialog(): Promise<Page> {
    const context = await browser.newContext({ locale: 'en-GB' });
    const page = await context.newPage();
    await page.goto(`${server.origin}/main`);
    await posts(page).first().getByRole('button', { name: 'Star' }).click();
    await until(async () => (await readIndexedDbText(page)).includes('"postId"'), 'the star is stored');
    await workerControls(page);
    await page.goto(`${server.origin}/test`);
    await page.getByRole('button', { name: 'Repair and reset…' }).click();
    // Each visit writes a copy and then deletes the previous one.
    await purgeIsOver(page);
    await oneCopyIsLeft(page);
    return page;
  }
  async function resets(page: Page): Promise<void> {
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Reset and reload' }).click()]);
    await page.getByRole('button', { name: 'Repair and reset…' }).waitFor();
  }

  it('deletes the files and the posts, and keeps the data of the reader', async () => {
    const page = await openResetDialog();
    const [previousCache] = await cacheNames(page);
    await resets(page);
    await until(async () => {
      const names = await cacheNames(page);
      return names.length === 1 && names[0] !== previousCache;
    }, 'the app’s files came back');
    assert.match(await readIndexedDbText(page), /"postId"/);
    await page.goto(`${server.origin}/main`);
    await posts(page).first().getByRole('button', { name: 'Star', pressed: true }).waitFor();
    await page.context().close();
  });

  it('deletes the data of the reader if selected', async () => {
    const page = await openResetDialog();
    await box(page, /My line-up/).check();
    await resets(page);
    assert.doesNotMatch(await readIndexedDbText(page), /"postId"/);
    await page.context().close();
  });

  it('keeps the files of the app if no server responds, and opens with them', async () => {
    const page = await openResetDialog();
    await server.halt();
    await page.getByRole('button', { name: 'Reset and reload' }).click();
    await page.getByRole('alert').waitFor();
    assert.equal(await box(page, /The app’s files/).isChecked(), false);
    await resets(page);
    await until(async () => (await cacheNames(page)).length === 1, 'the files of the app are stored');
    await server.resume();
    await page.context().close();
  });
});
