// Several server processes on one PostgreSQL, with the Bot API double. One process handles each update, and all of them send
// the event.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { startBotApi } from '../bot-api/bot-api.ts';
import { until } from '../support/browser.ts';
import { noPostgres, openClient, startPostgres } from '../support/postgres.ts';
import { type EventStreamClient, openCaughtUpStream } from './events/event-stream-client.ts';
import { type KillableServer, makeKillableServer } from './sources/telegram/server-process.ts';
import { signInAt } from './support/make-app.ts';

const POSTS = 12;
const EACH = 3;

/** Starts three processes on one database and one folder. */
const makeSite = async (t: TestContext) => {
  const [telegram, database] = await Promise.all([startBotApi(), startPostgres({ durable: true })]);
  const dataDir = mkdtempSync(join(tmpdir(), 'changer-processes-'));
  const url = await database.database();
  const settings = { DATABASE_URL: url, DATA_DIR: dataDir, BOT_TOKEN: telegram.token, BOT_API_ROOT: telegram.root };
  const servers: KillableServer[] = [];
  for (let at = 0; at < 3; at++)
    servers.push(await makeKillableServer({ ...settings, OPERATOR_IDS: String(telegram.operator.id) }));
  const client = await openClient(url);
  t.after(async () => {
    await Promise.all(servers.map((server) => server.remove()));
    await Promise.all([client.end(), telegram.close()]);
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  await Promise.all(servers.map((server) => server.start()));
  const holder = async (): Promise<KillableServer | undefined> => {
    const { rows } = await client.query<{ holder: string }>("SELECT holder FROM leases WHERE name = 'bot'");
    return servers.find((server) => rows[0]?.holder.split(' ')[1] === String(server.pid()));
  };
  return { telegram, servers, holder };
};

const newPosts = ({ received }: EventStreamClient): string[] =>
  received.flatMap((one) => (one.type === 'new' ? one.post.text : []));

const untilAllReceived = (readers: readonly EventStreamClient[], count: number) =>
  until(async () => readers.every((reader) => newPosts(reader).length >= count), `every reader receives ${count} posts`);

const texts = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, at) => `Post ${from + at}`);

describe('three server processes on one database', { skip: noPostgres() }, () => {
  it('store each post once and send it to every reader, even if the process that polls Telegram is killed', async (t) => {
    const { telegram, servers, holder } = await makeSite(t);
    const channel = telegram.channel({ title: 'Harbour', username: 'harbour' });
    await until(async () => telegram.updates.allowed.length > 0, 'one of the processes polls Telegram');
    channel.addBot(telegram.operator);
    const readers = await Promise.all(servers.map((server) => openCaughtUpStream(t, server.origin)));

    const post = (text: string, at: number) =>
      channel.post(at % EACH === 0 ? telegram.make.photo(text) : telegram.make.text(text));
    for (const [at, text] of texts(0, POSTS).entries()) post(text, at);
    await untilAllReceived(readers, POSTS);

    const listening = await holder();
    assert.ok(listening, 'one of these processes holds the lease');
    const survivors = servers.filter((server) => server !== listening);
    const listeners = readers.filter((_, at) => servers[at] !== listening);
    const [left] = readers.filter((_, at) => servers[at] === listening);
    const killed = Date.now();
    await listening.kill();
    for (const [at, text] of texts(POSTS, 2 * POSTS).entries()) post(text, at);
    await untilAllReceived(listeners, 2 * POSTS);
    t.diagnostic(`lease taken over, and ${POSTS} more posts received, ${Date.now() - killed} ms after the kill`);
    const back = await openCaughtUpStream(t, survivors[0]?.origin ?? '', '', { 'last-event-id': left?.lastId() ?? '' });
    await untilAllReceived([back], POSTS);

    for (const reader of listeners) assert.deepEqual(newPosts(reader), texts(0, 2 * POSTS));
    assert.deepEqual(newPosts(back), texts(POSTS, 2 * POSTS), 'a client that reconnects receives each missed post once');
    for (const { origin } of survivors) {
      const page: { items: { text: string }[] } = await (await fetch(`${origin}/api/feed?limit=100`)).json();
      assert.deepEqual(page.items.map(({ text }) => text).toReversed(), texts(0, 2 * POSTS));
    }
    const downloads = telegram.callsOf('file').map(({ path }) => path);
    await until(
      async () => new Set(telegram.callsOf('file').map(({ path }) => path)).size >= (2 * POSTS) / EACH,
      'every photo is downloaded',
    );
    assert.ok(downloads.length - new Set(downloads).size <= 1, `files were downloaded twice: ${downloads}`);
  });

  it('send the changes of a reader to the other pages of this reader, whichever process serves them', async (t) => {
    const { telegram, servers } = await makeSite(t);
    const [one, other] = servers;
    const channel = telegram.channel({ title: 'Harbour', username: 'harbour' });
    await until(async () => telegram.updates.allowed.length > 0, 'one of the processes polls Telegram');
    channel.addBot(telegram.operator);
    const [senderHeaders, receiverHeaders] = await Promise.all(
      [one, other].map((server) => signInAt(server?.origin ?? '', 77, telegram.token)),
    );
    const page = await openCaughtUpStream(t, other?.origin ?? '', '', receiverHeaders ?? {});
    const ownPage = await openCaughtUpStream(t, one?.origin ?? '', '', senderHeaders ?? {});
    const headers = { ...senderHeaders, 'content-type': 'application/json' };
    const body = JSON.stringify({ entries: [] });
    assert.equal((await fetch(`${one?.origin}/api/lineup`, { method: 'PUT', headers, body })).status, 200);
    await until(async () => page.received.some(({ type }) => type === 'reader'), 'the other page receives the event');
    assert.ok(
      !ownPage.received.some(({ type }) => type === 'reader'),
      'the page that made the change does not receive the event',
    );
  });
});
