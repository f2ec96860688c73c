// changer-dial in the app.

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { type Browser, type BrowserContext, launchBrowser, type Page, readIndexedDbText, until } from '../support/browser.ts';
import { type RunningServer, startServer } from '../support/server.ts';

describe('the dial in the app', () => {
  let server: RunningServer;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;

  before(async () => {
    [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  });
  after(async () => {
    await browser.close();
    await server.stop();
  });
  beforeEach(async () => {
    context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 } });
    page = await context.newPage();
    await page.goto(`${server.origin}/changer`);
    await page.locator('changer-dial .others').waitFor();
  });
  afterEach(() => context.close());

  const dial = () => page.locator('changer-dial');
  const selectedChannel = () => dial().locator('#on-now').textContent();
  const announcement = () => dial().locator('.voice').textContent();
  const order = async () => (await dial().locator('[data-row] .row-title').allTextContents()).join(' · ');

  it('works with the keyboard alone: the next channel, a preset, several rows at once, and the undo', async () => {
    const first = await selectedChannel();
    const all = await order();
    await page.keyboard.press('ArrowRight');
    await until(async () => (await selectedChannel()) !== first, 'the next channel is selected');
    // Selects the checkbox of the third row, and two more with Shift.
    await dial().getByRole('button', { name: 'Edit', exact: true }).focus();
    await page.keyboard.press('Enter');
    const box = dial().locator('.row-check').nth(2);
    await box.waitFor();
    await box.focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowDown');
    await dial().getByRole('button', { name: 'Add to a preset' }).focus();
    await page.keyboard.press('Enter');
    await dial().getByRole('button', { name: 'New preset' }).focus();
    await page.keyboard.press('Enter');
    await dial().getByLabel('Name').focus();
    await page.keyboard.type('Morning');
    await page.keyboard.press('Enter');
    await until(async () => (await announcement()) === 'Preset Morning, 2 channels', 'the preset is created');
    await until(async () => new URL(page.url()).searchParams.has('preset'), 'the address contains the preset');
    await page.keyboard.press('p');
    await until(async () => (await order()) === all, 'all are listed again');
    await page.keyboard.press('p');
    await until(async () => (await dial().locator('[data-row]').count()) === 2, 'the preset is active');
    await page.keyboard.press('u');
    await until(async () => (await order()) === all, 'the preset is undone');
    assert.equal(await announcement(), 'Undone');
  });

  it('keeps a preset, a mute and a move after a reload, and shows the feed of the preset', async () => {
    await page.keyboard.press('m');
    await page.keyboard.press('Alt+ArrowDown');
    await dial().locator('.preset-chip').click();
    await dial().getByRole('button', { name: 'New preset' }).click();
    await dial().getByLabel('Name').fill('Work');
    await dial().locator('.preset-editor [type=checkbox]').nth(0).check();
    await dial().getByRole('button', { name: 'Save' }).click();
    await until(async () => (await dial().locator('[data-row]').count()) === 1, 'the preset is active');
    const [name] = await dial().locator('[data-row] .row-title').allTextContents();
    await until(async () => (await readIndexedDbText(page)).includes('"name":"Work"'), 'the preset is stored');
    await page.reload();
    await until(async () => (await dial().locator('[data-row]').count()) === 1, 'the preset is active again');
    assert.equal((await dial().locator('[data-row] .row-title').allTextContents())[0], name);
    await page.goto(`${server.origin}/main`);
    await page.locator('changer-feed').getByRole('link', { name: 'Work' }).click();
    await page.locator('changer-feed article').first().waitFor();
    await until(async () => {
      const names = await page.locator('changer-feed article .post-name a').allTextContents();
      return names.length > 0 && names.every((each) => each === name);
    }, 'only its posts are shown');
  });
});
