import { type Browser, type BrowserContext, launchBrowser, type Page, workerControls } from './browser.ts';
import { endWorkers, visitOnce } from './copies.ts';
import { type Gate, openGate } from './gate.ts';
import { makeNextBuild, NEXT } from './next-build.ts';
import { startServer } from './server.ts';

/** Two builds of the app over the same data, and one address, behind which the one follows the other when a test says so. */
export interface Builds {
  readonly gate: Gate;
  /** Opens another browser, as of somebody who was never here, to whom the former build is served. */
  enter(options?: Parameters<Browser['newContext']>[0]): Promise<BrowserContext>;
  deploy(): void;
  /** Visits the former build, so that it is whole on the device, and puts the later one in its place. */
  visitAndDeploy(page: Page): Promise<void>;
  /** Takes the network away, and ends the worker, which has its memory. */
  goOffline(page: Page): Promise<void>;
  stop(): Promise<void>;
}

/** Makes the later build and starts a server of each. Call stop() when done. */
export async function startBuilds(): Promise<Builds> {
  const [browser, next, former] = await Promise.all([launchBrowser(), makeNextBuild(), startServer()]);
  const later = await startServer({ root: next.root, dataDir: former.dataDir });
  const gate = await openGate(former.origin);
  const deploy = () => gate.lead(later.origin);
  return {
    gate,
    enter(options = { locale: 'en-GB' }) {
      gate.lead(former.origin);
      gate.open();
      return browser.newContext(options);
    },
    deploy,
    async visitAndDeploy(page) {
      await visitOnce(page, gate.origin);
      deploy();
    },
    async goOffline(page) {
      gate.cut();
      await endWorkers(page);
    },
    async stop() {
      await browser.close();
      gate.stop();
      await later.stop();
      await former.stop();
      await next.remove();
    },
  };
}

/** Whether the page is of the later build. */
export const isNext = (page: Page): Promise<boolean> =>
  page.evaluate((mark) => document.querySelector('script[type=module][src]')?.getAttribute('src')?.includes(mark) === true, NEXT);

/** Waits until the page is of the later build, and a worker controls it. */
export async function nextIsIn(page: Page): Promise<void> {
  await page.waitForFunction((mark) => document.querySelector('script[type=module]')?.getAttribute('src')?.includes(mark), NEXT);
  await workerControls(page);
}

/** Whether a worker of another build is there and waits. */
export const oneWaits = (page: Page): Promise<boolean> =>
  page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting != null);
