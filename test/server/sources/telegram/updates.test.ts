// Bot updates: webhook, long polling, and the choice of one process among several.

import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { describe, it, type TestContext } from 'node:test';
import { type Api, GrammyError } from 'grammy';
import { StorageError } from '../../../../server/lib/infrastructure-errors.ts';
import { createBot } from '../../../../server/sources/telegram/bot.ts';
import { createLease, PID_SCOPE } from '../../../../server/sources/telegram/lease.ts';
import { pollUpdates, readWebhookSecret } from '../../../../server/sources/telegram/receive-updates.ts';
import type { Store } from '../../../../server/storage/ports/store.ts';
import { toPostgresStorageError } from '../../../../server/storage/postgres/errors.ts';
import { toSqliteStorageError } from '../../../../server/storage/sqlite/errors.ts';
import { until } from '../../../support/browser.ts';
import { type BotSite, makeBotSite } from './bot-site.ts';

const EVERYTHING = { privateChannels: 'all' } as const;
const PUBLIC_URL = 'http://127.0.0.1:9';
const WEBHOOK = '/api/telegram/webhook';

const texts = async ({ store }: BotSite) => (await store.posts({ limit: 50 }, EVERYTHING)).map(({ text }) => text);

const untilPosts = (site: BotSite, expected: readonly string[]) =>
  until(async () => JSON.stringify(await texts(site)) === JSON.stringify(expected), `the posts are ${expected}`);

const createTownChannel = ({ telegram }: BotSite) => {
  const townChannel = telegram.channel({ title: 'Town', username: 'town_square' });
  townChannel.addBot(telegram.operator, {});
  return townChannel;
};

/** Posts an update as Telegram does, with the given secret. */
const send = async (site: BotSite, payload: object | string, secret?: string) =>
  site.app.inject({
    method: 'POST',
    url: WEBHOOK,
    headers: {
      'content-type': 'application/json',
      ...(secret !== undefined && { 'x-telegram-bot-api-secret-token': secret }),
    },
    payload,
  });

const chat = { id: -1_001_500_000_001, type: 'channel', title: 'Town', username: 'town_square' };
const posted = (update_id: number, text: string) => ({
  update_id,
  channel_post: { message_id: update_id, chat, date: 1_760_000_000 + update_id, text },
});
const added = (update_id: number, from: number) => {
  const user = { id: 7_000_000_001, is_bot: true, first_name: 'Changer' };
  const new_chat_member = { user, status: 'administrator', can_manage_chat: true };
  const old_chat_member = { user, status: 'left' };
  const date = 1_760_000_000;
  return { update_id, my_chat_member: { chat, from: { id: from, first_name: 'O' }, date, old_chat_member, new_chat_member } };
};

/** Creates a site that uses a webhook. The double does not call it by itself. */
const makeHooked = async (t: TestContext) => {
  const site = await makeBotSite(t, { PUBLIC_URL }, false);
  return { site, secret: await readWebhookSecret(site.store), operator: site.telegram.operator.id };
};

