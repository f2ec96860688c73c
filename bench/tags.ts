import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../server/storage/open.ts';
import { launchBrowser } from '../test/support/browser.ts';
import { startServer } from './api.ts';
import { embedsOf, type Shown, serve, serveOthers } from './embeds.ts';
import { seed, seededChannels } from './seed.ts';
import { NETWORK, SLOWDOWN } from './throttling.ts';

const RUNS = Number(process.env.BENCH_RUNS ?? 3);
const CHANNELS = 10;
const POSTS = 20;

/** Channels that the tags of each page show. */
const PAGES: Readonly<Record<string, (channels: readonly Shown[]) => readonly Shown[]>> = {
  'one tag': (channels) => channels.slice(0, 1),
  'ten tags': (channels) => channels,
  'ten tags of one channel': ([first]) => (first === undefined ? [] : Array<Shown>(CHANNELS).fill(first)),
};

type Row = Record<string, string | number>;

interface Load {
  readonly kB: number;
  readonly requests: number;
  readonly content: number;
  readonly blocking: number;
  readonly shift: number;
}

/**
 * Tags benchmark: measures tags on a third-party page compared with three other embeds, each with the same posts on the same
 * page, with a slowed CPU and network: the transferred bytes, the time until the first post is visible, the blocking time of the
 * main thread (of each task the time beyond 50 ms), and the layout shift. Medians, each run in a new browser. `×` is the ratio to
 * ours. lite-youtube-embed shows a video.
 */
export async function benchTags(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'changer-bench-'));
  const store = await openStore({ dataDir });
  await seed(store, CHANNELS * POSTS * 2, CHANNELS);
  await store.close();
  const servers: Parameters<typeof startServer>[2] = [];
  const ours = await startServer('dist/server/main.js', dataDir, servers);
  const channels = await Promise.all(seededChannels(CHANNELS).map((id, at) => shownBy(ours, id, `Channel ${at + 1}`)));
  const others = await serveOthers(channels);
  const embeds = embedsOf(ours, others.origin, POSTS);
  const page = await serve(async ({ searchParams }) => {
    const { head, tag } = embeds[searchParams.get('who') ?? ''] ?? { head: '', tag: () => '' };
    const tags = PAGES[searchParams.get('what') ?? '']?.(channels).map(tag).join('\n');
    return {
      type: 'text/html; charset=utf-8',
      body: `<!doctype html><html lang="en"><title>A site</title><meta name="viewport" content="width=device-width">${head}<h1>A site</h1>${tags}`,
    };
  });
  try {
    const rows: Row[] = [];
    for (const what of Object.keys(PAGES)) {
      const loads = new Map(Object.keys(embeds).map((who): [string, Load[]] => [who, []]));
      for (let run = 0; run < RUNS; run += 1)
        for (const [who, kept] of rotated([...loads], run)) {
          const { hosts = '', content = '' } = embeds[who] ?? {};
          kept.push(await load(`${page.origin}/?${new URLSearchParams({ who, what })}`, hosts, content));
        }
      rows.push(...rowsOf(what, loads));
    }
    return rows;
  } finally {
    page.close();
    others.close();
    for (const server of servers) server.kill('SIGTERM');
    await rm(dataDir, { recursive: true, force: true });
  }
}

const rotated = <T>(list: readonly T[], by: number): T[] => [...list.slice(by % list.length), ...list.slice(0, by % list.length)];

async function shownBy(origin: string, id: string, title: string): Promise<Shown> {
  const answer = await fetch(`${origin}/api/channels/${id}/posts?limit=${POSTS}`);
  const { items } = (await answer.json()) as { items: Shown['posts'] };
  if (items.length !== POSTS) throw new Error(`${id} has ${items.length} posts, not ${POSTS}`);
  return { id, title, posts: items };
}

function rowsOf(what: string, loads: ReadonlyMap<string, readonly Load[]>): Row[] {
  const medians = [...loads].map(([who, each]) => {
    const of = (name: keyof Load) => median(each.map((one) => one[name]));
    return { who, kB: of('kB'), requests: of('requests'), content: of('content'), blocking: of('blocking'), shift: of('shift') };
  });
  const [ours] = medians;
  const times = (one: number, other = 0) => (other === 0 ? '' : Number((one / other).toFixed(2)));
  return medians.map(({ who, kB, requests, content, blocking, shift }) => ({
    what,
    who,
    kB: Math.round(kB),
    'kB ×': times(kB, ours?.kB),
    requests,
    'first content, ms': Math.round(content),
    'content ×': times(content, ours?.content),
    'blocking, ms': Math.round(blocking),
    'blocking ×': times(blocking, ours?.blocking),
    'layout shift': Number(shift.toFixed(3)),
  }));
}

/**
 * Loads a page once in a new browser, until nothing was loaded or run for five seconds: our lists load the chunk that few posts
 * need after four.
 */
async function load(url: string, hosts: string, content: string): Promise<Load> {
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
    await page.addInitScript({ content: watch(hosts, content) });
    await page.goto(url, { timeout: 180_000 });
    await page.waitForFunction('window.benched?.content && performance.now() - window.benched.last > 5000', null, {
      timeout: 180_000,
    });
    const seen = await page.evaluate<{ content: number; blocking: number; shift: number }>('window.benched');
    return { ...seen, kB: bytes / 1000, requests };
  } finally {
    await browser.close();
  }
}

/**
 * Runs in the page. Records the frame in which the wanted element is visible in a host or its shadow root, and all activity of
 * the page.
 */
const watch = (hosts: string, content: string) => `
  const benched = (window.benched = { content: 0, blocking: 0, shift: 0, last: 0 });
  const on = (type, note) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        note(entry);
        benched.last = Math.max(benched.last, entry.startTime + entry.duration);
      }
    }).observe({ type, buffered: true });
  on('longtask', ({ duration }) => (benched.blocking += duration - 50));
  on('layout-shift', ({ value }) => (benched.shift += value));
  on('resource', () => {});
  const isSeen = (element) =>
    element?.getBoundingClientRect().height > 0 && element.textContent.trim() !== '' && element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const look = () => {
    const seen = [...document.querySelectorAll('${hosts}')].some((host) => isSeen((host.shadowRoot ?? host).querySelector('${content}')));
    if (!seen) return requestAnimationFrame(look);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => (benched.last = benched.content = performance.now());
    port2.postMessage(0);
  };
  requestAnimationFrame(look);
`;

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;
