import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readWebhookSecret } from '../server/sources/telegram/receive-updates.ts';
import { openStore } from '../server/storage/open.ts';
import { startBotApi } from '../test/bot-api/bot-api.ts';
import { startServer } from './api.ts';
import { seed, seededChannels } from './seed.ts';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 600);
const UNLOADED_SECONDS = Math.min(60, SECONDS);
const READERS = 500;
const STREAMS = 2000;
const POSTS_A_SECOND = 50;
/** Time between a reader's pages, in seconds: two to eight. */
const THINK = [2, 8] as const;
const SEEDED = { posts: 20_000, channels: 50 };
const CHATS = 20;

/** Counts of the event streams: see `load-streams.ts`. */
export interface StreamsTold {
  readonly open: number;
  readonly lost: number;
  readonly fewest: number;
  readonly most: number;
  readonly delays: readonly number[];
}

type Row = Record<string, string | number>;
type Ask = (
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
    const ask = asking(origin);
    const tell = telling(ask, secret);
    for (let chat = 1; chat <= CHATS; chat += 1) {
      telegram
        .channel({ id: chatOf(chat).id, title: chatOf(chat).title, username: chatOf(chat).username })
        .addBot(telegram.operator, {});
      await tell({ my_chat_member: added(chat, telegram.operator.id, telegram.bot) });
    }
    // Warm-up: work that a new process does once (the first search, the first rendered page) is part of neither measurement.
    await readFor(ask, UNLOADED_SECONDS / 4, 50);
    const unloaded = await readFor(ask, UNLOADED_SECONDS, 10);
    const loaded = await underLoad(origin, ask, tell, pid, children);
    return table(unloaded, loaded);
  } finally {
    for (const child of children) child.kill('SIGTERM');
    await telegram.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

interface Reading {
  readonly took: readonly number[];
  readonly errors: number;
  /** Of pages: durations by kind. */
  readonly kinds?: ReadonlyMap<string, readonly number[]>;
}

interface Loaded {
  readonly pages: Reading;
  readonly posts: Reading;
  readonly streams: StreamsTold;
  readonly memory: readonly number[];
  readonly cores: number;
}

async function underLoad(
  origin: string,
  ask: Ask,
  tell: (update: object) => Promise<number>,
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
  const [pages, posts] = await Promise.all([readFor(ask, SECONDS, READERS), postFor(tell)]);
  const cores = (cpuSeconds(pid) - cpu) / ((performance.now() - start) / 1000);
  clearInterval(sampling);
  await wait(3000);
  streams.send('tell');
  const [told] = await once(streams, 'message');
  return { pages, posts, streams: told as StreamsTold, memory, cores };
}

/** Simulates readers who open a page, read it, and open another. Durations in ms. */
async function readFor(ask: Ask, seconds: number, readers: number): Promise<Reading> {
  const took: number[] = [];
  const kinds = new Map<string, number[]>();
  let errors = 0;
  const end = performance.now() + seconds * 1000;
  const think = () => (THINK[0] + Math.random() * (THINK[1] - THINK[0])) * 1000;
  await Promise.all(
    Array.from({ length: readers }, async (_, at) => {
      const headers = { 'x-forwarded-for': `10.0.${at >> 8}.${at & 255}` };
      let older: string | null = null;
      await wait(Math.random() * THINK[1] * 1000);
      while (performance.now() < end) {
        const path = pathOf(older);
        const begun = performance.now();
        const { status, body } = await ask(path, { headers }).catch(() => ({ status: 0, body: '' }));
        const ms = performance.now() - begun;
        took.push(ms);
        kinds.get(kindOf(path))?.push(ms) ?? kinds.set(kindOf(path), [ms]);
        if (status !== 200) errors += 1;
        older = status === 200 && path.startsWith('/api/feed') ? (JSON.parse(body).next ?? null) : null;
        await wait(think());
      }
    }),
  );
  return { took, errors, kinds };
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
  const some = ids[Math.floor(Math.random() * ids.length)];
  if (older !== null && kind < 0.5) return `/api/feed?limit=20&before=${older}`;
  if (kind < 0.7) return '/api/feed?limit=20';
  if (kind < 0.85) return `/api/channels/${some}/posts?limit=20`;
  if (kind < 0.9) return '/api/channels';
  if (kind < 0.95) return `/api/search?q=${encodeURIComponent('bridge')}`;
  return '/main';
}

/** Sends posts at a constant rate. Each contains its number and the time at which it was sent. */
async function postFor(tell: (update: object) => Promise<number>): Promise<Reading> {
  const took: number[] = [];
  let errors = 0;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: SECONDS * POSTS_A_SECOND }, async (_, at) => {
      await wait(start + (at * 1000) / POSTS_A_SECOND - performance.now());
      const begun = performance.now();
      const chat = chatOf(1 + (at % CHATS));
      const text = `Load ${at} sent ${Date.now()}`;
      const date = Math.floor(Date.now() / 1000);
      const status = await tell({ channel_post: { message_id: 2 + Math.floor(at / CHATS), chat, date, text } }).catch(() => 0);
      took.push(performance.now() - begun);
      if (status !== 200) errors += 1;
    }),
  );
  return { took, errors };
}

