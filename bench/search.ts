import type { ChildProcess } from 'node:child_process';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import type { PostKind } from '../contract/api.ts';
import { buildQueryTerms, channelTerm } from '../server/domain/search-terms.ts';
import { firstRowId } from '../server/storage/sql/post-index.ts';
import { BOT_TOKEN, launchData } from '../test/server/support/make-app.ts';
import { startServer } from './api.ts';
import { type Language, languageOf, seededChannels, WORDS } from './seed.ts';
import { CHANNELS, endDateOf, isPrivate, seedMillion } from './seed-million.ts';

const POSTS = Number(process.env.BENCH_POSTS ?? 1_000_000);
const RUNS = 200;
const OPERATOR = 7;
const WEEK_SECONDS = 7 * 24 * 3600;

/** Search request. `q` ends with a space if its last word is complete. */
interface SearchQuery {
  readonly q?: string;
  readonly media?: readonly PostKind[];
  readonly channels?: readonly string[];
  readonly from?: number;
  readonly to?: number;
}

const nth = <T>(list: readonly T[], at: number): T => {
  const item = list[at % list.length];
  if (item === undefined) throw new Error('An empty list has no nth item.');
  return item;
};

const ids = seededChannels(CHANNELS);
const publicIds = ids.filter((_, at) => !isPrivate(at));
const russianIds = ids.filter((_, at) => languageOf(at) === 'russian' && !isPrivate(at));
const word = (language: Language, rank: number) => nth(WORDS[language], rank);
const common = (at: number) => word(at % 2 ? 'russian' : 'english', Math.floor(at / 2));
const rare = (at: number) => word(at % 2 ? 'russian' : 'english', 15_000 + at * 37);
const weekOf = (at: number) => {
  const from = endDateOf(0) + Math.floor(((endDateOf(POSTS) - endDateOf(0)) * at) / RUNS);
  return { from, to: from + WEEK_SECONDS };
};

const QUERIES: Readonly<Record<string, (at: number) => SearchQuery>> = {
  'a common word': (at) => ({ q: `${common(at)} ` }),
  'a rare word': (at) => ({ q: `${rare(at)} ` }),
  'two common words': (at) => ({ q: `${common(at)} ${common(at + 2)} ` }),
  'a common and a rare word': (at) => ({ q: `${common(at)} ${rare(at)} ` }),
  'words of two languages, which never occur together': (at) => ({ q: `${common(at)} ${common(at + 1)} ` }),
  'a word that occurs in no post': (at) => ({ q: `unheard${'xyzw'[at % 4]}${at} ` }),
  'a hashtag': (at) => ({ q: `#${word('russian', at)}` }),
  'a word in one channel of a hundred': (at) => ({ q: `${word('russian', at)} `, channels: [nth(russianIds, at)] }),
  'a word in fifty channels': (at) => ({ q: `${common(at)} `, channels: publicIds.slice(0, 50) }),
  'a rare word in fifty channels': (at) => ({ q: `${rare(at)} `, channels: publicIds.slice(0, 50) }),
  'voice messages with a word': (at) => ({ q: `${common(at)} `, media: ['voice'] }),
  'photos, videos and links with a rare word': (at) => ({ q: `${rare(at)} `, media: ['photo', 'video', 'link'] }),
  polls: () => ({ media: ['poll'] }),
  'a word in a week': (at) => ({ q: `${common(at)} `, ...weekOf(at) }),
  'a rare word in a week': (at) => ({ q: `${rare(at)} `, ...weekOf(at) }),
  'a week': (at) => weekOf(at),
  'an unfinished word of three letters': (at) => ({ q: common(at).slice(0, 3) }),
  'an unfinished word of five letters': (at) => ({ q: common(at).slice(0, 5) }),
  'two letters within a Hebrew word': (at) => ({ q: `${word('hebrew', at).slice(1, 3)} ` }),
  'three letters within a Hebrew word': (at) => ({ q: `${word('hebrew', at).slice(1, 4)} ` }),
  'a Chinese word': (at) => ({ q: `${word('chinese', at)} ` }),
};

/** Private channels, for requests of a reader who may read them. */
const PRIVATE: SearchQuery = { channels: ids.filter((_, at) => isPrivate(at)) };

type Row = Record<string, string | number>;

