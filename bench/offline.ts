import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { openStore } from '../server/storage/open.ts';
import { type BrowserContext, type Page, until, workerControls } from '../test/support/browser.ts';
import { CHROME_ARGS, ensureChrome } from '../test/support/chrome.mjs';
import { type RunningServer, startServer } from '../test/support/server.ts';
import { oneCopyIsLeft } from '../test/support/stored-copies.ts';
import { median } from './median.ts';
import { readMeasurement, waitUntilAtRest } from './page-watch.ts';
import { WATCH_FOR_POSTS } from './pages.ts';
import { type Language, languageOf, seed, seededPosts, WORDS } from './seed.ts';
import { SLOWDOWN } from './throttling.ts';

const CHANNELS = 10;
const SMALL_POST_COUNT = 20;
const USUAL_POST_COUNT = 5000;
/** Maximum number of posts that a device prefetches. */
const MAX_POST_COUNT = 20_000;
const STARTS = 5;
/** Rounds per script. In each, the first search is in a newly opened page, the others in the same page. */
const ROUNDS = 3;
const SCRIPTS: readonly Language[] = ['english', 'russian', 'arabic', 'chinese'];
/** Further searches per round, in the same page. */
const LATER_SEARCHES = 2;
const SEARCHES_PER_ROUND = 1 + LATER_SEARCHES;

type Row = Record<string, string | number>;

/**
 * Offline benchmark: measures what a device does with its prefetched posts while the server is stopped. In medians:
 *
 * First posts, in ms after the navigation, with a CPU slowed down four times: in a browser that was just started, in a
 * new tab of a running one, and both online. The same with few stored posts, for comparison.
 *
 * Searches, in ms from the last key to the frame with the post (one of the oldest) that alone contains the word. Also
 * the longest task, during which no key is handled.
 */
export async function benchOffline(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const posts of [SMALL_POST_COUNT, USUAL_POST_COUNT, MAX_POST_COUNT])
    await withDevice(posts, async (device, server) => {
      rows.push({ posts, ...(await measureStarts(device, server)) });
      if (posts === MAX_POST_COUNT) rows.push(...(await measureSearches(device, server)));
    });
  return rows;
}

/** Starts a browser on a persistent profile for each run. */
type Device = <Result>(run: (browser: BrowserContext) => Promise<Result>) => Promise<Result>;

/** Provides a device that has prefetched all posts, and the running server. */
async function withDevice(posts: number, measureDevice: (device: Device, server: RunningServer) => Promise<void>): Promise<void> {
  const server = await startServer({ demo: false, env: { DEMO: 'off' } });
  const profile = await mkdtemp(join(tmpdir(), 'changer-device-'));
  const device: Device = async (run) => {
    const options = { executablePath: ensureChrome(), args: [...CHROME_ARGS], locale: 'en-GB' };
    const browser = await chromium.launchPersistentContext(profile, { ...options, viewport: { width: 412, height: 823 } });
    try {
      return await run(browser);
    } finally {
      await browser.close();
    }
  };
  try {
    await server.halt();
    const store = await openStore({ dataDir: server.dataDir });
    await seed(store, posts, CHANNELS);
    await store.close();
    await server.resume();
    await device((browser) => prefetchPosts(browser, server.origin, posts));
    await measureDevice(device, server);
  } finally {
    await server.stop();
    await rm(profile, { recursive: true, force: true });
  }
}

/** Opens the app, and waits until the service worker has cached all files and the device has stored all posts. */
async function prefetchPosts(browser: BrowserContext, origin: string, posts: number): Promise<void> {
  const page = await browser.newPage();
  // The reader's setting that allows the most prefetched posts.
  await page.addInitScript(() => localStorage.setItem('changer_amount', 'much'));
  await page.goto(`${origin}/main`);
  await workerControls(page);
  await oneCopyIsLeft(page);
  await until(async () => (await countStoredPosts(page)) === posts, 'all posts are prefetched');
}

const countStoredPosts = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const openRequest = indexedDB.open('changer-public');
        openRequest.onsuccess = () => {
          const countRequest = openRequest.result
            .transaction('things')
            .objectStore('things')
            .count(IDBKeyRange.bound('post/', 'post0'));
          countRequest.onsuccess = () => {
            openRequest.result.close();
            resolve(countRequest.result);
          };
        };
      }),
  );

async function measureStarts(device: Device, server: RunningServer): Promise<Row> {
  const url = `${server.origin}/main`;
  const measureBoth = async () => {
    const [browsers, tabs]: [number[], number[]] = [[], []];
    for (let start = 0; start < STARTS; start += 1)
      await device(async (browser) => {
        browsers.push(await firstPosts(browser, url));
        tabs.push(await firstPosts(browser, url));
      });
    return [browsers, tabs].map((times) => Math.round(median(times)));
  };
  const [onlineBrowser = 0, onlineTab = 0] = await measureBoth();
  await server.halt();
  const [browser = 0, tab = 0] = await measureBoth();
  return {
    'offline: browser': browser,
    'offline: tab': tab,
    'tab goal': 320,
    'online: browser': onlineBrowser,
    'online: tab': onlineTab,
  };
}

