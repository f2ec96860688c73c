import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { indexTermsOf } from '../server/domain/search-terms.ts';
import { openStore } from '../server/storage/open.ts';
import { bodyOf, firstRowId } from '../server/storage/sql/post-index.ts';
import { integer, text } from '../server/storage/sql/statements.ts';
import { type Database, openSqliteDatabase } from '../server/storage/sqlite/connection.ts';
import { FIRST_DATE, SECONDS_BETWEEN_POSTS, seedChannels, seededPosts } from './seed.ts';

export const CHANNELS = 100;
/** Returns true for the index of a private channel: a tenth of the channels, all in Russian. */
export const isPrivate = (index: number): boolean => index % 10 === 4;
/**
 * Number of posts that the store writes itself. All others are copies of these with later dates, written directly by
 * SQL in a fifth of the time.
 */
const WRITTEN_POSTS = 50_000;
/** Setting with the number of posts of a completely seeded store. */
const SEED_SETTING = 'bench-seeded';

/** Returns the first second after the posts of a seeded store. */
export const endDateOf = (posts: number): number => FIRST_DATE + posts * SECONDS_BETWEEN_POSTS;

/**
 * Seeds a large store: ensures that a folder has a store with this number of posts in a hundred channels. Reuses the
 * store of an earlier run.
 */
export const seedMillion = async (dataDir: string, posts: number): Promise<void> => {
  if (existsSync(join(dataDir, 'changer.sqlite'))) {
    const store = await openStore({ dataDir });
    const seededPostCount = await store.setting(SEED_SETTING);
    await store.close();
    if (seededPostCount === String(posts)) return;
    if (seededPostCount === null)
      throw new Error(`${dataDir} contains a store that is not from this benchmark; set another DATA_DIR.`);
    await rm(dataDir, { recursive: true });
  }
  await mkdir(dataDir, { recursive: true });
  const store = await openStore({ dataDir });
  await store.putSetting(SEED_SETTING, 'started');
  await seedChannels(store, CHANNELS, isPrivate);
  for (const batch of seededPosts(WRITTEN_POSTS, CHANNELS)) await store.putMessages(batch);
  await store.close();
  const database = await openSqliteDatabase(join(dataDir, 'changer.sqlite'));
  copyPosts(database, posts / WRITTEN_POSTS);
  database.sql('UPDATE facts SET value = ? WHERE name = ?').run(String(posts), SEED_SETTING);
  database.close();
};

/**
 * Copies every post with its index terms several times, each time with a later date. A power failure may lose the data;
 * then the store is seeded again.
 */
const copyPosts = (database: Database, copies: number): void => {
  // `hashsize` is the memory of the full-text index for pending rows, in bytes. A large one makes many inserts faster.
  database.exec(`PRAGMA synchronous = OFF; PRAGMA cache_size = -256000; CREATE TEMP TABLE found (id INTEGER PRIMARY KEY, words TEXT);
    INSERT INTO words (words, rank) VALUES ('hashsize', 67108864)`);
  const rows = database.sql('SELECT id, channel, body FROM messages').all();
  const insert = database.sql('INSERT INTO found (id, words) VALUES (?, ?)');
  database.transaction(() => {
    for (const row of rows) {
      const terms = indexTermsOf(text(row, 'channel'), [bodyOf(row)]).map(({ term }) => term);
      insert.run(integer(row, 'id'), [...new Set(terms)].join(' '));
    }
  });
  for (let copy = 1; copy < copies; copy += 1) database.transaction(() => copyPostsOnce(database, copy));
  database.exec("INSERT INTO words (words, rank) VALUES ('hashsize', 1048576); PRAGMA wal_checkpoint(TRUNCATE)");
};

const copyPostsOnce = (database: Database, copy: number): void => {
  const [messageOffset, secondsOffset] = [(copy * WRITTEN_POSTS) / CHANNELS, copy * WRITTEN_POSTS * SECONDS_BETWEEN_POSTS];
  // Row ids contain the date in their upper bits: see `server/storage/sql/post-index.ts`.
  const idOffset = firstRowId(secondsOffset);
  database
    .sql(
      `INSERT INTO messages (id, channel, message, date, seen, rank, album_rank, head, media, service, body)
       SELECT id + CAST(? AS INTEGER), channel, message + ?, date + ?, seen + ?, rank, album_rank, head, media, service, body
       FROM messages WHERE message <= ?`,
    )
    .run(idOffset, messageOffset, secondsOffset, secondsOffset, WRITTEN_POSTS / CHANNELS);
  database.sql('INSERT INTO words (rowid, stems) SELECT id + CAST(? AS INTEGER), words FROM found').run(idOffset);
  if (process.stderr.isTTY) process.stderr.write(`\r${(copy + 1) * WRITTEN_POSTS} posts`);
};
