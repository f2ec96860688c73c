import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import type { Message } from '../server/domain/model.ts';
import { buildQueryTerms } from '../server/domain/search-terms.ts';
import { encodeCursor } from '../server/posts/pagination.ts';
import { openStore } from '../server/storage/open.ts';
import { openPool } from '../server/storage/postgres/connection.ts';
import { openSqliteDatabase } from '../server/storage/sqlite/connection.ts';
import { startServer } from './api.ts';
import {
  BUSY_CHANNELS,
  createGrowingStore,
  type EngineName,
  endDateOf,
  type GrowingStore,
  newestMessageOf,
} from './growing-store.ts';
import { FIRST_DATE, languageOf, seededChannels, WORDS } from './seed.ts';

const SIZES = (process.env.BENCH_POSTS ?? '10000,100000,1000000').split(',').map(Number);
const CHANNELS = Number(process.env.BENCH_CHANNELS ?? 10_000);
const ENGINES = (process.env.BENCH_ENGINES ?? 'sqlite,postgres').split(',').filter(isEngine);
/** Duration of a round and number of rounds. Requests to ours and to the plain server alternate. */
const ROUND_MS = 1000;
const ROUNDS = 2;
const CONNECTIONS = 4;

type Row = Record<string, string | number>;

/** Paths of the same page of posts on our server and on the plain server. */
interface RequestPaths {
  readonly ours: string;
  readonly plain: string;
}

interface Measurement {
  readonly durations: number[];
  readonly perSecond: number;
}

function isEngine(name: string): name is EngineName {
  return name === 'sqlite' || name === 'postgres';
}

const ids = seededChannels(CHANNELS);
const busyChannel = (index: number): string => ids[index % BUSY_CHANNELS] ?? '';
const someChannels = (count: number, index: number): string[] =>
  Array.from(
    { length: Math.min(count, CHANNELS) },
    (_, position) => ids[(index * 7 + position * Math.ceil(CHANNELS / count)) % CHANNELS] ?? '',
  );
const wordAt = (at: number, rank: number): string => WORDS[languageOf(at % BUSY_CHANNELS)][rank] ?? '';
const plainPath = (path: string, ...values: (string | number)[]): string =>
  `${path}?${values.map((value) => `of=${encodeURIComponent(value)}`).join('&')}`;

const feedOf =
  (count: number) =>
  (at: number): RequestPaths => {
    const channels = someChannels(count, at);
    return { ours: `/api/feed?channels=${channels.join(',')}`, plain: plainPath('/feed', ...channels) };
  };

const pathsByName = (posts: number): Record<string, (at: number) => RequestPaths> => {
  const middle = Math.floor((FIRST_DATE + endDateOf(posts)) / 2);
  const search = (rank: number) => (at: number) => {
    const q = `${wordAt(at, rank + Math.floor(at / BUSY_CHANNELS))} `;
    const stems = (buildQueryTerms({ limit: 20, match: q }) ?? []).flat().map(({ term }) => term);
    return { ours: `/api/search?q=${encodeURIComponent(q)}`, plain: plainPath('/search', ...stems) };
  };
  return {
    'one post': (at) => ({
      ours: `/api/posts/${busyChannel(at)}/${1 + (at % newestMessageOf(posts))}`,
      plain: plainPath('/post', busyChannel(at), 1 + (at % newestMessageOf(posts))),
    }),
    'a channel’s newest page': (at) => ({
      ours: `/api/channels/${busyChannel(at)}/posts`,
      plain: plainPath('/channel', busyChannel(at)),
    }),
    'a page in the middle of a channel': (at) => ({
      ours: `/api/channels/${busyChannel(at)}/posts?before=${encodeCursor({ channelId: busyChannel(at), date: middle - at, id: 0 })}`,
      plain: plainPath('/older', busyChannel(at), middle - at),
    }),
    'the feed of 20 channels': feedOf(20),
    'the feed of 200 channels': feedOf(200),
    'the feed of all channels': () => ({ ours: '/api/feed', plain: '/all' }),
    '/main, server-rendered': () => ({ ours: '/main', plain: '/all' }),
    'the list of channels': () => ({ ours: '/api/channels', plain: '/channels' }),
    'search for a rare word': search(15_000),
    'search for a common word': search(2),
  };
};

