// Rate limits: guesses at sign-in and tokens, sign-ins to one account, and changes of an account.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Value } from 'typebox/value';
import { Problem } from '../../../contract/api.ts';
import { MonotonicRateLimitStore } from '../../../server/http/rate-limit.ts';
import { launchData, makeApp, signIn, type TestApp, withChannels } from '../support/make-app.ts';

const tryToSignIn = ({ app }: TestApp, initData: string, from: string, peer = '127.0.0.1') =>
  app.inject({
    method: 'POST',
    url: '/api/telegram/auth/webapp',
    payload: { initData },
    headers: { 'x-forwarded-for': from },
    remoteAddress: peer,
  });

const statusesOf = async (count: number, request: (at: number) => Promise<{ statusCode: number }>): Promise<Set<number>> => {
  const statuses = new Set<number>();
  for (let at = 0; at < count; at += 1) statuses.add((await request(at)).statusCode);
  return statuses;
};

describe('rate limits', () => {
  it('allow sixty failed sign-ins a minute per IP address; a whole IPv6 network counts as one address', async (t) => {
    const testApp = await makeApp(t);
    const guess = (at: number) => tryToSignIn(testApp, `${launchData(7)}0`, `2001:db8:1:2::${at.toString(16)}`);
    assert.deepEqual([...(await statusesOf(60, guess))], [401]);
    const rejected = await guess(99);
    assert.equal(rejected.statusCode, 429);
    const wait = Number(rejected.headers['retry-after']);
    assert.ok(wait > 0 && wait <= 60, String(wait));
    assert.match(Value.Parse(Problem, rejected.json()).detail, /from this address/);
    assert.equal((await tryToSignIn(testApp, launchData(7), '2001:db8:1:2::1')).statusCode, 429, 'also what would be right');
    assert.equal((await tryToSignIn(testApp, launchData(7), '2001:db8:1:3::1')).statusCode, 200, 'others go on');
  });

  it('allow six hundred failed session tokens and access tokens a minute per IP address', async (t) => {
    const testApp = await makeApp(t);
    const valid = await signIn(testApp, 7);
    const requestWithToken = (token: string, from: string) =>
      testApp.app.inject({ url: '/api/me', headers: { 'access-token': token, 'x-forwarded-for': from } });
    const guess = (at: number) => requestWithToken(at % 2 === 0 ? `guess${at}` : `a.b.${at}`, '192.0.2.1');
    assert.deepEqual([...(await statusesOf(600, guess))], [401]);
    const rejected = await guess(1);
    assert.deepEqual([rejected.statusCode, Number(rejected.headers['retry-after']) > 0], [429, true]);
    assert.equal((await requestWithToken(valid['access-token'], '192.0.2.1')).statusCode, 429, 'also what would be right');
    assert.equal((await requestWithToken(valid['access-token'], '192.0.2.2')).statusCode, 200, 'others go on');
    assert.equal((await testApp.app.inject({ url: '/api/me', headers: { 'x-forwarded-for': '192.0.2.1' } })).statusCode, 200);
  });

  it('last one minute, whatever happens to the clock', async (t) => {
    const testApp = await makeApp(t);
    const guess = () => tryToSignIn(testApp, `${launchData(7)}0`, '192.0.2.1');
    const ahead = Date.now() + 3_600_000;
    const wrongClock = t.mock.method(Date, 'now', () => ahead);
    assert.deepEqual([...(await statusesOf(60, guess))], [401]);
    wrongClock.mock.restore();
    const wait = Number((await guess()).headers['retry-after']);
    assert.ok(wait > 0 && wait <= 60, String(wait));
    const later = performance.now() + 61_000;
    t.mock.method(performance, 'now', () => later);
    assert.equal((await guess()).statusCode, 401);
  });

  it('keep counters for a limited number of addresses', () => {
    const counts = new MonotonicRateLimitStore({ cache: 2 });
    const counted = (key: string) => {
      let found = 0;
      counts.incr(key, (_error, result) => (found = result?.current ?? 0), 1000);
      return found;
    };
    assert.deepEqual(['a', 'b', 'a', 'c', 'a', 'b'].map(counted), [1, 1, 2, 1, 3, 1]);
  });

  it('do not let failed attempts block valid sign-ins from the same address', async (t) => {
    const testApp = await makeApp(t);
    const valid = (at: number) => tryToSignIn(testApp, launchData(1000 + at), '192.0.2.1');
    assert.deepEqual([...(await statusesOf(100, valid))], [200]);
  });

  it('apply to sign-ins to one account, from any address', async (t) => {
    const testApp = await makeApp(t);
    const signInAgain = (at: number) => tryToSignIn(testApp, launchData(7), `192.0.2.${at % 250}`);
    assert.deepEqual([...(await statusesOf(300, signInAgain))], [200]);
    assert.equal((await signInAgain(7)).statusCode, 429);
    assert.equal((await tryToSignIn(testApp, launchData(8), '192.0.2.7')).statusCode, 200);
  });

  it('apply to the changes of an account in all its sessions, and not to its reads', async (t) => {
    const testApp = await withChannels(t);
    const sessions = [await signIn(testApp, 7), await signIn(testApp, 7)];
    const star = (at: number) =>
      testApp.app.inject({ method: 'PUT', url: `/api/stars/alpha/${1 + (at % 50)}`, headers: sessions[at % 2] ?? {} });
    assert.deepEqual([...(await statusesOf(1200, star))], [204]);
    const rejected = await star(1);
    assert.deepEqual([rejected.statusCode, Number(rejected.headers['retry-after']) > 0], [429, true]);
    const reads = await testApp.app.inject({ url: '/api/stars', headers: sessions[0] ?? {} });
    assert.equal(reads.statusCode, 200);
    const other = await testApp.app.inject({ method: 'PUT', url: '/api/stars/alpha/1', headers: await signIn(testApp, 8) });
    assert.equal(other.statusCode, 204);
  });

  it('cannot be avoided with a forged X-Forwarded-For header, unless TRUST_PROXY names the sender as a proxy', async (t) => {
    for (const [TRUST_PROXY, peer, isBelieved] of [
      ['private', '203.0.113.9', false],
      ['private', '10.1.1.1', true],
      ['none', '127.0.0.1', false],
      ['198.51.100.0/24', '10.1.1.1', false],
      ['198.51.100.0/24', '198.51.100.7', true],
      ['198.51.100.7, 2001:db8::/32', '::ffff:198.51.100.7', true],
    ] as const) {
      const testApp = await makeApp(t, { TRUST_PROXY });
      const guess = (at: number) => tryToSignIn(testApp, 'hash=0', `192.0.2.${at}, 203.0.113.${at}`, peer);
      const statuses = [...(await statusesOf(61, guess))];
      assert.deepEqual(statuses, isBelieved ? [401] : [401, 429], `${TRUST_PROXY} ${peer}`);
    }
  });

  it('count each reader separately behind a CDN and a proxy, whatever the ports', async (t) => {
    for (const chain of [
      (at: number) => `192.0.2.1, 203.0.113.${at}, 198.51.100.4`,
      (at: number) => `203.0.113.${at}:4711, 198.51.100.4:443`,
      (at: number) => `[2001:db8:0:${at}::1]:4711, 198.51.100.4`,
      (at: number) => `2001:db8:0:${at}::1, ::ffff:198.51.100.4`,
    ]) {
      const testApp = await makeApp(t, { TRUST_PROXY: '10.0.0.0/8, 198.51.100.0/24' });
      const guess = (at: number) => tryToSignIn(testApp, 'hash=0', chain(at), '10.1.1.1');
      assert.deepEqual([...(await statusesOf(61, guess))], [401], chain(1));
    }
  });
  it('count a client as one whatever port or forged addresses it sends, and count a proxy without the header by its own address', async (t) => {
    for (const chain of [
      (at: number) => `192.0.2.${at}, 203.0.113.9, 198.51.100.4`,
      (at: number) => `203.0.113.9:${at + 1000}, 198.51.100.4`,
      (at: number) => `[2001:db8::1]:${at + 1000}, 198.51.100.4`,
      (at: number) => `2001:db8::${at + 1}`,
      (at: number) => `unknown, _hidden${at}`,
    ]) {
      const testApp = await makeApp(t, { TRUST_PROXY: '10.0.0.0/8, 198.51.100.0/24' });
      const guess = (at: number) => tryToSignIn(testApp, 'hash=0', chain(at), '10.1.1.1');
      assert.deepEqual([...(await statusesOf(61, guess))], [401, 429], chain(1));
    }
  });
});
