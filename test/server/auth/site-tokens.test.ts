// Site keys and access tokens: a site shows private channels by tokens (JWT) that it signs.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { CreatedSiteKey } from '../../../contract/operator.ts';
import { channel, fill, getPage, idsOf, signIn, type TestApp, withChannels } from '../support/make-app.ts';
import { signGrant } from './sign-token.ts';

const CLUB = 'https://club.example';
const OPERATOR = 7;
const ADMINISTRATOR = 3;

interface Site extends TestApp {
  /** Creates a key as a user. Returns the response. */
  make(body: object, as?: number): Promise<{ statusCode: number; json: () => CreatedSiteKey & { detail: string } }>;
  list(as?: number): Promise<CreatedSiteKey[]>;
  revoke(id: string, as?: number): Promise<number>;
  /** Signs an access token that is valid now. */
  sign(key: CreatedSiteKey, more?: Partial<Parameters<typeof signGrant>[1]>): string;
  read(url: string, grant: string, origin?: string): Promise<{ statusCode: number; json: () => { detail?: string } }>;
}

/** Creates a server with the private channels 8 and 9 (secret). One user administers 9. */
async function makeSite(t: TestContext, environment: Record<string, string> = {}): Promise<Site> {
  const testApp = await withChannels(t, { OPERATOR_IDS: String(OPERATOR), ...environment });
  await fill(testApp.store, channel('8', { private: true }), 2);
  testApp.administered.set(String(ADMINISTRATOR), ['9']);
  const url = '/api/operator/site-keys';
  return {
    ...testApp,
    make: async (payload, as = OPERATOR) =>
      testApp.app.inject({ method: 'POST', url, payload, headers: { ...(await signIn(testApp, as)) } }),
    list: async (as = OPERATOR) => (await testApp.app.inject({ url, headers: { ...(await signIn(testApp, as)) } })).json().items,
    revoke: async (id, as = OPERATOR) =>
      (await testApp.app.inject({ method: 'DELETE', url: `${url}/${id}`, headers: { ...(await signIn(testApp, as)) } }))
        .statusCode,
    sign: (key, more) => signGrant(key, { now: Math.floor(testApp.clock.now / 1000), ...more }),
    read: async (address, grant, origin = CLUB) =>
      testApp.app.inject({ url: address, headers: { 'access-token': grant, origin } }),
  };
}

const posts = '/api/channels/secret/posts';

