import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Browser, launchBrowser, workerControls } from '../support/browser.ts';
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

  it('gives the browser no reason against installing it', async () => {
    const page = await browser.newPage();
    await page.goto(`${server.origin}/main`);
    await workerControls(page);
    const devtools = await page.context().newCDPSession(page);
    const { errors } = await devtools.send('Page.getAppManifest');
    assert.deepEqual(errors, []);
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    // A window of the test's own is no window of a reader's profile; nothing else may stand in the way.
    assert.deepEqual(
      installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito'),
      [],
    );
    await page.close();
  });

  it('carries the brand in its manifest, and icons that load in the sizes it names', async () => {
    const manifest = await (await fetch(`${server.origin}/manifest.webmanifest`)).json();
    assert.equal(manifest.name, 'City News');
    assert.equal(manifest.theme_color, '#123456');
    assert.ok(manifest.icons.some(({ purpose }: { purpose?: string }) => purpose === 'maskable'));
    const page = await browser.newPage();
    await page.goto(`${server.origin}/main`);
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
});
