// Seeds a store with posts for benchmarks: `node --import tsx bench/seed.ts DATA_DIR [posts] [channels]`. The same
// arguments produce the same posts: about 480 bytes each, with words of invented languages distributed by Zipf's law, a
// file on every fifth, a link or a hashtag on some. Of ten channels, one is in Arabic, one in Hebrew and one in
// Chinese; the others are in Russian and English.

import type { Message } from '../server/domain/model.ts';
import { openStore } from '../server/storage/open.ts';
import type { Store } from '../server/storage/ports/store.ts';

const POSTS_PER_BATCH = 5000;
/** Date of the first post, unix seconds. */
export const FIRST_DATE = 1_600_000_000;
/** Seconds from one post to the next. */
export const SECONDS_BETWEEN_POSTS = 100;
const VOCABULARY_SIZE = 30_000;

const SYLLABLES = {
  russian: 'но вос ти го род мост ра ка мы се ло пра ви тель ство ко ман да ве чер ут ро зав тра пло щадь ре ше ни е',
  english: 'ci ty brid ge tra m ri ver ma rket har bour fer ry go vern ment mor ning deci sion win ter sta tion mu se um',
  arabic: 'مد ين ال كت اب جد يد خب ار مط رح كو مة صب اح مس اء قر ير شا رع سو ق ميد ان',
  hebrew: 'שלו ע יר חד ש ות גש ר נה ב וק ר ער מש טר הח לט ה רח ו כי כר מ וז א ון',
  chinese: '城 市 新 闻 桥 河 街 广 场 剧 院 学 校 工 厂 天 气 雪 雨 风 音 乐 节 市 场 北 京 上 海',
} as const;
export type Language = keyof typeof SYLLABLES;

const FILE_TYPES = ['photo', 'photo', 'video', 'photo', 'document', 'photo', 'audio', 'voice'] as const;

/**
 * Creates a pseudorandom generator (linear congruential) of numbers from 0 to 1. The same seed yields the same numbers.
 */
const randomFrom = (seed: number) => () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32;
};

const inventWords = (language: Language): string[] => {
  const random = randomFrom(language.length);
  const syllables = SYLLABLES[language].split(' ');
  const maxAddedSyllables = language === 'chinese' ? 2 : 4;
  return Array.from({ length: VOCABULARY_SIZE }, () =>
    Array.from(
      { length: 2 + Math.floor(random() * maxAddedSyllables) },
      () => syllables[Math.floor(random() * syllables.length)],
    ).join(''),
  );
};

/** Thirty thousand words of each language, ordered by frequency: the nth word makes up about 1/(10 n) of all words. */
export const WORDS: Readonly<Record<Language, readonly string[]>> = {
  russian: inventWords('russian'),
  english: inventWords('english'),
  arabic: inventWords('arabic'),
  hebrew: inventWords('hebrew'),
  chinese: inventWords('chinese'),
};

/** Languages of the channels, in rotation. */
const LANGUAGES: readonly Language[] = [
  ...(['russian', 'english', 'russian', 'arabic', 'russian', 'english', 'russian', 'hebrew', 'english', 'chinese'] as const),
];

/** Creates a text of 40 words. `VOCABULARY_SIZE ** random()` selects low ranks more often, as in Zipf's law. */
const textOf = (language: Language, id: number, random: () => number): string => {
  const words = WORDS[language];
  const textWords = Array.from({ length: 40 }, () => words[Math.floor(VOCABULARY_SIZE ** random()) - 1]);
  const text = textWords.join(language === 'chinese' ? '，' : ' ');
  return id % 4 ? text : `${text} #${words[Math.floor(200 ** random()) - 1]}`;
};

const postOf = (channelId: string, language: Language, id: number, date: number, random: () => number): Message => {
  const text = textOf(language, id, random);
  const type = FILE_TYPES[(id / 5) % FILE_TYPES.length] ?? 'photo';
  return {
    post: {
      channelId,
      id,
      date,
      text,
      reactions: [{ emoji: '🔥', count: 1 + (id % 40) }],
      entities: id % 7 ? [] : [{ type: 'text_link', offset: 0, length: 3, url: `https://site${id % 50}.example/${id}` }],
      ...(id % 100 ? {} : { poll: { question: text.slice(0, 40), closed: false, options: [{ text: text.slice(-20) }] } }),
    },
    media: id % 5 ? [] : [{ type, messageId: id, width: 1280, height: 720, missing: 'pending' }],
    source: 'export',
    modifiedAt: date,
  };
};

/** Returns the channel ids of a seeded store. */
export const seededChannelIds = (channelCount: number): string[] =>
  Array.from({ length: channelCount }, (_, index) => String(2_000_000_001 + index));

/** Returns the language of a seeded channel, by its index. */
export const languageOf = (index: number): Language => LANGUAGES[index % LANGUAGES.length] ?? 'russian';

/** Generates `posts` posts of `channels` channels in batches of 5000, in the order of their dates. */
export function* seededPosts(posts: number, channels: number): Generator<Message[]> {
  const ids = seededChannelIds(channels);
  const random = randomFrom(1);
  for (let from = 0; from < posts; from += POSTS_PER_BATCH)
    yield Array.from({ length: Math.min(POSTS_PER_BATCH, posts - from) }, (_, index) => {
      const postIndex = from + index;
      const channelIndex = postIndex % channels;
      const [id, date] = [Math.floor(postIndex / channels) + 1, FIRST_DATE + postIndex * SECONDS_BETWEEN_POSTS];
      return postOf(ids[channelIndex] ?? '', languageOf(channelIndex), id, date, random);
    });
}

/** Stores the channels for seeded posts. `isPrivate` selects the private ones; by default none is private. */
export const seedChannels = async (
  store: Store,
  channels: number,
  isPrivate: (index: number) => boolean = () => false,
): Promise<void> => {
  for (const [index, id] of seededChannelIds(channels).entries())
    await store.putChannel({
      id,
      title: `Channel ${index + 1}`,
      username: `bench_${index + 1}`,
      source: 'export',
      state: 'live',
      private: isPrivate(index),
      demo: false,
    });
};

/** Stores `posts` posts in `channels` channels. */
export const seed = async (store: Store, posts: number, channels: number): Promise<void> => {
  await seedChannels(store, channels);
  let storedPosts = 0;
  for (const batch of seededPosts(posts, channels)) {
    await store.putMessages(batch);
    storedPosts += batch.length;
    if (process.stderr.isTTY) process.stderr.write(`\r${storedPosts} posts`);
  }
};

if (process.argv[1]?.endsWith('seed.ts')) {
  const [dataDir = '', posts = '1000000', channels = '50'] = process.argv.slice(2);
  if (dataDir === '') throw new Error('No folder is given: node --import tsx bench/seed.ts DATA_DIR [posts] [channels]');
  const startedAt = performance.now();
  const store = await openStore({ dataDir });
  await seed(store, Number(posts), Number(channels));
  await store.close();
  console.log(`${posts} posts in ${channels} channels, ${Math.round((performance.now() - startedAt) / 1000)} s`);
}