/**
 * Growth benchmark: measures one process as the number of posts grows (`BENCH_POSTS`), with `BENCH_CHANNELS` channels on
 * `BENCH_ENGINES`, compared with a bare server that runs one plain statement on the same database. They alternate. In ms, medians
 * of all rounds. `× first size` is the ratio of the median to that of the first size.
 */
export async function benchGrowing(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const engine of ENGINES) {
    const store = await createGrowingStore(engine, CHANNELS);
    const first = new Map<string, number>();
    try {
      for (const posts of SIZES) {
        const startedAt = performance.now();
        await store.growTo(posts);
        console.log(
          `${engine}: ${posts} posts in ${CHANNELS} channels after ${Math.round((performance.now() - startedAt) / 1000)} s`,
        );
        for await (const [name, ours, bare] of measureAll(store, posts)) rows.push(rowOf(engine, posts, name, ours, bare, first));
        console.table(rows.filter((row) => row.engine === engine && row.posts === posts));
      }
    } finally {
      await store.remove();
    }
  }
  return rows;
}

const rowOf = (
  engine: string,
  posts: number,
  name: string,
  ours: Measurement,
  bare: Measurement,
  first: Map<string, number>,
): Row => {
  const median = quantile(ours.durations, 0.5);
  if (!first.has(name)) first.set(name, median);
  return {
    ...{ engine, posts, name, p50: median, p99: quantile(ours.durations, 0.99), 'per second': Math.round(ours.perSecond) },
    ...{
      'plain p50': quantile(bare.durations, 0.5),
      'plain p99': quantile(bare.durations, 0.99),
      'plain per second': Math.round(bare.perSecond),
    },
    ...{ '× plain': ratio(median, quantile(bare.durations, 0.5)), '× first size': ratio(median, first.get(name) ?? median) },
  };
};

async function* measureAll(
  store: GrowingStore,
  posts: number,
): AsyncGenerator<[name: string, ours: Measurement, bare: Measurement]> {
  const servers: ChildProcess[] = [];
  const { dataDir, databaseUrl } = store.location;
  const env = databaseUrl ? { DATABASE_URL: databaseUrl } : {};
  try {
    const ours = await startServer('dist/server/main.js', dataDir, servers, env);
    const bare = await startServer('bench/plain.ts', dataDir, servers, env);
    for (const [name, pathsAt] of Object.entries(pathsByName(posts)))
      yield [
        name,
        ...(await measureInTurns(
          (at) => fetchUntilServed(ours + pathsAt(at).ours),
          (at) => fetchUntilServed(bare + pathsAt(at).plain),
        )),
      ];
    yield* writes(store, posts);
  } finally {
    for (const server of servers) {
      server.kill('SIGTERM');
      if (server.exitCode === null) await once(server, 'exit');
    }
  }
}

/** Measures writes on the store directly, because the API limits the rate of changes per account. */
async function* writes(
  { location }: GrowingStore,
  posts: number,
): AsyncGenerator<[name: string, ours: Measurement, bare: Measurement]> {
  const store = await openStore(location);
  const plainStore = await openPlain(location);
  const post = (at: number): Message => {
    const [channelId, id, date, text] = [
      busyChannel(at),
      10 ** 9 + at,
      endDateOf(posts) + at,
      `${wordAt(at, 20)} ${wordAt(at, 200)}`,
    ];
    return { post: { channelId, id, date, text, entities: [], reactions: [] }, media: [], source: 'export', modifiedAt: date };
  };
  try {
    yield [
      'a read marker',
      ...(await measureInTurns(
        (at) => store.putReadMarker(`ours ${at % 1000}`, { channelId: busyChannel(at), messageId: posts + at }, false),
        (at) => plainStore.mark(`plain ${at % 1000}`, busyChannel(at), posts + at),
      )),
    ];
    yield [
      'a new post',
      ...(await measureInTurns(
        (at) => store.putMessages([post(at)]),
        (at) => plainStore.post(busyChannel(at), 2 * 10 ** 9 + at, endDateOf(posts) + at),
      )),
    ];
  } finally {
    await plainStore.clean();
    await store.close();
  }
}

