import type { AddressInfo } from 'node:net';
import { makeApp } from '../test/server/make-app.ts';
import { type BrowserContext, launchBrowser, type Page, until } from '../test/support/browser.ts';
import { seed } from './seed.ts';

const CHANNELS = 20;
const FLIPS = 50;
/** Slowdown of the CPU compared with this machine. */
const SLOWDOWN = 4;
const GOAL = 100;
const PHONE = { width: 412, height: 823 };

/**
 * Dial benchmark: measures flips of the dial from the touch or the key to the frame that shows the next name and its posts,
 * offline, in ms.
 */
export async function benchFlip(): Promise<Record<string, string | number>[]> {
  const ends: (() => unknown)[] = [];
  const scope = { after: (end?: unknown) => void (typeof end === 'function' && ends.push(() => end())) };
  const [{ app, store }, browser] = await Promise.all([
    makeApp(scope, { PUBLIC_URL: 'http://127.0.0.1:9' }, 'dist'),
    launchBrowser(),
  ]);
  try {
    await seed(store, CHANNELS * 50, CHANNELS);
    await app.listen({ port: 0, host: '127.0.0.1' });
    const context = await browser.newContext({ viewport: PHONE, hasTouch: true, locale: 'en-GB' });
    const page = await readAhead(context, `http://localhost:${(app.server.address() as AddressInfo).port}/changer`);
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
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
    for (const end of ends) await end();
  }
}

/** Opens the dial, waits until it has prefetched all channels, and disconnects the network. */
async function readAhead(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  const read = new Set<string>();
  page.on('requestfinished', (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/api\/channels\/[^/]+\/posts$/.test(pathname)) read.add(pathname);
  });
  await page.goto(url);
  await until(async () => read.size === CHANNELS, 'all channels are read ahead');
  await context.setOffline(true);
  return page;
}

async function measure(page: Page, what: string, input: string, flip: () => Promise<unknown>) {
  await page.evaluate(`(${watch})(${JSON.stringify(input)})`);
  const took: number[] = [];
  for (let count = 1; count <= FLIPS; count += 1) {
    await flip();
    await page.waitForFunction((wanted) => Number(Reflect.get(window, 'benchFlips')?.length) === wanted, count);
    took.push(await page.evaluate((at) => Number(Reflect.get(window, 'benchFlips')[at]), count - 1));
  }
  const sorted = took.toSorted((one, other) => one - other);
  const at = (share: number) => Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN);
  return { flips: what, count: FLIPS, channels: CHANNELS, median: at(0.5), p95: at(0.95), max: at(1), goal: GOAL };
}

/**
 * Runs in the page. It is a string, because a compiled function would call helpers of its compiler. Measures the time of each
 * flip until its frame.
 */
const watch = `(input) => {
  window.benchFlips = [];
  const root = document.querySelector('changer-dial').shadowRoot;
  const name = () => root.querySelector('#on-now').textContent;
  window.addEventListener(input, ({ timeStamp }) => {
    const before = name();
    const look = () => {
      const times = [...root.querySelectorAll('.card-posts time')];
      const isShown = name() !== before && times.length > 0 && times.every((time) => time.textContent !== '');
      if (isShown) setTimeout(() => window.benchFlips.push(performance.now() - timeStamp));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, { capture: true });
}`;
