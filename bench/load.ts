import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readWebhookSecret } from '../server/sources/telegram/receive-updates.ts';
import { startBotApi } from '../test/bot-api/bot-api.ts';
import { type LoadServers, startLoadServers } from './load-servers.ts';
import { seed, seededChannelIds } from './seed.ts';

const LOAD_SECONDS = Number(process.env.BENCH_SECONDS ?? 600);
const UNLOADED_SECONDS = Math.min(60, LOAD_SECONDS);
const READERS = 500;
const UNLOADED_READERS = 10;
const WARM_UP_READERS = 50;
const STREAMS = 2000;
const POSTS_PER_SECOND = 50;
/** Time between a reader's pages, in seconds: two to eight. */
const READING_SECONDS = [2, 8] as const;
const SEEDED = { posts: 20_000, channels: 50 };
const CHATS = 20;
/** Time after the last post in which the streams receive the remaining events. */
const DELIVERY_MS = 3000;

/**
 * Counts of the event streams (see `load-streams.ts`): open and lost streams, the minimum and the maximum of the events
 * of a stream, and the delays of some events in ms.
 */
export interface StreamCounts {
  readonly open: number;
  readonly lost: number;
  readonly minEvents: number;
  readonly maxEvents: number;
  readonly delaysMs: readonly number[];
}

type Row = Record<string, string | number>;
type SendRequest = (
  path: string,
  options?: { headers?: Record<string, string>; body?: string },
) => Promise<{ status: number; body: string }>;

/**
 * Load benchmark: measures a day with very high traffic on one machine: 500 readers who open a page every five seconds,
 * 2000 open event streams, and 50 posts per second by Telegram's webhook, for `BENCH_SECONDS` (600). Before that, it
 * measures 10 readers on the same server without streams and posts, and then compares the pages by kind. Uses
 * PostgreSQL if `DATABASE_URL` is set, and a pair of servers with `BENCH_SERVERS=2`.
 */
export async function benchLoad(): Promise<Row[]> {
  const telegram = await startBotApi();
  let servers: LoadServers | undefined;
  try {
    const bot = { BOT_TOKEN: telegram.token, BOT_API_ROOT: telegram.root, OPERATOR_IDS: String(telegram.operator.id) };
    let secret = '';
    servers = await startLoadServers({ ...bot, PUBLIC_URL: 'http://127.0.0.1:9' }, async (store) => {
      await seed(store, SEEDED.posts, SEEDED.channels);
      secret = await readWebhookSecret(store);
    });
    const sendRequest = createRequestSender(servers.origin);
    const sendUpdate = createUpdateSender(sendRequest, secret);
    for (let chatNumber = 1; chatNumber <= CHATS; chatNumber += 1) {
      telegram
        .channel({ id: chatOf(chatNumber).id, title: chatOf(chatNumber).title, username: chatOf(chatNumber).username })
        .addBot(telegram.operator, {});
      await sendUpdate({ my_chat_member: createJoinEvent(chatNumber, telegram.operator.id, telegram.bot) });
    }
    // Warm-up: work that a new process does once (the first search, the first rendered page) is part of neither
    // measurement.
    await readFor(sendRequest, UNLOADED_SECONDS / 4, WARM_UP_READERS);
    const unloaded = await readFor(sendRequest, UNLOADED_SECONDS, UNLOADED_READERS);
    const loaded = await measureUnderLoad(servers, sendRequest, sendUpdate);
    return buildRows(unloaded, loaded);
  } finally {
    await servers?.stop();
    await telegram.close();
  }
}

interface Measurement {
  readonly durations: readonly number[];
  readonly errors: number;
  /** Durations by kind of page. Absent for posts. */
  readonly kinds?: ReadonlyMap<string, readonly number[]>;
}

/** Measurements under load. `memory` has one sample per second, in MB. */
interface Loaded {
  readonly pages: Measurement;
  readonly posts: Measurement;
  readonly streams: StreamCounts;
  readonly memory: readonly number[];
  readonly cores: number;
}

