// Hostile parameters of lists: searches, ids, cursors and limits of the list of channels and of other paged lists.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { channel, fill, makeApp, signIn, type TestApp } from '../support/make-app.ts';

const OPERATOR = 501;
const READER = 502;
const SECRET = 'Zebra Council';
/** Upper limit of the size of one response, in bytes: 200 channels have less. */
const MAX_RESPONSE_BYTES = 100_000;
const CHANNELS = 250;

/** Lists with the name of the cursor of each. */
const LISTS = [
  { path: '/api/channels', cursor: 'after' },
  { path: '/api/feed', cursor: 'before' },
  { path: '/api/channels/1/posts', cursor: 'before' },
  { path: '/api/channels/1/posts', cursor: 'after' },
  { path: '/api/search?q=post', cursor: 'before' },
  { path: '/api/stars', cursor: 'before' },
  { path: '/api/operator/audit', cursor: 'before' },
] as const;

const encode = (text: string) => Buffer.from(text).toString('base64url');

const INVALID_LIMITS = ['0', '-1', '1e9', 'NaN', 'Infinity', '9007199254740992', '1.5', '0x10', '', '1,1', 'null'];

const CURSORS = [
  ...['', 'a', '%00', '%ff', '%E0%A4%A', '0', '-1', '%F0%9F%98%80', 'x'.repeat(301), 'x'.repeat(8000)],
  ...['channel', 'channel -1', 'channel 1.5', 'channel 1e9', 'channel 1 OR 1=1', `channel ${'9'.repeat(16)}`].map(encode),
  ...['post 1', 'CHANNEL 1', ' channel 1', 'channel 1\n2', 'null', '{}', '[]', '[1]', '[1,"9"]', '[null,null,null]'].map(encode),
  ...['{"__proto__":1}', `[1,"9",${2 ** 53}]`, '[1e999,"9",1]', '['.repeat(200)].map(encode),
];

const SEARCHES = [
  ...['%%', '_%', '\\%', '[%]', "'", "' OR 1=1 --", '*', '?', '.*', '(a+)+$', '[', '(?=', '^', '$', '|'],
  ...['\u0000', 'a\u0000b', '\u{1f600}', 'x'.repeat(200), '\u{1f600}'.repeat(100)],
];

/** Texts without a visible character. A search ignores them and returns the first page. */
const INVISIBLE_TEXTS = ['', ' '.repeat(200), '\u200f'];

/** Percent-encoded texts: invalid UTF-8, lone surrogates as UTF-8, and incomplete escape sequences. */
const RAW_TEXTS = ['%ff', '%c0%80', '%ed%a0%bd', '%ed%b8%80', '%E0%A4%A', '%', '%zz', '%f4%90%80%80'];

/** Sends requests, checks each response, and counts the statuses. */
function createSender(testApp: TestApp, headers: Record<string, string> = {}) {
  const counts = new Map<number, number>();
  const worst = { ms: 0, bytes: 0 };
  const send = async (url: string) => {
    const startedAt = performance.now();
    const response = await testApp.app.inject({ url, headers });
    const ms = performance.now() - startedAt;
    const bytes = Buffer.byteLength(response.body);
    const description = `${response.statusCode} ${url.slice(0, 200)}`;
    assert.ok(response.statusCode < 500, description);
    assert.ok(bytes < MAX_RESPONSE_BYTES, `${bytes} bytes ${description}`);
    assert.ok(!response.body.includes(SECRET), `a private channel: ${description}`);
    counts.set(response.statusCode, (counts.get(response.statusCode) ?? 0) + 1);
    worst.ms = Math.max(worst.ms, ms);
    worst.bytes = Math.max(worst.bytes, bytes);
    return response;
  };
  const report = (t: TestContext) =>
    t.diagnostic(`${JSON.stringify([...counts].sort())}, at most ${Math.ceil(worst.ms)} ms and ${worst.bytes} bytes`);
  return { send, report };
}

async function openLists(t: TestContext): Promise<TestApp> {
  const testApp = await makeApp(t, { OPERATOR_IDS: String(OPERATOR) });
  await fill(testApp.store, channel('1', { username: 'alpha' }), 30);
  await fill(testApp.store, channel('9', { private: true, username: 'secret', title: SECRET }), 3);
  await testApp.store.putChannel(channel('2', { title: '100% a_b c\\d' }));
  for (let id = 1000; id < 1000 + CHANNELS; id += 1) await testApp.store.putChannel(channel(String(id)));
  return testApp;
}