describe('the webhook', () => {
  it('is registered at the start, with retries, its secret and all update types that the server uses', async (t) => {
    const { site, secret } = await makeHooked(t);
    site.telegram.fail('setWebhook', { code: 400, description: 'Bad Request: bad webhook: Failed to resolve host' }, 1);
    site.context.bot?.start();
    await until(async () => site.telegram.webhook.url !== '', 'the webhook is registered');
    const [, call] = site.telegram.callsOf('setWebhook');
    assert.deepEqual([call?.url, call?.secret_token, call?.drop_pending_updates], [`${PUBLIC_URL}${WEBHOOK}`, secret, false]);
    assert.deepEqual(site.telegram.updates.allowed, [
      ...['channel_post', 'edited_channel_post', 'message_reaction_count'],
      ...['my_chat_member', 'chat_member', 'poll', 'message'],
    ]);
    assert.equal(site.telegram.callsOf('getUpdates').length, 0);
    assert.match(site.lines.join(), /Failed to resolve host/);
  });

  it('accepts updates only with the secret, and rejects a body that is no update', async (t) => {
    const { site, secret, operator } = await makeHooked(t);
    for (const wrongSecret of [undefined, '', 'x'.repeat(secret.length), `${secret} `])
      assert.equal((await send(site, posted(1, 'forged'), wrongSecret)).statusCode, 401);
    assert.equal((await send(site, '{"update_id":', secret)).statusCode, 400);
    assert.equal((await send(site, { no: 'update' }, secret)).statusCode, 400);
    assert.equal((await send(site, { update_id: 1, channel_post: { text: 'x'.repeat(2 ** 21) } }, secret)).statusCode, 413);
    assert.equal((await send(site, added(1, operator), secret)).statusCode, 200);
    assert.equal((await send(site, posted(2, 'real'), secret)).statusCode, 200);
    assert.deepEqual(await texts(site), ['real']);
  });

  it('has one secret for any number of parallel first requests, and reads it once', async () => {
    const settings = new Map<string, string>();
    let reads = 0;
    const makeStore = () => {
      const store: Pick<Store, 'getOrCreateSetting'> = {
        async getOrCreateSetting(name, value) {
          reads += 1;
          const stored = settings.get(name) ?? value;
          settings.set(name, stored);
          return stored;
        },
      };
      return store as Store;
    };
    const [one, other] = [makeStore(), makeStore()];
    const secrets = await Promise.all([
      readWebhookSecret(one),
      readWebhookSecret(other),
      readWebhookSecret(one),
      readWebhookSecret(one),
    ]);
    assert.equal(new Set(secrets).size, 1);
    assert.equal(reads, 2);
  });

  it('returns 503 while the disk is full, so that Telegram sends the update again and nothing is lost', async (t) => {
    const { site, secret, operator } = await makeHooked(t);
    await send(site, added(1, operator), secret);
    const { store } = site;
    const { putMessages, saveBadUpdate } = store;
    const fail = async () => {
      throw new StorageError('full', 'SQLITE_FULL', 'database or disk is full');
    };
    Object.assign(store, { putMessages: fail, saveBadUpdate: fail });
    assert.equal((await send(site, posted(2, 'one'), secret)).statusCode, 503);
    Object.assign(store, { putMessages, saveBadUpdate });
    assert.equal((await send(site, posted(2, 'one'), secret)).statusCode, 200);
    assert.deepEqual([await texts(site), await store.badUpdates()], [['one'], []]);
  });

  it('returns 503 during a short database outage, even for an update that it could store as unreadable', async (t) => {
    const { site, secret, operator } = await makeHooked(t);
    await send(site, added(1, operator), secret);
    const { store } = site;
    const { putMessages } = store;
    for (const code of ['ECONNREFUSED', 'CONNECTION_CLOSED', '57P01', '57014', '40P01', 'SQLITE_BUSY', 'EHOSTUNREACH']) {
      const thrown = Object.assign(new Error('it failed'), { code });
      const translate = code.startsWith('SQLITE') ? toSqliteStorageError : toPostgresStorageError;
      Object.assign(store, { putMessages: () => Promise.reject(translate(thrown)) });
      assert.equal((await send(site, posted(2, 'one'), secret)).statusCode, 503, code);
    }
    Object.assign(store, { putMessages });
    assert.equal((await send(site, posted(2, 'one'), secret)).statusCode, 200);
    assert.deepEqual([await texts(site), await store.badUpdates()], [['one'], []]);
  });

  it('retries unreadable updates at the next start', async (t) => {
    const { site, secret, operator } = await makeHooked(t);
    await send(site, added(1, operator), secret);
    const { store } = site;
    for (const [updateId, update] of [
      [2, posted(2, 'known now')],
      [3, { update_id: 3, hologram: {} }],
    ] as const)
      await store.saveBadUpdate({ updateId, body: JSON.stringify(update), reason: 'not known' }, 1);
    site.context.bot?.start();
    await until(async () => (await texts(site)).length > 0, 'the post is shown');
    await until(async () => (await store.badUpdates()).length === 1, 'the other update remains');
  });

  it('stores an unreadable update with the reason, and continues', async (t) => {
    const { site, secret, operator } = await makeHooked(t);
    await send(site, added(1, operator), secret);
    const { store } = site;
    const { putMessages } = store;
    Object.assign(store, {
      putMessages: async () => {
        throw new TypeError('a mistake of ours');
      },
    });
    assert.equal((await send(site, posted(2, 'poison'), secret)).statusCode, 200);
    Object.assign(store, { putMessages });
    assert.equal((await send(site, { update_id: 3, channel_post: { chat, message_id: 3 } }, secret)).statusCode, 200);
    assert.equal((await send(site, { update_id: 4, hologram: {} }, secret)).statusCode, 200);
    assert.equal((await send(site, posted(5, 'sound'), secret)).statusCode, 200);
    const invalid = await store.badUpdates();
    assert.deepEqual(
      invalid.map(({ updateId }) => updateId),
      [2, 3, 4],
    );
    assert.match(invalid[0]?.reason ?? '', /a mistake of ours/);
    assert.deepEqual(invalid.map(({ reason }) => reason).slice(1), ['it has no date', 'it is of a type that was not requested']);
    assert.deepEqual(JSON.parse(invalid[0]?.body ?? ''), posted(2, 'poison'));
    assert.deepEqual(await texts(site), ['sound']);
  });

  it('stores no personal data of an unreadable update, and keeps the data that locate its error', async (t) => {
    const { site, secret } = await makeHooked(t);
    const sender = { id: 770_077, is_bot: false, first_name: 'Ines', username: 'ines_prado' };
    const member = { user: sender, status: 'administrator', can_manage_chat: true, custom_title: 'Ines' };
    const membershipChange = { chat, from: sender, date: 'soon', old_chat_member: member, new_chat_member: member };
    const privateMessage = {
      chat: { id: sender.id, type: 'private', first_name: 'Ines' },
      from: sender,
      date: 5,
      text: 'I am Ines',
    };
    const chat_shared = { request_id: -1, chat_id: sender.id, title: 'Ines', username: 'ines_prado' };
    const origin = { type: 'hidden_user', sender_user_name: 'Ines' };
    const post = { message_id: 4, chat, text: 'x', forward_origin: origin, entities: [{ type: 'text_mention', user: sender }] };
    const invalid = [
      { my_chat_member: membershipChange },
      { message: { ...privateMessage, chat_shared } },
      { channel_post: { ...post, contact: { user_id: sender.id, first_name: 'Ines' }, new_chat_members: [sender] } },
      { callback_query: { from: sender, data: String(sender.id) } },
    ];
    for (const [at, update] of invalid.entries())
      assert.equal((await send(site, { update_id: at + 1, ...update }, secret)).statusCode, 200);
    // A post is stored until its channel is connected. Only then does the server find that it is invalid.
    await send(site, added(9, site.telegram.operator.id), secret);
    await until(async () => (await site.store.badUpdates()).length === invalid.length, 'the updates are stored');
    const stored = await site.store.badUpdates();
    assert.doesNotMatch(JSON.stringify(stored), /770077|ines/i);
    const [first] = stored.map(({ body }) => JSON.parse(body));
    assert.deepEqual([first.my_chat_member.date, first.my_chat_member.chat], ['soon', chat]);
    assert.deepEqual(first.my_chat_member.new_chat_member, {
      user: { id: 'number', is_bot: false, first_name: 'string', username: 'string' },
      status: 'administrator',
      can_manage_chat: true,
      custom_title: 'string',
    });
  });

  it('parks at most a thousand updates until their channel is connected, and then applies them in order', async (t) => {
    const { site, secret, operator } = await makeHooked(t);
    for (let id = 10; id < 13; id++) await send(site, posted(id, `Post ${id}`), secret);
    await send(site, { ...posted(12, ''), edited_channel_post: posted(11, 'x').channel_post, channel_post: undefined }, secret);
    assert.deepEqual(await texts(site), []);
    await send(site, added(1, operator), secret);
    assert.deepEqual(await texts(site), ['Post 12', 'Post 11', 'Post 10']);
    for (let id = 2000; id < 3005; id++)
      await site.store.parkUpdate({ channelId: '77', updateId: id, body: '{}' }, 1_760_000_000);
    const parked = await site.store.parkedUpdates('77');
    assert.deepEqual([parked.length, parked[0]?.updateId], [1000, 2005]);
  });

  it('has the same result whether the bot was removed before or after the update about its addition arrives', async (t) => {
    const { site, secret, operator } = await makeHooked(t);
    const add = added(1, operator);
    const removed = structuredClone(add);
    removed.update_id = 3;
    removed.my_chat_member.date += 10;
    removed.my_chat_member.new_chat_member.status = 'kicked';
    await send(site, posted(2, 'between'), secret);
    await send(site, removed, secret);
    assert.deepEqual(await site.store.channels(EVERYTHING), []);
    await send(site, add, secret);
    const [channel] = await site.store.channels(EVERYTHING);
    assert.deepEqual([channel?.state, channel?.since], ['paused', removed.my_chat_member.date]);
    assert.deepEqual(await texts(site), ['between']);
  });
});

