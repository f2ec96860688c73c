import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../server/storage/open.ts';
import { launchBrowser } from '../test/support/browser.ts';
import { startServer } from './api.ts';
import { type EmbeddedChannel, embedsOf, type RunningOrigin, serve, serveOthers } from './embeds.ts';
import { median } from './median.ts';
import { type PageMeasurement, readMeasurement, waitUntilAtRest, watchScript } from './page-watch.ts';
import { seed, seededChannelIds } from './seed.ts';
import { NETWORK, SLOWDOWN } from './throttling.ts';

const RUNS = Number(process.env.BENCH_RUNS ?? 3);
const CHANNELS = 10;
const POSTS = 20;

/** Channels that the tags of each page show. */
const PAGES: Readonly<Record<string, (channels: readonly EmbeddedChannel[]) => readonly EmbeddedChannel[]>> = {
  'one tag': (channels) => channels.slice(0, 1),
  'ten tags': (channels) => channels,
  'ten tags of one channel': ([first]) => (first === undefined ? [] : Array<EmbeddedChannel>(CHANNELS).fill(first)),
};

type Row = Record<string, string | number>;

/** Measurements of one page load. The content is the first post. */
interface Load extends PageMeasurement {
  readonly kB: number;
  readonly requests: number;
}

/**
 * Tags benchmark: measures tags on a third-party page compared with three other embeds, each with the same posts on the
 * same page, with a slowed CPU and network: the transferred bytes, the time until the first post is visible, the
 * blocking time of the main thread (of each task the time beyond 50 ms), and the layout shift. Medians, each run in a
 * new browser. `×` is the ratio to ours. lite-youtube-embed shows a video.
 */
export async function benchTags(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'changer-bench-'));
  const servers: Parameters<typeof startServer>[2] = [];
  const origins: RunningOrigin[] = [];
  try {
    const store = await openStore({ dataDir });
    await seed(store, CHANNELS * POSTS * 2, CHANNELS);
    await store.close();
    const ours = await startServer('dist/server/main.js', dataDir, servers);
    const channels = await Promise.all(
      seededChannelIds(CHANNELS).map((id, index) => loadChannel(ours, id, `Channel ${index + 1}`)),
    );
    const others = await serveOthers(channels);
    origins.push(others);
    const embeds = embedsOf(ours, others.origin, POSTS);
    const hostPage = await serve(async ({ searchParams }) => {
      const { head, tag } = embeds[searchParams.get('embed') ?? ''] ?? { head: '', tag: () => '' };
      const tags = PAGES[searchParams.get('page') ?? '']?.(channels).map(tag).join('\n');
      return {
        type: 'text/html; charset=utf-8',
        body: `<!doctype html><html lang="en"><title>A site</title><meta name="viewport" content="width=device-width">${head}<h1>A site</h1>${tags}`,
      };
    });
    origins.push(hostPage);
    const rows: Row[] = [];
    for (const pageName of Object.keys(PAGES)) {
      const loads = new Map(Object.keys(embeds).map((embed): [string, Load[]] => [embed, []]));
      for (let run = 0; run < RUNS; run += 1)
        for (const [embed, pageLoads] of rotate([...loads], run)) {
          const { hosts = '', content = '', control = content } = embeds[embed] ?? {};
          const url = `${hostPage.origin}/?${new URLSearchParams({ embed, page: pageName })}`;
          pageLoads.push(await loadOnce(url, hosts, content, control));
        }
      rows.push(...rowsOf(pageName, loads));
    }
    return rows;
  } finally {
    for (const origin of origins) origin.close();
    for (const server of servers) server.kill('SIGTERM');
    await rm(dataDir, { recursive: true, force: true });
  }
}

const rotate = <T>(list: readonly T[], offset: number): T[] => [
  ...list.slice(offset % list.length),
  ...list.slice(0, offset % list.length),
];

async function loadChannel(origin: string, id: string, title: string): Promise<EmbeddedChannel> {
  const response = await fetch(`${origin}/api/channels/${id}/posts?limit=${POSTS}`);
  const { items } = (await response.json()) as { items: EmbeddedChannel['posts'] };
  if (items.length !== POSTS) throw new Error(`${id} has ${items.length} posts, not ${POSTS}`);
  return { id, title, posts: items };
}

function rowsOf(pageName: string, loads: ReadonlyMap<string, readonly Load[]>): Row[] {
  const medians = [...loads].map(([embed, embedLoads]) => {
    const medianOf = (field: keyof Load) => median(embedLoads.map((load) => load[field]));
    return {
      embed,
      kB: medianOf('kB'),
      requests: medianOf('requests'),
      content: medianOf('content'),
      blocking: medianOf('blocking'),
      shift: medianOf('shift'),
      tap: medianOf('tap'),
    };
  });
  const [ours] = medians;
  const ratioOf = (value: number, base = 0) => (base === 0 ? '' : Number((value / base).toFixed(2)));
  return medians.map(({ embed, kB, requests, content, blocking, shift, tap }) => ({
    page: pageName,
    embed,
    kB: Math.round(kB),
    'kB ×': ratioOf(kB, ours?.kB),
    requests,
    'first content, ms': Math.round(content),
    'content ×': ratioOf(content, ours?.content),
    'blocking, ms': Math.round(blocking),
    'blocking ×': ratioOf(blocking, ours?.blocking),
    'layout shift': Number(shift.toFixed(3)),
    'first tap, ms': Math.round(tap),
  }));
}

/**
 * Loads a page once in a new browser, until nothing was loaded or run for five seconds: our lists load the chunk that
 * few posts need after four.
 */
async function loadOnce(url: string, hosts: string, content: string, control: string): Promise<Load> {
  const browser = await launchBrowser([], { asDrawn: true });
  try {
    const page = await browser.newPage({ viewport: { width: 412, height: 823 } });
    const devtools = await page.context().newCDPSession(page);
    let [bytes, requests] = [0, 0];
    devtools.on('Network.requestWillBeSent', ({ request }) => (requests += request.url.startsWith('http') ? 1 : 0));
    devtools.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', NETWORK);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
    await page.addInitScript({ content: watchScript(hosts, content) });
    await page.goto(url, { timeout: 180_000 });
    await waitUntilAtRest(devtools, 5000, 180_000);
    const load = { ...(await page.evaluate(readMeasurement)), kB: bytes / 1000, requests };
    await page.locator(hosts).first().locator(control).first().click();
    // The slowest event of a tap, rounded by the browser to 8 ms; one below 16 ms is not reported.
    await page.waitForTimeout(2000);
    return { ...load, tap: (await page.evaluate(readMeasurement)).tap };
  } finally {
    await browser.close();
  }
}