describe('a site key', () => {
  it('is created only by an operator of all its channels, and its secret is returned once', async (t) => {
    const site = await makeSite(t);
    const testApp = await site.make({ origin: 'https://CLUB.example/', channels: ['secret', '9'] }, ADMINISTRATOR);
    assert.equal(testApp.statusCode, 200);
    const { secret, ...key } = testApp.json();
    assert.deepEqual(key, { id: key.id, origin: CLUB, channels: ['9'], at: Math.floor(site.clock.now / 1000) });
    assert.match(secret, /^[\w-]{43}$/);
    assert.deepEqual(await site.list(ADMINISTRATOR), [key]);
    assert.equal((await site.make({ origin: CLUB, channels: ['9', '8'] }, ADMINISTRATOR)).statusCode, 403);
    const [auditEvent] = await site.store.auditEntries({ limit: 1 });
    assert.deepEqual(
      [auditEvent?.act, auditEvent?.channelId, auditEvent?.detail, auditEvent?.actor.id],
      ['site-key', '9', CLUB, String(ADMINISTRATOR)],
    );
  });

  it('requires an https origin that may embed, and private channels', async (t) => {
    const site = await makeSite(t, { EMBED_ORIGINS: `${CLUB} http://localhost:5000` });
    const rejectionDetail = async (body: object) => {
      const response = await site.make({ channels: ['9'], origin: CLUB, ...body });
      return response.statusCode === 200 ? response.json().origin : `${response.statusCode} ${response.json().detail}`;
    };
    assert.equal(await rejectionDetail({ origin: 'http://localhost:5000' }), 'http://localhost:5000');
    for (const origin of [
      'club.example',
      'http://club.example',
      `${CLUB}/members`,
      `${CLUB}/?a`,
      'https://u:p@club.example',
      'data:,',
    ])
      assert.match(await rejectionDetail({ origin }), /^422 The site must be https/, origin);
    assert.match(await rejectionDetail({ origin: 'https://other.example' }), /^422 .*EMBED_ORIGINS/);
    assert.match(await rejectionDetail({ channels: ['alpha'] }), /^422 .* is public/);
    assert.match(await rejectionDetail({ channels: ['none'] }), /^404 /);
    assert.match(await rejectionDetail({ channels: [] }), /^400 /);
  });

  it('does not show an administrator its other channels, but lets the administrator revoke it', async (t) => {
    const site = await makeSite(t);
    const keyForBoth = (await site.make({ origin: CLUB, channels: ['8', '9'] })).json();
    const other = (await site.make({ origin: CLUB, channels: ['8'] })).json();
    assert.deepEqual((await site.list()).map(({ id }) => id).sort(), [keyForBoth.id, other.id].sort());
    assert.deepEqual(
      (await site.list(ADMINISTRATOR)).map(({ id, channels }) => [id, channels]),
      [[keyForBoth.id, ['9']]],
    );
    assert.deepEqual([await site.revoke(other.id, ADMINISTRATOR), await site.revoke('none')], [403, 404]);
    assert.deepEqual([await site.revoke(keyForBoth.id, ADMINISTRATOR), await site.revoke(keyForBoth.id)], [204, 404]);
    assert.deepEqual(
      (await site.list()).map(({ id }) => id),
      [other.id],
    );
  });

  it('is limited to twenty', async (t) => {
    const site = await makeSite(t);
    for (let count = 0; count < 20; count++) await site.make({ origin: CLUB, channels: ['9'] });
    assert.equal((await site.make({ origin: CLUB, channels: ['8', '9'] })).statusCode, 409);
    assert.equal((await site.make({ origin: CLUB, channels: ['8'] })).statusCode, 200);
  });
});

