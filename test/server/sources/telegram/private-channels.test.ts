// Private channels that the bot follows: no route reveals them to callers without access.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { InjectOptions } from 'fastify';
import type { CreatedSiteKey } from '../../../../contract/operator.ts';
import { until } from '../../../support/browser.ts';
import { signGrant } from '../../auth/sign-token.ts';
import { listenNow, listenOn } from '../../events/event-stream-client.ts';
import {
  ASKED,
  FORMER_NAME,
  type Garden,
  MEMBER,
  MEMBER_ELSEWHERE,
  makeGarden,
  NOWHERE,
  routesOf,
  STRANGER,
} from '../../support/private-channel.ts';
import { makeBotSite } from './bot-site.ts';

const whole = (answer: { statusCode: number; headers: object; body: string }) =>
  `${answer.statusCode} ${JSON.stringify(answer.headers)} ${answer.body}`;

type Headers = Readonly<Record<string, string>>;

/** Sends every request of ASKED about a channel as a user, or with these headers. Returns the requests and their responses. */
const askAll = async (site: Garden, who: number | null | Headers, name: string, key: string) => {
  const told: { asked: InjectOptions; answer: string; status: number; cached: unknown }[] = [];
  let headers: Headers = typeof who === 'number' ? await site.signIn(who) : (who ?? {});
  for (const asked of Object.values(ASKED).flatMap((ask) => ask(name, site.postId, key))) {
    const answer = await site.app.inject({ ...asked, headers });
    // Some of the requests end the session.
    if (typeof who === 'number' && asked.method === 'DELETE') headers = await site.signIn(who);
    told.push({ asked, answer: whole(answer), status: answer.statusCode, cached: answer.headers['cache-control'] });
  }
  return told;
};

const CLUB = 'https://club.example';

/** Creates valid and invalid access tokens of a site that may show the private channel. */
const makeGrants = async (site: Garden) => {
  const headers = await site.signIn(site.telegram.operator.id);
  const cellar = [...site.telegram.channels.values()].find(({ title }) => title === 'Cellar');
  const keyOf = async (channel: string): Promise<CreatedSiteKey> => {
    const payload = { origin: CLUB, channels: [channel] };
    return (await site.app.inject({ method: 'POST', url: '/api/operator/site-keys', headers, payload })).json();
  };
  const revoke = ({ id }: CreatedSiteKey) =>
    site.app.inject({ method: 'DELETE', url: `/api/operator/site-keys/${id}`, headers: { ...headers } });
  const [garden, other, former] = [
    await keyOf(site.garden.bareId),
    await keyOf(cellar?.bareId ?? ''),
    await keyOf(site.garden.bareId),
  ];
  await revoke(former);
  const seconds = Math.floor(site.clock.now / 1000);
  const from = (grant: string, origin = CLUB): Headers => ({ 'access-token': grant, origin });
  const good = signGrant(garden, { now: seconds });
  const [head, , signature] = good.split('.');
  const longer = Buffer.from(JSON.stringify({ iat: seconds, exp: seconds + 7200 })).toString('base64url');
  const bad: Readonly<Record<string, Headers>> = {
    'of an unknown key': from(signGrant({ ...garden, id: 'AAAAAAAAAAAAAAAA' }, { now: seconds })),
    'signed with another secret': from(signGrant({ ...garden, secret: other.secret }, { now: seconds })),
    'for another channel': from(signGrant(other, { now: seconds })),
    'that is expired': from(signGrant(garden, { now: seconds - 3600, life: 3599 })),
    'without a signature': from(signGrant(garden, { now: seconds, alg: 'none' })),
    'tampered with': from(`${head}.${longer}.${signature}`),
    'of a key that was revoked': from(signGrant(former, { now: seconds })),
    'for another origin': from(good, 'https://thief.example'),
  };
  return { garden, other, good: from(good), bad, revoke, secrets: [garden.secret, other.secret, former.secret] };
};

