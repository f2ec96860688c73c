import type { ChildProcess } from 'node:child_process';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import type { PostKind } from '../contract/api.ts';
import { buildQueryTerms, channelTerm } from '../server/domain/search-terms.ts';
import { firstRowId } from '../server/storage/sql/post-index.ts';
import { BOT_TOKEN, launchData } from '../test/server/support/make-app.ts';
import { startServer } from './api.ts';
import { type Language, languageOf, seededChannelIds, WORDS } from './seed.ts';
import { CHANNELS, endDateOf, isPrivate, seedMillion } from './seed-million.ts';

const POSTS = Number(process.env.BENCH_POSTS ?? 1_000_000);
const RUNS = 200;
const OPERATOR_ID = 7;
const WEEK_SECONDS = 7 * 24 * 3600;

/** Search request. `q` ends with a space if its last word is complete. */
interface SearchQuery {
  readonly q?: string;
  readonly media?: readonly PostKind[];
  readonly channels?: readonly string[];
  /** First and last second. */
  readonly from?: number;
  readonly to?: number;
}

/** Returns the item at an index, which starts again at 0 after the end of the list. */
const itemAt = <T>(list: readonly T[], index: number): T => {
  const item = list[index % list.length];
  if (item === undefined) throw new Error('An empty list has no nth item.');
  return item;
};

const ids = seededChannelIds(CHANNELS);
const publicIds = ids.filter((_, index) => !isPrivate(index));
const russianIds = ids.filter((_, index) => languageOf(index) === 'russian' && !isPrivate(index));
const wordAt = (language: Language, rank: number) => itemAt(WORDS[language], rank);
const commonWord = (index: number) => wordAt(index % 2 ? 'russian' : 'english', Math.floor(index / 2));
const rareWord = (index: number) => wordAt(index % 2 ? 'russian' : 'english', 15_000 + index * 37);
const weekAt = (index: number) => {
  const from = endDateOf(0) + Math.floor(((endDateOf(POSTS) - endDateOf(0)) * index) / RUNS);
  return { from, to: from + WEEK_SECONDS };
};

const QUERIES: Readonly<Record<string, (index: number) => SearchQuery>> = {
  'a common word': (index) => ({ q: `${commonWord(index)} ` }),
  'a rare word': (index) => ({ q: `${rareWord(index)} ` }),
  'two common words': (index) => ({ q: `${commonWord(index)} ${commonWord(index + 2)} ` }),
  'a common and a rare word': (index) => ({ q: `${commonWord(index)} ${rareWord(index)} ` }),
  'words of two languages, which never occur together': (index) => ({ q: `${commonWord(index)} ${commonWord(index + 1)} ` }),
  'a word that occurs in no post': (index) => ({ q: `unheard${'xyzw'[index % 4]}${index} ` }),
  'a hashtag': (index) => ({ q: `#${wordAt('russian', index)}` }),
  'a word in one channel of a hundred': (index) => ({ q: `${wordAt('russian', index)} `, channels: [itemAt(russianIds, index)] }),
  'a word in fifty channels': (index) => ({ q: `${commonWord(index)} `, channels: publicIds.slice(0, 50) }),
  'a rare word in fifty channels': (index) => ({ q: `${rareWord(index)} `, channels: publicIds.slice(0, 50) }),
  'voice messages with a word': (index) => ({ q: `${commonWord(index)} `, media: ['voice'] }),
  'photos, videos and links with a rare word': (index) => ({ q: `${rareWord(index)} `, media: ['photo', 'video', 'link'] }),
  polls: () => ({ media: ['poll'] }),
  'a word in a week': (index) => ({ q: `${commonWord(index)} `, ...weekAt(index) }),
  'a rare word in a week': (index) => ({ q: `${rareWord(index)} `, ...weekAt(index) }),
  'a week': (index) => weekAt(index),
  'an unfinished word of three letters': (index) => ({ q: commonWord(index).slice(0, 3) }),
  'an unfinished word of five letters': (index) => ({ q: commonWord(index).slice(0, 5) }),
  'two letters within a Hebrew word': (index) => ({ q: `${wordAt('hebrew', index).slice(1, 3)} ` }),
  'three letters within a Hebrew word': (index) => ({ q: `${wordAt('hebrew', index).slice(1, 4)} ` }),
  'a Chinese word': (index) => ({ q: `${wordAt('chinese', index)} ` }),
};

