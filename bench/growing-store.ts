// Stores for the growth benchmark (`npm run bench growing`): one per engine, grown from one size to the next.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Message } from '../server/domain/model.ts';
import { indexTermsOf } from '../server/domain/search-terms.ts';
import { openStore, type StoreLocation } from '../server/storage/open.ts';
import { openPool } from '../server/storage/postgres/connection-pool.ts';
import { bodyOf, firstRowId } from '../server/storage/sql/post-index.ts';
import { integer, text } from '../server/storage/sql/statements.ts';
import { openSqliteDatabase } from '../server/storage/sqlite/connection.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { FIRST_DATE, SECONDS_BETWEEN_POSTS, seededChannelIds, seededPosts } from './seed.ts';

export type EngineName = 'sqlite' | 'postgres';
/** Number of channels that contain a quarter of all posts, so that their pages are full at every size. */
export const BUSY_CHANNELS = 50;
/**
 * Number of posts that the store writes itself. All others are copies of these with later dates, written directly by
 * SQL.
 */
const WRITTEN_POSTS = 5000;
const WRITTEN_SECONDS = WRITTEN_POSTS * SECONDS_BETWEEN_POSTS;
/** Number of these posts that are in busy channels: a quarter. */
const BUSY_POSTS = WRITTEN_POSTS / 4;
/** Number of messages of one busy channel among the posts that the store writes. */
const MESSAGES_PER_CHANNEL = BUSY_POSTS / BUSY_CHANNELS;

/** Returns the first second after this number of posts. */
export const endDateOf = (posts: number): number => FIRST_DATE + posts * SECONDS_BETWEEN_POSTS;

/** Returns the message id of a busy channel's newest post. */
export const newestMessageOf = (posts: number): number => (posts / WRITTEN_POSTS) * MESSAGES_PER_CHANNEL;

/** Connection for writes by SQL, without the store. */
interface SqlConnection {
  exec(sql: string): Promise<void>;
  /** Stores the index terms of the written posts in a table `found`, and prepares the database for many rows. */
  begin(): Promise<void>;
  /** Updates the indexes and statistics, and closes the connection. */
  end(): Promise<void>;
}

export interface GrowingStore {
  readonly location: StoreLocation;
  /** Grows the store to this number of posts, a multiple of 5000. No other process may have it open. */
  growTo(posts: number): Promise<void>;
  remove(): Promise<void>;
}

