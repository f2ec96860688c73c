import type { AddressInfo } from 'node:net';
import { makeApp } from '../test/server/support/make-app.ts';
import { type BrowserContext, launchBrowser, type Page, until } from '../test/support/browser.ts';
import { seed } from './seed.ts';

const CHANNELS = 20;
const POSTS_PER_CHANNEL = 50;
const FLIPS = 50;
/** Slowdown of the CPU compared with this machine. */
const CPU_SLOWDOWN = 4;
const GOAL_MS = 100;
const PHONE_VIEWPORT = { width: 412, height: 823 };

/**
 * Dial benchmark: measures flips of the dial from the touch or the key to the frame that shows the next name and its
 * posts, offline, in ms.
 */
export async function benchFlip(): Promise<Record<string, string | number>[]> {
  const cleanups: (() => unknown)[] = [];
  const scope = { after: (cleanup?: unknown) => void (typeof cleanup === 'function' && cleanups.push(() => cleanup())) };
  const [{ app, store }, browser] = await Promise.all([
    makeApp(scope, { PUBLIC_URL: 'http://127.0.0.1:9' }, 'dist'),
    launchBrowser(),
  ]);
  try {
    await seed(store, CHANNELS * POSTS_PER_CHANNEL, CHANNELS);
    await app.listen({ port: 0, host: '127.0.0.1' });
    const context = await browser.newContext({ viewport: PHONE_VIEWPORT, hasTouch: true, locale: 'en-GB' });
    const page = await prefetchChannels(context, `http://localhost:${(app.server.address() as AddressInfo).port}/changer`);
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
      devtools.send('Input.dispatchTouchEvent', { type, touchPoints: x === undefined ? [] : [{ x, y: 300 }] });
    const swipe = async () => {
      await touch('touchStart', 300);
      for (let x = 280; x >= 160; x -= 20) await touch('touchMove', x);
      await touch('touchEnd');
    };
    return [
      await measure(page, 'by key', 'keydown', () => page.keyboard.press('ArrowRight')),
      await measure(page, 'by swipe', 'pointerup', swipe),
    ];
  } finally {
    await browser.close();
    for (const cleanup of cleanups) await cleanup();
  }
}

/** Opens the dial, waits until it has prefetched all channels, and disconnects the network. */
async function prefetchChannels(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  const prefetched = new Set<string>();
  page.on('requestfinished', (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/api\/channels\/[^/]+\/posts$/.test(pathname)) prefetched.add(pathname);
  });
  await page.goto(url);
  await until(async () => prefetched.size === CHANNELS, 'all channels are prefetched');
  await context.setOffline(true);
  return page;
}

/** Flips `FLIPS` times and returns the quantiles of the durations. `input` is the DOM event at which a flip starts. */
async function measure(page: Page, name: string, input: string, flip: () => Promise<unknown>) {
  await page.evaluate(`(${WATCH_FLIPS})(${JSON.stringify(input)})`);
  const durations: number[] = [];
  for (let count = 1; count <= FLIPS; count += 1) {
    await flip();
    await page.waitForFunction((expected) => Number(Reflect.get(window, 'benchFlips')?.length) === expected, count);
    durations.push(await page.evaluate((index) => Number(Reflect.get(window, 'benchFlips')[index]), count - 1));
  }
  const sorted = durations.toSorted((a, b) => a - b);
  const quantile = (fraction: number) => Math.round(sorted[Math.ceil(sorted.length * fraction) - 1] ?? Number.NaN);
  return {
    flips: name,
    count: FLIPS,
    channels: CHANNELS,
    median: quantile(0.5),
    p95: quantile(0.95),
    max: quantile(1),
    goal: GOAL_MS,
  };
}

/**
 * Runs in the page. It is a string, because a compiled function would call helpers of its compiler. Measures the time
 * of each flip until its frame.
 */
const WATCH_FLIPS = `(input) => {
  window.benchFlips = [];
  const root = document.querySelector('changer-dial').shadowRoot;
  const name = () => root.querySelector('#on-now').textContent;
  window.addEventListener(input, ({ timeStamp }) => {
    const previousName = name();
    const checkFrame = () => {
      const times = [...root.querySelectorAll('.card-posts time')];
      const isShown = name() !== previousName && times.length > 0 && times.every((time) => time.textContent !== '');
      if (isShown) setTimeout(() => window.benchFlips.push(performance.now() - timeStamp));
      else requestAnimationFrame(checkFrame);
    };
    requestAnimationFrame(checkFrame);
  }, { capture: true });
}`;
