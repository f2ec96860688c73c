// Bot API double: tests of the fake Telegram server that other tests use.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import type { Update } from '@grammyjs/types';
import { Api, Bot } from 'grammy';
import { startBotApi } from '../../../bot-api/bot-api.ts';
import { mixed } from '../../../bot-api/mixing.ts';
import { until } from '../../../support/browser.ts';

const ALL_UPDATES = [
  'channel_post',
  'edited_channel_post',
  'message_reaction_count',
  'my_chat_member',
  'chat_member',
  'poll',
] as const;

const start = async (t: TestContext) => {
  const telegram = await startBotApi();
  t.after(() => telegram.close());
  const api = new Api(telegram.token, { apiRoot: telegram.root });
  const channel = telegram.channel({ title: 'Town', username: 'town_square', others: 9 });
  channel.addBot(telegram.operator);
  return { telegram, api, channel };
};

const fails = (promise: Promise<unknown>, error_code: number, description: string) =>
  assert.rejects(promise, { error_code, description });

/** Starts a server that receives webhook calls and responds with the status that `statusOf` returns. */
const listen = async (t: TestContext, statusOf: (update: Update, secret: string | undefined) => number) => {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      const secret = request.headers['x-telegram-bot-api-secret-token'];
      response.writeHead(statusOf(JSON.parse(body), typeof secret === 'string' ? secret : undefined)).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const address = server.address();
  return `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}/hook`;
};