function table(unloaded: Reading, { pages, posts, streams, memory, cores }: Loaded): Row[] {
  const minutes = Math.round(SECONDS / 6) / 10;
  const quarter = Math.floor(memory.length / 4);
  const [second, last] = [memory.slice(quarter, 2 * quarter), memory.slice(-quarter)];
  return [
    { what: `pages of ${READERS} readers in ${minutes} min`, is: pages.took.length, goal: '' },
    { what: 'pages that failed or were refused', is: pages.errors + unloaded.errors, goal: '0' },
    { what: 'a page, p50 and p99, unloaded, ms', is: `${at(unloaded.took, 0.5)} and ${at(unloaded.took, 0.99)}`, goal: '' },
    { what: 'a page, p50 and p99, loaded, ms', is: `${at(pages.took, 0.5)} and ${at(pages.took, 0.99)}`, goal: '' },
    ...[...(pages.kinds ?? [])].map(([kind, took]) => ({
      what: `${kind}, p50 and p99, unloaded, and loaded, ms`,
      is: `${at(unloaded.kinds?.get(kind) ?? [], 0.5)} and ${at(unloaded.kinds?.get(kind) ?? [], 0.99)}, ${at(took, 0.5)} and ${at(took, 0.99)}`,
      goal: '',
    })),
    { what: 'p99 loaded less p99 unloaded, ms', is: at(pages.took, 0.99) - at(unloaded.took, 0.99), goal: '<= 50' },
    { what: `posts taken, at ${POSTS_A_SECOND} a second`, is: posts.took.length - posts.errors, goal: String(posts.took.length) },
    { what: 'a post taken, p99, ms', is: at(posts.took, 0.99), goal: '' },
    { what: 'streams held to the end', is: streams.open, goal: String(STREAMS) },
    {
      what: 'posts told to each stream, fewest and most',
      is: `${streams.fewest} and ${streams.most}`,
      goal: String(posts.took.length),
    },
    { what: 'from sent to told, p50 and p99, ms', is: `${at(streams.delays, 0.5)} and ${at(streams.delays, 0.99)}`, goal: '' },
    { what: 'memory, second quarter and last, MB', is: `${at(second, 0.5)} and ${at(last, 0.5)}`, goal: 'flat' },
    { what: 'cores the server took', is: Number(cores.toFixed(2)), goal: '' },
  ];
}

const at = (numbers: readonly number[], part: number): number =>
  Math.round(numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length * part)] ?? 0);

function asking(origin: string): Ask {
  const agent = new Agent({ keepAlive: true });
  return async (path, { headers = {}, body } = {}) => {
    const asked = request(origin + path, { agent, headers, method: body === undefined ? 'GET' : 'POST' });
    asked.end(body);
    const [answer] = await once(asked, 'response');
    const parts: Buffer[] = [];
    for await (const part of answer) parts.push(part);
    return { status: answer.statusCode, body: Buffer.concat(parts).toString() };
  };
}

function telling(ask: Ask, secret: string): (update: object) => Promise<number> {
  let update_id = 1;
  const headers = { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret };
  return async (update) =>
    (await ask('/api/telegram/webhook', { headers, body: JSON.stringify({ update_id: update_id++, ...update }) })).status;
}

const chatOf = (chat: number) => ({
  id: -1_001_600_000_000 - chat,
  type: 'channel',
  title: `Town ${chat}`,
  username: `town_${chat}_square`,
});

function added(chat: number, from: number, user: object): object {
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
