// Private channels that the bot follows: no route reveals them to callers without access.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { InjectOptions } from 'fastify';
import type { CreatedSiteKey } from '../../../../contract/operator.ts';
import { until } from '../../../support/browser.ts';
import { signGrant } from '../../auth/sign-token.ts';
import { openCaughtUpStream, startListening } from '../../events/event-stream-client.ts';
import {
  MEMBER,
  MEMBER_OF_OTHER_CHANNEL,
  makePrivateChannelSite,
  NON_MEMBER,
  PREVIOUS_USERNAME,
  type PrivateChannelSite,
  REQUESTS_BY_ROUTE,
  routesOf,
  UNKNOWN_CHANNEL_ID,
} from '../../support/private-channel.ts';
import { makeBotSite } from './bot-site.ts';

const serialize = (response: { statusCode: number; headers: object; body: string }) =>
  `${response.statusCode} ${JSON.stringify(response.headers)} ${response.body}`;

type Headers = Readonly<Record<string, string>>;

/** Sends every request of ASKED about a channel as a user, or with these headers. Returns the requests and their responses. */
const askAll = async (site: PrivateChannelSite, caller: number | null | Headers, name: string, key: string) => {
  const exchanges: { request: InjectOptions; response: string; status: number; cached: unknown }[] = [];
  let headers: Headers = typeof caller === 'number' ? await site.signIn(caller) : (caller ?? {});
  for (const request of Object.values(REQUESTS_BY_ROUTE).flatMap((makeRequests) => makeRequests(name, site.postId, key))) {
    const response = await site.app.inject({ ...request, headers });
    // Some of the requests end the session.
    if (typeof caller === 'number' && request.method === 'DELETE') headers = await site.signIn(caller);
    exchanges.push({
      request,
      response: serialize(response),
      status: response.statusCode,
      cached: response.headers['cache-control'],
    });
  }
  return exchanges;
};

const CLUB = 'https://club.example';

/** Creates valid and invalid access tokens of a site that may show the private channel. */
const makeTokens = async (site: PrivateChannelSite) => {
  const headers = await site.signIn(site.telegram.operator.id);
  const cellar = [...site.telegram.channels.values()].find(({ title }) => title === 'Cellar');
  const keyOf = async (channel: string): Promise<CreatedSiteKey> => {
    const payload = { origin: CLUB, channels: [channel] };
    return (await site.app.inject({ method: 'POST', url: '/api/operator/site-keys', headers, payload })).json();
  };
  const revoke = ({ id }: CreatedSiteKey) =>
    site.app.inject({ method: 'DELETE', url: `/api/operator/site-keys/${id}`, headers: { ...headers } });
  const [garden, other, revoked] = [
    await keyOf(site.privateChannel.bareId),
    await keyOf(cellar?.bareId ?? ''),
    await keyOf(site.privateChannel.bareId),
  ];
  await revoke(revoked);
  const seconds = Math.floor(site.clock.now / 1000);
  const from = (accessToken: string, origin = CLUB): Headers => ({ 'access-token': accessToken, origin });
  const token = signGrant(garden, { now: seconds });
  const [head, , signature] = token.split('.');
  const longer = Buffer.from(JSON.stringify({ iat: seconds, exp: seconds + 7200 })).toString('base64url');
  const invalid: Readonly<Record<string, Headers>> = {
    'of an unknown key': from(signGrant({ ...garden, id: 'AAAAAAAAAAAAAAAA' }, { now: seconds })),
    'signed with another secret': from(signGrant({ ...garden, secret: other.secret }, { now: seconds })),
    'for another channel': from(signGrant(other, { now: seconds })),
    'that is expired': from(signGrant(garden, { now: seconds - 3600, life: 3599 })),
    'without a signature': from(signGrant(garden, { now: seconds, alg: 'none' })),
    'tampered with': from(`${head}.${longer}.${signature}`),
    'of a key that was revoked': from(signGrant(revoked, { now: seconds })),
    'for another origin': from(token, 'https://thief.example'),
  };
  return { garden, other, valid: from(token), invalid, revoke, secrets: [garden.secret, other.secret, revoked.secret] };
};