describe('long polling', () => {
  it('reports that another program polls, waits, and resumes at its offset', async (t) => {
    const site = await makeBotSite(t);
    site.telegram.fail('getUpdates', { code: 409, description: 'Conflict: terminated by other getUpdates request' }, 1);
    const townChannel = createTownChannel(site);
    townChannel.post(site.telegram.make.text('one'));
    await until(async () => site.context.bot?.health().type === 'failed', 'the failure is reported');
    assert.match(site.context.bot?.health().detail ?? '', /Another program polls with this BOT_TOKEN/);
    await untilPosts(site, ['one']);
    await until(async () => site.context.bot?.health().type === 'polling', 'the bot polls again');
  });

  it('waits as long as a 429 response says', async (t) => {
    const { store } = await makeBotSite(t, {}, false);
    const stopping = new AbortController();
    const calledAt: number[] = [];
    const getUpdates = async () => {
      calledAt.push(performance.now());
      if (calledAt.length === 2) stopping.abort();
      const refused = { ok: false, error_code: 429, description: 'Too Many Requests', parameters: { retry_after: 2 } } as const;
      throw new GrammyError('refused', refused, 'getUpdates', {});
    };
    const api = { getUpdates, deleteWebhook: async () => true } as unknown as Api;
    const bot = { api, download: () => assert.fail() };
    await pollUpdates({ bot, store, handleUpdate: () => assert.fail(), reportProblem: () => {} }, stopping.signal);
    const [first = 0, second = 0] = calledAt;
    assert.ok(second - first >= 1990, `after ${second - first} ms`);
  });

  it('removes a webhook that another program set, and keeps the pending updates', async (t) => {
    const site = await makeBotSite(t, {}, false);
    site.telegram.webhook.set({ url: 'http://127.0.0.1:9/hook' });
    site.telegram.webhook.delivery = { backOff: [1000, 1000] };
    createTownChannel(site).post(site.telegram.make.text('one'));
    site.context.bot?.start();
    await untilPosts(site, ['one']);
    assert.deepEqual(site.telegram.callsOf('deleteWebhook')[0]?.drop_pending_updates, false);
  });

  it('stops when the token is rejected, reports it once, and the site continues to serve', async (t) => {
    const site = await makeBotSite(t, { BOT_TOKEN: '123:refused-by-telegram' }, false);
    site.context.bot?.start();
    await until(async () => site.context.bot?.health().type === 'failed', 'the token is rejected');
    assert.match(site.context.bot?.health().detail ?? '', /^Telegram rejected BOT_TOKEN: set the token that @BotFather shows/);
    assert.equal(site.lines.filter((line) => line.includes('rejected BOT_TOKEN')).length, 1);
    assert.equal((await site.app.inject({ url: '/api/channels' })).statusCode, 200);
  });

  it('requests updates again that the store could not save, and confirms none before', async (t) => {
    const site = await makeBotSite(t);
    const townChannel = createTownChannel(site);
    townChannel.post(site.telegram.make.text('one'));
    await untilPosts(site, ['one']);
    const { store } = site;
    const { putMessages, saveBadUpdate } = store;
    const fail = async () => {
      throw new StorageError('full', 'SQLITE_FULL', 'database or disk is full');
    };
    Object.assign(store, { putMessages: fail, saveBadUpdate: fail });
    townChannel.post(site.telegram.make.text('two'));
    await until(async () => site.context.bot?.health().type === 'failed', 'the failure is reported');
    assert.match(site.context.bot?.health().detail ?? '', /disk is full/);
    assert.equal(site.telegram.updates.pending.at(-1)?.channel_post?.text, 'two');
    Object.assign(store, { putMessages, saveBadUpdate });
    await untilPosts(site, ['two', 'one']);
  });

  it('never discloses the token in an error, whatever cannot be reached', async (t) => {
    const site = await makeBotSite(t);
    const token = site.telegram.token;
    site.telegram.fail('*', 'reset', 60);
    createTownChannel(site);
    await until(async () => site.lines.some((line) => /could not be reached/.test(line)), 'the failure is reported');
    const headers = await site.signIn(site.telegram.operator.id);
    const output = JSON.stringify(await site.overview(headers)) + site.lines.join('\n');
    assert.match(output, /could not be reached/);
    assert.ok(!output.includes(token) && !output.includes(token.split(':')[1] ?? ''));
  });
});