const MARK = `INSERT INTO marks (reader, channel, message) VALUES (?, ?, ?)
  ON CONFLICT (reader, channel) DO UPDATE SET message = excluded.message`;
const POST = `INSERT INTO messages (id, channel, message, date, seen, rank, album_rank, head, media, service, body)
  VALUES (?, ?, ?, ?, 0, 0, 0, 1, 0, 0, '{}')`;
const CLEAN = 'DELETE FROM messages WHERE message >= 1000000000';

/** Opens the database for plain writes: one statement, one commit. */
const openPlain = async ({ dataDir, databaseUrl }: GrowingStore['location']) => {
  const run = databaseUrl ? onPostgres(databaseUrl) : await onSqlite(dataDir);
  return {
    mark: (...values: [reader: string, channel: string, message: number]) => run(MARK, values),
    post: (channel: string, id: number, date: number) => run(POST, [date * 2 ** 20 + (id % 1000), channel, id, date]),
    clean: async () => {
      await run(`DELETE FROM words WHERE rowid IN (SELECT id FROM messages WHERE message >= 1000000000)`, []);
      await run(CLEAN, []);
      await run('', []);
    },
  };
};
type Run = (sql: string, values: (string | number)[]) => Promise<unknown>;

const onSqlite = async (dataDir: string): Promise<Run> => {
  const database = await openSqliteDatabase(join(dataDir, 'changer.sqlite'));
  return async (sql, values) => (sql === '' ? database.close() : database.sql(sql).run(...values));
};

const onPostgres = (url: string): Run => {
  const pool = openPool(url);
  return async (sql, values) => {
    let at = 0;
    return sql === ''
      ? pool.end({ timeout: 5 })
      : pool.unsafe(
          sql.replaceAll('?', () => `$${++at}`),
          values,
          { prepare: true },
        );
  };
};

type Action = (at: number) => Promise<unknown>;

/** Runs the two in alternation, after one run of each that is not counted. */
async function measureInTurns(ours: Action, plain: Action): Promise<[ours: Measurement, plain: Measurement]> {
  const [oursRounds, plainRounds] = [[] as Measurement[], [] as Measurement[]];
  let at = 0;
  const runRound = (action: Action) => measureFor(ROUND_MS, () => action(at++));
  await Promise.all([ours(at++), plain(at++)]);
  for (let round = 0; round < ROUNDS; round += 1) {
    oursRounds.push(await runRound(ours));
    plainRounds.push(await runRound(plain));
  }
  return [joinMeasurements(oursRounds), joinMeasurements(plainRounds)];
}

const joinMeasurements = (measurements: readonly Measurement[]): Measurement => ({
  durations: measurements.flatMap(({ durations }) => durations),
  perSecond: measurements.reduce((sum, { perSecond }) => sum + perSecond, 0) / measurements.length,
});

async function measureFor(ms: number, action: () => Promise<unknown>): Promise<Measurement> {
  const durations: number[] = [];
  const start = performance.now();
  const sendRequests = async () => {
    while (performance.now() < start + ms) {
      const startedAt = performance.now();
      await action();
      durations.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sendRequests));
  return { durations, perSecond: (durations.length * 1000) / (performance.now() - start) };
}

const agent = new Agent({ keepAlive: true });

async function fetchUntilServed(address: string): Promise<void> {
  for (;;) {
    const [response] = await once(get(address, { agent }), 'response');
    await once(response.resume(), 'end');
    if (response.statusCode === 200) return;
    // Rejected for overload. The time until a retry succeeds counts as waiting.
    if (response.statusCode !== 503) throw new Error(`${address} responded with ${response.statusCode}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const quantile = (numbers: readonly number[], share: number): number =>
  Number([...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * share)]?.toFixed(2) ?? 0);
const ratio = (value: number, base: number): number => Number((value / base).toPrecision(2));
