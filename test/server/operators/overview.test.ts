// The operators' page: the figures of every channel, and the store calls of a request.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { OperatorOverview } from '../../../contract/operator.ts';
import type { Store } from '../../../server/storage/ports/store.ts';
import { channel, fill, makeApp, message, signIn, type TestApp } from '../support/make-app.ts';

/** Creates a server with an operator who is signed in, and records the names of the store's methods as they are called. */
async function withOperator(t: TestContext): Promise<TestApp & { calls: string[]; headers: Record<string, string> }> {
  const testApp = await makeApp(t, { OPERATOR_IDS: '7' });
  return { ...testApp, calls: recordCalls(testApp.store), headers: await signIn(testApp, 7) };
}

function recordCalls(store: Store): string[] {
  const calls: string[] = [];
  const methods: Record<string, unknown> = Object.fromEntries(Object.entries(store));
  for (const [name, method] of Object.entries(methods))
    if (typeof method === 'function')
      Object.defineProperty(store, name, {
        value: (...values: unknown[]) => {
          calls.push(name);
          return Reflect.apply(method, store, values);
        },
      });
  return calls;
}

describe('the operators’ page', () => {
  it('shows the figures of each channel, and zeros for a channel without posts', async (t) => {
    const { app, store, headers } = await withOperator(t);
    await fill(store, channel('1'), 3);
    await fill(store, channel('2'), 2);
    await store.putChannel(channel('3'));
    await store.putMessages([message('1', 9, 'After a gap')]);
    await store.hidePost('2', 1, 500);
    const { channels }: OperatorOverview = (await app.inject({ url: '/api/operator/channels', headers })).json();
    const figures = channels.map(({ channel: { id }, messages, hidden, missing, files }) => [
      id,
      messages,
      hidden,
      missing,
      files,
    ]);
    const files = { waiting: 0, failed: 0 };
    assert.deepEqual(figures, [
      ['1', 4, 0, 5, files],
      ['2', 2, 1, 0, files],
      ['3', 0, 0, 0, files],
    ]);
  });

  it('takes as many store calls for twenty channels as for one', async (t) => {
    const { app, store, calls, headers } = await withOperator(t);
    const callsOfRequest = async () => {
      calls.length = 0;
      assert.equal((await app.inject({ url: '/api/operator/channels', headers })).statusCode, 200);
      return [...calls].sort();
    };
    await store.putChannel(channel('1'));
    const callsForOne = await callsOfRequest();
    assert.ok(callsForOne.includes('channelCounts'));
    for (let id = 2; id <= 20; id += 1) await store.putChannel(channel(String(id)));
    assert.deepEqual(await callsOfRequest(), callsForOne);
  });
});
