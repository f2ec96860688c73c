// Two builds of the app for update tests, behind one address.

import { type Browser, type BrowserContext, launchBrowser, type Page, workerControls } from './browser.ts';
import { type FailingProxy, openFailingProxy } from './failing-proxy.ts';
import { makeNextBuild, NEXT } from './next-build.ts';
import { startServer } from './server.ts';
import { endWorkers, visitUntilStored } from './stored-copies.ts';

/**
 * Two builds of the app over the same data, behind one address. The test decides when the later build replaces the previous
 * one.
 */
export interface Builds {
  readonly proxy: FailingProxy;
  /** Opens another browser without any stored data. It gets the previous build. */
  enter(options?: Parameters<Browser['newContext']>[0]): Promise<BrowserContext>;
  deploy(): void;
  /** Visits the previous build until it is completely stored on the device. Then deploys the later build. */
  visitAndDeploy(page: Page): Promise<void>;
  /** Cuts the network, and stops the service worker, which has data in memory. */
  goOffline(page: Page): Promise<void>;
  stop(): Promise<void>;
}

/** Creates the later build and starts a server for each build. Call stop() when done. */
export async function startBuilds(): Promise<Builds> {
  const [browser, next, previous] = await Promise.all([launchBrowser(), makeNextBuild(), startServer()]);
  const later = await startServer({ root: next.root, dataDir: previous.dataDir });
  const proxy = await openFailingProxy(previous.origin);
  const deploy = () => proxy.forwardTo(later.origin);
  return {
    proxy,
    enter(options = { locale: 'en-GB' }) {
      proxy.forwardTo(previous.origin);
      proxy.open();
      return browser.newContext(options);
    },
    deploy,
    async visitAndDeploy(page) {
      await visitUntilStored(page, proxy.origin);
      deploy();
    },
    async goOffline(page) {
      proxy.cut();
      await endWorkers(page);
    },
    async stop() {
      await browser.close();
      proxy.stop();
      await later.stop();
      await previous.stop();
      await next.remove();
    },
  };
}

/** Returns true if the page is from the later build. */
export const isNext = (page: Page): Promise<boolean> =>
  page.evaluate(
    (marker) => document.querySelector('script[type=module][src]')?.getAttribute('src')?.includes(marker) === true,
    NEXT,
  );

/** Waits until the page is from the later build and a service worker controls it. */
export async function isNextActive(page: Page): Promise<void> {
  await page.waitForFunction(
    (marker) => document.querySelector('script[type=module]')?.getAttribute('src')?.includes(marker),
    NEXT,
  );
  await workerControls(page);
}

/** Returns true if a service worker of another build is waiting. */
export const isUpdateWaiting = (page: Page): Promise<boolean> =>
  page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting != null);
