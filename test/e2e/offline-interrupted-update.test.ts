// Interrupted updates of the service worker.

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { type BrowserContext, type Page, until, workerControls } from '../support/browser.ts';
import { type Builds, isNext, isNextActive, isUpdateWaiting, startBuilds } from '../support/builds.ts';
import { NEXT } from '../support/next-build.ts';
import {
  cacheNames,
  copies,
  endWorkers,
  oneCopyIsLeft,
  postsAreShown,
  purgeIsOver,
  visitUntilStored,
} from '../support/stored-copies.ts';

describe('an interrupted update', () => {
  let builds: Builds;
  let context: BrowserContext;
  let page: Page;

  before(async () => {
    builds = await startBuilds();
  });
  after(() => builds.stop());
  beforeEach(async () => {
    context = await builds.enter();
    page = await context.newPage();
  });
  afterEach(() => context.close());

  const previousBuildOpensOffline = async (): Promise<void> => {
    await builds.goOffline(page);
    await page.reload();
    await postsAreShown(page);
    assert.equal(await isNext(page), false);
  };

  it('keeps the previous build complete if the network fails half-way, and completes when the network is back', async () => {
    await builds.visitAndDeploy(page);
    const downloadHeld = builds.proxy.hold(new RegExp(`${NEXT}\\w+\\.js`));
    await page.reload();
    await downloadHeld;
    await previousBuildOpensOffline();
    builds.proxy.open();
    await page.reload();
    await until(() => isUpdateWaiting(page), 'a worker waits');
    await page.reload();
    await isNextActive(page);
    await oneCopyIsLeft(page);
  });

  it('keeps the previous build complete if a file is missing', async () => {
    await builds.visitAndDeploy(page);
    builds.proxy.respondNotFound(/changer-not-found-NEXT/);
    await page.reload();
    await updateFails(page);
    await previousBuildOpensOffline();
  });

  it('keeps the previous build complete if the disk is full, and completes when there is space', async () => {
    await builds.visitAndDeploy(page);
    const freeDisk = await fillDisk(page, builds.proxy.origin);
    await page.reload();
    await updateFails(page);
    await previousBuildOpensOffline();
    builds.proxy.open();
    await freeDisk();
    await page.reload();
    await until(() => isUpdateWaiting(page), 'a worker waits');
  });

  it('leaves two copies if the worker is killed before the cleanup, and still opens offline', async () => {
    await context.addInitScript(() => {
      const originalDelete = CacheStorage.prototype.delete;
      CacheStorage.prototype.delete = function (name) {
        return sessionStorage.getItem('dies') === null ? originalDelete.call(this, name) : new Promise(() => {});
      };
    });
    await visitUntilStored(page, builds.proxy.origin);
    await page.evaluate(() => sessionStorage.setItem('dies', 'here'));
    await page.reload();
    await until(async () => String(await copies(page)) === 'true,true', 'a new copy exists alongside the previous one');
    await builds.goOffline(page);
    await page.evaluate(() => sessionStorage.removeItem('dies'));
    for (let visit = 1; visit <= 2; visit += 1) {
      await page.reload();
      await postsAreShown(page);
    }
    builds.proxy.open();
    await page.reload();
    await oneCopyIsLeft(page);
  });

  it('deletes nothing if the worker is killed before its copy is complete, and does not block the cleanup of other tabs', async () => {
    await visitUntilStored(page, builds.proxy.origin);
    const before = await cacheNames(page);
    await page.addInitScript(() => {
      const { setTimeout } = window;
      Reflect.set(window, 'setTimeout', (run: () => void, ms = 0) => setTimeout(run, ms === 60_000 ? 2000 : ms));
    });
    const writes = builds.proxy.hold(/healthz/);
    await page.reload();
    await writes;
    await endWorkers(page);
    await purgeIsOver(page);
    assert.deepEqual(await cacheNames(page), before);
    builds.proxy.open();
    const other = await context.newPage();
    await other.goto(`${builds.proxy.origin}/main`);
    await until(
      async () => !(await cacheNames(other)).some((name) => before.includes(name)),
      'the other tab has deleted the old caches',
    );
    await oneCopyIsLeft(other);
  });

  it('ends in the new build if no file of the previous one remains on the device or the server', async () => {
    await builds.visitAndDeploy(page);
    builds.proxy.respondNotFound(new RegExp(`/assets/(?!\\S*${NEXT})\\S+\\.js$`));
    await page.evaluate(async () => Promise.all((await caches.keys()).map((name) => caches.delete(name))));
    await endWorkers(page);
    await clearHttpCache(page);
    await page.reload();
    await isNextActive(page);
    await postsAreShown(page);
  });
});

/** Requests a check for an update from the browser, and waits until it has failed. */
async function updateFails(page: Page): Promise<void> {
  await workerControls(page);
  const left = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update().catch(() => {});
    const { installing } = registration;
    if (installing !== null) await new Promise((done) => installing.addEventListener('statechange', done, { once: true }));
    return registration.waiting === null;
  });
  assert.equal(left, true, 'no worker waits');
}

/** Leaves an origin no free storage quota. Returns a function that ends this. */
async function fillDisk(page: Page, origin: string): Promise<() => Promise<void>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1000 });
  return async () => {
    await devtools.send('Storage.overrideQuotaForOrigin', { origin });
  };
}

/** Clears the HTTP cache of the browser. */
async function clearHttpCache(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.clearBrowserCache');
  await devtools.detach();
}
