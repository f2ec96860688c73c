import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readWebhookSecret } from '../server/sources/telegram/receive-updates.ts';
import { openStore } from '../server/storage/open.ts';
import { startBotApi } from '../test/bot-api/bot-api.ts';
import { startServer } from './api.ts';
import { seed, seededChannels } from './seed.ts';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 600);
const UNLOADED_SECONDS = Math.min(60, SECONDS);
const READERS = 500;
const STREAMS = 2000;
const POSTS_PER_SECOND = 50;
/** Time between a reader's pages, in seconds: two to eight. */
const READING_SECONDS = [2, 8] as const;
const SEEDED = { posts: 20_000, channels: 50 };
const CHATS = 20;

/** Counts of the event streams: see `load-streams.ts`. */
export interface StreamCounts {
  readonly open: number;
  readonly lost: number;
  readonly fewest: number;
  readonly most: number;
  readonly delays: readonly number[];
}

type Row = Record<string, string | number>;
type SendRequest = (
  path: string,
  options?: { headers?: Record<string, string>; body?: string },
) => Promise<{ status: number; body: string }>;

/**
 * Load benchmark: measures a day with very high traffic on one machine: 500 readers who open a page every five seconds, 2000 open
 * event streams, and 50 posts per second by Telegram's webhook, for `BENCH_SECONDS` (600). Pages are compared by kind with those
 * of 10 readers on the same server before that, without streams and posts. Uses PostgreSQL if `DATABASE_URL` is set.
 */
export async function benchLoad(): Promise<Row[]> {
  const [dataDir, telegram] = await Promise.all([mkdtemp(join(tmpdir(), 'changer-load-')), startBotApi()]);
  const databaseUrl = process.env.DATABASE_URL;
  const children: ChildProcess[] = [];
  try {
    const store = await openStore({ dataDir, databaseUrl: databaseUrl ?? null });
    await seed(store, SEEDED.posts, SEEDED.channels);
    const secret = await readWebhookSecret(store);
    await store.close();
    const bot = { BOT_TOKEN: telegram.token, BOT_API_ROOT: telegram.root, OPERATOR_IDS: String(telegram.operator.id) };
    const origin = await startServer('dist/server/main.js', dataDir, children, { ...bot, PUBLIC_URL: 'http://127.0.0.1:9' });
    const pid = children[0]?.pid ?? 0;
    const sendRequest = createRequestSender(origin);
    const sendUpdate = createUpdateSender(sendRequest, secret);
    for (let chat = 1; chat <= CHATS; chat += 1) {
      telegram
        .channel({ id: chatOf(chat).id, title: chatOf(chat).title, username: chatOf(chat).username })
        .addBot(telegram.operator, {});
      await sendUpdate({ my_chat_member: createJoinEvent(chat, telegram.operator.id, telegram.bot) });
    }
    // Warm-up: work that a new process does once (the first search, the first rendered page) is part of neither measurement.
    await readFor(sendRequest, UNLOADED_SECONDS / 4, 50);
    const unloaded = await readFor(sendRequest, UNLOADED_SECONDS, 10);
    const loaded = await measureUnderLoad(origin, sendRequest, sendUpdate, pid, children);
    return buildRows(unloaded, loaded);
  } finally {
    for (const child of children) child.kill('SIGTERM');
    await telegram.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

interface Measurement {
  readonly durations: readonly number[];
  readonly errors: number;
  /** Of pages: durations by kind. */
  readonly kinds?: ReadonlyMap<string, readonly number[]>;
}

interface Loaded {
  readonly pages: Measurement;
  readonly posts: Measurement;
  readonly streams: StreamCounts;
  readonly memory: readonly number[];
  readonly cores: number;
}

async function measureUnderLoad(
  origin: string,
  sendRequest: SendRequest,
  sendUpdate: (update: object) => Promise<number>,
  pid: number,
  children: ChildProcess[],
): Promise<Loaded> {
  const streams = fork(resolve('bench/load-streams.ts'), [origin, String(STREAMS)], { execArgv: ['--import', 'tsx'] });
  children.push(streams);
  await once(streams, 'message');
  const memory: number[] = [];
  const sampling = setInterval(() => memory.push(residentMegabytes(pid)), 1000);
  const cpu = cpuSeconds(pid);
  const start = performance.now();
  const [pages, posts] = await Promise.all([readFor(sendRequest, SECONDS, READERS), postFor(sendUpdate)]);
  const cores = (cpuSeconds(pid) - cpu) / ((performance.now() - start) / 1000);
  clearInterval(sampling);
  await sleep(3000);
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
    Array.from({ length: readers }, async (_, at) => {
      const headers = { 'x-forwarded-for': `10.0.${at >> 8}.${at & 255}` };
      let older: string | null = null;
      await sleep(Math.random() * READING_SECONDS[1] * 1000);
      while (performance.now() < end) {
        const path = pathOf(older);
        const startedAt = performance.now();
        const { status, body } = await sendRequest(path, { headers }).catch(() => ({ status: 0, body: '' }));
        const ms = performance.now() - startedAt;
        durations.push(ms);
        kinds.get(kindOf(path))?.push(ms) ?? kinds.set(kindOf(path), [ms]);
        if (status !== 200) errors += 1;
        older = status === 200 && path.startsWith('/api/feed') ? (JSON.parse(body).next ?? null) : null;
        await sleep(readingTime());
      }
    }),
  );
  return { durations, errors, kinds };
}

const kindOf = (path: string): string =>
  path.replace(/\?.*?(&before)?=.*$/, '$1').replace(/channels\/.*\/posts/, 'channels/…/posts');

const ids = seededChannels(SEEDED.channels);

/**
 * Returns a random path. Half of the requests or more are for the feed, some of them for its older pages; the others are for a
 * channel, the list of channels, a search, or the server-rendered page.
 */
function pathOf(older: string | null): string {
  const kind = Math.random();
  const channelId = ids[Math.floor(Math.random() * ids.length)];
  if (older !== null && kind < 0.5) return `/api/feed?limit=20&before=${older}`;
  if (kind < 0.7) return '/api/feed?limit=20';
  if (kind < 0.85) return `/api/channels/${channelId}/posts?limit=20`;
  if (kind < 0.9) return '/api/channels';
  if (kind < 0.95) return `/api/search?q=${encodeURIComponent('bridge')}`;
  return '/main';
}

/** Sends posts at a constant rate. Each contains its number and the time at which it was sent. */
async function postFor(sendUpdate: (update: object) => Promise<number>): Promise<Measurement> {
  const durations: number[] = [];
  let errors = 0;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: SECONDS * POSTS_PER_SECOND }, async (_, at) => {
      await sleep(start + (at * 1000) / POSTS_PER_SECOND - performance.now());
      const startedAt = performance.now();
      const chat = chatOf(1 + (at % CHATS));
      const text = `Load ${at} sent ${Date.now()}`;
      const date = Math.floor(Date.now() / 1000);
      const status = await sendUpdate({ channel_post: { message_id: 2 + Math.floor(at / CHATS), chat, date, text } }).catch(
        () => 0,
      );
      durations.push(performance.now() - startedAt);
      if (status !== 200) errors += 1;
    }),
  );
  return { durations, errors };
}

