import type { Post } from '../contract/post.ts';
import { type Browser, type BrowserContext, launchBrowser, workerControls } from '../test/support/browser.ts';
import { startServer } from '../test/support/server.ts';
import { oneCopyIsLeft } from '../test/support/stored-copies.ts';
import { BOUNDS, type Visit } from './bounds.ts';
import { median } from './median.ts';
import { type PageMeasurement, readMeasurement, waitUntilAtRest, watchScript } from './page-watch.ts';
import { serveFloor } from './static-floor.ts';
import { NETWORK, SLOWDOWN } from './throttling.ts';

/** Records when the first post, or the first channel of the dial, is visible. */
export const WATCH_FOR_POSTS = watchScript('#drawn, changer-feed, changer-channel, changer-dial', 'article, .card-post-text');

const RUNS = Number(process.env.BENCH_RUNS ?? 5);
/** A load is complete when no task and no request ran for this time. Live updates start 2.5 s after the first posts. */
const QUIET_MS = 3000;
/** Timeout of one load, ms. */
const LOAD_TIMEOUT_MS = 120_000;

const VISITS: readonly Visit[] = ['cold', 'warm', 'offline'];

type Row = Record<string, string | number>;
/** Measurements of one page load. The content is the first post. */
interface Load extends PageMeasurement {
  readonly requests: number;
  readonly scriptKb: number;
  readonly dataKb: number;
}

/** A page to measure. */
interface Target {
  readonly name: string;
  readonly url: string;
  /** Waits until the page's service worker can serve the next visit. */
  readonly waitForWorker: (page: Awaited<ReturnType<BrowserContext['newPage']>>) => Promise<void>;
}

/**
 * Page load benchmark: measures when the first post is visible, compared with a static page of the same posts (the
 * floor) in the same run, with a slowed CPU and network. Visits: cold with an empty cache, warm under the service
 * worker, and offline with both servers stopped. Medians; `×` is the ratio to the floor. The goals are in
 * bench/bounds.json.
 */
export async function benchPages(): Promise<Row[]> {
  const [server, browser] = await Promise.all([startServer(), launchBrowser([], { asDrawn: true })]);
  const channelId = (await readItems<{ id: string }>(`${server.origin}/api/channels`))[0]?.id ?? '';
  const posts = await readItems<Post>(`${server.origin}/api/channels/${channelId}/posts?limit=20`);
  const floor = await serveFloor(posts, server.origin);
  const appPage = (name: string, path: string): Target => ({
    name,
    url: server.origin + path,
    async waitForWorker(page) {
      await workerControls(page);
      await oneCopyIsLeft(page);
    },
  });
  const targets: readonly Target[] = [
    { name: 'floor', url: floor.url, waitForWorker: workerControls },
    appPage('/main', '/main'),
    appPage('/channel/{id}', `/channel/${channelId}`),
    appPage('/channel/{id}?post={post}', `/channel/${channelId}?post=${posts.at(-1)?.id}`),
    appPage('/changer', '/changer'),
  ];
  const loads = new Map<string, Load[]>();
  const record = (target: Target, visit: Visit, load: Load) => {
    const key = `${target.name} ${visit}`;
    loads.set(key, [...(loads.get(key) ?? []), load]);
  };
  try {
    for (let run = 0; run < RUNS; run += 1) {
      const contexts = new Map<Target, BrowserContext>();
      for (const target of targets) {
        const context = await newDevice(browser);
        contexts.set(target, context);
        record(target, 'cold', await loadOnce(context, target, true));
        record(target, 'warm', await loadOnce(context, target, false));
      }
      await Promise.all([server.halt(), floor.stop()]);
      for (const [target, context] of contexts) {
        record(target, 'offline', await loadOnce(context, target, false));
        await context.close();
      }
      await Promise.all([server.resume(), floor.restart()]);
    }
  } finally {
    await browser.close();
    await Promise.all([server.stop(), floor.stop()]);
  }
  return targets.flatMap(({ name }) =>
    VISITS.map((visit) => rowOf(name, visit, loads.get(`${name} ${visit}`) ?? [], loads.get(`floor ${visit}`) ?? [])),
  );
}

const readItems = async <Item>(url: string): Promise<Item[]> => ((await (await fetch(url)).json()) as { items: Item[] }).items;

const newDevice = (browser: Browser): Promise<BrowserContext> =>
  browser.newContext({ viewport: { width: 412, height: 823 }, hasTouch: true, isMobile: true });

function rowOf(page: string, visit: Visit, loads: readonly Load[], floorLoads: readonly Load[]): Row {
  const medianOf = (field: keyof Load, of = loads) => median(of.map((load) => load[field]));
  const content = medianOf('content');
  return {
    page,
    visit,
    'first post, ms': Math.round(content),
    '× floor': Number((content / medianOf('content', floorLoads)).toFixed(2)),
    goal: page === 'floor' ? '' : BOUNDS['first post, × floor'][visit],
    'blocking, ms': Math.round(medianOf('blocking')),
    'blocking goal': page === 'floor' ? '' : BOUNDS['blocking, ms'][visit],
    'script, kB': Math.round(medianOf('scriptKb')),
    'data, kB': Math.round(medianOf('dataKb')),
    requests: medianOf('requests'),
    'layout shift': Number(Math.max(...loads.map(({ shift }) => shift)).toFixed(3)),
  };
}

/** Loads a page once, until it is quiet. The transferred bytes are those of the page, without its service worker. */
async function loadOnce(context: BrowserContext, target: Target, isFirstVisit: boolean): Promise<Load> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  const types = new Map<string, string>();
  const bytes = new Map<string, number>();
  let requests = 0;
  devtools.on('Network.requestWillBeSent', ({ request }) => {
    if (request.url.startsWith('http')) requests += 1;
  });
  devtools.on('Network.responseReceived', ({ requestId, type }) => types.set(requestId, type));
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const type = types.get(requestId) ?? '';
    bytes.set(type, (bytes.get(type) ?? 0) + encodedDataLength);
  });
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', NETWORK);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await page.addInitScript({ content: WATCH_FOR_POSTS });
  await page.goto(target.url, { timeout: LOAD_TIMEOUT_MS });
  await waitUntilAtRest(devtools, QUIET_MS, LOAD_TIMEOUT_MS);
  const load = {
    ...(await page.evaluate(readMeasurement)),
    requests,
    scriptKb: (bytes.get('Script') ?? 0) / 1000,
    dataKb: ((bytes.get('Fetch') ?? 0) + (bytes.get('XHR') ?? 0)) / 1000,
  };
  if (isFirstVisit) await target.waitForWorker(page);
  await page.close();
  return load;
}
