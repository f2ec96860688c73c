// Fills a store with posts to measure on: `node --import tsx bench/seed.ts DATA_DIR [posts] [channels]`. The same arguments
// give the same posts: about 480 bytes each, Russian and English words by Zipf's law, a photo on every fifth.
import { openStore } from '../server/store/open.ts';
import type { Message, Store } from '../server/store/store.ts';

const BATCH = 5000;
const FIRST_DATE = 1_600_000_000;

const RUSSIAN =
  'новости город мост трамвай река улица площадь театр музей школа завод погода снег дождь ветер концерт праздник рынок';
const ENGLISH =
  'city bridge tram river street square theatre museum school factory weather snow rain wind concert market harbour ferry';
const ROOTS = `${RUSSIAN} ${ENGLISH}`.split(' ');
/** Two thousand words: common ones that a search finds in every tenth post, and rare ones. */
const WORDS = ROOTS.concat(Array.from({ length: 2000 }, (_, at) => `${ROOTS[at % ROOTS.length]}${(at * 7919) % 1009}`));

const randomFrom = (seed: number) => () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32;
};

const textOf = (random: () => number): string =>
  Array.from({ length: 45 }, () => WORDS[Math.floor(WORDS.length ** random()) - 1]).join(' ');

const postOf = (channelId: string, id: number, date: number, random: () => number): Message => ({
  post: { channelId, id, date, text: textOf(random), entities: [], reactions: [{ emoji: '🔥', count: 1 + (id % 40) }] },
  media: id % 5 ? [] : [{ type: 'photo', messageId: id, width: 1280, height: 720, missing: 'not-included' }],
  source: 'export',
  seen: date,
});

/** The channels of a seeded store. */
export const seededChannels = (channels: number): string[] =>
  Array.from({ length: channels }, (_, at) => String(2_000_000_001 + at));

/** Puts `posts` posts into `channels` channels, spread over time as they come in life. */
export const seed = async (store: Store, posts: number, channels: number): Promise<void> => {
  const ids = seededChannels(channels);
  const random = randomFrom(1);
  for (const [at, id] of ids.entries())
    await store.putChannel({
      ...{ id, title: `Channel ${at + 1}`, username: `bench_${at + 1}`, source: 'export' as const },
      ...{ state: 'live' as const, private: false, demo: false },
    });
  for (let from = 0; from < posts; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, posts - from) }, (_, at) => {
      const number = from + at;
      return postOf(ids[number % channels] ?? '', Math.floor(number / channels) + 1, FIRST_DATE + number * 100, random);
    });
    await store.putMessages(batch);
    if (process.stderr.isTTY) process.stderr.write(`\r${from + batch.length} posts`);
  }
};

if (process.argv[1]?.endsWith('seed.ts')) {
  const [dataDir = '', posts = '1000000', channels = '50'] = process.argv.slice(2);
  if (dataDir === '') throw new Error('Say where: node --import tsx bench/seed.ts DATA_DIR [posts] [channels]');
  const started = performance.now();
  const store = await openStore({ dataDir });
  await seed(store, Number(posts), Number(channels));
  await store.close();
  console.log(`${posts} posts in ${channels} channels, ${Math.round((performance.now() - started) / 1000)} s`);
}
