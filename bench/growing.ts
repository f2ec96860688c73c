import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import type { Message } from '../server/domain/model.ts';
import { buildQueryTerms } from '../server/domain/search-terms.ts';
import { encodeCursor } from '../server/posts/pagination.ts';
import { openStore } from '../server/storage/open.ts';
import { openPool } from '../server/storage/postgres/connection-pool.ts';
import { prepareStatement } from '../server/storage/postgres/prepared-statements.ts';
import { firstRowId } from '../server/storage/sql/post-index.ts';
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
import { FIRST_DATE, languageOf, seededChannelIds, WORDS } from './seed.ts';

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

const ids = seededChannelIds(CHANNELS);
const busyChannel = (index: number): string => ids[index % BUSY_CHANNELS] ?? '';
/** Returns `count` channels (or all, if there are fewer), spread over the list. Each `index` selects others. */
const channelsAt = (count: number, index: number): string[] =>
  Array.from(
    { length: Math.min(count, CHANNELS) },
    (_, position) => ids[(index * 7 + position * Math.ceil(CHANNELS / count)) % CHANNELS] ?? '',
  );
/** Returns the word of a rank (0 is the most frequent one) in the language of a busy channel. */
const searchWordAt = (index: number, rank: number): string => WORDS[languageOf(index % BUSY_CHANNELS)][rank] ?? '';
const plainPath = (path: string, ...values: (string | number)[]): string =>
  `${path}?${values.map((value) => `of=${encodeURIComponent(value)}`).join('&')}`;

const feedPaths =
  (count: number) =>
  (index: number): RequestPaths => {
    const channels = channelsAt(count, index);
    return { ours: `/api/feed?channels=${channels.join(',')}`, plain: plainPath('/feed', ...channels) };
  };

const pathsByName = (posts: number): Record<string, (index: number) => RequestPaths> => {
  const middle = Math.floor((FIRST_DATE + endDateOf(posts)) / 2);
  const search = (rank: number) => (index: number) => {
    const q = `${searchWordAt(index, rank + Math.floor(index / BUSY_CHANNELS))} `;
    const stems = (buildQueryTerms({ limit: 20, match: q }) ?? []).flat().map(({ term }) => term);
    return { ours: `/api/search?q=${encodeURIComponent(q)}`, plain: plainPath('/search', ...stems) };
  };
  return {
    'one post': (index) => ({
      ours: `/api/posts/${busyChannel(index)}/${1 + (index % newestMessageOf(posts))}`,
      plain: plainPath('/post', busyChannel(index), 1 + (index % newestMessageOf(posts))),
    }),
    'a channel’s newest page': (index) => ({
      ours: `/api/channels/${busyChannel(index)}/posts`,
      plain: plainPath('/channel', busyChannel(index)),
    }),
    'a page in the middle of a channel': (index) => {
      const [channelId, date] = [busyChannel(index), middle - index];
      return {
        ours: `/api/channels/${channelId}/posts?before=${encodeCursor({ channelId, date, id: 0 })}`,
        plain: plainPath('/older', channelId, date),
      };
    },
    'the feed of 20 channels': feedPaths(20),
    'the feed of 200 channels': feedPaths(200),
    'the feed of all channels': () => ({ ours: '/api/feed', plain: '/all' }),
    '/main, server-rendered': () => ({ ours: '/main', plain: '/all' }),
    'the list of channels': () => ({ ours: '/api/channels', plain: '/channels' }),
    'search for a rare word': search(15_000),
    'search for a common word': search(2),
  };
};

/**
 * Growth benchmark: measures one process as the number of posts grows (`BENCH_POSTS`), with `BENCH_CHANNELS` channels
 * on `BENCH_ENGINES`, compared with a bare server that runs one plain statement on the same database. They alternate.
 * In ms, medians of all rounds. `× first size` is the ratio of the median to that of the first size.
 */
