// Request bodies: limits of size and depth, and validation against the schema.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { DeviceState } from '../../../contract/api.ts';
import { LineupChange } from '../../../contract/lineup.ts';
import { isWithinJsonLimits } from '../../../server/http/json-body.ts';
import { compileValidator } from '../../../server/http/schemas.ts';
import { startListening, until } from '../events/event-stream-client.ts';
import { signIn, type TestApp, withChannels } from '../support/make-app.ts';

const CHANGES = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Maximum size of the body of a change, in bytes, for routes without an entry in `LIMITS`. */
const DEFAULT_LIMIT = 16 * 1024;
const LIMITS: Readonly<Record<string, number>> = {
  'PUT /api/lineup': 1024 * 1024,
  'POST /api/me/merge': 1024 * 1024,
  'PUT /api/operator/brand': 1024 * 1024,
};
/** Changes that need no account. */
const WITHOUT_ACCOUNT = [
  'POST /api/telegram/auth/webapp',
  'POST /api/feeds',
  // Anonymous devices have notifications too.
  'PUT /api/notifications/device',
  'DELETE /api/notifications/devices/{id}',
  'PUT /api/notifications/settings',
  'PUT /api/notifications/channels/{channelId}',
  'DELETE /api/notifications',
  'POST /api/notifications/test',
];

/** Returns every change that the API describes, with a value for each parameter of its path. */
async function changesOf({ app }: TestApp): Promise<{ method: (typeof CHANGES)[number]; path: string; url: string }[]> {
  const paths: object = (await app.inject('/api/docs/json')).json().paths;
  return Object.entries(paths).flatMap(([path, methods]) =>
    CHANGES.filter((method) => method.toLowerCase() in Object(methods)).map((method) => ({
      method,
      path,
      url: path.replace(/\{\w+\}/g, '1'),
    })),
  );
}

describe('the body of a request', () => {
  it('has a size limit for each route', async (t) => {
    const testApp = await withChannels(t, { OPERATOR_IDS: '7' });
    const changes = await changesOf(testApp);
    assert.ok(changes.length > 15);
    for (const { method, path, url } of changes) {
      const limit = LIMITS[`${method} ${path}`] ?? DEFAULT_LIMIT;
      // Signs in again for each request, since some changes end the session.
      const headers = { ...(await signIn(testApp, 7)), 'content-type': 'application/json' };
      const statusOf = async (bytes: number) =>
        (await testApp.app.inject({ method, url, headers, payload: `{"a":"${'a'.repeat(bytes - 8)}"}` })).statusCode;
      assert.equal(await statusOf(limit + 1), 413, `${method} ${path}`);
      assert.notEqual(await statusOf(limit), 413, `${method} ${path}`);
    }
  });

  it('is not read if the route needs a signed-in reader and nobody is signed in', async (t) => {
    const testApp = await withChannels(t);
    const { port } = new URL(await startListening(testApp));
    for (const { method, path, url } of await changesOf(testApp)) {
      if (WITHOUT_ACCOUNT.includes(`${method} ${path}`)) continue;
      const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
      t.after(() => socket.destroy());
      let received = '';
      socket.on('data', (bytes) => (received += bytes));
      // The body is never sent, so a route that waits for it does not respond.
      socket.write(`${method} ${url} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n`);
      await until(() => received.includes('\r\n\r\n'), `an answer to ${method} ${path}`);
      assert.match(received, /^HTTP\/1.1 401 /, `${method} ${path}`);
    }
  });
});

/** Creates a list that counts how many of its items are read. */
function countedList(length: number, item: unknown) {
  const counted = { reads: 0, list: [] as unknown[] };
  counted.list = new Proxy(Array<unknown>(length).fill(item), {
    get(target, name, receiver) {
      if (typeof name === 'string' && /^\d+$/.test(name)) counted.reads += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  return counted;
}

describe('validation of a body', () => {
  const SCHEMAS = [
    ['a line-up', LineupChange, {}],
    ['a merge', DeviceState, { marks: [], stars: [] }],
  ] as const;

  it('reads at most one item of a list that is too long', () => {
    for (const [name, schema, rest] of SCHEMAS) {
      const counted = countedList(1_000_000, 0);
      const result = compileValidator({ schema, httpPart: 'body', method: 'PUT', url: '/' })({
        entries: counted.list,
        ...rest,
      });
      assert.ok(counted.reads <= 1, `${name}: read ${counted.reads} items`);
      assert.match(JSON.stringify(result), /entries/, name);
    }
  });

  it('stops at the first wrong item', () => {
    for (const [name, schema, rest] of SCHEMAS) {
      const counted = countedList(900, 0);
      const result = compileValidator({ schema, httpPart: 'body', method: 'PUT', url: '/' })({
        entries: counted.list,
        ...rest,
      });
      assert.match(JSON.stringify(result), /entries\/0/, name);
      assert.ok(counted.reads <= 10, `${name}: read ${counted.reads} items`);
    }
  });
});

describe('the structure of a large body', () => {
  const bytes = 1_000_000;
  const HOSTILE: Readonly<Record<string, string>> = {
    'deep lists': '['.repeat(bytes),
    'deep objects': '{"a":'.repeat(bytes / 5),
    'many keys': `{${Array.from({ length: bytes / 12 }, (_, at) => `"k${String(at).padStart(6, '0')}":0`).join()}}`,
    'many objects': `{"entries":[${'{},'.repeat(300_000)}0]}`,
    'many numbers': `{"entries":[${'0,'.repeat(bytes / 2 - 10)}0]}`,
  };

  it('is checked before the body is parsed, and rejected if parsing would block other requests', async (t) => {
    const testApp = await withChannels(t);
    const headers = { ...(await signIn(testApp, 7)), 'content-type': 'application/json' };
    for (const [name, payload] of Object.entries(HOSTILE)) {
      assert.equal(isWithinJsonLimits(Buffer.from(payload)), false, name);
      const response = await testApp.app.inject({ method: 'PUT', url: '/api/lineup', headers, payload });
      assert.deepEqual(
        [response.statusCode, response.json().detail],
        [400, 'The body contains too many values, or is nested too deeply.'],
        name,
      );
    }
  });

  it('is accepted up to the largest body that a device sends, whatever its texts contain', () => {
    const ids = (count: number) => Array.from({ length: count }, (_, at) => `c${at}`);
    const merge = {
      entries: ids(1000).map((channelId) => ({ channelId, followed: true, mutedUntil: 0, mutedWords: ids(50), changed: 1 })),
      presets: ids(100).map((id) => ({ id, name: id, channelIds: ids(1000), removed: false, changed: 1 })),
      marks: ids(1000).map((channelId) => ({ channelId, messageId: 1 })),
      stars: ids(10_000).map((channelId) => ({ channelId, postId: 1, at: 1 })),
    };
    assert.equal(isWithinJsonLimits(Buffer.from(JSON.stringify(merge))), true);
    for (const text of ['['.repeat(100_000), '\\"['.repeat(100_000), '\\"{"a":'.repeat(50_000), '\\\\'])
      assert.equal(isWithinJsonLimits(Buffer.from(JSON.stringify({ text, list: [text] }))), true, text.slice(0, 9));
  });
});
