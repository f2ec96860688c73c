// Authentication: sign-in by launch data, sessions, and protection against cross-site requests (CSRF).

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { sign } from '@telegram-apps/init-data-node';
import { BOT_TOKEN, launchData, makeApp, signIn, type TestApp } from '../support/make-app.ts';

const send = ({ app }: TestApp, initData: unknown, headers: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url: '/api/telegram/auth/webapp', payload: { initData }, headers });

/** Signs fields by the rules that Telegram publishes, so that a test can create unusual launch data. */
function signed(fields: Record<string, string>, token = BOT_TOKEN): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
  const key = createHmac('sha256', 'WebAppData').update(token).digest();
  const hash = createHmac('sha256', key).update(lines.sort().join('\n')).digest('hex');
  return new URLSearchParams({ ...fields, hash }).toString();
}

const now = () => String(Math.floor(Date.now() / 1000));
const user = JSON.stringify({ id: 7, first_name: 'Ada' });

describe('sign-in', () => {
  it('accepts launch data that an independent implementation signed', async (t) => {
    const testApp = await makeApp(t);
    const response = await send(testApp, launchData(42, { name: 'Ada', startParam: 'c_1_2' }));
    assert.equal(response.statusCode, 200);
    const body = response.json();
    assert.match(body['Access-Token'], /^[A-Za-z0-9_-]{43}$/);
    assert.deepEqual(body.user, { id: '42', name: 'Ada', language: 'en', operator: false });
    assert.ok(Math.abs(Date.parse(body.expiresAt) - testApp.clock.now - 86_400_000) < 2000);
    assert.equal(response.headers['cache-control'], 'no-store');
  });

  it('accepts names in any script, with plus signs, percent signs and spaces in either encoding', async (t) => {
    const testApp = await makeApp(t);
    for (const name of ['Ада + Боб', '100% 🎉', 'عائشة', 'a&b=c']) {
      const raw = launchData(42, { name });
      assert.equal((await send(testApp, raw)).json().user.name, name);
      assert.equal((await send(testApp, raw.replaceAll('+', '%20'))).json().user?.name, name);
    }
  });

  it('accepts unknown fields if they are signed', async (t) => {
    const testApp = await makeApp(t);
    assert.equal(
      (await send(testApp, signed({ auth_date: now(), user, chat_type: 'channel', signature: 'x', later: '1' }))).statusCode,
      200,
    );
  });

  const day = 86_400_000;
  const validData = launchData(42);
  const rejected: Record<string, string> = {
    'altered user': validData.replace('Reader', 'Writer'),
    'altered signature field': validData.replace('c2ln', 'c2lo'),
    'added field': `${validData}&added=1`,
    "another bot's": launchData(42, { token: '12345:OTHER' }),
    stale: launchData(42, { at: Date.now() - day - 5000 }),
    'from the future': launchData(42, { at: Date.now() + 600_000 }),
    'without hash': validData.replace(/&?hash=[0-9a-f]+/, ''),
    'short hash': validData.replace(/hash=[0-9a-f]+/, 'hash=abc'),
    'hash that is no hexadecimal': validData.replace(/hash=[0-9a-f]{2}/, 'hash=zz'),
    'hash twice': `${validData}&${/hash=[0-9a-f]+/.exec(validData)?.[0]}`,
    'user twice': `${validData}&user=${encodeURIComponent(user)}`,
    'without user': signed({ auth_date: now(), query_id: 'a' }),
    'user that is no JSON': signed({ auth_date: now(), user: '{' }),
    'user without id': signed({ auth_date: now(), user: '{"first_name":"Ada"}' }),
    'user whose id is text': signed({ auth_date: now(), user: '{"id":"7"}' }),
    'user null': signed({ auth_date: now(), user: 'null' }),
    'without date': signed({ user }),
    'date that is no integer': signed({ auth_date: '1e9', user }),
    'date with a fraction': signed({ auth_date: `${now()}.5`, user }),
    'negative date': signed({ auth_date: '-1', user }),
    empty: '',
    'no fields at all': 'hello',
    long: 'a'.repeat(15_000),
    'broken escapes': '%%%&hash=%E0%A4%A',
    'signed, with a newline in a value': signed({ auth_date: now(), user, start_param: 'a\nuser_2=b' }),
    'signed, with a control character in a value': signed({ auth_date: now(), user, start_param: 'a\u0085' }),
    'signed, with "=" in a name': signed({ auth_date: now(), user, 'start_param=a': 'b' }),
    'signed, with a newline in a name': signed({ auth_date: now(), user, 'a\nb': 'c' }),
    'null characters': '\0=\0&hash=\0',
  };
  for (const [name, raw] of Object.entries(rejected)) {
    it(`returns 401 with a detail for launch data: ${name}`, async (t) => {
      const response = await send(await makeApp(t), raw);
      assert.equal(response.statusCode, 401, response.body);
      assert.match(String(response.headers['content-type']), /^application\/problem\+json/);
      assert.match(response.json().detail, /^The launch data .+\.|: .+\.$/);
    });
  }

  it('accepts launch data that are up to one day old or one minute ahead, exact to the second', async (t) => {
    const testApp = await makeApp(t);
    testApp.clock.now = Math.floor(testApp.clock.now / 1000) * 1000;
    assert.equal((await send(testApp, launchData(1, { at: testApp.clock.now - day }))).statusCode, 200);
    assert.equal((await send(testApp, launchData(1, { at: testApp.clock.now + 60_000 }))).statusCode, 200);
    assert.equal((await send(testApp, launchData(1, { at: testApp.clock.now - day - 1000 }))).statusCode, 401);
    assert.equal((await send(testApp, launchData(1, { at: testApp.clock.now + 61_000 }))).statusCode, 401);
  });

  it('returns 400 for a body without a string', async (t) => {
    const testApp = await makeApp(t);
    for (const initData of [5, null, true, {}, [], undefined]) {
      const response = await send(testApp, initData);
      assert.equal(response.statusCode, 400);
      assert.match(response.json().detail, /initData/);
    }
    for (const payload of ['"text"', '[]', 'null', '{', '7']) {
      const headers = { 'content-type': 'application/json' };
      const response = await testApp.app.inject({ method: 'POST', url: '/api/telegram/auth/webapp', payload, headers });
      assert.equal(response.statusCode, 400, `${payload}: ${response.body}`);
      assert.ok(response.json().detail);
    }
    const none = await testApp.app.inject({ method: 'POST', url: '/api/telegram/auth/webapp' });
    assert.equal(none.statusCode, 400);
  });

  it('rejects a body that is larger than any launch data, before it is parsed', async (t) => {
    const { app } = await makeApp(t);
    const nestedJson = `{"initData":"x","more":${'['.repeat(500_000)}${']'.repeat(500_000)}}`;
    for (const payload of [nestedJson, JSON.stringify({ initData: 'a'.repeat(900_000) })]) {
      const headers = { 'content-type': 'application/json' };
      const response = await app.inject({ method: 'POST', url: '/api/telegram/auth/webapp', payload, headers });
      assert.equal(response.statusCode, 413);
    }
  });

  it('returns 503 with a plain detail if no bot is configured', async (t) => {
    const response = await send(await makeApp(t, { BOT_TOKEN: '' }), launchData(1));
    assert.equal(response.statusCode, 503);
    assert.match(response.json().detail, /BOT_TOKEN/);
  });

  it('ignores an old token in the request', async (t) => {
    const response = await send(await makeApp(t), launchData(1), { 'access-token': 'over' });
    assert.equal(response.statusCode, 200);
  });

  it('creates a new token and never accepts the one that the client sent', async (t) => {
    const testApp = await makeApp(t);
    const oldToken = 'x'.repeat(43);
    const response = await send(testApp, launchData(1), { 'access-token': oldToken });
    assert.notEqual(response.json()['Access-Token'], oldToken);
    const nextResponse = await testApp.app.inject({ url: '/api/stars', headers: { 'access-token': oldToken } });
    assert.equal(nextResponse.statusCode, 401);
  });

  it('marks operators as operators', async (t) => {
    const response = await send(await makeApp(t, { OPERATOR_IDS: '7, 42' }), launchData(42));
    assert.equal(response.json().user.operator, true);
  });

  it('signs by the same rules as the oracle for a token of another format', async (t) => {
    const token = '5768337691:AAH5YkoiEuPk8-FZa32hStHTqXiLPtAEhx8';
    const raw = sign({ user: { id: 3, first_name: 'X' } }, token, new Date());
    assert.equal((await send(await makeApp(t, { BOT_TOKEN: token }), raw)).statusCode, 200);
  });
});