/** Creates an empty store, in the system's temporary folder. Its channels are added when it first grows. */
export const createGrowingStore = async (engine: EngineName, channels: number): Promise<GrowingStore> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'changer-growing-'));
  const server = engine === 'postgres' ? await startPostgres({ durable: true }) : null;
  const databaseUrl = server && (await server.database());
  const location = { dataDir, databaseUrl };
  let postCount = 0;
  const openConnection = () => (databaseUrl === null ? connectSqlite(dataDir) : connectPostgres(databaseUrl));
  return {
    location,
    async growTo(posts) {
      if (postCount === 0) await writeFirstPosts(location, channels, await openConnection());
      const copies = { from: Math.max(1, postCount / WRITTEN_POSTS), to: posts / WRITTEN_POSTS };
      if (copies.to > copies.from) await copyPosts(await openConnection(), copies.from, copies.to);
      postCount = posts;
    },
    async remove() {
      await server?.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

/** Writes the channels, and the first posts as an import does. */
const writeFirstPosts = async (location: StoreLocation, channels: number, sql: SqlConnection): Promise<void> => {
  await (await openStore(location)).close();
  const firstId = Number(seededChannelIds(1)[0]);
  await sql.exec(`
    INSERT INTO channels (id, title, username, source, state, private, demo)
    WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${channels})
    SELECT CAST(${firstId} + i AS TEXT), 'Channel ' || (i + 1), 'bench_' || (i + 1), 'export', 'live', 0, 0 FROM n ORDER BY i;
    INSERT INTO usernames (name, channel) SELECT username, id FROM channels`);
  await sql.end();
  const store = await openStore(location);
  const otherPosts = WRITTEN_POSTS - BUSY_POSTS;
  // The dates of both parts are stretched over the same range.
  for (const batch of seededPosts(BUSY_POSTS, BUSY_CHANNELS))
    await store.putMessages(batch.map((message) => shiftMessage(message, WRITTEN_POSTS / BUSY_POSTS, 0)));
  for (const batch of seededPosts(otherPosts, channels - BUSY_CHANNELS))
    await store.putMessages(batch.map((message) => shiftMessage(message, WRITTEN_POSTS / otherPosts, BUSY_CHANNELS)));
  await store.close();
};

/**
 * Returns a message with its time since the first date multiplied by a factor, and its channel id increased by an
 * offset.
 */
const shiftMessage = ({ post, ...message }: Message, factor: number, channelOffset: number): Message => {
  const date = FIRST_DATE + Math.floor((post.date - FIRST_DATE) * factor);
  return { ...message, post: { ...post, date, channelId: String(Number(post.channelId) + channelOffset) }, modifiedAt: date };
};

/** Copies the written posts with later dates. `from` and `to` (exclusive) are the numbers of the copies. */
const copyPosts = async (sql: SqlConnection, from: number, to: number): Promise<void> => {
  await sql.begin();
  const copyNumbers = `(WITH RECURSIVE n (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${to}) SELECT i FROM n) n`;
  // Row ids contain the date in their upper bits: see `server/storage/sql/post-index.ts`.
  const idOffset = `CAST(${firstRowId(WRITTEN_SECONDS)} AS BIGINT) * n.i`;
  await sql.exec(`
    INSERT INTO messages (id, channel, message, date, seen, rank, album_rank, head, media, service, body)
    SELECT m.id + ${idOffset}, channel, message + ${MESSAGES_PER_CHANNEL} * n.i, date + ${WRITTEN_SECONDS} * n.i, seen + ${WRITTEN_SECONDS} * n.i, rank, album_rank,
      head, media, service, body
    FROM ${copyNumbers} CROSS JOIN messages m WHERE m.id < ${firstRowId(endDateOf(WRITTEN_POSTS))} ORDER BY n.i, m.id;
    INSERT INTO words (rowid, stems) SELECT found.id + ${idOffset}, found.words FROM ${copyNumbers} CROSS JOIN found ORDER BY n.i`);
  await sql.end();
};

const connectSqlite = async (dataDir: string): Promise<SqlConnection> => {
  const database = await openSqliteDatabase(join(dataDir, 'changer.sqlite'));
  return {
    exec: async (sql) => database.transaction(() => database.exec(sql)),
    async begin() {
      // `hashsize` is the memory of the full-text index for pending rows, in bytes. A large one makes many inserts
      // faster.
      database.exec(`PRAGMA synchronous = OFF; PRAGMA cache_size = -256000; CREATE TEMP TABLE found (id INTEGER PRIMARY KEY, words TEXT);
        INSERT INTO words (words, rank) VALUES ('hashsize', 67108864)`);
      const insert = database.sql('INSERT INTO found (id, words) VALUES (?, ?)');
      const rows = database.sql('SELECT id, channel, body FROM messages WHERE id < ?').all(firstRowId(endDateOf(WRITTEN_POSTS)));
      for (const row of rows) {
        const terms = indexTermsOf(text(row, 'channel'), [bodyOf(row)]).map(({ term }) => term);
        insert.run(integer(row, 'id'), [...new Set(terms)].join(' '));
      }
    },
    async end() {
      database.exec("INSERT INTO words (words, rank) VALUES ('hashsize', 1048576); PRAGMA wal_checkpoint(TRUNCATE)");
      database.close();
    },
  };
};

const connectPostgres = async (url: string): Promise<SqlConnection> => {
  const pool = openPool(`${url}?max=1`);
  let isIndexDropped = false;
  return {
    exec: async (sql) => void (await pool.query(sql)),
    async begin() {
      isIndexDropped = true;
      await pool.query(`SET maintenance_work_mem = '1GB'; DROP INDEX words_stems;
        CREATE TEMP TABLE found AS SELECT rowid AS id, stems AS words FROM words WHERE rowid < ${firstRowId(endDateOf(WRITTEN_POSTS))}`);
    },
    async end() {
      if (isIndexDropped) await pool.query('CREATE INDEX words_stems ON words USING gin (stems)');
      for (const table of ['channels', 'messages', 'words']) await pool.query(`VACUUM ANALYZE ${table}`);
      await pool.end();
    },
  };
};
