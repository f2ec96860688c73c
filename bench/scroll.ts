import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openStore } from '../server/storage/open.ts';
import { type Browser, launchBrowser, type Page } from '../test/support/browser.ts';
import { startServer } from '../test/support/server.ts';
import { seed } from './seed.ts';

const POSTS = 5000;
const CHANNELS = 10;
/** Numbers of loaded posts at which the scrolling and the memory are measured. */
const MEASURED_POST_COUNTS = [500, 2500, POSTS - 200];
const CPU_SLOWDOWN = 4;
/** Speed in CSS px per second: the speed of a fling in measurements, and a higher one between them. */
const MEASURED_SPEED = 3000;
const TRAVEL_SPEED = 20_000;
/** Distance that is measured, in CSS px, downwards and then back. */
const MEASURED_DISTANCE = 45_000;
const FRAME_MS = 1000 / 60;

type Row = Record<string, string | number>;
type Devtools = Awaited<ReturnType<ReturnType<Page['context']>['newCDPSession']>>;

/**
 * Scroll benchmark: scrolls through 5000 posts with a CPU slowed down four times, compared with a bare page of the same
 * number of articles.
 */
export async function benchScroll(): Promise<Row[]> {
  const server = await startServer({ demo: false });
  const bare = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(BARE_PAGE));
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
  const browser = await launchBrowser();
  try {
    await server.halt();
    const store = await openStore({ dataDir: server.dataDir });
    await seed(store, POSTS, CHANNELS);
    await store.close();
    await server.resume();
    return [
      ...(await measure(browser, '/main', `${server.origin}/main`)),
      ...(await measure(browser, 'bare articles', `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`)),
    ];
  } finally {
    await browser.close();
    await server.stop();
    bare.close();
  }
}

async function measure(browser: Browser, name: string, url: string): Promise<Row[]> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 }, hasTouch: true });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await page.addInitScript({ content: WATCH_SCROLL });
  await page.goto(url);
  await page.locator('article').first().waitFor();
  await devtools.send('Performance.enable');
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  const rows: Row[] = [];
  for (const postCount of MEASURED_POST_COUNTS) {
    while (await page.evaluate(`bench.posts() < ${postCount} && !bench.isEnd()`))
      await scroll(devtools, TRAVEL_SPEED, TRAVEL_SPEED);
    for (const [direction, distancePx] of Object.entries({ down: MEASURED_DISTANCE, 'back up': -MEASURED_DISTANCE })) {
      await page.evaluate('bench.begin()');
      await scroll(devtools, MEASURED_SPEED, distancePx);
      const measurement: ScrollMeasurement = await page.evaluate('bench.end()');
      rows.push({ name, posts: postCount, direction, ...summarize(measurement), ...(await measureMemory(devtools)) });
    }
  }
  await context.close();
  return rows;
}

const scroll = (devtools: Devtools, speed: number, distancePx: number) =>
  devtools.send('Input.synthesizeScrollGesture', {
    ...{ x: 200, y: 400, yDistance: -distancePx, speed },
    ...{ gestureSourceType: 'mouse', preventFling: true },
  });

interface ScrollMeasurement {
  /** Intervals between frames, in ms. */
  readonly frames: readonly number[];
  readonly tasks: readonly number[];
  /** Number of frames with an unmounted chunk in the middle of the window. */
  readonly blank: number;
  readonly shift: number;
}

function summarize({ frames, tasks, blank, shift }: ScrollMeasurement): Row {
  const dropped = frames.reduce((sum, duration) => sum + Math.max(0, Math.round(duration / FRAME_MS) - 1), 0);
  return {
    'dropped frames': `${((100 * dropped) / (frames.length + dropped)).toFixed(1)} %`,
    'long tasks': tasks.length,
    'longest, ms': Math.round(Math.max(0, ...tasks)),
    'all, ms': Math.round(tasks.reduce((sum, duration) => sum + duration, 0)),
    'blank frames': blank,
    shift: Number(shift.toFixed(3)),
  };
}

async function measureMemory(devtools: Devtools): Promise<Row> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  const metricOf = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return { nodes: metricOf('Nodes'), 'heap, MB': Number((metricOf('JSHeapUsedSize') / 1e6).toFixed(1)) };
}

/** Runs in the page. It is a string, because a compiled function would call helpers of its compiler. */
const WATCH_SCROLL = `
  window.bench = (() => {
    const entries = { longtask: [], 'layout-shift': [] };
    for (const type of Object.keys(entries))
      new PerformanceObserver((list) => entries[type].push(...list.getEntries())).observe({ type, buffered: true });
    let frames = [], blank = 0, lastFrameAt = null, feedRequests = 0;
    const root = () => document.querySelector('changer-feed')?.shadowRoot ?? document;
    const recordFrame = (now) => {
      if (lastFrameAt !== null) frames.push(now - lastFrameAt);
      lastFrameAt = now;
      if (root().elementFromPoint(innerWidth / 2, innerHeight / 2)?.matches('.leaf')) blank++;
      requestAnimationFrame(recordFrame);
    };
    requestAnimationFrame(recordFrame);
    new PerformanceObserver((list) => {
      feedRequests += list.getEntries().filter(({ name }) => name.includes('/api/feed')).length;
    }).observe({ type: 'resource', buffered: true });
    return {
      begin() {
        frames = [];
        blank = 0;
        for (const list of Object.values(entries)) list.length = 0;
      },
      posts: () => (root() === document ? (scrollY / document.body.scrollHeight) * ${POSTS} : feedRequests * 20),
      isEnd: () => scrollY + innerHeight >= document.documentElement.scrollHeight - 2 && root().querySelector('.edge .bone') === null,
      end: () => ({
        frames,
        blank,
        tasks: entries.longtask.map(({ duration }) => duration),
        shift: entries['layout-shift'].reduce((sum, { value }) => sum + value, 0),
      }),
    };
  })();
`;

const WORDS = 'tide harbour bridge tram river weather concert market theatre museum '.repeat(5);
const BARE_PAGE = `<!doctype html><meta name="viewport" content="width=device-width"><title>Bare</title>
<style>body { font: 16px/1.5 system-ui; margin: 0 } article { padding: 16px; border-bottom: 1px solid #ddd }</style>
${`<article><h2>Harbour Gazette</h2><p>${WORDS}</p><p><button>Star</button> <button>Share</button></p></article>`.repeat(POSTS)}`;