describe('a session', () => {
  it('is stored as a hash and never as its token', async (t) => {
    const testApp = await makeApp(t);
    const token = (await signIn(testApp, 1))['access-token'];
    for (const name of readdirSync(testApp.dataDir).filter((each) => each.startsWith('changer.sqlite'))) {
      assert.equal(readFileSync(`${testApp.dataDir}/${name}`).includes(token), false, name);
    }
  });

  it('expires one day after its last use, then the server returns 401', async (t) => {
    const testApp = await makeApp(t);
    const headers = await signIn(testApp, 1);
    const meStatus = async () => (await testApp.app.inject({ url: '/api/me', headers })).statusCode;
    testApp.clock.now += 23 * 3_600_000;
    assert.equal(await meStatus(), 200);
    testApp.clock.now += 23 * 3_600_000;
    assert.equal(await meStatus(), 200);
    testApp.clock.now += 25 * 3_600_000;
    assert.equal(await meStatus(), 401);
  });

  it('does not expire while in use, even if the clock was behind', async (t) => {
    const testApp = await makeApp(t);
    const headers = await signIn(testApp, 1);
    for (const ahead of [-48 * 3_600_000, 0]) {
      testApp.clock.ahead = ahead;
      assert.equal((await testApp.app.inject({ url: '/api/me', headers })).statusCode, 200);
    }
  });

  it('ends when the reader signs out, and other sessions continue', async (t) => {
    const testApp = await makeApp(t);
    const [first, second] = [await signIn(testApp, 1), await signIn(testApp, 1)];
    assert.equal((await testApp.app.inject({ method: 'DELETE', url: '/api/session', headers: first })).statusCode, 204);
    assert.equal((await testApp.app.inject({ url: '/api/me', headers: first })).statusCode, 401);
    assert.equal((await testApp.app.inject({ url: '/api/me', headers: second })).statusCode, 200);
  });

  it('returns 401 for an invalid token even on routes that anonymous readers may use', async (t) => {
    const { app } = await makeApp(t);
    for (const url of ['/api/channels', '/api/feed', '/api/me', '/api/lineup']) {
      const response = await app.inject({ url, headers: { 'access-token': 'x'.repeat(43) } });
      assert.equal(response.statusCode, 401);
      assert.match(response.json().detail, /sign in again/);
    }
  });

  it('is deleted together with its reader', async (t) => {
    const testApp = await makeApp(t);
    const headers = await signIn(testApp, 1);
    await testApp.app.inject({ method: 'PUT', url: '/api/lineup', headers, payload: { entries: [{ channelId: 'a' }] } });
    assert.equal((await testApp.app.inject({ method: 'DELETE', url: '/api/me', headers })).statusCode, 204);
    assert.equal((await testApp.app.inject({ url: '/api/me', headers })).statusCode, 401);
    const newSession = await signIn(testApp, 1);
    assert.deepEqual((await testApp.app.inject({ url: '/api/lineup', headers: newSession })).json().entries, []);
  });
});

