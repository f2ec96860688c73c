import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { openSqliteDatabase } from '../server/storage/sqlite/connection.ts';
import { channel, makeApp, message } from '../test/server/support/make-app.ts';

const SUBSCRIBERS = 10_000;
/** Seconds within which all subscribers should be served. */
const GOAL_SECONDS = 60;
const UNLOADED_REQUESTS = 200;
/** Pause between two requests of a reader, ms. */
const REQUEST_PAUSE_MS = 20;
const CHOICE_COUNTS = [1000, 10_000, 100_000];
const CHANNELS = 1000;
/** Readers who chose the channel of the new post. */
const READERS = 100;
const MATCHED_POSTS = 20;

/**
 * Notification benchmark: the time in which 10,000 subscribers of a channel are served by one process, the time of a
 * page meanwhile, and the time of matching a post with 1,000 to 100,000 stored choices, of which 100 are of its channel.
 */
export async function benchNotifications(): Promise<Record<string, string | number>[]> {
  return [...(await benchSending()), ...(await benchMatching())];
}

const start = async (
  script: string,
  ...args: readonly string[]
): Promise<{ child: ChildProcess; origin: string; port: number }> => {
  const child = fork(path.join(import.meta.dirname, script), args, { execArgv: ['--import', 'tsx'] });
  const [{ port }] = await once(child, 'message');
  return { child, origin: `http://127.0.0.1:${port}`, port };
};

const percentile = (durations: readonly number[], share: number): number =>
  Math.round((durations.toSorted((one, other) => one - other)[Math.floor(durations.length * share)] ?? 0) * 10) / 10;

/** Requests a page repeatedly while a condition holds. Returns the durations in ms. */
async function requestWhile(origin: string, isRunning: (count: number) => Promise<boolean> | boolean): Promise<number[]> {
  const durations: number[] = [];
  while (await isRunning(durations.length)) {
    const startedAt = performance.now();
    await (await fetch(`${origin}/api/channels/1/posts`)).text();
    durations.push(performance.now() - startedAt);
    await new Promise((resolve) => setTimeout(resolve, REQUEST_PAUSE_MS));
  }
  return durations;
}

async function benchSending(): Promise<Record<string, string | number>[]> {
  const push = await start('push-double.ts');
  const server = await start('notification-server.ts', String(push.port), String(SUBSCRIBERS));
  try {
    await requestWhile(server.origin, (count) => count < UNLOADED_REQUESTS);
    const unloaded = await requestWhile(server.origin, (count) => count < UNLOADED_REQUESTS);
    const countSent = async () => Number(await (await fetch(`${push.origin}/count`)).text());
    server.child.send('post');
    const startedAt = performance.now();
    const loaded = await requestWhile(
      server.origin,
      async () => (await countSent()) < SUBSCRIBERS && performance.now() - startedAt < 2 * GOAL_SECONDS * 1000,
    );
    const seconds = (performance.now() - startedAt) / 1000;
    return [
      {
        measured: `${await countSent()} notifications sent`,
        value: Math.round(seconds * 10) / 10,
        unit: 's',
        goal: GOAL_SECONDS,
      },
      ...[0.5, 0.95].map((share) => ({
        measured: `response of a page, ${share * 100} %, while sending`,
        value: percentile(loaded, share),
        unit: 'ms',
        goal: percentile(unloaded, share) * 2,
      })),
    ];
  } finally {
    server.child.kill();
    push.child.kill();
  }
}

async function benchMatching(): Promise<Record<string, string | number>[]> {
  const cleanups: (() => unknown)[] = [];
  const scope = { after: (cleanup?: unknown) => void (typeof cleanup === 'function' && cleanups.push(() => cleanup())) };
  const { store, dataDir } = await makeApp(scope);
  const nowSeconds = () => Math.floor(Date.now() / 1000);
  const rows: Record<string, string | number>[] = [];
  try {
    for (let id = 1; id <= CHANNELS; id += 1) await store.putChannel(channel(String(id)));
    await store.matchPosition(nowSeconds());
    for (let index = 0; index < READERS; index += 1) {
      const endpoint = `https://push.test/${index}`;
      const device = {
        tokenHash: String(index),
        readerId: `r${index}`,
        endpoint,
        p256dh: 'x',
        auth: 'x',
        language: 'en',
        label: 'x',
      };
      await store.putNotificationDevice(device, nowSeconds());
      await store.putNotificationChoice(`r${index}`, { channelId: '1', mode: 'all', words: [], phrases: [] });
    }
    let postId = 0;
    for (const count of CHOICE_COUNTS) {
      await addChoices(dataDir, count);
      const durations: number[] = [];
      for (let post = 0; post < MATCHED_POSTS; post += 1) {
        postId += 1;
        await store.putMessages([{ ...message('1', postId, 'A new post', [], nowSeconds()), source: 'bot' }]);
        const eventId = await store.lastEventId();
        await store.skipToEvent(await store.matchPosition(nowSeconds()), eventId - 1);
        const startedAt = performance.now();
        for (let position = await store.matchPosition(nowSeconds()); position.eventId < eventId; )
          position = (await store.matchPost(position, { eventId, channelId: '1', postId, at: Date.now() }, 500)) ?? position;
        durations.push(performance.now() - startedAt);
      }
      rows.push({
        measured: `matching a post with ${count} choices, ${READERS} of its channel`,
        value: percentile(durations, 0.5),
        unit: 'ms',
      });
    }
    const [first, last] = [rows[0]?.value, rows.at(-1)?.value];
    rows.push({
      measured: 'ratio of the last to the first',
      value: Math.round((Number(last) / Number(first)) * 100) / 100,
      unit: '',
      goal: 2,
    });
    return rows;
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup();
  }
}

/** Adds choices of the other channels until there are `count`, half of them with words. */
async function addChoices(dataDir: string, count: number): Promise<void> {
  const database = await openSqliteDatabase(path.join(dataDir, 'changer.sqlite'));
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - READERS})`;
  const columns = `'o' || (i / 10), CAST(2 + i % ${CHANNELS - 1} AS TEXT)`;
  database.transaction(() =>
    database.exec(`
      ${numbers} INSERT INTO notification_choices (owner, channel, mode, words, since)
      SELECT ${columns}, CASE i % 2 WHEN 0 THEN 'all' ELSE 'words' END, '[]', 0 FROM n WHERE true ON CONFLICT DO NOTHING;
      ${numbers} INSERT INTO notification_words (owner, channel, term, rest)
      SELECT ${columns}, 'post', '[]' FROM n WHERE i % 2 = 1 ON CONFLICT DO NOTHING;
    `),
  );
  database.close();
}
