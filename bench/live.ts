import type { AddressInfo } from 'node:net';
import { readWebhookSecret } from '../server/sources/telegram/receive-updates.ts';
import { startBotApi } from '../test/bot-api/bot-api.ts';
import { makeApp } from '../test/server/support/make-app.ts';
import { launchBrowser, until } from '../test/support/browser.ts';

const POSTS = 50;
const CHAT = { id: -1_001_500_000_001, type: 'channel', title: 'Town', username: 'town_square' };

/**
 * Live update benchmark: measures the time from Telegram's call of the webhook to the notice on a reader's open page,
 * in a real browser, in ms.
 */
export async function benchLive(): Promise<Record<string, number>[]> {
  const cleanups: (() => unknown)[] = [];
  const scope = { after: (cleanup?: unknown) => void (typeof cleanup === 'function' && cleanups.push(() => cleanup())) };
  const [telegram, browser] = await Promise.all([startBotApi(), launchBrowser()]);
  try {
    const operatorId = telegram.operator.id;
    const bot = { BOT_TOKEN: telegram.token, BOT_API_ROOT: telegram.root, OPERATOR_IDS: String(operatorId) };
    const { app, store, context } = await makeApp(scope, { ...bot, PUBLIC_URL: 'http://127.0.0.1:9' }, 'dist');
    telegram.channel({ title: CHAT.title, username: CHAT.username, id: CHAT.id }).addBot(telegram.operator, {});
    await app.listen({ port: 0, host: '127.0.0.1' });
    const origin = `http://localhost:${(app.server.address() as AddressInfo).port}`;
    const secret = await readWebhookSecret(store);
    const callWebhook = (update: object) =>
      fetch(`${origin}/api/telegram/webhook`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret },
        body: JSON.stringify(update),
      });
    const sendPost = (id: number) =>
      callWebhook({
        update_id: id,
        channel_post: { message_id: id, chat: CHAT, date: Math.floor(Date.now() / 1000), text: `Post ${id}` },
      });

    await callWebhook(createJoinUpdate(1, operatorId, telegram.bot));
    await sendPost(2);
    await until(async () => (await store.posts({ limit: 1 }, { privateChannels: 'all' })).length === 1, 'the channel is stored');
    const page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
    await page.goto(`${origin}/main`);
    await page.locator('article').first().waitFor();
    await until(async () => context.eventHub.count() === 1, 'the page is connected');
    await page.waitForTimeout(1000);
    const durations: number[] = [];
    for (let count = 1; count <= POSTS; count += 1) {
      const start = performance.now();
      await sendPost(2 + count);
      await page.locator('.fresh .pill').getByText(`${count} new post`).waitFor();
      durations.push(performance.now() - start);
    }
    const sorted = durations.toSorted((a, b) => a - b);
    return [{ posts: POSTS, median: Math.round(sorted[POSTS / 2] ?? 0), maximum: Math.round(sorted.at(-1) ?? 0), goal: 2000 }];
  } finally {
    await browser.close();
    for (const cleanup of cleanups) await cleanup();
    await telegram.close();
  }
}

function createJoinUpdate(update_id: number, operatorId: number, botUser: object): object {
  const new_chat_member = { user: botUser, status: 'administrator', can_manage_chat: true };
  const old_chat_member = { user: botUser, status: 'left' };
  const date = Math.floor(Date.now() / 1000);
  return {
    update_id,
    my_chat_member: { chat: CHAT, from: { id: operatorId, first_name: 'O' }, date, old_chat_member, new_chat_member },
  };
}