async function measureUnderLoad(
  servers: LoadServers,
  sendRequest: SendRequest,
  sendUpdate: (update: object) => Promise<number>,
): Promise<Loaded> {
  const streams = fork(resolve('bench/load-streams.ts'), [servers.origin, String(STREAMS)], { execArgv: ['--import', 'tsx'] });
  servers.children.push(streams);
  await once(streams, 'message');
  const memory: number[] = [];
  const sampling = setInterval(() => memory.push(servers.residentMegabytes()), 1000);
  const cpuSecondsAtStart = servers.cpuSeconds();
  const start = performance.now();
  const [pages, posts] = await Promise.all([readFor(sendRequest, LOAD_SECONDS, READERS), postFor(sendUpdate)]);
  const cores = (servers.cpuSeconds() - cpuSecondsAtStart) / ((performance.now() - start) / 1000);
  clearInterval(sampling);
  await sleep(DELIVERY_MS);
  streams.send('report');
  const [counts] = await once(streams, 'message');
  return { pages, posts, streams: counts as StreamCounts, memory, cores };
}

/** Simulates readers who open a page, read it, and open another. Durations in ms. */
async function readFor(sendRequest: SendRequest, seconds: number, readers: number): Promise<Measurement> {
  const durations: number[] = [];
  const kinds = new Map<string, number[]>();
  let errors = 0;
  const end = performance.now() + seconds * 1000;
  const readingTime = () => (READING_SECONDS[0] + Math.random() * (READING_SECONDS[1] - READING_SECONDS[0])) * 1000;
  await Promise.all(
    Array.from({ length: readers }, async (_, index) => {
      const headers = { 'x-forwarded-for': `10.0.${index >> 8}.${index & 255}` };
      let olderCursor: string | null = null;
      await sleep(Math.random() * READING_SECONDS[1] * 1000);
      while (performance.now() < end) {
        const path = createRandomPath(olderCursor);
        const startedAt = performance.now();
        const { status, body } = await sendRequest(path, { headers }).catch(() => ({ status: 0, body: '' }));
        const ms = performance.now() - startedAt;
        durations.push(ms);
        kinds.get(pageKindOf(path))?.push(ms) ?? kinds.set(pageKindOf(path), [ms]);
        if (status !== 200) errors += 1;
        olderCursor = status === 200 && path.startsWith('/api/feed') ? (JSON.parse(body).next ?? null) : null;
        await sleep(readingTime());
      }
    }),
  );
  return { durations, errors, kinds };
}

/** Returns the kind of a page: its path without ids and query. Older pages keep `&before`. */
const pageKindOf = (path: string): string =>
  path.replace(/\?(?:.*(&before)=)?.*$/, '$1').replace(/channels\/.*\/posts/, 'channels/…/posts');

const ids = seededChannelIds(SEEDED.channels);

/**
 * Returns a random path. Half of the requests or more are for the feed, some of them for its older pages; the others
 * are for a channel, the list of channels, a search, or the server-rendered page.
 */
function createRandomPath(olderCursor: string | null): string {
  const random = Math.random();
  const channelId = ids[Math.floor(Math.random() * ids.length)];
  if (olderCursor !== null && random < 0.5) return `/api/feed?limit=20&before=${olderCursor}`;
  if (random < 0.7) return '/api/feed?limit=20';
  if (random < 0.85) return `/api/channels/${channelId}/posts?limit=20`;
  if (random < 0.9) return '/api/channels';
  if (random < 0.95) return `/api/search?q=${encodeURIComponent('bridge')}`;
  return '/main';
}

/** Sends posts at a constant rate. Each contains its number and the time at which it was sent. */
async function postFor(sendUpdate: (update: object) => Promise<number>): Promise<Measurement> {
  const durations: number[] = [];
  let errors = 0;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: LOAD_SECONDS * POSTS_PER_SECOND }, async (_, index) => {
      await sleep(start + (index * 1000) / POSTS_PER_SECOND - performance.now());
      const startedAt = performance.now();
      const chat = chatOf(1 + (index % CHATS));
      const text = `Load ${index} sent ${Date.now()}`;
      const date = Math.floor(Date.now() / 1000);
      const status = await sendUpdate({ channel_post: { message_id: 2 + Math.floor(index / CHATS), chat, date, text } }).catch(
        () => 0,
      );
      durations.push(performance.now() - startedAt);
      if (status !== 200) errors += 1;
    }),
  );
  return { durations, errors };
}

