// Bot API client: the rate limit of the bot.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { createBotApi, toGrammySignal } from '../../../../server/sources/telegram/client.ts';
import { startBotApi } from '../../../bot-api/bot-api.ts';

const start = async (t: TestContext) => {
  const telegram = await startBotApi();
  t.after(() => telegram.close());
  const { api } = createBotApi({ botToken: telegram.token, botApiRoot: telegram.root });
  const assertLimited = (call: Promise<unknown>) => assert.rejects(call, { error_code: 429 });
  /** Asserts that another call is not sent within some time. */
  const assertNextCallWaits = async () => {
    const stopping = new AbortController();
    const call = assert.rejects(api.getWebhookInfo(toGrammySignal(stopping.signal)));
    await wait(500);
    assert.equal(telegram.callsOf('getWebhookInfo').length, 0);
    stopping.abort();
    await call;
  };
  return { telegram, api, assertLimited, assertNextCallWaits };
};

describe('after a 429 response, every call to Telegram waits', () => {
  it('if the limited call is repeated', async (t) => {
    const { telegram, api, assertNextCallWaits } = await start(t);
    telegram.fail('getMe', { retryAfter: 1 });
    const repeated = api.getMe();
    await wait(200);
    await assertNextCallWaits();
    assert.equal((await repeated).is_bot, true);
    assert.equal(telegram.callsOf('getMe').length, 2);
  });

  it('if the limited call was the last attempt', async (t) => {
    const { telegram, api, assertLimited, assertNextCallWaits } = await start(t);
    telegram.fail('getMe', { retryAfter: 0 }, 3);
    telegram.fail('getMe', { retryAfter: 10 });
    await assertLimited(api.getMe());
    await assertNextCallWaits();
  });

  it('if the limited call was a poll', async (t) => {
    const { telegram, api, assertLimited, assertNextCallWaits } = await start(t);
    telegram.fail('getUpdates', { retryAfter: 10 });
    await assertLimited(api.getUpdates({ timeout: 0 }));
    await assertNextCallWaits();
  });

  it('if the limit is too long for the limited call to be repeated', async (t) => {
    const { telegram, api, assertLimited, assertNextCallWaits } = await start(t);
    telegram.fail('getMe', { retryAfter: 3600 });
    await assertLimited(api.getMe());
    await assertNextCallWaits();
  });
});
