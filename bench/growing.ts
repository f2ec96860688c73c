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
import { BUSY, type EngineName, endOf, type GrowingStore, makeGrowing, newestOf } from './growing-store.ts';
import { FIRST_DATE, languageOf, seededChannels, WORDS } from './seed.ts';

const SIZES = (process.env.BENCH_POSTS ?? '10000,100000,1000000').split(',').map(Number);
const CHANNELS = Number(process.env.BENCH_CHANNELS ?? 10_000);
const ENGINES = (process.env.BENCH_ENGINES ?? 'sqlite,postgres').split(',').filter(isEngine);
/** Duration of a round and number of rounds. Requests to ours and to the plain server alternate. */
const TURN_MS = 1000;
const TURNS = 2;
const CONNECTIONS = 4;

type Row = Record<string, string | number>;

/** Paths of the same page of posts on our server and on the plain server. */
interface Asked {
  readonly ours: string;
  readonly plain: string;
}

interface Told {
  readonly took: number[];
  readonly perSecond: number;
}

function isEngine(name: string): name is EngineName {
  return name === 'sqlite' || name === 'postgres';
}

const ids = seededChannels(CHANNELS);
const busy = (at: number): string => ids[at % BUSY] ?? '';
const following = (count: number, at: number): string[] =>
  Array.from(
    { length: Math.min(count, CHANNELS) },
    (_, place) => ids[(at * 7 + place * Math.ceil(CHANNELS / count)) % CHANNELS] ?? '',
  );
const wordAt = (at: number, rank: number): string => WORDS[languageOf(at % BUSY)][rank] ?? '';
const plain = (path: string, ...of: (string | number)[]): string =>
  `${path}?${of.map((each) => `of=${encodeURIComponent(each)}`).join('&')}`;

const feedOf =
  (count: number) =>
  (at: number): Asked => {
    const channels = following(count, at);
    return { ours: `/api/feed?channels=${channels.join(',')}`, plain: plain('/feed', ...channels) };
  };

const asked = (posts: number): Record<string, (at: number) => Asked> => {
  const middle = Math.floor((FIRST_DATE + endOf(posts)) / 2);
  const search = (rank: number) => (at: number) => {
    const q = `${wordAt(at, rank + Math.floor(at / BUSY))} `;
    const stems = (buildQueryTerms({ limit: 20, match: q }) ?? []).flat().map(({ term }) => term);
    return { ours: `/api/search?q=${encodeURIComponent(q)}`, plain: plain('/search', ...stems) };
  };
  return {
    'one post': (at) => ({
      ours: `/api/posts/${busy(at)}/${1 + (at % newestOf(posts))}`,
      plain: plain('/post', busy(at), 1 + (at % newestOf(posts))),
    }),
    'a channel’s newest page': (at) => ({ ours: `/api/channels/${busy(at)}/posts`, plain: plain('/channel', busy(at)) }),
    'a page in its middle': (at) => ({
      ours: `/api/channels/${busy(at)}/posts?before=${encodeCursor({ channelId: busy(at), date: middle - at, id: 0 })}`,
      plain: plain('/older', busy(at), middle - at),
    }),
    'the feed of 20 channels': feedOf(20),
    'the feed of 200 channels': feedOf(200),
    'the feed of all': () => ({ ours: '/api/feed', plain: '/all' }),
    '/main, drawn': () => ({ ours: '/main', plain: '/all' }),
    'the list of channels': () => ({ ours: '/api/channels', plain: '/channels' }),
    'a rare word': search(15_000),
    'a common word': search(2),
  };
};

/**
 * Growth benchmark: measures one process as the number of posts grows (`BENCH_POSTS`), with `BENCH_CHANNELS` channels on
 * `BENCH_ENGINES`, compared with a bare server that runs one plain statement on the same database. They alternate. In ms, medians
 * of all rounds. `to first` is the ratio of the median to that of the first size.
 */
export async function benchGrowing(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const engine of ENGINES) {
    const store = await makeGrowing(engine, CHANNELS);
    const first = new Map<string, number>();
    try {
      for (const posts of SIZES) {
        const begun = performance.now();
        await store.growTo(posts);
        console.log(
          `${engine}: ${posts} posts in ${CHANNELS} channels after ${Math.round((performance.now() - begun) / 1000)} s`,
        );
        for await (const [what, ours, bare] of measured(store, posts)) rows.push(rowOf(engine, posts, what, ours, bare, first));
        console.table(rows.filter((row) => row.engine === engine && row.posts === posts));
      }
    } finally {
      await store.remove();
    }
  }
  return rows;
}