describe('two processes of one server', () => {
  it('poll one at a time, and the other takes over within seconds', async (t) => {
    const site = await makeBotSite(t);
    const { config, store, elapsed } = site.context;
    const other = createBot({ config, store, now: Date.now, elapsed, log: (line) => void site.lines.push(line) });
    other.start();
    t.after(() => other.stop());
    const townChannel = createTownChannel(site);
    townChannel.post(site.telegram.make.text('one'));
    await untilPosts(site, ['one']);
    assert.equal(other.health().lastUpdate, undefined);
    await site.context.bot?.stop();
    townChannel.post(site.telegram.make.text('two'));
    await untilPosts(site, ['two', 'one']);
    assert.notEqual(other.health().lastUpdate, undefined);
    assert.deepEqual(
      site.lines.filter((line) => /Conflict|Another program/.test(line)),
      [],
    );
  });

  it('take over the lease of a dead process at once, and of an unresponsive one after five seconds', async (t) => {
    const { store } = await makeBotSite(t, {}, false);
    const deadOwner = `${PID_SCOPE} 999999999 x`;
    let now = 1_000_000;
    const lease = createLease('a', store, () => now);
    await store.acquireLease('a', deadOwner, now, now + 5000);
    assert.equal(await lease.acquire(), true);
    await lease.release();
    await store.acquireLease('a', 'elsewhere 1 x', now, now + 5000);
    assert.equal(await lease.acquire(), false);
    now += 5001;
    assert.equal(await lease.acquire(), true);
    await lease.release();
    // Another process, whose clock was a year ahead, has died while it held the lease.
    await store.acquireLease('a', 'elsewhere 1 x', now + 31_536_000_000, now + 31_536_005_000);
    assert.equal(await lease.acquire(), true);
  });

  it('do not take the lease of a process with the same hostname whose pid they cannot check, until it expires', async (t) => {
    const { store } = await makeBotSite(t, {}, false);
    let now = 1_000_000;
    const lease = createLease('a', store, () => now);
    for (const holder of [
      `${hostname()} 999999999 x`,
      `${hostname()}/another-boot/pid:[4026531836] 999999999 x`,
      `${hostname()}/another-boot/pid:[4026531836] ${process.pid} x`,
    ]) {
      await store.acquireLease('a', holder, now, now + 5000);
      assert.equal(await lease.acquire(), false, holder);
      now += 5001;
      assert.equal(await lease.acquire(), true, holder);
      await lease.release();
    }
  });
});
