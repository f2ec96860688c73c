import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, type BrowserContext, launchBrowser, workerControls } from '../test/support/browser.ts';
import { startServer } from '../test/support/server.ts';
import { oneCopyIsLeft } from '../test/support/stored-copies.ts';
import { NETWORK, SLOWDOWN } from './throttling.ts';

const RUNS = 3;
/** Goals for the time of the first post, in ms: on our pages, in a tag, and on a second visit. */
const PAGE_GOAL_MS = 750;
const TAG_GOAL_MS = 1900;
const WARM_GOAL_MS = 320;

type Row = Record<string, string | number>;

/** Times of one page load in ms, and its layout shift score. */
interface Load {
  readonly firstPaint: number;
  readonly posts: number;
  readonly shift: number;
}

/**
 * Page load benchmark: measures when the first post is visible: cold with an empty cache, and warm on a second visit
 * with the service worker. Medians, in ms.
 */
export async function benchPages(): Promise<Row[]> {
  const [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  const { items } = (await (await fetch(`${server.origin}/api/channels`)).json()) as { items: { id: string }[] };
  const channelId = items[0]?.id ?? '';
  const thirdPartySite = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      `<!doctype html><title>A site</title><script type="module" src="${server.origin}/elements/changer-channel.js"></script><changer-channel channel-id="${channelId}"></changer-channel>`,
    );
  });
  await new Promise<void>((resolve) => thirdPartySite.listen(0, '127.0.0.1', resolve));
  try {
    return [
      await measure(browser, '/main', `${server.origin}/main`, PAGE_GOAL_MS),
      await measure(browser, '/channel/{id}', `${server.origin}/channel/${channelId}`, PAGE_GOAL_MS),
      await measure(
        browser,
        'a tag on a third-party page',
        `http://127.0.0.1:${(thirdPartySite.address() as AddressInfo).port}/`,
        TAG_GOAL_MS,
        false,
      ),
    ];
  } finally {
    await browser.close();
    await server.stop();
    thirdPartySite.close();
  }
}

async function measure(browser: Browser, name: string, url: string, goal: number, hasWorker = true): Promise<Row> {
  const cold: Load[] = [];
  const warm: Load[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const context = await browser.newContext({ viewport: { width: 412, height: 823 } });
    cold.push(await loadOnce(context, url, hasWorker));
    warm.push(await loadOnce(context, url, false));
    await context.close();
  }
  const medianOf = (loads: Load[], field: keyof Load) => Math.round(median(loads.map((load) => load[field])));
  return {
    name,
    'cold: first paint': medianOf(cold, 'firstPaint'),
    'cold: posts': medianOf(cold, 'posts'),
    goal,
    'warm: posts': medianOf(warm, 'posts'),
    'warm goal': WARM_GOAL_MS,
    'layout shift': Math.max(...cold.map(({ shift }) => shift)),
  };
}

async function loadOnce(context: BrowserContext, url: string, waitForWorker: boolean): Promise<Load> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.emulateNetworkConditions', NETWORK);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await page.addInitScript({ content: WATCH_FOR_POSTS });
  await page.goto(url);
  await page.waitForFunction(() => Reflect.get(window, 'benchPosts') !== undefined, undefined, { timeout: 60_000 });
  const load = await page.evaluate(() => ({
    firstPaint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    posts: Number(Reflect.get(window, 'benchPosts')),
    shift: Number(Reflect.get(window, 'benchShift')),
  }));
  // The service worker installs after the load. A warm visit is one that it serves.
  if (waitForWorker) {
    await workerControls(page);
    await oneCopyIsLeft(page);
  }
  await page.close();
  return load;
}

/**
 * Runs in the page. It is a string, because a compiled function would call helpers of its compiler. Records the first
 * frame with a post.
 */
export const WATCH_FOR_POSTS = `
  window.benchShift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.benchShift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
  const checkFrame = () => {
    const tags = [...document.querySelectorAll('#drawn > div, changer-feed, changer-channel')];
    const isVisible = tags.some((tag) => tag.shadowRoot?.querySelector('article')?.getBoundingClientRect().height > 0);
    if (isVisible) setTimeout(() => { window.benchPosts = performance.now(); });
    else requestAnimationFrame(checkFrame);
  };
  requestAnimationFrame(checkFrame);
`;

/** Returns the median, NaN for an empty list. */
export const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
