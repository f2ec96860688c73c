// Sessions of a reader: list and revocation.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SessionPage } from '../../../contract/api.ts';
import { until } from '../../support/browser.ts';
import { openEventStream, startListening } from '../events/event-stream-client.ts';
import { launchData, makeApp, signIn, type TestApp } from '../support/make-app.ts';

type Headers = { 'access-token': string };

const sessionsOf = async ({ app }: TestApp, headers: Headers): Promise<SessionPage['items']> =>
  (await app.inject({ url: '/api/me/sessions', headers })).json().items;

const statusOf = async ({ app }: TestApp, headers: Headers): Promise<number> =>
  (await app.inject({ url: '/api/me', headers })).statusCode;

const end = async ({ app }: TestApp, headers: Headers, id: string): Promise<number> =>
  (await app.inject({ method: 'DELETE', url: `/api/me/sessions/${id}`, headers })).statusCode;

describe('the sessions of a reader', () => {
  it('are listed with the time of their last use, and without any token', async (t) => {
    const testApp = await makeApp(t);
    const [phone, desk] = [await signIn(testApp, 7), await signIn(testApp, 7)];
    await signIn(testApp, 8);
    testApp.clock.now += 3_600_000;
    const response = await testApp.app.inject({ url: '/api/me/sessions', headers: desk });
    const items = await sessionsOf(testApp, desk);
    assert.deepEqual(
      items.map(({ current }) => current),
      [true, false],
    );
    const [usedHere = 0, usedElsewhere = 0] = items.map(({ lastUsed }) => Date.parse(lastUsed));
    assert.ok(Math.abs(usedHere - testApp.clock.now) <= 60_000);
    assert.ok(Math.abs(usedHere - usedElsewhere - 3_600_000) <= 60_000);
    assert.equal(response.headers['cache-control'], 'no-store');
    for (const { 'access-token': token } of [phone, desk]) assert.ok(!response.body.includes(token));
    for (const { id } of items) assert.equal(await statusOf(testApp, { 'access-token': id }), 401);
  });

  it('are ended one by one, together with their streams, and only by their own reader', async (t) => {
    const testApp = await makeApp(t);
    const [phone, desk, other] = [await signIn(testApp, 7), await signIn(testApp, 7), await signIn(testApp, 8)];
    const stolenStream = await openEventStream(t, await startListening(testApp), '', phone);
    const id = (await sessionsOf(testApp, desk)).find(({ current }) => !current)?.id ?? '';
    assert.equal(await end(testApp, other, id), 404);
    assert.equal(await statusOf(testApp, phone), 200);
    assert.equal(await end(testApp, desk, id), 204);
    assert.equal(await statusOf(testApp, phone), 401);
    await until(async () => stolenStream.isClosed(), 'its event stream is closed');
    assert.equal(await end(testApp, desk, id), 404);
    assert.equal((await sessionsOf(testApp, desk)).length, 1);
  });

  it('are all ended at once, except the current one', async (t) => {
    const testApp = await makeApp(t);
    const [ownHeaders, other] = [await signIn(testApp, 7), await signIn(testApp, 8)];
    const otherSessions = [await signIn(testApp, 7), await signIn(testApp, 7)];
    assert.equal((await testApp.app.inject({ method: 'DELETE', url: '/api/me/sessions', headers: ownHeaders })).statusCode, 204);
    for (const headers of otherSessions) assert.equal(await statusOf(testApp, headers), 401);
    for (const headers of [ownHeaders, other]) assert.equal(await statusOf(testApp, headers), 200);
  });

  it('are not started again by launch data from before they were ended, whoever sends it', async (t) => {
    const testApp = await makeApp(t);
    const payload = { initData: launchData(7, { at: testApp.clock.now }) };
    const signInAgain = async () => testApp.app.inject({ method: 'POST', url: '/api/telegram/auth/webapp', payload });
    const ownHeaders = await signIn(testApp, 7);
    assert.equal((await signInAgain()).statusCode, 200, 'as a reload does');
    testApp.clock.now += 2000;
    assert.equal((await testApp.app.inject({ method: 'DELETE', url: '/api/me/sessions', headers: ownHeaders })).statusCode, 204);
    const rejected = await signInAgain();
    assert.deepEqual([rejected.statusCode, /open the app again/.test(rejected.json().detail)], [401, true]);
    assert.equal(await statusOf(testApp, ownHeaders), 200);
    assert.equal(await statusOf(testApp, await signIn(testApp, 7)), 200, 'a new launch');
    assert.equal(await statusOf(testApp, await signIn(testApp, 8)), 200, 'others');
  });

  it('accept a sign-in right after the clock is corrected, if they were ended while it was ahead', async (t) => {
    const testApp = await makeApp(t);
    testApp.clock.now += 400 * 86_400_000;
    const headers = await signIn(testApp, 7);
    assert.equal((await testApp.app.inject({ method: 'DELETE', url: '/api/me/sessions', headers })).statusCode, 204);
    testApp.clock.now -= 400 * 86_400_000;
    assert.equal(await statusOf(testApp, await signIn(testApp, 7)), 200);
  });

  it('end together with their streams when the reader signs out', async (t) => {
    const testApp = await makeApp(t);
    const ownHeaders = await signIn(testApp, 7);
    const stream = await openEventStream(t, await startListening(testApp), '', ownHeaders);
    assert.equal((await testApp.app.inject({ method: 'DELETE', url: '/api/session', headers: ownHeaders })).statusCode, 204);
    await until(async () => stream.isClosed(), 'its event stream is closed');
  });
});