describe('CSRF protection', () => {
  it('sets the cookie at sign-in, readable by the page', async (t) => {
    const cookie = String((await send(await makeApp(t), launchData(1))).headers['set-cookie']);
    assert.match(cookie, /^XSRF-TOKEN=[\w-]{20,}; Path=\/; SameSite=Lax$/);
  });

  it('sets a partitioned cookie if the app is served over https, because the app runs in a frame there', async (t) => {
    const testApp = await makeApp(t, { PUBLIC_URL: 'https://channels.example' });
    const cookie = String((await testApp.app.inject('/api/me')).headers['set-cookie']);
    for (const attribute of ['Secure', 'SameSite=None', 'Partitioned']) assert.ok(cookie.split('; ').includes(attribute), cookie);
    assert.doesNotMatch(cookie, /HttpOnly/);
  });

  it('rejects a write only if its header differs from the cookie', async (t) => {
    const testApp = await makeApp(t);
    const token = await signIn(testApp, 1);
    const put = (headers: Record<string, string>) =>
      testApp.app.inject({ method: 'PUT', url: '/api/lineup', payload: { entries: [] }, headers: { ...token, ...headers } });
    assert.equal((await put({ cookie: 'XSRF-TOKEN=a' })).statusCode, 403);
    assert.equal((await put({ cookie: 'XSRF-TOKEN=a', 'x-xsrf-token': 'b' })).statusCode, 403);
    assert.equal((await put({ cookie: 'XSRF-TOKEN=a', 'x-xsrf-token': 'a' })).statusCode, 200);
    assert.equal((await put({})).statusCode, 200);
    assert.equal((await put({ 'x-xsrf-token': 'a' })).statusCode, 200);
  });

  it('lets reads pass', async (t) => {
    const { app } = await makeApp(t);
    assert.equal((await app.inject({ url: '/api/me', headers: { cookie: 'XSRF-TOKEN=a' } })).statusCode, 200);
  });
});

describe('the log', () => {
  it('never contains launch data, a token or a cookie', async (t) => {
    const testApp = await makeApp(t);
    const raw = launchData(1);
    await send(testApp, raw, { cookie: 'XSRF-TOKEN=secret-cookie', 'x-xsrf-token': 'secret-cookie' });
    const { 'access-token': token } = await signIn(testApp, 1);
    await testApp.store.close();
    await testApp.app.inject({ url: '/api/feed?grant=secret-grant', headers: { 'access-token': token } });
    const log = testApp.lines.join('');
    assert.match(log, /"level":50/, 'the failure was logged');
    for (const secret of [raw, token, 'secret-cookie', 'secret-grant', 'hash=']) assert.equal(log.includes(secret), false);
  });
});