/** Opens a tab, and closes it when its first posts are visible. Returns the time in ms. */
async function firstPosts(browser: BrowserContext, url: string): Promise<number> {
  const page = await browser.newPage();
  const devtools = await browser.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await page.addInitScript({ content: WATCH_FOR_POSTS });
  await page.goto(url);
  await waitUntilAtRest(devtools, 0, 30_000);
  const { content } = await page.evaluate(readMeasurement);
  await page.close();
  return content;
}

async function measureSearches(device: Device, { origin }: RunningServer): Promise<Row[]> {
  const rows: Row[] = [];
  for (const script of SCRIPTS) {
    const [first, later]: [SearchTiming[], SearchTiming[]] = [[], []];
    const searchWords = findRareWords(script, ROUNDS * SEARCHES_PER_ROUND);
    for (let round = 0; round < ROUNDS; round += 1)
      await device(async (browser) => {
        const page = await openSearch(browser, origin);
        const [firstWord = '', ...otherWords] = searchWords.slice(round * SEARCHES_PER_ROUND, (round + 1) * SEARCHES_PER_ROUND);
        first.push(await measureSearch(page, firstWord));
        for (const word of otherWords) later.push(await measureSearch(page, word));
        later.push(await measureSearch(page, WORDS[script][0] ?? ''));
      });
    rows.push({
      posts: MAX_POST_COUNT,
      script,
      ...summarize('first', first),
      'first goal': 1000,
      ...summarize('later', later),
      'later goal': 300,
    });
  }
  return rows;
}

interface SearchTiming {
  /** Time since the last key, in ms. */
  readonly duration: number;
  /** Duration in ms. */
  readonly longestTask: number;
}

const summarize = (name: string, timings: readonly SearchTiming[]): Row => ({
  [`${name} search`]: Math.round(median(timings.map(({ duration }) => duration))),
  [`${name}: longest task`]: Math.round(Math.max(...timings.map(({ longestTask }) => longestTask))),
});

async function openSearch(browser: BrowserContext, origin: string): Promise<Page> {
  const page = await browser.newPage();
  await page.addInitScript({ content: WATCH_SEARCH });
  await page.goto(`${origin}/main?search`);
  await page.locator('input[type=search]').waitFor();
  await page.locator('.start-chips').waitFor();
  return page;
}

async function measureSearch(page: Page, word: string): Promise<SearchTiming> {
  const field = page.locator('input[type=search]');
  await field.fill('');
  await page.locator('article').first().waitFor({ state: 'hidden' });
  const timing: Promise<SearchTiming> = page.evaluate((searched) => Reflect.get(window, 'benchFind')(searched), word);
  await page.keyboard.type(word);
  return timing;
}

/** Returns words that occur in only one post, from the oldest posts of a script. */
function findRareWords(script: Language, count: number): string[] {
  const texts = [...seededPosts(MAX_POST_COUNT, CHANNELS)]
    .flat()
    .flatMap(({ post }, index) => (languageOf(index % CHANNELS) === script ? post.text : []));
  const isRare = (word: string) => word.length > 1 && texts.filter((text) => text.includes(word)).length === 1;
  const foundWords: string[] = [];
  for (const text of texts) {
    const word = text.split(/[ ，#]+/).find(isRare);
    if (word !== undefined) foundWords.push(word);
    if (foundWords.length === count) break;
  }
  return foundWords;
}

/** Runs in the page. It is a string, because a compiled function would call helpers of its compiler. */
const WATCH_SEARCH = `
  let typedAt = 0;
  let longestTask = 0;
  addEventListener('input', ({ timeStamp }) => { typedAt = timeStamp; }, { capture: true });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longestTask = Math.max(longestTask, duration);
  }).observe({ type: 'longtask' });
  window.benchFind = (word) => new Promise((resolve) => {
    longestTask = 0;
    const checkFrame = () => {
      const articles = [...document.querySelectorAll('changer-feed')].flatMap((tag) => [...tag.shadowRoot.querySelectorAll('article')]);
      if (!articles.some(({ textContent }) => textContent.includes(word))) return requestAnimationFrame(checkFrame);
      setTimeout(() => {
        const duration = performance.now() - typedAt;
        // Long tasks are reported with a delay.
        setTimeout(() => resolve({ duration, longestTask }), 200);
      });
    };
    requestAnimationFrame(checkFrame);
  });
`;