function buildRows(unloaded: Measurement, { pages, posts, streams, memory, cores }: Loaded): Row[] {
  const minutes = Math.round(SECONDS / 6) / 10;
  const quarter = Math.floor(memory.length / 4);
  const [second, last] = [memory.slice(quarter, 2 * quarter), memory.slice(-quarter)];
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
      value: `${streams.fewest} and ${streams.most}`,
      goal: String(posts.durations.length),
    },
    {
      name: 'from Telegram to the stream, p50 and p99, ms',
      value: `${quantile(streams.delays, 0.5)} and ${quantile(streams.delays, 0.99)}`,
      goal: '',
    },
    { name: 'memory, second quarter and last, MB', value: `${quantile(second, 0.5)} and ${quantile(last, 0.5)}`, goal: 'flat' },
    { name: 'cores used by the server', value: Number(cores.toFixed(2)), goal: '' },
  ];
}

const quantile = (numbers: readonly number[], share: number): number =>
  Math.round(numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * share)] ?? 0);

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

const chatOf = (chat: number) => ({
  id: -1_001_600_000_000 - chat,
  type: 'channel',
  title: `Town ${chat}`,
  username: `town_${chat}_square`,
});

function createJoinEvent(chat: number, from: number, user: object): object {
  const date = Math.floor(Date.now() / 1000);
  const new_chat_member = { user, status: 'administrator', can_manage_chat: true };
  return {
    chat: chatOf(chat),
    from: { id: from, first_name: 'O' },
    date,
    old_chat_member: { user, status: 'left' },
    new_chat_member,
  };
}

const residentMegabytes = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);

/** Returns the CPU time of a process and its threads. A second has 100 clock ticks of the kernel. */
const cpuSeconds = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
};
