// Update of the service worker to a new build of the app.

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { type BrowserContext, openCheck, type Page, until } from '../support/browser.ts';
import { type Builds, isNext, isNextActive, isUpdateWaiting, startBuilds } from '../support/builds.ts';
import { snapshotOf, snapshotStored, WITHOUT_APP } from '../support/page-snapshots.ts';
import { oneCopyIsLeft, postsAreShown, purgeIsOver } from '../support/stored-copies.ts';

const UPDATE_OFFER = 'There is a new version';

describe('a new build of the app', () => {
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

  const updateOfferShown = (target: Page) => target.getByText(UPDATE_OFFER).waitFor();

  it('is offered, not forced, and is active after one reload, also offline', async () => {
    await builds.visitAndDeploy(page);
    await page.reload();
    await postsAreShown(page);
    await updateOfferShown(page);
    assert.equal(await isNext(page), false);
    await purgeIsOver(page);
    await page.getByRole('button', { name: 'Reload' }).click();
    await isNextActive(page);
    await postsAreShown(page);
    await oneCopyIsLeft(page);
    assert.equal(await page.getByText(UPDATE_OFFER).count(), 0);
    await builds.goOffline(page);
    await page.reload();
    await postsAreShown(page);
    assert.equal(await isNext(page), true);
  });

  it('does not show a page snapshot of the previous build', async () => {
    await builds.visitAndDeploy(page);
    await snapshotStored(page, '');
    await page.reload();
    await until(() => isUpdateWaiting(page), 'a worker waits');
    await page.addInitScript(WITHOUT_APP);
    await page.reload();
    assert.equal(await isNext(page), true);
    assert.equal(await page.locator('script#snapshot').count(), 0);
    assert.equal(await snapshotOf(page).count(), 0);
  });

  it('is active after a reload by the reader, also if the offer was not shown yet', async () => {
    await builds.visitAndDeploy(page);
    await page.reload();
    await until(() => isUpdateWaiting(page), 'a worker waits');
    await page.reload();
    assert.equal(await isNext(page), true);
    await postsAreShown(page);
  });

  it('is active offline if the waiting worker was killed', async () => {
    await builds.visitAndDeploy(page);
    await page.reload();
    await until(() => isUpdateWaiting(page), 'a worker waits');
    await builds.goOffline(page);
    await page.reload();
    await postsAreShown(page);
    assert.equal(await isNext(page), true);
  });

  it('lets another tab continue with the previous build, and offers it a reload', async () => {
    await builds.visitAndDeploy(page);
    const other = await context.newPage();
    await other.goto(`${builds.proxy.origin}/main`);
    await updateOfferShown(other);
    await purgeIsOver(other);
    await other.reload();
    await isNextActive(other);
    await oneCopyIsLeft(other);
    await updateOfferShown(page);
    await openCheck(page);
    await page.locator('changer-self-test').getByRole('heading').first().waitFor();
    assert.equal(await isNext(page), false);
    await page.reload();
    await isNextActive(page);
  });

  it('waits until no page of the app is open, then activates', async () => {
    await builds.visitAndDeploy(page);
    await page.reload();
    await updateOfferShown(page);
    for (let reload = 1; reload <= 5; reload += 1) {
      await page.reload();
      await isNextActive(page);
      assert.equal(await isUpdateWaiting(page), true);
    }
    await page.goto('about:blank');
    await page.goto(`${builds.proxy.origin}/healthz`);
    await until(async () => !(await isUpdateWaiting(page)), 'no worker waits');
    await page.goto(`${builds.proxy.origin}/main`);
    await isNextActive(page);
    await oneCopyIsLeft(page);
  });
});