describe('the Bot API double', () => {
  it('sends posts, edits, pins and reactions to grammY in order', async (t) => {
    const { telegram, channel } = await start(t);
    const bot = new Bot(telegram.token, { client: { apiRoot: telegram.root } });
    const received: string[] = [];
    bot.on('channel_post', (ctx) => void received.push(`post ${ctx.channelPost.text ?? ctx.channelPost.caption ?? 'service'}`));
    bot.on('edited_channel_post', (ctx) => void received.push(`edit ${ctx.editedChannelPost.text}`));
    bot.on(
      'message_reaction_count',
      (ctx) => void received.push(`reactions ${ctx.messageReactionCount.reactions[0]?.total_count}`),
    );
    void bot.start({ allowed_updates: [...ALL_UPDATES] });
    await until(async () => telegram.callsOf('getUpdates').length > 0, 'grammY polls');
    const { message_id } = channel.post(telegram.make.text('one'));
    channel.edit(message_id, { text: 'two' });
    channel.react(message_id, [{ type: { type: 'emoji', emoji: '👍' }, total_count: 5 }]);
    channel.album([telegram.make.photo('three'), telegram.make.video('four')]);
    channel.pin(message_id);
    await until(async () => received.length === 6, 'all updates are received');
    await bot.stop();
    assert.deepEqual(received, ['post one', 'edit two', 'reactions 5', 'post three', 'post four', 'post service']);
  });

  it('keeps an update until an offset confirms it, and drops updates of types that were not requested', async (t) => {
    const { telegram, api, channel } = await start(t);
    channel.post(telegram.make.text('one'));
    channel.react(2, []);
    const [member, post] = await api.getUpdates({ timeout: 0 });
    assert.deepEqual([member?.my_chat_member?.new_chat_member.status, post?.channel_post?.text], ['administrator', 'one']);
    assert.equal((await api.getUpdates({ limit: 1 })).length, 1);
    assert.deepEqual(await api.getUpdates({ offset: post?.update_id ?? 0 }), [post]);
    assert.deepEqual(
      await api.getUpdates({ offset: (post?.update_id ?? 0) + 1, allowed_updates: ['message_reaction_count'] }),
      [],
    );
    channel.post(telegram.make.text('not asked for'));
    channel.react(2, []);
    assert.deepEqual(
      (await api.getUpdates({})).map((update) => Object.keys(update)),
      [['message_reaction_count', 'update_id']],
    );
  });

  it('ends the first of two polling requests, and rejects polling while a webhook is set', async (t) => {
    const { telegram, api, channel } = await start(t);
    await api.getUpdates({ offset: -1 }).then((updates) => api.getUpdates({ offset: (updates[0]?.update_id ?? 0) + 1 }));
    const first = api.getUpdates({ timeout: 30 });
    const conflict = fails(
      first,
      409,
      'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
    );
    await until(async () => telegram.callsOf('getUpdates').length === 3, 'the first request waits');
    const second = api.getUpdates({ timeout: 30 });
    await conflict;
    channel.post(telegram.make.text('one'));
    assert.equal((await second).length, 1);
    await api.setWebhook('https://example.org/hook');
    await fails(
      api.getUpdates(),
      409,
      "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
    );
    await api.deleteWebhook();
    assert.equal((await api.getWebhookInfo()).url, '');
  });

  it('delivers to a webhook with its secret, in order, and retries until it returns 2xx', async (t) => {
    const { telegram, api, channel } = await start(t);
    const received: (string | undefined)[] = [];
    let failures = 3;
    const url = await listen(t, (update, secret) => {
      if (failures-- > 0) return 503;
      received.push(`${secret} ${update.channel_post?.text}`);
      return 200;
    });
    telegram.webhook.delivery = { backOff: [1, 5] };
    await api.setWebhook(url, { secret_token: 's3cret', drop_pending_updates: true });
    for (const text of ['one', 'two', 'three']) channel.post(telegram.make.text(text));
    await until(async () => (await api.getWebhookInfo()).pending_update_count === 0, 'all is delivered');
    assert.deepEqual(received, ['s3cret one', 's3cret two', 's3cret three']);
    assert.match((await api.getWebhookInfo()).last_error_message ?? '', /^Wrong response from the webhook: 503/);
    await fails(
      api.setWebhook('http://example.org/'),
      400,
      'Bad Request: bad webhook: An HTTPS URL must be provided for webhook',
    );
    await fails(
      api.setWebhook(url, { secret_token: 'no spaces' }),
      400,
      'Bad Request: secret token contains unallowed characters',
    );
  });

  it('shuffles and repeats updates on demand', async (t) => {
    const { telegram, api, channel } = await start(t);
    const received: number[] = [];
    const url = await listen(t, ({ channel_post }) => {
      received.push(channel_post?.message_id ?? 0);
      return 200;
    });
    telegram.webhook.delivery = { backOff: [1, 5], shuffle: 3, repeat: 0.5 };
    await api.deleteWebhook({ drop_pending_updates: true });
    const ids = Array.from({ length: 30 }, (_, at) => channel.post(telegram.make.text(`m${at}`)).message_id);
    await api.setWebhook(url);
    await until(async () => new Set(received).size === 30 && telegram.updates.pending.length === 0, 'all is delivered');
    assert.notDeepEqual([...new Set(received)], ids);
    assert.ok(received.length > 30);
    await api.deleteWebhook();
    telegram.updates.hold();
    const posts = [
      channel.post(telegram.make.text('a')),
      channel.post(telegram.make.text('b')),
      channel.post(telegram.make.text('c')),
    ];
    assert.deepEqual(await api.getUpdates(), []);
    telegram.updates.release(mixed(1, 1));
    const got = (await api.getUpdates()).map((update) => update.channel_post?.message_id ?? 0);
    assert.deepEqual(
      got.toSorted((a, b) => a - b),
      posts.flatMap(({ message_id }) => [message_id, message_id]),
    );
  });

  it('serves files and ranges of them until their URL expires', async (t) => {
    const { telegram, api } = await start(t);
    const sizes = telegram.make.photo().photo ?? [];
    const file = await api.getFile(sizes.at(-1)?.file_id ?? '');
    assert.equal(file.file_unique_id, sizes.at(-1)?.file_unique_id);
    const address = `${telegram.root}/file/bot${telegram.token}/${file.file_path}`;
    const content = Buffer.from(await (await fetch(address)).arrayBuffer());
    assert.equal(content.length, file.file_size);
    const range = await fetch(address, { headers: { range: 'bytes=2-5' } });
    assert.deepEqual([range.status, Buffer.from(await range.arrayBuffer())], [206, content.subarray(2, 6)]);
    telegram.files.expire();
    assert.equal((await fetch(address)).status, 404);
    await fails(api.getFile(telegram.make.hugeVideo().video?.file_id ?? ''), 400, 'Bad Request: file is too big');
    await fails(api.getFile('AgAC'), 400, 'Bad Request: wrong file_id or the file is temporarily unavailable');
  });

  it('returns the same error messages as Telegram', async (t) => {
    const { telegram, api, channel } = await start(t);
    await fails(new Api('1:wrong', { apiRoot: telegram.root }).getMe(), 401, 'Unauthorized');
    await fails(api.getChat(-1), 400, 'Bad Request: chat not found');
    await fails(api.getChatMember(channel.id, 5), 400, 'Bad Request: user not found');
    await fails(api.deleteMessage(channel.id, 99), 400, 'Bad Request: message to delete not found');
    await fails(api.setMessageReaction(channel.id, 99, []), 400, 'Bad Request: message to react not found');
    await fails(api.copyMessage(telegram.operator.id, channel.id, 99), 400, 'Bad Request: message to copy not found');
    await fails(api.banChatMember(channel.id, 5), 404, 'Not Found: method not found');
    channel.removeBot(telegram.operator);
    await fails(api.getChatMember(channel.id, 5), 403, 'Forbidden: bot was kicked from the channel chat');
    assert.equal((await api.getChat('@Town_Square')).title, 'Town');
    await assert.doesNotReject(api.setMyCommands([{ command: 'connect', description: 'Connect a channel' }]));
  });

  it('leaves a channel on request, and sends an update about it', async (t) => {
    const { telegram, api, channel } = await start(t);
    await api.leaveChat(channel.id);
    channel.post(telegram.make.text('unheard'));
    const statuses = (await api.getUpdates()).map((update) => update.my_chat_member?.new_chat_member.status);
    assert.deepEqual(statuses, ['administrator', 'left']);
    await fails(api.getChatAdministrators(channel.id), 403, 'Forbidden: bot is not a member of the channel chat');
  });

  it('fails in the requested way, as many times as requested', async (t) => {
    const { telegram, api } = await start(t);
    telegram.fail('getMe', { retryAfter: 7 }, 2);
    const expectedError = { error_code: 429, parameters: { retry_after: 7 } };
    await assert.rejects(api.getMe(), expectedError);
    await assert.rejects(api.getMe(), expectedError);
    telegram.fail('getMe', 'reset');
    await assert.rejects(api.getMe(), { name: 'HttpError' });
    telegram.fail('*', 'garbage');
    await assert.rejects(api.getMe(), { name: 'HttpError' });
    telegram.fail('getMe', { code: 500, description: 'Internal Server Error' })();
    assert.equal((await api.getMe()).username, 'changer_test_bot');
  });

  it('sends updates about members, rights and a shared channel', async (t) => {
    const { telegram, api, channel } = await start(t);
    const ann = telegram.user(7, 'Ann');
    await api.getUpdates({ offset: -1, allowed_updates: ['chat_member', 'my_chat_member', 'message'] });
    channel.join(ann);
    assert.equal((await api.getChatMember(channel.id, ann.id)).status, 'member');
    assert.equal(await api.getChatMemberCount(channel.id), 12);
    channel.leave(ann);
    channel.addBot(telegram.operator, {});
    telegram.share(channel, 1);
    const updates = (await api.getUpdates()).slice(1);
    assert.deepEqual(
      updates.map(({ chat_member, my_chat_member, message }) =>
        [chat_member?.new_chat_member.status, my_chat_member?.new_chat_member.status, message?.chat_shared?.chat_id].find(
          Boolean,
        ),
      ),
      ['member', 'left', 'administrator', channel.id],
    );
    await fails(api.sendMessage(channel.id, 'x'), 400, 'Bad Request: need administrator rights in the channel chat');
  });
});