function buildRows(unloaded: Measurement, { pages, posts, streams, memory, cores }: Loaded): Row[] {
  const minutes = Math.round(LOAD_SECONDS / 6) / 10;
  const quarterLength = Math.floor(memory.length / 4);
  const [secondQuarter, lastQuarter] = [memory.slice(quarterLength, 2 * quarterLength), memory.slice(-quarterLength)];
  return [
    { name: `pages of ${READERS} readers in ${minutes} min`, value: pages.durations.length, goal: '' },
    { name: 'pages that failed or were rejected', value: pages.errors + unloaded.errors, goal: '0' },
    {
      name: 'a page, p50 and p99, unloaded, ms',
      value: `${quantile(unloaded.durations, 0.5)} and ${quantile(unloaded.durations, 0.99)}`,
      goal: '',
    },
    {
      name: 'a page, p50 and p99, loaded, ms',
      value: `${quantile(pages.durations, 0.5)} and ${quantile(pages.durations, 0.99)}`,
      goal: '',
    },
    ...[...(pages.kinds ?? [])].map(([kind, durations]) => ({
      name: `${kind}, p50 and p99, unloaded, and loaded, ms`,
      value: `${quantile(unloaded.kinds?.get(kind) ?? [], 0.5)} and ${quantile(unloaded.kinds?.get(kind) ?? [], 0.99)}, ${quantile(durations, 0.5)} and ${quantile(durations, 0.99)}`,
      goal: '',
    })),
    {
      name: 'p99 loaded minus p99 unloaded, ms',
      value: quantile(pages.durations, 0.99) - quantile(unloaded.durations, 0.99),
      goal: '<= 50',
    },
    {
      name: `posts accepted, at ${POSTS_PER_SECOND} a second`,
      value: posts.durations.length - posts.errors,
      goal: String(posts.durations.length),
    },
    { name: 'acceptance of a post, p99, ms', value: quantile(posts.durations, 0.99), goal: '' },
    { name: 'streams open at the end', value: streams.open, goal: String(STREAMS) },
    {
      name: 'posts sent to each stream, fewest and most',
      value: `${streams.minEvents} and ${streams.maxEvents}`,
      goal: String(posts.durations.length),
    },
    {
      name: 'from Telegram to the stream, p50 and p99, ms',
      value: `${quantile(streams.delaysMs, 0.5)} and ${quantile(streams.delaysMs, 0.99)}`,
      goal: '',
    },
    {
      name: 'memory, second quarter and last, MB',
      value: `${quantile(secondQuarter, 0.5)} and ${quantile(lastQuarter, 0.5)}`,
      goal: 'flat',
    },
    { name: 'cores used by the servers', value: Number(cores.toFixed(2)), goal: '' },
  ];
}

const quantile = (numbers: readonly number[], fraction: number): number =>
  Math.round(numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * fraction)] ?? 0);

function createRequestSender(origin: string): SendRequest {
  const agent = new Agent({ keepAlive: true });
  return async (path, { headers = {}, body } = {}) => {
    const clientRequest = request(origin + path, { agent, headers, method: body === undefined ? 'GET' : 'POST' });
    clientRequest.end(body);
    const [response] = await once(clientRequest, 'response');
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    return { status: response.statusCode, body: Buffer.concat(chunks).toString() };
  };
}

function createUpdateSender(sendRequest: SendRequest, secret: string): (update: object) => Promise<number> {
  let update_id = 1;
  const headers = { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret };
  return async (update) =>
    (await sendRequest('/api/telegram/webhook', { headers, body: JSON.stringify({ update_id: update_id++, ...update }) })).status;
}

const chatOf = (chatNumber: number) => ({
  id: -1_001_600_000_000 - chatNumber,
  type: 'channel',
  title: `Town ${chatNumber}`,
  username: `town_${chatNumber}_square`,
});

function createJoinEvent(chatNumber: number, operatorId: number, botUser: object): object {
  const date = Math.floor(Date.now() / 1000);
  const new_chat_member = { user: botUser, status: 'administrator', can_manage_chat: true };
  return {
    chat: chatOf(chatNumber),
    from: { id: operatorId, first_name: 'O' },
    date,
    old_chat_member: { user: botUser, status: 'left' },
    new_chat_member,
  };
}