export async function benchGrowing(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const engine of ENGINES) {
    const store = await createGrowingStore(engine, CHANNELS);
    const firstMedians = new Map<string, number>();
    try {
      for (const posts of SIZES) {
        const startedAt = performance.now();
        await store.growTo(posts);
        console.log(
          `${engine}: ${posts} posts in ${CHANNELS} channels after ${Math.round((performance.now() - startedAt) / 1000)} s`,
        );
        for await (const [name, ours, bare] of measureAll(store, posts))
          rows.push(rowOf(engine, posts, name, ours, bare, firstMedians));
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
  firstMedians: Map<string, number>,
): Row => {
  const median = quantile(ours.durations, 0.5);
  if (!firstMedians.has(name)) firstMedians.set(name, median);
  return {
    ...{ engine, posts, name, p50: median, p99: quantile(ours.durations, 0.99), 'per second': Math.round(ours.perSecond) },
    ...{
      'plain p50': quantile(bare.durations, 0.5),
      'plain p99': quantile(bare.durations, 0.99),
      'plain per second': Math.round(bare.perSecond),
    },
    ...{
      '× plain': ratio(median, quantile(bare.durations, 0.5)),
      '× first size': ratio(median, firstMedians.get(name) ?? median),
    },
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
        ...(await measureAlternately(
          (index) => fetchUntilServed(ours + pathsAt(index).ours),
          (index) => fetchUntilServed(bare + pathsAt(index).plain),
        )),
      ];
    yield* measureWrites(store, posts);
  } finally {
    for (const server of servers) {
      server.kill('SIGTERM');
      if (server.exitCode === null) await once(server, 'exit');
    }
  }
}

/** Measures writes on the store directly, because the API limits the rate of changes per account. */
async function* measureWrites(
  { location }: GrowingStore,
  posts: number,
): AsyncGenerator<[name: string, ours: Measurement, bare: Measurement]> {
  const store = await openStore(location);
  const plainStore = await openPlainStore(location);
  const createMessage = (index: number): Message => {
    const [channelId, id, date, text] = [
      busyChannel(index),
      FIRST_TEST_MESSAGE_ID + index,
      endDateOf(posts) + index,
      `${searchWordAt(index, 20)} ${searchWordAt(index, 200)}`,
    ];
    return { post: { channelId, id, date, text, entities: [], reactions: [] }, media: [], source: 'export', modifiedAt: date };
  };
  try {
    yield [
      'a read marker',
      ...(await measureAlternately(
        (index) =>
          store.putReadMarker(`ours ${index % 1000}`, { channelId: busyChannel(index), messageId: posts + index }, false),
        (index) => plainStore.putReadMarker(`plain ${index % 1000}`, busyChannel(index), posts + index),
      )),
    ];
    yield [
      'a new post',
      ...(await measureAlternately(
        (index) => store.putMessages([createMessage(index)]),
        (index) => plainStore.insertPost(busyChannel(index), 2 * FIRST_TEST_MESSAGE_ID + index, endDateOf(posts) + index),
      )),
    ];
  } finally {
    await plainStore.removeTestData();
    await store.close();
  }
}

/** Message ids from this one on are of posts that the benchmark writes. No seeded post has such an id. */
const FIRST_TEST_MESSAGE_ID = 10 ** 9;

const PUT_READ_MARKER_SQL = `INSERT INTO marks (reader, channel, message) VALUES (?, ?, ?)
  ON CONFLICT (reader, channel) DO UPDATE SET message = excluded.message`;
const INSERT_POST_SQL = `INSERT INTO messages (id, channel, message, date, seen, rank, album_rank, head, media, service, body)
  VALUES (?, ?, ?, ?, 0, 0, 0, 1, 0, 0, '{}')`;
const DELETE_TERMS_SQL = `DELETE FROM words
  WHERE rowid IN (SELECT id FROM messages WHERE message >= ${FIRST_TEST_MESSAGE_ID})`;
const DELETE_READ_MARKERS_SQL = `DELETE FROM marks WHERE reader LIKE 'ours %' OR reader LIKE 'plain %'`;
const DELETE_POSTS_SQL = `DELETE FROM messages WHERE message >= ${FIRST_TEST_MESSAGE_ID}`;

/** Opens the database for plain writes: one statement, one commit. An empty statement closes the database. */
const openPlainStore = async ({ dataDir, databaseUrl }: GrowingStore['location']) => {
  const runStatement = databaseUrl ? connectPostgres(databaseUrl) : await connectSqlite(dataDir);
  return {
    putReadMarker: (...values: [reader: string, channel: string, message: number]) => runStatement(PUT_READ_MARKER_SQL, values),
    insertPost: (channel: string, id: number, date: number) =>
      runStatement(INSERT_POST_SQL, [firstRowId(date) + (id % 1000), channel, id, date]),
    removeTestData: async () => {
      await runStatement(DELETE_READ_MARKERS_SQL, []);
      await runStatement(DELETE_TERMS_SQL, []);
      await runStatement(DELETE_POSTS_SQL, []);
      await runStatement('', []);
    },
  };
};
type RunStatement = (sql: string, values: (string | number)[]) => Promise<unknown>;

const connectSqlite = async (dataDir: string): Promise<RunStatement> => {
  const database = await openSqliteDatabase(join(dataDir, 'changer.sqlite'));
  return async (sql, values) => (sql === '' ? database.close() : database.sql(sql).run(...values));
};

const connectPostgres = (url: string): RunStatement => {
  const pool = openPool(url);
  return async (sql, values) => {
    if (sql === '') return pool.end();
    const { text, name } = prepareStatement(sql);
    return pool.query(text, values, name);
  };
};

type Action = (index: number) => Promise<unknown>;

/** Measures both actions in alternation, after one run of each that is not counted. */
async function measureAlternately(ours: Action, plain: Action): Promise<[ours: Measurement, plain: Measurement]> {
  const [oursRounds, plainRounds] = [[] as Measurement[], [] as Measurement[]];
  let index = 0;
  const runRound = (action: Action) => measureFor(ROUND_MS, () => action(index++));
  await Promise.all([ours(index++), plain(index++)]);
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

/** Requests an address until the server accepts the request. */
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

const quantile = (numbers: readonly number[], fraction: number): number =>
  Number([...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * fraction)]?.toFixed(2) ?? 0);
const ratio = (value: number, base: number): number => Number((value / base).toPrecision(2));
