import { type Page, readIndexedDbText, until, workerControls } from './browser.ts';

const FOREIGN = 'left-by-somebody';

export const cacheNames = (page: Page): Promise<string[]> => page.evaluate(() => caches.keys());

/** Waits until posts are rendered on the page. */
export const postsAreShown = (page: Page): Promise<void> => page.locator('changer-feed article').first().waitFor();

/**
 * Visits the app until everything for offline use is on the device. A cache entry that the app did not create is added first:
 * when it disappears, the purge of old caches is over.
 */
export async function visitUntilStored(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/healthz`);
  await page.evaluate(async (name) => (await caches.open(name)).put('/old', new Response('old')), FOREIGN);
  await page.goto(`${origin}/main`);
  await postsAreShown(page);
  await workerControls(page);
  await until(async () => !(await cacheNames(page)).includes(FOREIGN), 'the cache entry of the test is deleted');
  await oneCopyIsLeft(page);
  await until(async () => (await readIndexedDbText(page)).includes('post/'), 'posts are on the device');
}

/** After the purge, only one complete copy is left, the one of this build. Its shell was written last. */
export async function oneCopyIsLeft(page: Page): Promise<void> {
  await until(async () => String(await copies(page)) === 'true', 'one complete copy is left');
}

/** Waits until no tab purges caches. An interrupted purge leaves an additional copy, which the next visit deletes. */
export const purgeIsOver = (page: Page): Promise<void> =>
  until(
    () =>
      page.evaluate(async () => {
        const { held = [], pending = [] } = await navigator.locks.query();
        return ![...held, ...pending].some(({ name }) => name === 'changer-purge');
      }),
    'no tab purges',
  );

/**
 * Returns for each cache, in order of creation, if it is a complete copy: it contains the shell that its name ends with. No
 * cache is opened, because opening one that is being deleted would create it again, empty.
 */
export const copies = (page: Page): Promise<boolean[]> =>
  page.evaluate(async () => {
    const shells = (await caches.keys()).map((cacheName) =>
      caches.match(cacheName.slice(cacheName.indexOf('/')), { cacheName, ignoreVary: true }),
    );
    return (await Promise.all(shells)).map((shell) => shell !== undefined);
  });

/** Stops the service worker, as a browser does to free memory. */
export async function endWorkers(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('ServiceWorker.enable');
  await devtools.send('ServiceWorker.stopAllWorkers');
  await devtools.detach();
}
