// Notifications by the bot: Telegram's limits, its 429s, and the end of its access.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { DEFAULT_NOTIFICATION_SETTINGS } from '../../../contract/notifications.ts';
import { openUrlSigner } from '../../../server/media/signed-urls.ts';
import { BotRateLimit, createBotSender } from '../../../server/notifications/bot-sender.ts';
import { matchEvents } from '../../../server/notifications/matcher.ts';
import { handleUpdate } from '../../../server/sources/telegram/apply-update.ts';
import { createMessageSender } from '../../../server/sources/telegram/send-message.ts';
import { channel, makeApp, message } from '../support/make-app.ts';

interface SentMessage {
  readonly chat_id: number;
  readonly text: string;
  readonly reply_markup?: { inline_keyboard: { url?: string; text: string }[][] };
  readonly at: number;
}

/** Starts a Bot API server that records messages, and responds as `respond` says. */
async function startBotApi(t: TestContext) {
  const accepted: SentMessage[] = [];
  const double = {
    accepted,
    root: '',
    respond: (_chatId: number, _total: number): { status: number; retryAfter?: number } => ({ status: 200 }),
  };
  let total = 0;
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    total += 1;
    const { status, retryAfter } = double.respond(body.chat_id, total);
    if (status === 200) accepted.push({ ...body, at: performance.now() });
    const parameters = retryAfter === undefined ? {} : { parameters: { retry_after: retryAfter } };
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(
        status === 200 ? { ok: true, result: {} } : { ok: false, error_code: status, description: 'x', ...parameters },
      ),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  double.root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return double;
}

async function makeBotDelivery(t: TestContext, readerIds: readonly string[]) {
  const api = await startBotApi(t);
  const { store } = await makeApp(t);
  await store.putChannel(channel('1', { title: 'One' }));
  const now = Date.now;
  await store.matchPosition(Math.floor(now() / 1000) - 60);
  for (const id of readerIds) {
    await store.putReader({ id, name: 'x', language: 'ru' });
    await store.putNotificationChoice(id, { channelId: '1', mode: 'all', words: [], phrases: [] });
    await store.putNotificationSettings(id, { ...DEFAULT_NOTIFICATION_SETTINGS, target: 'bot' }, now());
    await store.setBotAccess(id, true);
  }
  const config = { operatorIds: new Set<string>(), botApp: 'https://t.me/city_bot/app', publicUrl: null };
  const send = createBotSender({
    ...{ store, config, urlSigner: await openUrlSigner(store), now, isMember: async () => true, onResults: () => {} },
    sendMessage: createMessageSender({ botToken: '1:x', botApiRoot: api.root }),
  });
  const post = async (id: number) => {
    await store.putMessages([{ ...message('1', id, `Post ${id}`, [], Math.floor(now() / 1000)), source: 'bot' }]);
    await matchEvents(await store.lastEventId(), { store, now }, new AbortController().signal);
  };
  return { api, store, send, post };
}

describe('messages of the bot', () => {
  it('have a button that opens the post in the mini-app', async (t) => {
    const { api, send, post } = await makeBotDelivery(t, ['5']);
    await post(3);
    assert.equal(await send(), true);
    const [sent] = api.accepted;
    assert.deepEqual([sent?.chat_id, sent?.text], [5, 'One\nPost 3']);
    assert.deepEqual(sent?.reply_markup?.inline_keyboard, [
      [{ text: 'Открыть', url: 'https://t.me/city_bot/app?startapp=c_1_3' }],
    ]);
  });

  it('are at most thirty a second, wait for 429 as long as Telegram asks, and are each sent once', async (t) => {
    const ids = Array.from({ length: 70 }, (_, index) => String(100 + index));
    const { api, send, post } = await makeBotDelivery(t, ids);
    let limitedAt = 0;
    api.respond = (_chatId, total) => {
      if (total !== 20) return { status: 200 };
      limitedAt = performance.now();
      return { status: 429, retryAfter: 2 };
    };
    await post(1);
    const deadline = performance.now() + 20_000;
    while (api.accepted.length < ids.length && performance.now() < deadline)
      if (!(await send())) await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual(
      api.accepted.map(({ chat_id }) => chat_id).sort((a, b) => a - b),
      ids.map(Number),
    );
    const times = api.accepted.map(({ at }) => at);
    for (const start of times) assert.ok(times.filter((at) => at >= start && at < start + 900).length <= 31);
    // Messages that were under way when the 429 arrived are not affected.
    assert.equal(times.filter((at) => at > limitedAt + 250 && at < limitedAt + 1900).length, 0);
  });

  it('end when the reader blocked the bot', async (t) => {
    const { api, store, send, post } = await makeBotDelivery(t, ['5']);
    api.respond = () => ({ status: 403 });
    await post(1);
    await send();
    const settings = await store.notificationSettings('5');
    assert.deepEqual([settings?.botAccess, settings?.target], [false, 'push']);
    await post(2);
    assert.equal(await send(), false);
  });
});

describe('the command /stop, and blocking the bot', () => {
  const from = { id: 5, is_bot: false, first_name: 'x' };
  const chat = { id: 5, type: 'private' };
  for (const [name, update] of [
    ['/stop', { message: { message_id: 1, date: 1, chat, from, text: '/stop' } }],
    ['blocking', { my_chat_member: { chat, from, date: 1, new_chat_member: { status: 'kicked', user: from } } }],
  ] as const)
    it(`${name} ends the access of the bot`, async (t) => {
      const { store } = await makeBotDelivery(t, ['5']);
      await handleUpdate(
        { update_id: 1, ...update },
        {
          ...{ store, maxBytes: 1, operatorIds: new Set<string>(), now: Date.now, triggerTasks: () => {} },
          ...{ onConnected: async () => {}, onChannelPicked: () => {}, onStartCommand: () => {} },
        },
      );
      assert.equal((await store.notificationSettings('5'))?.botAccess, false);
    });
});

describe('BotRateLimit', () => {
  it('reserves one message a second in a chat, and thirty a second in all', () => {
    const limit = new BotRateLimit();
    assert.deepEqual([limit.reserve('a', 1000), limit.reserve('a', 1000)], [1000, 2000]);
    const times = Array.from({ length: 60 }, (_, index) => limit.reserve(`c${index}`, 1000));
    assert.ok((times.at(-1) ?? 0) >= 2900);
    limit.pause(10_000);
    assert.equal(limit.reserve('b', 3000), 10_000);
  });
});
