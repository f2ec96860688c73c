import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import autocannon from 'autocannon';
import { encodeCursor } from '../server/posts/pagination.ts';
import { openStore } from '../server/storage/open.ts';
import { seed, seededChannels } from './seed.ts';

const POSTS = Number(process.env.BENCH_POSTS ?? 100_000);
const CHANNELS = 50;
const SECONDS = 5;
const ADDRESSES = 2000;

type Row = Record<string, string | number>;

/**
 * API benchmark: measures requests for pages of 20 posts, each at a different cursor of a random channel, compared with a bare
 * server (only the query, JSON and Fastify). The servers alternate on the same store. `BENCH_POSTS` sets the number of posts.
 */
export async function benchApi(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'changer-bench-'));
  const servers: ChildProcess[] = [];
  try {
    const store = await openStore({ dataDir });
    await seed(store, POSTS, CHANNELS);
    await store.close();
    const ours = await startServer('dist/server/main.js', dataDir, servers);
    const bare = await startServer('bench/bare.ts', dataDir, servers);
    return await compare(ours, bare);
  } finally {
    for (const server of servers) server.kill('SIGTERM');
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function compare(ours: string, bare: string): Promise<Row[]> {
  const rates = { ours: [] as number[], bare: [] as number[] };
  for (let turn = 0; turn < 3; turn += 1) {
    rates.ours.push((await load(ours)).requests.average);
    rates.bare.push((await load(bare)).requests.average);
  }
  const half = median(rates.ours) / 2;
  const tails = { ours: [] as number[], bare: [] as number[] };
  for (let turn = 0; turn < 3; turn += 1) {
    tails.ours.push(await steadily(ours, half));
    tails.bare.push(await steadily(bare, half));
  }
  return [
    {
      what: `page of 20 of ${POSTS} posts, per second`,
      ours: Math.round(median(rates.ours)),
      bare: Math.round(median(rates.bare)),
      goal: '',
    },
    {
      what: 'ours as a part of the bare server’s',
      ours: Number((median(rates.ours) / median(rates.bare)).toFixed(2)),
      bare: 1,
      goal: '>= 0.5',
    },
    {
      what: `p99 at half our rate (${Math.round(half)} per second), ms`,
      ours: median(tails.ours),
      bare: median(tails.bare),
      goal: '<= 15',
    },
  ];
}

async function load(origin: string): Promise<autocannon.Result> {
  const requests = places().map((path) => ({ method: 'GET' as const, path }));
  const result = await autocannon({ url: origin, connections: 10, duration: SECONDS, requests });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${origin} answered ${result.non2xx} requests with an error`);
  return result;
}

/**
 * Sends requests at a constant rate, without waiting for previous responses. Returns the 99th percentile of the time since each
 * request was due, in ms. (autocannon sends the requests of a second in one burst. With it, even a server that does nothing has a
 * p99 of 200 ms.)
 */
async function steadily(origin: string, rate: number): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const paths = places();
  const start = performance.now();
  const took = await Promise.all(
    Array.from({ length: Math.round(rate * SECONDS) }, async (_, at) => {
      const due = start + (at * 1000) / rate;
      await wait(due - performance.now());
      const [answer] = await once(get(origin + paths[at % paths.length], { agent }), 'response');
      await once(answer.resume(), 'end');
      return performance.now() - due;
    }),
  );
  agent.destroy();
  return Math.round(took.sort((one, other) => one - other)[Math.floor(took.length * 0.99)] ?? 0);
}

/**
 * Returns paths with cursors spread over all channels and dates. They are random in every call, so that no response is cached.
 */
function places(): string[] {
  const ids = seededChannels(CHANNELS);
  return Array.from({ length: ADDRESSES }, () => {
    const channelId = ids[Math.floor(Math.random() * ids.length)] ?? '';
    const date = 1_600_000_000 + Math.floor(Math.random() * POSTS) * 100;
    return `/api/channels/${channelId}/posts?limit=20&before=${encodeCursor({ channelId, date, id: 0 })}`;
  });
}

/** Starts a program on a free port and returns its origin. */
export async function startServer(
  program: string,
  dataDir: string,
  servers: ChildProcess[],
  env: Record<string, string> = {},
): Promise<string> {
  const child = spawn(process.execPath, [...(program.endsWith('.ts') ? ['--import', 'tsx'] : []), resolve(program)], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', DEMO: 'off', NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  servers.push(child);
  for await (const line of createInterface(child.stdout)) {
    const origin = /http:\/\/\S+:\d+/.exec(line)?.[0];
    if (origin !== undefined) return origin;
  }
  throw new Error(`${program} said no address.`);
}

const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