/**
 * Search benchmark: measures the first page of searches over a million posts in a hundred channels, ten of them private. Each is
 * a request over HTTP, and none is repeated. They alternate with SQLite alone, with the same words in the same index. In ms. The
 * store is created once, in node_modules/.cache or `DATA_DIR`. `BENCH_POSTS` sets the number of posts.
 */
export async function benchSearch(): Promise<Row[]> {
  const dataDir = resolve(process.env.DATA_DIR ?? 'node_modules/.cache/changer-bench');
  await seedMillion(dataDir, POSTS);
  const servers: ChildProcess[] = [];
  const bare = openBare(dataDir);
  try {
    const origin = await startServer('dist/server/main.js', dataDir, servers, {
      BOT_TOKEN,
      // Nothing listens at this address: the bot is only configured for the sign-in.
      BOT_API_ROOT: 'http://127.0.0.1:9',
      OPERATOR_IDS: String(OPERATOR),
    });
    const headers = await signIn(origin);
    const rows: Row[] = [];
    for (const [name, queryAt] of Object.entries(QUERIES)) rows.push(await measure(name, queryAt, origin, {}, bare));
    const privateQuery = (at: number) => ({ q: `${word('russian', at)} `, ...PRIVATE });
    rows.push(await measure('a word in private channels', privateQuery, origin, headers, bare));
    rows.push(
      await measure('a word, by a reader with access to all channels', (at) => ({ q: `${common(at)} ` }), origin, headers, bare),
    );
    return rows;
  } finally {
    for (const server of servers) server.kill('SIGTERM');
    bare.close();
  }
}

async function measure(
  name: string,
  queryAt: (at: number) => SearchQuery,
  origin: string,
  headers: Record<string, string>,
  bare: ReturnType<typeof openBare>,
): Promise<Row> {
  const [ours, bareDurations, hitCounts]: [number[], number[], number[]] = [[], [], []];
  for (let at = 0; at < RUNS; at += 1) {
    const query = queryAt(at);
    const start = performance.now();
    const response = await fetch(urlOf(origin, query), { headers });
    const { items }: { items: unknown[] } = await response.json();
    ours.push(performance.now() - start);
    hitCounts.push(items.length);
    const startedAt = performance.now();
    bare.find(query);
    bareDurations.push(performance.now() - startedAt);
  }
  return {
    name,
    hits: quantile(hitCounts, 0.5),
    'ours, median': quantile(ours, 0.5),
    p99: quantile(ours, 0.99),
    'bare, median': quantile(bareDurations, 0.5),
    'bare p99': quantile(bareDurations, 0.99),
    goal: '<= 100',
  };
}

const urlOf = (origin: string, query: SearchQuery): string =>
  `${origin}/api/search?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`;

/** Opens the store's own index, to query only the newest twenty bodies: without alternative spellings and read permissions. */
const openBare = (dataDir: string) => {
  const database = new Database(join(dataDir, 'changer.sqlite'), { readonly: true });
  const matches = database.prepare(
    `SELECT m.body FROM words w CROSS JOIN messages m ON m.id = w.rowid WHERE w.words MATCH ?
       AND w.rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER) ORDER BY w.rowid DESC LIMIT 20`,
  );
  const newest = database.prepare('SELECT body FROM messages WHERE id BETWEEN ? AND ? AND head = 1 ORDER BY id DESC LIMIT 20');
  const anyOf = (terms: readonly string[]) => `(${terms.map((term) => `"${term}"`).join(' OR ')})`;
  return {
    find({ q, media, channels, from = 0, to = 2 ** 33 - 1 }: SearchQuery): void {
      const termGroups =
        buildQueryTerms({ limit: 20, ...(q !== undefined && { match: q }), ...(media && { kinds: media }) }) ?? [];
      const groups = termGroups.map((group) => anyOf(group.map(({ term }) => term)));
      if (channels) groups.push(anyOf(channels.map(channelTerm)));
      const [low, high] = [firstRowId(from), firstRowId(to + 1) - 1];
      if (groups.length === 0) newest.all(low, high);
      else matches.all(groups.join(' AND '), low, high);
    },
    close: () => database.close(),
  };
};

async function signIn(origin: string): Promise<Record<string, string>> {
  const response = await fetch(`${origin}/api/telegram/auth/webapp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ initData: launchData(OPERATOR) }),
  });
  return { 'access-token': String(Reflect.get(Object(await response.json()), 'Access-Token')) };
}

const quantile = (numbers: readonly number[], share: number): number =>
  Number([...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * share)]?.toFixed(1) ?? 0);