describe('hostile parameters of lists', () => {
  it('rejects limits that are no number of a page, for each list', async (t) => {
    const testApp = await openLists(t);
    const { send, report } = createSender(testApp, await signIn(testApp, OPERATOR));
    for (const path of new Set(LISTS.map((list) => list.path)))
      for (const limit of INVALID_LIMITS) {
        const { statusCode } = await send(`${path}${path.includes('?') ? '&' : '?'}limit=${limit}`);
        assert.equal(statusCode, 400, `${path} ${limit}`);
      }
    report(t);
  });

  it('rejects forged cursors and cursors of other lists', async (t) => {
    const testApp = await openLists(t);
    const operator = createSender(testApp, await signIn(testApp, OPERATOR));
    const reader = createSender(testApp, await signIn(testApp, READER));
    const { send } = reader;
    const channelCursor: string = (await send('/api/channels?limit=2')).json().next;
    const postCursor: string = (await send('/api/feed?limit=2')).json().next;
    for (const { path, cursor } of LISTS) {
      const { send } = path.startsWith('/api/operator') ? operator : reader;
      const otherCursor = path === '/api/channels' ? postCursor : channelCursor;
      for (const value of [...CURSORS, otherCursor, otherCursor.slice(0, -4)]) {
        const { statusCode } = await send(`${path}${path.includes('?') ? '&' : '?'}${cursor}=${value}`);
        // The audit log's cursor is a plain number.
        const isValid = path === '/api/operator/audit' && /^\d+$/.test(value);
        assert.ok(isValid || (statusCode >= 400 && statusCode < 500), `${statusCode} ${path} ${cursor}=${value.slice(0, 80)}`);
      }
    }
    for (let length = 1; length < postCursor.length; length += 1) await send(`/api/feed?before=${postCursor.slice(0, length)}`);
    for (let length = 1; length < channelCursor.length; length += 1)
      await send(`/api/channels?after=${channelCursor.slice(0, length)}`);
    operator.report(t);
    reader.report(t);
  });

  it('matches wildcards and special characters in a search of channels as plain text', async (t) => {
    const { send, report } = createSender(await openLists(t));
    for (const text of SEARCHES) {
      const response = await send(`/api/channels?q=${encodeURIComponent(text)}`);
      assert.equal(response.statusCode, 200, JSON.stringify(text));
      assert.deepEqual(response.json(), { items: [], next: null }, JSON.stringify(text));
    }
    for (const text of ['%', '_', '\\', '0% A_B'])
      assert.deepEqual(
        (await send(`/api/channels?q=${encodeURIComponent(text)}`)).json().items.map(({ id }: { id: string }) => id),
        ['2'],
        text,
      );
    for (const text of INVISIBLE_TEXTS)
      assert.equal((await send(`/api/channels?q=${encodeURIComponent(text)}`)).json().items.length, 100, JSON.stringify(text));
    for (const raw of [...RAW_TEXTS, '%E2%80%AE', '%E2%81%A6']) await send(`/api/channels?q=${raw}`);
    for (const text of ['x'.repeat(201), 'x'.repeat(8000), '\u{1f600}'.repeat(201)])
      assert.equal((await send(`/api/channels?q=${encodeURIComponent(text)}`)).statusCode, 400);
    for (const text of ['Zebra', 'secret', 'council', '%40secret']) await send(`/api/channels?q=${text}`);
    report(t);
  });

  it('limits lists of ids, and omits private and missing channels', async (t) => {
    const { send, report } = createSender(await openLists(t));
    const ids = Array.from({ length: 10_000 }, (_, index) => 1000 + index);
    for (const name of ['ids', 'also']) {
      assert.ok((await send(`/api/channels?${name}=${ids.join()}`)).statusCode >= 400, '10,000 ids');
      assert.equal((await send(`/api/channels?${name}=${ids.slice(0, 201).join()}`)).statusCode, 400, '201 ids');
      assert.equal((await send(`/api/channels?limit=1&${name}=${ids.slice(0, 200).join()}`)).statusCode, 200, '200 ids');
      assert.equal((await send(`/api/channels?${name}=${'1,'.repeat(4000)}`)).statusCode, 200, 'one id 4000 times');
      assert.equal((await send(`/api/channels?${name}=`)).statusCode, 400, 'empty');
      for (const raw of [...RAW_TEXTS, ...SEARCHES.map(encodeURIComponent)]) await send(`/api/channels?limit=1&${name}=${raw}`);
      for (const value of ['9', 'secret', '@secret', 'SECRET', '9,secret', '%009', '9%00', '__proto__,constructor', ',,,'])
        assert.ok(!(await send(`/api/channels?limit=1&${name}=${value}`)).body.includes('"9"'), value);
    }
    assert.deepEqual((await send('/api/channels?ids=9,@secret,none')).json(), { items: [], next: null });
    report(t);
  });

  it('rejects repeated parameters and those with a property name', async (t) => {
    const { send, report } = createSender(await openLists(t));
    for (const name of ['q', 'ids', 'also', 'after', 'limit']) {
      assert.equal((await send(`/api/channels?${name}=1&${name}=2`)).statusCode, 400, name);
      assert.equal((await send(`/api/channels?${`${name}=1&`.repeat(500)}`)).statusCode, 400, name);
      await send(`/api/channels?${name}[]=1&${name}[a]=1&__proto__=1&${name}`);
    }
    report(t);
  });
});