describe('a private channel that a bot follows', () => {
  it('is tested with every route of the app', async (t) => {
    const site = await makeBotSite(t, {}, false);
    await site.app.ready();
    assert.deepEqual(new Set([...routesOf(site), 'GET /*']), new Set(Object.keys(REQUESTS_BY_ROUTE)));
  });

  it('is not found by anonymous clients, by other readers, or by members of another channel, on any route', async (t) => {
    const site = await makePrivateChannelSite(t);
    for (const caller of [null, NON_MEMBER, MEMBER_OF_OTHER_CHANNEL])
      for (const name of [site.privateChannel.bareId, PREVIOUS_USERNAME])
        for (const key of site.keys) {
          const unknown = await askAll(site, caller, UNKNOWN_CHANNEL_ID, 'a'.repeat(64));
          const about = await askAll(site, caller, name, key);
          for (const [at, { request, response, status }] of about.entries()) {
            const requestText = JSON.stringify(request);
            for (const secret of site.secrets.filter((one) => one !== name && !requestText.includes(one)))
              assert.ok(!response.includes(secret), `${caller} sent ${requestText} and received ${secret}: ${response}`);
            assert.equal(status, unknown[at]?.status, `${caller} learns from ${requestText} that the channel exists`);
          }
        }
  });

  it('is found by its members and by operators, in responses that no cache stores', async (t) => {
    const site = await makePrivateChannelSite(t);
    for (const caller of [MEMBER, site.telegram.operator.id]) {
      const responses = (await askAll(site, caller, site.privateChannel.bareId, site.keys[0] ?? ''))
        .map(({ response }) => response)
        .join('\n');
      assert.ok(!responses.includes(site.telegram.token.split(':')[1] ?? ''), 'the response contains the bot token');
      for (const secret of site.secrets.filter((one) => one !== PREVIOUS_USERNAME))
        assert.ok(responses.includes(secret), `${caller}: ${secret}`);
      const headers = await site.signIn(caller);
      const response = await site.app.inject({ url: `/api/channels/${PREVIOUS_USERNAME}`, headers });
      assert.deepEqual(
        [response.statusCode, response.headers['cache-control'], response.headers.etag],
        [200, 'no-store', undefined],
      );
      const { picture } = response.json();
      assert.equal((await site.app.inject({ url: picture.src })).statusCode, 200);
    }
    const open = await site.app.inject({ url: '/api/channels', headers: await site.signIn(NON_MEMBER) });
    assert.deepEqual([open.headers['cache-control'], typeof open.headers.etag], ['private', 'string']);
  });

  it('is not found by a client without a valid access token (JWT) for it, on any route', async (t) => {
    const site = await makePrivateChannelSite(t);
    const { invalid, secrets } = await makeTokens(site);
    for (const [label, headers] of Object.entries(invalid)) {
      const unknown = await askAll(site, headers, UNKNOWN_CHANNEL_ID, 'a'.repeat(64));
      const about = await askAll(site, headers, site.privateChannel.bareId, site.keys[0] ?? '');
      for (const [at, { request, response, status }] of about.entries()) {
        const requestText = JSON.stringify(request);
        for (const secret of [...secrets, ...site.secrets.filter((one) => !requestText.includes(one))])
          assert.ok(!response.includes(secret), `a token ${label} sent ${requestText} and received ${secret}: ${response}`);
        assert.equal(status, unknown[at]?.status, `with a token ${label}, ${requestText} discloses that the channel exists`);
      }
      const {
        statusCode,
        headers: responseHeaders,
        body,
      } = await site.app.inject({ url: `/api/channels/${site.privateChannel.bareId}`, headers });
      assert.equal(responseHeaders['cache-control'], 'no-store');
      if (label !== 'for another channel') {
        assert.match(String(responseHeaders['content-type']), /^application\/problem\+json/, label);
        assert.ok([401, 403].includes(statusCode), `${label}: ${statusCode} ${body}`);
        assert.equal(responseHeaders['access-control-allow-origin'], '*', 'its tag can read the reason');
      }
    }
  });

  it('is read with a valid access token (JWT), which allows no writes and no other channel, in responses that no cache stores', async (t) => {
    const site = await makePrivateChannelSite(t);
    const { valid, other, secrets } = await makeTokens(site);
    const exchanges = await askAll(site, valid, site.privateChannel.bareId, site.keys[0] ?? '');
    for (const { request, status, cached, response } of exchanges) {
      const isWrite =
        request.method !== 'GET' && String(request.url).startsWith('/api/') && request.url !== '/api/telegram/auth/webapp';
      if (isWrite) assert.equal(status, 403, JSON.stringify(request));
      else if (/^\/api\/(?!docs|events)/.test(String(request.url))) assert.equal(cached, 'no-store', JSON.stringify(request));
      if (String(request.url).startsWith('/api/operator')) assert.ok(status === 401 || isWrite, JSON.stringify(request));
      for (const secret of [...secrets, 'Cellar', 'Nothing to hide']) {
        const isPublicText = secret === 'Nothing to hide' && !response.includes(other.channels[0] ?? 'Cellar');
        assert.ok(isPublicText || !response.includes(secret), `${JSON.stringify(request)} returned ${secret}`);
      }
    }
    const all = exchanges.map(({ response }) => response).join('\n');
    for (const secret of site.secrets.filter((one) => one !== PREVIOUS_USERNAME)) assert.ok(all.includes(secret), secret);
    const response = await site.app.inject({ url: `/api/channels/${site.privateChannel.bareId}`, headers: valid });
    assert.deepEqual([response.statusCode, response.headers.etag], [200, undefined]);
    assert.equal((await site.app.inject({ url: response.json().picture.src })).statusCode, 200);
    assert.ok(site.lines.every((line) => ![...secrets, valid['access-token'] ?? ''].some((secret) => line.includes(secret))));
  });

  it('sends live events to a valid access token (JWT) until its key is revoked', async (t) => {
    const site = await makePrivateChannelSite(t);
    const { valid, garden, revoke } = await makeTokens(site);
    const origin = await startListening(site);
    const reader = await openCaughtUpStream(t, origin, '', valid);
    site.privateChannel.post(site.telegram.make.text('Another xylophone'));
    await until(async () => reader.text().includes('Another xylophone'), 'the event is received');
    const cellar = [...site.telegram.channels.values()].find(({ title }) => title === 'Cellar');
    await revoke(garden);
    site.privateChannel.post(site.telegram.make.text('Behind closed doors'));
    cellar?.post(site.telegram.make.text('Deep below'));
    await until(
      async () => (await site.store.posts({ limit: 1, match: 'below' }, { privateChannels: 'all' })).length === 1,
      'the post is stored',
    );
    await until(async () => reader.isClosed(), 'the stream is closed');
    for (const secret of ['Behind closed doors', 'Deep below', cellar?.bareId ?? 'Cellar'])
      assert.ok(!reader.text().includes(secret));
  });

  it('sends live events only to clients that may read it', async (t) => {
    const site = await makePrivateChannelSite(t);
    const origin = await startListening(site);
    const callers = [null, NON_MEMBER, MEMBER_OF_OTHER_CHANNEL, MEMBER, site.telegram.operator.id];
    const readers = await Promise.all(
      callers.map(async (caller) => openCaughtUpStream(t, origin, '', caller === null ? {} : await site.signIn(caller))),
    );
    site.privateChannel.post(site.telegram.make.text('Another xylophone'));
    site.privateChannel.rename('Gardenia Square');
    const [townChannel] = [...site.telegram.channels.values()].filter(({ username }) => username === 'town_square');
    townChannel?.post(site.telegram.make.text('The end'));
    await until(
      async () => readers.every((reader) => reader.text().includes('The end')),
      'all readers have received the last post',
    );
    await until(
      async () => readers.slice(3).every((reader) => reader.text().includes('Gardenia Square')),
      'the members have received all events',
    );
    for (const reader of readers.slice(0, 3))
      for (const secret of [...site.secrets, site.privateChannel.bareId]) assert.ok(!reader.text().includes(secret), secret);
  });

  it('is hidden from a member who leaves as soon as the bot is notified; membership is checked once in five minutes', async (t) => {
    const site = await makePrivateChannelSite(t);
    const headers = await site.signIn(MEMBER);
    const status = async () =>
      (await site.app.inject({ url: `/api/channels/${site.privateChannel.bareId}`, headers })).statusCode;
    const checkCount = () => site.telegram.callsOf('getChatMember').filter(({ user_id }) => user_id === MEMBER).length;
    assert.deepEqual([await status(), await status()], [200, 200]);
    const countBefore = checkCount();
    await status();
    assert.equal(checkCount(), countBefore);
    site.clock.now += 301_000;
    assert.deepEqual([await status(), checkCount()], [200, countBefore + 2]);
    const user = site.telegram.users.get(MEMBER);
    assert.ok(user);
    site.privateChannel.leave(user);
    await until(async () => (await status()) === 404, 'the channel is hidden');
    site.privateChannel.join(user);
    await until(async () => (await status()) === 200, 'the channel is visible again');
  });

  it('is hidden for seconds after Telegram failed, even if a clock that was ahead is corrected meanwhile', async (t) => {
    const site = await makePrivateChannelSite(t);
    const headers = await site.signIn(MEMBER);
    const status = async () =>
      (await site.app.inject({ url: `/api/channels/${site.privateChannel.bareId}`, headers })).statusCode;
    const heal = site.telegram.fail('getChatMember', { code: 403, description: 'Forbidden' }, 20);
    site.clock.ahead = 3_600_000;
    assert.equal(await status(), 404);
    heal();
    site.clock.ahead = 0;
    assert.equal(await status(), 404);
    site.clock.now += 15_001;
    assert.equal(await status(), 200);
  });

  it('is hidden from everyone whose membership Telegram does not return within two seconds', async (t) => {
    const site = await makePrivateChannelSite(t);
    const headers = await site.signIn(MEMBER);
    site.telegram.fail('getChatMember', { slow: 10_000 }, 20);
    const from = Date.now();
    const response = await site.app.inject({ url: `/api/channels/${site.privateChannel.bareId}`, headers });
    assert.equal(response.statusCode, 404);
    assert.ok(Date.now() - from < 10_000);
  });
});