describe('a private channel that a bot follows', () => {
  it('is tested with every route of the app', async (t) => {
    const site = await makeBotSite(t, {}, false);
    await site.app.ready();
    assert.deepEqual(new Set([...routesOf(site), 'GET /*']), new Set(Object.keys(ASKED)));
  });

  it('is not found by anonymous clients, by other readers, or by members of another channel, on any route', async (t) => {
    const site = await makeGarden(t);
    for (const who of [null, STRANGER, MEMBER_ELSEWHERE])
      for (const name of [site.garden.bareId, FORMER_NAME])
        for (const key of site.keys) {
          const nowhere = await askAll(site, who, NOWHERE, 'a'.repeat(64));
          const about = await askAll(site, who, name, key);
          for (const [at, { asked, answer, status }] of about.entries()) {
            const said = JSON.stringify(asked);
            for (const secret of site.secrets.filter((one) => one !== name && !said.includes(one)))
              assert.ok(!answer.includes(secret), `${who} sent ${said} and received ${secret}: ${answer}`);
            assert.equal(status, nowhere[at]?.status, `${who} learns from ${said} that the channel exists`);
          }
        }
  });

  it('is found by its members and by operators, in responses that no cache stores', async (t) => {
    const site = await makeGarden(t);
    for (const who of [MEMBER, site.telegram.operator.id]) {
      const told = (await askAll(site, who, site.garden.bareId, site.keys[0] ?? '')).map(({ answer }) => answer).join('\n');
      assert.ok(!told.includes(site.telegram.token.split(':')[1] ?? ''), 'the response contains the bot token');
      for (const secret of site.secrets.filter((one) => one !== FORMER_NAME))
        assert.ok(told.includes(secret), `${who}: ${secret}`);
      const headers = await site.signIn(who);
      const answer = await site.app.inject({ url: `/api/channels/${FORMER_NAME}`, headers });
      assert.deepEqual([answer.statusCode, answer.headers['cache-control'], answer.headers.etag], [200, 'no-store', undefined]);
      const { picture } = answer.json();
      assert.equal((await site.app.inject({ url: picture.src })).statusCode, 200);
    }
    const open = await site.app.inject({ url: '/api/channels', headers: await site.signIn(STRANGER) });
    assert.deepEqual([open.headers['cache-control'], typeof open.headers.etag], [undefined, 'string']);
  });

  it('is not found by a client without a valid access token (JWT) for it, on any route', async (t) => {
    const site = await makeGarden(t);
    const { bad, secrets } = await makeGrants(site);
    for (const [what, headers] of Object.entries(bad)) {
      const nowhere = await askAll(site, headers, NOWHERE, 'a'.repeat(64));
      const about = await askAll(site, headers, site.garden.bareId, site.keys[0] ?? '');
      for (const [at, { asked, answer, status }] of about.entries()) {
        const said = JSON.stringify(asked);
        for (const secret of [...secrets, ...site.secrets.filter((one) => !said.includes(one))])
          assert.ok(!answer.includes(secret), `a token ${what} sent ${said} and received ${secret}: ${answer}`);
        assert.equal(status, nowhere[at]?.status, `with a token ${what}, ${said} discloses that the channel exists`);
      }
      const { statusCode, headers: told, body } = await site.app.inject({ url: `/api/channels/${site.garden.bareId}`, headers });
      assert.equal(told['cache-control'], 'no-store');
      if (what !== 'for another channel') {
        assert.match(String(told['content-type']), /^application\/problem\+json/, what);
        assert.ok([401, 403].includes(statusCode), `${what}: ${statusCode} ${body}`);
        assert.equal(told['access-control-allow-origin'], '*', 'its tag can read the reason');
      }
    }
  });

  it('is read with a valid access token (JWT), which allows no writes and no other channel, in responses that no cache stores', async (t) => {
    const site = await makeGarden(t);
    const { good, other, secrets } = await makeGrants(site);
    const told = await askAll(site, good, site.garden.bareId, site.keys[0] ?? '');
    for (const { asked, status, cached, answer } of told) {
      const isWrite =
        asked.method !== 'GET' && String(asked.url).startsWith('/api/') && asked.url !== '/api/telegram/auth/webapp';
      if (isWrite) assert.equal(status, 403, JSON.stringify(asked));
      else if (/^\/api\/(?!docs|events)/.test(String(asked.url))) assert.equal(cached, 'no-store', JSON.stringify(asked));
      if (String(asked.url).startsWith('/api/operator')) assert.ok(status === 401 || isWrite, JSON.stringify(asked));
      for (const secret of [...secrets, 'Cellar', 'Nothing to hide']) {
        const isTown = secret === 'Nothing to hide' && !answer.includes(other.channels[0] ?? 'Cellar');
        assert.ok(isTown || !answer.includes(secret), `${JSON.stringify(asked)} returned ${secret}`);
      }
    }
    const all = told.map(({ answer }) => answer).join('\n');
    for (const secret of site.secrets.filter((one) => one !== FORMER_NAME)) assert.ok(all.includes(secret), secret);
    const answer = await site.app.inject({ url: `/api/channels/${site.garden.bareId}`, headers: good });
    assert.deepEqual([answer.statusCode, answer.headers.etag], [200, undefined]);
    assert.equal((await site.app.inject({ url: answer.json().picture.src })).statusCode, 200);
    assert.ok(site.lines.every((line) => ![...secrets, good['access-token'] ?? ''].some((secret) => line.includes(secret))));
  });

  it('sends live events to a valid access token (JWT) until its key is revoked', async (t) => {
    const site = await makeGarden(t);
    const { good, garden, revoke } = await makeGrants(site);
    const origin = await listenOn(site);
    const reader = await listenNow(t, origin, '', good);
    site.garden.post(site.telegram.make.text('Another xylophone'));
    await until(async () => reader.text().includes('Another xylophone'), 'the event is received');
    const cellar = [...site.telegram.channels.values()].find(({ title }) => title === 'Cellar');
    await revoke(garden);
    site.garden.post(site.telegram.make.text('Behind closed doors'));
    cellar?.post(site.telegram.make.text('Deep below'));
    await until(
      async () => (await site.store.posts({ limit: 1, match: 'below' }, { privateChannels: 'all' })).length === 1,
      'the post is stored',
    );
    await until(async () => reader.isOver(), 'the stream is closed');
    for (const secret of ['Behind closed doors', 'Deep below', cellar?.bareId ?? 'Cellar'])
      assert.ok(!reader.text().includes(secret));
  });

  it('sends live events only to clients that may read it', async (t) => {
    const site = await makeGarden(t);
    const origin = await listenOn(site);
    const everyone = [null, STRANGER, MEMBER_ELSEWHERE, MEMBER, site.telegram.operator.id];
    const readers = await Promise.all(
      everyone.map(async (who) => listenNow(t, origin, '', who === null ? {} : await site.signIn(who))),
    );
    site.garden.post(site.telegram.make.text('Another xylophone'));
    site.garden.rename('Gardenia Square');
    const [town] = [...site.telegram.channels.values()].filter(({ username }) => username === 'town_square');
    town?.post(site.telegram.make.text('The end'));
    await until(
      async () => readers.every((reader) => reader.text().includes('The end')),
      'all readers have received the last post',
    );
    await until(
      async () => readers.slice(3).every((reader) => reader.text().includes('Gardenia Square')),
      'the members have received all events',
    );
    for (const reader of readers.slice(0, 3))
      for (const secret of [...site.secrets, site.garden.bareId]) assert.ok(!reader.text().includes(secret), secret);
  });

  it('is hidden from a member who leaves as soon as the bot is notified; membership is checked once in five minutes', async (t) => {
    const site = await makeGarden(t);
    const headers = await site.signIn(MEMBER);
    const status = async () => (await site.app.inject({ url: `/api/channels/${site.garden.bareId}`, headers })).statusCode;
    const asked = () => site.telegram.callsOf('getChatMember').filter(({ user_id }) => user_id === MEMBER).length;
    assert.deepEqual([await status(), await status()], [200, 200]);
    const once = asked();
    await status();
    assert.equal(asked(), once);
    site.clock.now += 301_000;
    assert.deepEqual([await status(), asked()], [200, once + 2]);
    const user = site.telegram.users.get(MEMBER);
    assert.ok(user);
    site.garden.leave(user);
    await until(async () => (await status()) === 404, 'the channel is hidden');
    site.garden.join(user);
    await until(async () => (await status()) === 200, 'the channel is visible again');
  });

  it('is hidden for seconds after Telegram failed, even if a clock that was ahead is corrected meanwhile', async (t) => {
    const site = await makeGarden(t);
    const headers = await site.signIn(MEMBER);
    const status = async () => (await site.app.inject({ url: `/api/channels/${site.garden.bareId}`, headers })).statusCode;
    const heal = site.telegram.fail('getChatMember', { code: 403, description: 'Forbidden' }, 20);
    site.clock.ahead = 3_600_000;
    assert.equal(await status(), 404);
    heal();
    site.clock.ahead = 0;
    assert.equal(await status(), 404);
    site.clock.now += 15_000;
    assert.equal(await status(), 200);
  });

  it('is hidden from everyone whose membership Telegram does not return within two seconds', async (t) => {
    const site = await makeGarden(t);
    const headers = await site.signIn(MEMBER);
    site.telegram.fail('getChatMember', { slow: 10_000 }, 20);
    const from = Date.now();
    const answer = await site.app.inject({ url: `/api/channels/${site.garden.bareId}`, headers });
    assert.equal(answer.statusCode, 404);
    assert.ok(Date.now() - from < 10_000);
  });
});
