import { keptText, type Page, until, workerControls } from './browser.ts';

const FOREIGN = 'left-by-somebody';

export const cacheNames = (page: Page): Promise<string[]> => page.evaluate(() => caches.keys());

/** Waits until posts stand on the page. */
export const postsAreShown = (page: Page): Promise<void> => page.locator('changer-feed article').first().waitFor();

/** Visits with a foreign cache entry there, whose end tells that the purge has been, until all that offline needs is on the device. */
export async function visitOnce(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/healthz`);
  await page.evaluate(async (name) => (await caches.open(name)).put('/old', new Response('old')), FOREIGN);
  await page.goto(`${origin}/main`);
  await postsAreShown(page);
  await workerControls(page);
  await until(async () => !(await cacheNames(page)).includes(FOREIGN), 'the foreign entry is gone');
  await oneCopyIsLeft(page);
  await until(async () => (await keptText(page)).includes('post/'), 'posts are on the device');
}

/** After the purge one whole copy is left, ours: its shell was written last. */
export async function oneCopyIsLeft(page: Page): Promise<void> {
  await until(async () => String(await copies(page)) === 'true', 'one whole copy is left');
}

/** Waits until no tab purges: one that goes half-way leaves a copy more, which the next visit takes away. */
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
 * Gives of each cache, in the order they were made, whether it is a whole copy: one that has the shell that its name ends in.
 * None is opened: one that is deleted meanwhile would be made anew, and empty.
 */
export const copies = (page: Page): Promise<boolean[]> =>
  page.evaluate(async () => {
    const shells = (await caches.keys()).map((cacheName) =>
      caches.match(cacheName.slice(cacheName.indexOf('/')), { cacheName, ignoreVary: true }),
    );
    return (await Promise.all(shells)).map((shell) => shell !== undefined);
  });

/** Ends the service worker as a browser does that wants its memory back. */
export async function endWorkers(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('ServiceWorker.enable');
  await devtools.send('ServiceWorker.stopAllWorkers');
  await devtools.detach();
}