/** Part of a query that selects the private channels, for a reader who may read them. */
const PRIVATE_CHANNELS: SearchQuery = { channels: ids.filter((_, index) => isPrivate(index)) };

type Row = Record<string, string | number>;

/**
 * Search benchmark: measures the first page of searches over a million posts in a hundred channels, ten of them
 * private. Each is a request over HTTP, and none is repeated. They alternate with SQLite alone, with the same words in
 * the same index. In ms. The store is created once, in node_modules/.cache or `DATA_DIR`. `BENCH_POSTS` sets the number
 * of posts.
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
      OPERATOR_IDS: String(OPERATOR_ID),
    });
    const headers = await signIn(origin);
    const rows: Row[] = [];
    for (const [name, queryAt] of Object.entries(QUERIES)) rows.push(await measure(name, queryAt, origin, {}, bare));
    const privateQuery = (index: number) => ({ q: `${wordAt('russian', index)} `, ...PRIVATE_CHANNELS });
    rows.push(await measure('a word in private channels', privateQuery, origin, headers, bare));
    const commonQuery = (index: number) => ({ q: `${commonWord(index)} ` });
    rows.push(await measure('a word, by a reader with access to all channels', commonQuery, origin, headers, bare));
    return rows;
  } finally {
    for (const server of servers) server.kill('SIGTERM');
    bare.close();
  }
}

async function measure(
  name: string,
  queryAt: (index: number) => SearchQuery,
  origin: string,
  headers: Record<string, string>,
  bare: ReturnType<typeof openBare>,
): Promise<Row> {
  const [ourDurations, bareDurations, hitCounts]: [number[], number[], number[]] = [[], [], []];
  for (let index = 0; index < RUNS; index += 1) {
    const query = queryAt(index);
    const requestStart = performance.now();
    const response = await fetch(urlOf(origin, query), { headers });
    const { items }: { items: unknown[] } = await response.json();
    ourDurations.push(performance.now() - requestStart);
    hitCounts.push(items.length);
    const bareStart = performance.now();
    bare.find(query);
    bareDurations.push(performance.now() - bareStart);
  }
  return {
    name,
    hits: quantile(hitCounts, 0.5),
    'ours, median': quantile(ourDurations, 0.5),
    p99: quantile(ourDurations, 0.99),
    'bare, median': quantile(bareDurations, 0.5),
    'bare p99': quantile(bareDurations, 0.99),
    goal: '<= 100',
  };
}

const urlOf = (origin: string, query: SearchQuery): string =>
  `${origin}/api/search?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`;

/**
 * Opens the store's own index, to query only the newest twenty bodies: without alternative spellings and read
 * permissions.
 */
const openBare = (dataDir: string) => {
  const database = new Database(join(dataDir, 'changer.sqlite'), { readonly: true });
  const matchingPosts = database.prepare(
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
      else matchingPosts.all(groups.join(' AND '), low, high);
    },
    close: () => database.close(),
  };
};

async function signIn(origin: string): Promise<Record<string, string>> {
  const response = await fetch(`${origin}/api/telegram/auth/webapp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ initData: launchData(OPERATOR_ID) }),
  });
  return { 'access-token': String(Reflect.get(Object(await response.json()), 'Access-Token')) };
}

const quantile = (numbers: readonly number[], fraction: number): number =>
  Number([...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * fraction)]?.toFixed(1) ?? 0);
