// Page snapshots in tests: waits until a snapshot is stored, shows it without the app, and records what is painted.

import { type BrowserContext, type Page, readIndexedDbText, until } from './browser.ts';

/** Runs before the page's scripts: no tag is ever defined, so the snapshot stays and can be examined. */
export const WITHOUT_APP = 'customElements.define = () => {};';

/** Waits until the snapshot of the page's address contains a text. */
export const snapshotStored = (page: Page, text: string): Promise<void> =>
  until(async () => {
    const path = await page.evaluate(() => location.pathname + location.search);
    return (await readSnapshots(page)).some(([key, json]) => key === `snapshot/${path}` && json.includes(text));
  }, `a snapshot with “${text}” is stored`);

/** Returns the keys and the JSON of the snapshots in all databases of the device. */
export async function readSnapshots(page: Page): Promise<readonly (readonly [key: string, json: string])[]> {
  const lines = (await readIndexedDbText(page)).split('\n').map((line) => JSON.parse(line) as [string, unknown[]]);
  const entries = lines.flatMap(([, keys], index) =>
    index % 2 === 1 ? [] : keys.map((key, position) => [String(key), lines[index + 1]?.[1][position]] as const),
  );
  return entries.filter((entry): entry is [string, string] => entry[0].startsWith('snapshot/') && typeof entry[1] === 'string');
}

/** Replaces the stored snapshots of the anonymous reader. */
export const replaceSnapshots = (page: Page, json: string): Promise<void> =>
  page.evaluate(async (replacement) => {
    const opened = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('changer-anonymous');
      request.onsuccess = () => resolve(request.result);
    });
    const transaction = opened.transaction('things', 'readwrite');
    const store = transaction.objectStore('things');
    const request = store.getAllKeys();
    request.onsuccess = () => {
      for (const key of request.result) if (String(key).startsWith('snapshot/')) store.put(replacement, key);
    };
    await new Promise((resolve) => {
      transaction.oncomplete = resolve;
    });
    opened.close();
  }, json);

/** Opens a page in a new tab, without the app. */
export async function openWithoutApp(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.addInitScript(WITHOUT_APP);
  await page.goto(url);
  return page;
}

/** The snapshot that a page shows. */
export const snapshotOf = (page: Page) => page.locator('#drawn');

/**
 * Records which of the texts are visible in any frame from the start of the next document. Call `paintedTexts` to read the
 * list.
 */
export async function recordPaintedTexts(page: Page, texts: readonly string[]): Promise<void> {
  await page.addInitScript(`(() => {
    window.paintedTexts = [];
    const texts = ${JSON.stringify(texts)};
    const isVisible = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const readText = (root) =>
      [...root.children].filter(isVisible).map((child) => child.innerText ?? '').join(' ') +
      [...root.querySelectorAll('*')].filter((element) => element.shadowRoot && isVisible(element))
        .map((element) => readText(element.shadowRoot)).join(' ');
    const checkFrame = () => {
      const shown = readText(document);
      for (const text of texts) if (shown.includes(text) && !window.paintedTexts.includes(text)) window.paintedTexts.push(text);
      requestAnimationFrame(checkFrame);
    };
    requestAnimationFrame(checkFrame);
  })()`);
}

export const paintedTexts = (page: Page): Promise<string[]> => page.evaluate('window.paintedTexts');
