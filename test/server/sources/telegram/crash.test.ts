// Crash test of the bot: a server that is killed ten times between shuffled and repeated updates.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { Post } from '../../../../contract/post.ts';
import { openStore } from '../../../../server/storage/open.ts';
import type { Store } from '../../../../server/storage/ports/store.ts';
import { openSqliteDatabase } from '../../../../server/storage/sqlite/connection.ts';
import { type BotApi, startBotApi } from '../../../bot-api/bot-api.ts';
import { mixed, seeded } from '../../../bot-api/mixing.ts';
import { loadSamples } from '../../../bot-api/samples.ts';
import type { UpdateContent } from '../../../bot-api/updates.ts';
import { until } from '../../../support/browser.ts';
import { type KillableServer, makeKillableServer } from './server-process.ts';
import { simulateYear } from './simulated-year.ts';

const UPDATES = 500;
const KILLS = 10;
const EVERYTHING = { privateChannels: 'all' } as const;

/** Returns the fields of a post that are the same before and after its files are fetched. */
const withoutFiles = (post: Post): object => ({
  ...post,
  media: post.media.map(({ type, messageId, name, duration }) => ({ type, messageId, name, duration })),
});

/** Returns everything that the store can show to readers, and the data that is stored with it. */
const readStoredState = async (dataDir: string): Promise<object> => {
  const store = await openStore({ dataDir });
  const shown = (await store.channels(EVERYTHING)).toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const channels = shown.map(({ picture: _picture, ...channel }) => channel);
  const posts = await store.posts({ limit: 5000 }, EVERYTHING);
  const gaps = await Promise.all(channels.map(({ id }) => store.gaps(id, 1000)));
  const connections = (await store.connections()).map(({ channelId, status, rights }) => ({ channelId, status, rights }));
  await store.close();
  const database = await openSqliteDatabase(join(dataDir, 'changer.sqlite'));
  const rows = (sql: string) =>
    database
      .sql(sql)
      .all()
      .map((row) => ({ ...row }));
  const internalRows = {
    raw: rows('SELECT channel, message, body FROM raw_messages ORDER BY channel, message'),
    reactions: rows('SELECT channel, message, at, body FROM reactions ORDER BY channel, message'),
    polls: rows('SELECT id, body FROM polls ORDER BY id'),
    explained: rows('SELECT channel, low, high FROM explained ORDER BY channel, low'),
    bad: rows('SELECT reason FROM bad_updates'),
    parked: rows(
      'SELECT DISTINCT channel, body ->> ? AS message FROM parked_updates ORDER BY message'.replace(
        '?',
        "'$.channel_post.message_id'",
      ),
    ),
  };
  database.close();
  return {
    channels,
    posts: posts.map(withoutFiles),
    gaps,
    connections,
    ...internalRows,
  };
};

const withStore = async <T>(dataDir: string, query: (store: Store) => Promise<T>): Promise<T> => {
  const store = await openStore({ dataDir });
  return query(store).finally(() => store.close());
};

/** Waits until no update is left at Telegram and the details of every channel were read after the last update. */
const untilProcessed = (telegram: BotApi, { dataDir }: KillableServer) =>
  until(async () => {
    if (telegram.updates.pending.length > 0) return false;
    const connections = await withStore(dataDir, (store) => store.connections());
    return connections.length === 3 && connections.every(({ status, stale }) => status === 'asking' || stale === 0);
  }, 'every update is processed and all details are read');

const settingsOf = (telegram: BotApi, environment: Record<string, string>) => ({
  ...{ BOT_TOKEN: telegram.token, BOT_API_ROOT: telegram.root, OPERATOR_IDS: String(telegram.operator.id), ...environment },
});

/**
 * Waits until the server has sent its list of allowed updates to Telegram. Before that, Telegram would not store some of them
 * for the bot.
 */
const untilSubscribed = (telegram: BotApi) =>
  until(async () => telegram.updates.allowed.length > 0, 'the bot has sent its allowed updates');

/** Runs a server that gets every update once, in order, and is not killed. */
const runWithoutKills = async (telegram: BotApi, updates: readonly UpdateContent[]): Promise<object> => {
  const server = await makeKillableServer(settingsOf(telegram, {}));
  await server.start();
  await untilSubscribed(telegram);
  for (const news of updates) telegram.addUpdate(news);
  await untilProcessed(telegram, server);
  await server.kill();
  return readStoredState(server.dataDir).finally(server.remove);
};

/** Runs a server that gets the updates shuffled, a fifth of them twice, and is killed ten times meanwhile. */
const runWithKills = async (
  t: TestContext,
  telegram: BotApi,
  updates: readonly UpdateContent[],
  environment: Record<string, string>,
) => {
  const server = await makeKillableServer(settingsOf(telegram, environment));
  t.after(server.remove);
  const random = seeded(3);
  const shuffled = mixed(5, 0.2)(updates);
  telegram.webhook.delivery = { backOff: [10, 200], shuffle: 7, repeat: 0.1 };
  await server.start();
  await untilSubscribed(telegram);
  let killsWhilePending = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const slice = shuffled.slice((shuffled.length * kill) / KILLS, (shuffled.length * (kill + 1)) / KILLS);
    for (const news of slice) telegram.addUpdate(news);
    await wait(random() * 150);
    if (telegram.updates.pending.length > 0) killsWhilePending++;
    await server.kill();
    await server.start();
  }
  assert.ok(killsWhilePending >= KILLS / 2, `only ${killsWhilePending} of the kills happened while updates were pending`);
  await untilProcessed(telegram, server);
  await server.kill();
  return { stored: await readStoredState(server.dataDir), output: server.output() };
};

describe('a server that is killed ten times during 500 shuffled and repeated updates', () => {
  let telegram: BotApi;
  let updates: readonly UpdateContent[];
  let expected: object;
  before(async () => {
    telegram = await startBotApi();
    const { photos } = await loadSamples();
    updates = simulateYear(telegram, photos, UPDATES);
    assert.ok(updates.length >= UPDATES);
    expected = await runWithoutKills(telegram, updates);
  });
  after(() => telegram.close());

  for (const [mode, environment] of Object.entries<Record<string, string>>({ polling: {}, webhook: { PUBLIC_URL: '{origin}' } }))
    it(`stores the same data as a server that receives them once and in order, by ${mode}`, async (t) => {
      const { stored, output } = await runWithKills(t, telegram, updates, environment);
      assert.deepEqual(stored, expected);
      const secret = telegram.token.split(':')[1] ?? '';
      assert.ok(!output.includes(secret), 'the token is in the log');
    });
});