const rowOf = (engine: string, posts: number, what: string, ours: Told, bare: Told, first: Map<string, number>): Row => {
  const half = part(ours.took, 0.5);
  if (!first.has(what)) first.set(what, half);
  return {
    ...{ engine, posts, what, p50: half, p99: part(ours.took, 0.99), 'per second': Math.round(ours.perSecond) },
    ...{ 'plain p50': part(bare.took, 0.5), 'plain p99': part(bare.took, 0.99), 'plain per second': Math.round(bare.perSecond) },
    ...{ 'ours/plain': ratio(half, part(bare.took, 0.5)), 'to first': ratio(half, first.get(what) ?? half) },
  };
};

async function* measured(store: GrowingStore, posts: number): AsyncGenerator<[what: string, ours: Told, bare: Told]> {
  const servers: ChildProcess[] = [];
  const { dataDir, databaseUrl } = store.place;
  const env = databaseUrl ? { DATABASE_URL: databaseUrl } : {};
  try {
    const ours = await startServer('dist/server/main.js', dataDir, servers, env);
    const bare = await startServer('bench/plain.ts', dataDir, servers, env);
    for (const [what, ask] of Object.entries(asked(posts)))
      yield [
        what,
        ...(await inTurns(
          (at) => fetched(ours + ask(at).ours),
          (at) => fetched(bare + ask(at).plain),
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
async function* writes({ place }: GrowingStore, posts: number): AsyncGenerator<[what: string, ours: Told, bare: Told]> {
  const store = await openStore(place);
  const plainly = await openPlain(place);
  const post = (at: number): Message => {
    const [channelId, id, date, text] = [busy(at), 10 ** 9 + at, endOf(posts) + at, `${wordAt(at, 20)} ${wordAt(at, 200)}`];
    return { post: { channelId, id, date, text, entities: [], reactions: [] }, media: [], source: 'export', seen: date };
  };
  try {
    yield [
      'a mark',
      ...(await inTurns(
        (at) => store.putReadMarker(`ours ${at % 1000}`, { channelId: busy(at), messageId: posts + at }, false),
        (at) => plainly.mark(`plain ${at % 1000}`, busy(at), posts + at),
      )),
    ];
    yield [
      'a post that comes',
      ...(await inTurns(
        (at) => store.putMessages([post(at)]),
        (at) => plainly.post(busy(at), 2 * 10 ** 9 + at, endOf(posts) + at),
      )),
    ];
  } finally {
    await plainly.clean();
    await store.close();
  }
}

const MARK = `INSERT INTO marks (reader, channel, message) VALUES (?, ?, ?)
  ON CONFLICT (reader, channel) DO UPDATE SET message = excluded.message`;
const POST = `INSERT INTO messages (id, channel, message, date, seen, rank, album_rank, head, media, service, body)
  VALUES (?, ?, ?, ?, 0, 0, 0, 1, 0, 0, '{}')`;
const CLEAN = 'DELETE FROM messages WHERE message >= 1000000000';

/** Opens the database for plain writes: one statement, one commit. */
const openPlain = async ({ dataDir, databaseUrl }: GrowingStore['place']) => {
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

type Act = (at: number) => Promise<unknown>;

/** Runs the two in alternation, after one run of each that is not counted. */
async function inTurns(ours: Act, plain: Act): Promise<[ours: Told, plain: Told]> {
  const [one, other] = [[] as Told[], [] as Told[]];
  let at = 0;
  const turn = (act: Act) => during(TURN_MS, () => act(at++));
  await Promise.all([ours(at++), plain(at++)]);
  for (let each = 0; each < TURNS; each += 1) {
    one.push(await turn(ours));
    other.push(await turn(plain));
  }
  return [joined(one), joined(other)];
}

const joined = (told: readonly Told[]): Told => ({
  took: told.flatMap(({ took }) => took),
  perSecond: told.reduce((sum, { perSecond }) => sum + perSecond, 0) / told.length,
});

async function during(ms: number, act: () => Promise<unknown>): Promise<Told> {
  const took: number[] = [];
  const start = performance.now();
  const ask = async () => {
    while (performance.now() < start + ms) {
      const begun = performance.now();
      await act();
      took.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, ask));
  return { took, perSecond: (took.length * 1000) / (performance.now() - start) };
}

const agent = new Agent({ keepAlive: true });

async function fetched(address: string): Promise<void> {
  for (;;) {
    const [answer] = await once(get(address, { agent }), 'response');
    await once(answer.resume(), 'end');
    if (answer.statusCode === 200) return;
    // Rejected for overload. The time until a retry succeeds counts as waiting.
    if (answer.statusCode !== 503) throw new Error(`${address} answered ${answer.statusCode}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const part = (numbers: readonly number[], share: number): number =>
  Number([...numbers].sort((one, other) => one - other)[Math.floor(numbers.length * share)]?.toFixed(2) ?? 0);
const ratio = (one: number, other: number): number => Number((one / other).toPrecision(2));