describe('the access token (JWT) of a site', () => {
  it('opens the channels of its key until it expires, also after a restart', async (t) => {
    const site = await makeSite(t);
    const key = (await site.make({ origin: CLUB, channels: ['9'] })).json();
    const headers = { 'access-token': site.sign(key), origin: CLUB };
    assert.deepEqual(idsOf(await getPage(site, posts, headers)), [3, 2, 1]);
    assert.equal((await site.read('/api/channels/8', headers['access-token'])).statusCode, 404);
    // A request of a program has no Origin header.
    assert.equal((await site.app.inject({ url: posts, headers: { 'access-token': site.sign(key) } })).statusCode, 200);
    site.clock.now += 3_601_000;
    assert.match((await site.read(posts, headers['access-token'])).json().detail ?? '', /has expired/);
    assert.equal((await site.read(posts, site.sign(key, { life: 86_400 }))).statusCode, 200);
    const { openSiteKeySecrets: openSiteKeys } = await import('../../../server/auth/site-grants.ts');
    assert.equal((await openSiteKeys(site.store)).secretOf(key.id), key.secret);
  });

  it('opens only the channels of its key that it names', async (t) => {
    const site = await makeSite(t);
    const key = (await site.make({ origin: CLUB, channels: ['8', '9'] })).json();
    const grantFor = (channels: readonly unknown[]) => site.sign(key, { channels });
    const status = async (url: string, grant: string) => (await site.read(url, grant)).statusCode;
    assert.deepEqual(
      [await status('/api/channels/9', grantFor(['@secret'])), await status('/api/channels/8', grantFor(['9']))],
      [200, 404],
    );
    const { items } = (await site.app.inject({ url: '/api/channels', headers: { 'access-token': grantFor(['8']) } })).json();
    assert.deepEqual(
      items.map(({ id }: { id: string }) => id),
      ['1', '2', '8'],
    );
    for (const named of [['1'], ['9', 'none'], ['alpha']])
      assert.equal(await status('/api/channels/9', grantFor(named)), 403, String(named));
    for (const named of [[], [9], [''], Array(201).fill('9')])
      assert.equal(await status('/api/channels/9', grantFor(named)), 401, String(named));
  });

  it('becomes invalid with its key or with the channel, and stays invalid if the channel returns', async (t) => {
    const site = await makeSite(t);
    const key = (await site.make({ origin: CLUB, channels: ['9'] })).json();
    const status = async () => (await site.read(posts, site.sign(key))).statusCode;
    await site.store.setSoftDeleted('9', true);
    assert.equal(await status(), 404);
    await site.store.setSoftDeleted('9', false);
    assert.equal(await status(), 200);
    await site.store.removeChannels(['9']);
    await fill(site.store, channel('9', { private: true, username: 'secret' }), 3);
    assert.equal(await status(), 401);
    assert.deepEqual(await site.list(), []);
  });

  it('is rejected with a reason if it is invalid', async (t) => {
    const site = await makeSite(t);
    const key = (await site.make({ origin: CLUB, channels: ['9'] })).json();
    const now = Math.floor(site.clock.now / 1000);
    const validGrant = site.sign(key);
    const [head = '', claims = '', signature = ''] = validGrant.split('.');
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const rejectionDetail = async (grant: string, origin = CLUB) => {
      const response = await site.read(posts, grant, origin);
      return `${response.statusCode} ${response.json().detail}`;
    };
    const INVALID_GRANT = /^401 This is not a valid grant/;
    const bad: readonly (readonly [string, RegExp])[] = [
      [site.sign(key, { life: 86_401 }), /^401 A grant is valid for at most 24 hours/],
      [site.sign(key, { now: now + 120 }), /^401 The grant is from the future/],
      [site.sign(key, { life: null }), /^401 A grant must contain exp and iat/],
      [site.sign(key, { now: now + 0.5 }), /^401 A grant must contain exp and iat/],
      [site.sign(key, { alg: 'HS512' }), INVALID_GRANT],
      [site.sign(key, { alg: 'none' }), INVALID_GRANT],
      [`${part({ alg: 'none', kid: key.id })}.${claims}.${signature}`, INVALID_GRANT],
      [`${part({ alg: 'HS256' })}.${claims}.${signature}`, INVALID_GRANT],
      [`${part({ alg: 'HS256', kid: 7 })}.${claims}.${signature}`, INVALID_GRANT],
      [`${part(null)}.${claims}.${signature}`, INVALID_GRANT],
      [`${head}.${part([])}.${signature}`, INVALID_GRANT],
      [validGrant.slice(0, -20), INVALID_GRANT],
      [`${validGrant}.`, INVALID_GRANT],
      ['.', INVALID_GRANT],
      ['...', INVALID_GRANT],
      [`.${'x'.repeat(4000)}.`, INVALID_GRANT],
    ];
    for (const [grant, detail] of bad) assert.match(await rejectionDetail(grant), detail, grant.slice(0, 200));
    assert.match(
      await rejectionDetail(validGrant, 'https://thief.example'),
      /^403 The key of this grant is for https:\/\/club\.example, not/,
    );
    assert.match(await rejectionDetail(validGrant, 'null'), /^403 /);
    assert.match(await rejectionDetail(site.sign({ ...key, id: 'none' })), INVALID_GRANT);
    assert.match(await rejectionDetail(validGrant), /^200 /);
  });

  it('passes the CORS preflight of a third-party page, which can also read the rejection', async (t) => {
    const site = await makeSite(t);
    const signOut = await site.app.inject({
      method: 'OPTIONS',
      url: posts,
      headers: { origin: CLUB, 'access-control-request-method': 'GET', 'access-control-request-headers': 'access-token' },
    });
    assert.deepEqual([signOut.statusCode, signOut.headers['access-control-allow-origin']], [204, '*']);
    assert.match(String(signOut.headers['access-control-allow-headers']), /Access-Token/);
    const rejected = await site.app.inject({ url: posts, headers: { origin: CLUB, 'access-token': 'x.y.z' } });
    assert.deepEqual([rejected.statusCode, rejected.headers['access-control-allow-origin']], [401, '*']);
  });
});
