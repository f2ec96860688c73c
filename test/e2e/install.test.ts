// Installable app (PWA): install prompt, and manifest with brand, icons and screenshots.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';
import { type Browser, launchBrowser, until, workerControls } from '../support/browser.ts';
import { type RunningServer, startServer } from '../support/server.ts';

describe('the installable app', () => {
  let server: RunningServer;
  let browser: Browser;

  before(async () => {
    [server, browser] = await Promise.all([
      startServer({ env: { DEMO: 'off', BRAND_NAME: 'City News', BRAND_COLOR: '#123456' } }),
      launchBrowser(),
    ]);
  });
  after(async () => {
    await browser.close();
    await server.stop();
  });

  it('has no installability errors in the browser', async () => {
    const page = await browser.newPage();
    await page.goto(`${server.origin}/main`);
    await workerControls(page);
    const devtools = await page.context().newCDPSession(page);
    const { errors } = await devtools.send('Page.getAppManifest');
    assert.deepEqual(errors, []);
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    // The browser context of a test counts as incognito. Nothing else may prevent the installation.
    assert.deepEqual(
      installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito'),
      [],
    );
    await page.close();
  });

  it('offers the installation at the second visit, after some reading, and the browser accepts it', async () => {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    await page.clock.install();
    const hint = page.getByRole('region', { name: 'Add to the home screen' });
    const read = async () => {
      await page.goto(`${server.origin}/main`);
      await page.evaluate(
        `window.dispatchEvent(Object.assign(new Event('beforeinstallprompt'), { prompt: () => (window.asked = true) }))`,
      );
      // The lazy chunk with the offer loads when the page is idle. It also handles this key.
      const keys = page.getByRole('dialog', { name: 'Shortcuts on this page' });
      await until(async () => {
        await page.clock.runFor(1000);
        await page.keyboard.press('?');
        return keys.isVisible();
      }, 'the frame answers a key');
      await keys.getByRole('button', { name: 'Close' }).click();
      // The clock moves in steps, so that the databases of the device can respond in between. The app stops waiting for a
      // database after three seconds.
      for (let second = 0; second < 60; second++) await page.clock.runFor(1000);
    };
    await read();
    assert.equal(await hint.isVisible(), false);
    await page.evaluate(() => localStorage.setItem('changer_seen', String(Date.now() - 7_200_000)));
    await read();
    await hint.waitFor();
    await hint.getByRole('button', { name: 'Add' }).click();
    assert.equal(await page.evaluate(() => Reflect.get(window, 'asked')), true);
    await hint.waitFor({ state: 'hidden' });
    await context.close();
  });

  it('has the brand in its manifest, and icons that load in the listed sizes', async () => {
    const manifest = await (await fetch(`${server.origin}/manifest.webmanifest`)).json();
    assert.equal(manifest.name, 'City News');
    assert.equal(manifest.theme_color, '#123456');
    assert.ok(manifest.icons.some(({ purpose }: { purpose?: string }) => purpose === 'maskable'));
    const page = await browser.newPage();
    await page.goto(`${server.origin}/main`);
    // The screenshots show the channels of the demo, and not this brand.
    assert.equal(manifest.screenshots, undefined);
    for (const { url } of manifest.shortcuts) {
      await page.goto(server.origin + url);
      await page.locator('h1').first().waitFor();
      assert.equal(await page.locator('changer-not-found').count(), 0);
    }
    for (const { src, sizes } of manifest.icons) {
      const size = await page.evaluate(async (address) => {
        const image = new Image();
        image.src = address;
        await image.decode();
        return `${image.naturalWidth}x${image.naturalHeight}`;
      }, src);
      if (sizes !== 'any') assert.equal(size, sizes, src);
    }
    assert.equal(await page.locator('meta[name=theme-color]').getAttribute('content'), '#123456');
    await page.close();
  });

  it('has screenshots of the demo in its manifest if it runs the demo', async () => {
    const demo = await startServer();
    try {
      const { screenshots } = await (await fetch(`${demo.origin}/manifest.webmanifest`)).json();
      assert.equal(screenshots.length, 2);
      for (const { src, sizes, type } of screenshots) {
        const response = await fetch(demo.origin + src);
        assert.equal(response.headers.get('content-type'), type);
        const { width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
        assert.equal(`${width}x${height}`, sizes);
      }
    } finally {
      await demo.stop();
    }
  });
});
