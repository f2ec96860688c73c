import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { encodeCursor } from '../server/posts/pagination.ts';
import { openStore } from '../server/storage/open.ts';
import { median } from './median.ts';
import { FIRST_DATE, SECONDS_BETWEEN_POSTS, seed, seededChannelIds } from './seed.ts';

const POSTS = Number(process.env.BENCH_POSTS ?? 100_000);
const CHANNELS = 50;
const DURATION_SECONDS = 5;
/** Number of measurements of each server. Their median is reported. */
const ROUNDS = 3;
const PATH_COUNT = 2000;

type Row = Record<string, string | number>;

/**
 * API benchmark: measures requests for pages of 20 posts, each at a different cursor of a random channel, compared with
 * a bare server (only the query, JSON and Fastify). The servers alternate on the same store. `BENCH_POSTS` sets the
 * number of posts.
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
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.ours.push((await measureThroughput(ours)).requests.average);
    rates.bare.push((await measureThroughput(bare)).requests.average);
  }
  const halfRate = median(rates.ours) / 2;
  const tails = { ours: [] as number[], bare: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    tails.ours.push(await measureTailLatency(ours, halfRate));
    tails.bare.push(await measureTailLatency(bare, halfRate));
  }
  return [
    {
      name: `page of 20 of ${POSTS} posts, per second`,
      ours: Math.round(median(rates.ours)),
      bare: Math.round(median(rates.bare)),
      goal: '',
    },
    {
      name: 'our rate as a fraction of the bare server’s rate',
      ours: Number((median(rates.ours) / median(rates.bare)).toFixed(2)),
      bare: 1,
      goal: '>= 0.5',
    },
    {
      name: `p99 at half our rate (${Math.round(halfRate)} per second), ms`,
      ours: median(tails.ours),
      bare: median(tails.bare),
      goal: '<= 15',
    },
  ];
}

/** Sends requests as fast as 10 connections allow, for `DURATION_SECONDS`. */
async function measureThroughput(origin: string): Promise<autocannon.Result> {
  const requests = randomPaths().map((path) => ({ method: 'GET' as const, path }));
  const result = await autocannon({ url: origin, connections: 10, duration: DURATION_SECONDS, requests });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${origin} returned ${result.non2xx} responses with an error status`);
  return result;
}

/**
 * Sends requests at a constant rate, without waiting for previous responses. Returns the 99th percentile of the time
 * since each request was due, in ms. (autocannon sends the requests of a second in one burst. With it, even a server
 * that does nothing has a p99 of 200 ms.)
 */
async function measureTailLatency(origin: string, rate: number): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const paths = randomPaths();
  const start = performance.now();
  const durations = await Promise.all(
    Array.from({ length: Math.round(rate * DURATION_SECONDS) }, async (_, index) => {
      const due = start + (index * 1000) / rate;
      await sleep(due - performance.now());
      const [response] = await once(get(origin + paths[index % paths.length], { agent }), 'response');
      await once(response.resume(), 'end');
      return performance.now() - due;
    }),
  );
  agent.destroy();
  return Math.round(durations.sort((a, b) => a - b)[Math.floor(durations.length * 0.99)] ?? 0);
}

/** Returns paths with random cursors over all channels and dates, so that no response is cached. */
function randomPaths(): string[] {
  const ids = seededChannelIds(CHANNELS);
  return Array.from({ length: PATH_COUNT }, () => {
    const channelId = ids[Math.floor(Math.random() * ids.length)] ?? '';
    const date = FIRST_DATE + Math.floor(Math.random() * POSTS) * SECONDS_BETWEEN_POSTS;
    return `/api/channels/${channelId}/posts?limit=20&before=${encodeCursor({ channelId, date, id: 0 })}`;
  });
}

/**
 * Starts a program on a free port and returns its origin. Adds its process to `servers`: the caller must end it. Throws
 * if the program exits without printing its address.
 */
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
  throw new Error(`${program} did not print its address.`);
}
