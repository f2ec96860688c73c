import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { InjectOptions } from 'fastify';
import type { MadeSiteKey } from '../../contract/operator.ts';
import { keepFile } from '../../server/media/keep.ts';
import type { Channel as TelegramChannel } from '../bot-api/channel.ts';
import { loadSamples } from '../bot-api/samples.ts';
import { until } from '../support/browser.ts';
import { type BotSite, makeBotSite } from './bot-site.ts';
import { listenNow, listenOn } from './live-reader.ts';
import { signGrant } from './sign-grant.ts';

const MEMBER = 501;
const MEMBER_ELSEWHERE = 502;
const STRANGER = 503;
const NOWHERE = '1599999999';
const FORMER_NAME = 'gardenia_circle';

interface Garden extends BotSite {
  readonly garden: TelegramChannel;
  readonly postId: number;
  /** Keys of its picture and of a post's photo. */
  readonly keys: readonly string[];
  /** Whatever of it must not come out. */
  readonly secrets: readonly string[];
}

const request = (url: string, method: NonNullable<InjectOptions['method']> = 'GET', payload?: object): InjectOptions => ({
  url,
  method,
  ...(payload && { payload }),
});

/**
 * What is asked of each route about a channel; `name` is its id or what it was once called. A route that is not here fails the
 * test: whoever adds one says how it could leak.
 */
const ASKED: Readonly<Record<string, (name: string, postId: number, key: string) => InjectOptions[]>> = {
  'GET /api/docs': () => [request('/api/docs'), request('/api/docs/')],
  'GET /api/docs/static/index.html': () => [request('/api/docs/static/index.html')],
  'GET /api/docs/static/swagger-initializer.js': () => [request('/api/docs/static/swagger-initializer.js')],
  'GET /api/docs/*': () => [request('/api/docs/none')],
  'GET /api/docs/json': () => [request('/api/docs/json')],
  'GET /api/docs/yaml': () => [request('/api/docs/yaml')],
  'DELETE /api/demo': () => [request('/api/demo', 'DELETE')],
  'POST /api/telegram/auth/webapp': () => [request('/api/telegram/auth/webapp', 'POST', { initData: 'x' })],
  'POST /api/telegram/webhook': (name) => [request('/api/telegram/webhook', 'POST', { update_id: 1, chat: name })],
  'DELETE /api/session': () => [request('/api/session', 'DELETE')],
  'GET /api/search': (name) => [
    request('/api/search?q=xylophone'),
    request('/api/search?q=rehearsal&media=true'),
    request('/api/search?q=xylo'),
    request('/api/search?media=photo,link'),
    request('/api/search?from=0'),
    request(`/api/search?q=xylophone&channels=${name}`),
  ],
  'PUT /api/stars/:channel/:id': (name, postId) => [request(`/api/stars/${name}/${postId}`, 'PUT')],
  'POST /api/me/merge': (name, postId) => [
    request('/api/me/merge', 'POST', {
      entries: [{ channelId: name }],
      marks: [{ channelId: name, messageId: 0 }],
      stars: [{ channelId: name, postId, at: 1 }],
    }),
  ],
  'GET /api/stars': () => [request('/api/stars')],
  'DELETE /api/stars/:channel/:id': (name, postId) => [request(`/api/stars/${name}/${postId}`, 'DELETE')],
  'GET /api/marks': () => [request('/api/marks')],
  'GET /api/unread': (name) => [request('/api/unread'), request(`/api/unread?marks=${name}.0`)],
  'PUT /api/lineup': (name) => [request('/api/lineup', 'PUT', { entries: [{ channelId: name }] })],
  'GET /api/lineup': () => [request('/api/lineup')],
  'GET /api/channels': () => [request('/api/channels')],
  'GET /api/channels/:id': (name) => [request(`/api/channels/${name}`), request(`/api/channels/@${name}`)],
  'GET /api/channels/:id/posts': (name, postId) => [
    request(`/api/channels/${name}/posts`),
    request(`/api/channels/${name}/posts?around=${postId}`),
    request(`/api/channels/${name}/posts?q=xylophone`),
  ],
  'PUT /api/channels/:id/read': (name, postId) => [request(`/api/channels/${name}/read`, 'PUT', { messageId: postId })],
  'GET /api/posts/:channel/:id': (name, postId) => [request(`/api/posts/${name}/${postId}`)],
  'GET /api/feed': (name) => [request('/api/feed'), request('/api/feed?media=true'), request(`/api/feed?channels=${name}`)],
  'POST /api/feeds': (name) => [
    request('/api/feeds', 'POST', { url: `https://t.me/${name}` }),
    request('/api/feeds', 'POST', { url: `https://t.me/c/${name}/7` }),
    request('/api/feeds', 'POST', { url: `localhost:80/channel/${name}` }),
  ],
  // A stream of its own: below.
  'GET /api/events': () => [],
  'GET /api/operator/hidden': (name) => [request('/api/operator/hidden'), request(`/api/operator/hidden?channel=${name}`)],
  'PUT /api/operator/hidden/:channel/:post': (name) => [request(`/api/operator/hidden/${name}/1`, 'PUT')],
  'DELETE /api/operator/hidden/:channel/:post': (name) => [request(`/api/operator/hidden/${name}/1`, 'DELETE')],
  'GET /api/operator/gaps': (name) => [request('/api/operator/gaps'), request(`/api/operator/gaps?channel=${name}`)],
  'GET /api/operator/audit': (name) => [request('/api/operator/audit'), request(`/api/operator/audit?channel=${name}`)],
  'GET /api/operator/brand': () => [request('/api/operator/brand')],
  'PUT /api/operator/brand': () => [request('/api/operator/brand', 'PUT', { name: 'x' })],
  'DELETE /api/operator/brand': () => [request('/api/operator/brand', 'DELETE')],
  'POST /api/operator/feeds': () => [request('/api/operator/feeds', 'POST', { url: 'http://127.0.0.1/' })],
  'POST /api/operator/connect': () => [request('/api/operator/connect', 'POST')],
  'GET /api/operator/site-keys': (name) => [
    request('/api/operator/site-keys'),
    request(`/api/operator/site-keys?channel=${name}`),
  ],
  'POST /api/operator/site-keys': (name) => [
    request('/api/operator/site-keys', 'POST', { origin: 'https://club.example', channels: [name] }),
  ],
  'DELETE /api/operator/site-keys/:id': (name) => [request(`/api/operator/site-keys/${name}`, 'DELETE')],
  'GET /api/operator/channels': () => [request('/api/operator/channels')],
  'POST /api/operator/channels/:id/disconnect': (name) => [
    request(`/api/operator/channels/${name}/disconnect`, 'POST', { keep: 'perhaps' }),
  ],
  'POST /api/operator/channels/:id/reconnect': (name) => [request(`/api/operator/channels/${name}/reconnect`, 'POST')],
  'POST /api/operator/channels/:id/recheck': (name) => [request(`/api/operator/channels/${name}/recheck`, 'POST')],
  'POST /api/operator/channels/:id/accept': (name) => [request(`/api/operator/channels/${name}/accept`, 'POST')],
  'POST /api/operator/channels/:id/decline': (name) => [request(`/api/operator/channels/${name}/decline`, 'POST')],
  'GET /api/version': () => [request('/api/version')],
  'GET /healthz': () => [request('/healthz')],
  'GET /media/:key': (_name, _postId, key) => [
    request(`/media/${key}`),
    request(`/media/${key}?grant=9999999999.x`),
    request(`/media/${key}?size=320`),
  ],
  'GET /elements': () => [request('/elements')],
  'GET /elements/drawn/:tag': (name) =>
    ['changer-channel', 'changer-feed', 'changer-post'].map((tag) =>
      request(`/elements/drawn/${tag}?channel-id=${name}&channels=${name}&post-id=1`),
    ),
  'GET /elements/versions.json': () => [request('/elements/versions.json')],
  'GET /elements/v/:version/:file': (name) => [request(`/elements/v/${name}/changer-channel.js`)],
  'GET /feeds/:file': (name) => ['rss', 'atom', 'json'].map((format) => request(`/feeds/${name}.${format}`)),
  'GET /feeds/line-up.rss': (name) => [request('/feeds/line-up.rss'), request(`/feeds/line-up.rss?channels=${name}`)],
  'GET /feeds/line-up.atom': (name) => [request('/feeds/line-up.atom'), request(`/feeds/line-up.atom?channels=${name}`)],
  'GET /feeds/line-up.json': (name) => [request('/feeds/line-up.json'), request(`/feeds/line-up.json?channels=${name}`)],
  'GET /feeds/search.rss': (name) => searches(name, 'rss'),
  'GET /feeds/search.atom': (name) => searches(name, 'atom'),
  'GET /feeds/search.json': (name) => searches(name, 'json'),
  'GET /feeds/network.opml': () => [request('/feeds/network.opml')],
  'GET /oembed': (name, postId) =>
    [`/channel/${name}`, `/channel/${name}?post=${postId}`].flatMap((page) => {
      const query = new URLSearchParams({ url: `http://localhost:80${page}` });
      return [request(`/oembed?${query}`), request(`/oembed?${query}&format=xml`)];
    }),
  'GET /robots.txt': () => [request('/robots.txt')],
  'GET /sitemap.xml': () => [request('/sitemap.xml')],
  'GET /sitemap/:part': (name) => [request('/sitemap/pages.xml'), request(`/sitemap/${name}-0.xml`)],
  'GET /*': (name, postId) => [request('/'), request(`/channel/${name}`), request(`/channel/${name}/${postId}`)],
  'DELETE /api/me': () => [request('/api/me', 'DELETE')],
  'GET /api/me': () => [request('/api/me')],
};

const searches = (name: string, format: string): InjectOptions[] => [
  request(`/feeds/search.${format}?q=xylophone`),
  request(`/feeds/search.${format}?q=xylophone&channels=${name}`),
];

/** Every route of the app, as `GET /api/channels/:id`, read from the tree that Fastify prints. */
const routesOf = ({ app }: BotSite): string[] => {
  const path: string[] = [];
  const routes = app.printRoutes({ commonPrefix: false }).split('\n');
  return routes.flatMap((line) => {
    const [, indent = '', part = '', methods = ''] = /^([│├└─\s]*)(\S+) \(([A-Z, ]+)\)$/u.exec(line) ?? [];
    if (part === '') return [];
    const depth = indent.length / 4 - 1;
    path.splice(depth, path.length, part);
    const whole = path
      .join('')
      .replace(/^\*$/, '/*')
      .replace(/([^/])\*$/, '$1/*');
    return methods
      .split(', ')
      .filter((method) => method !== 'HEAD' && method !== 'OPTIONS')
      .map((method) => `${method} ${whole}`);
  });
};

/** A site with a private channel of which much is kept, another one, and a public one. */
const makeGarden = async (t: TestContext): Promise<Garden> => {
  const site = await makeBotSite(t);
  const { telegram, store, dataDir } = site;
  const users = new Map([MEMBER, MEMBER_ELSEWHERE, STRANGER].map((id) => [id, telegram.user(id, `Reader ${id}`)]));
  const join = (channel: TelegramChannel, id: number) => {
    const user = users.get(id);
    if (user) channel.join(user);
  };
  const { photos } = await loadSamples();
  const garden = telegram.channel({
    title: 'Gardenia Circle',
    username: FORMER_NAME,
    description: 'Whispering ferns',
    others: 4242,
  });
  const cellar = telegram.channel({ title: 'Cellar', others: 2 });
  const town = telegram.channel({ title: 'Town', username: 'town_square' });
  garden.setPhoto(photos[0] ?? []);
  join(garden, MEMBER);
  join(cellar, MEMBER_ELSEWHERE);
  for (const channel of [garden, cellar, town]) channel.addBot(telegram.operator, {});
  const shown = async () => (await store.channel(garden.bareId, { privateChannels: 'all' })) ?? undefined;
  await until(async () => (await shown())?.picture !== undefined, 'the garden has its picture');
  garden.setUsername(undefined);
  const { message_id: postId } = garden.post(telegram.make.text('The xylophone rehearsal is at nine #quartet'));
  await until(async () => (await shown())?.private === true && (await shown())?.username === undefined, 'it is private');
  const { src, file } = await keepFile(photos[1]?.at(-1)?.bytes ?? Buffer.of(), { dataDir, store });
  const post = { channelId: garden.bareId, id: postId + 1, date: 1_760_000_000, text: 'rehearsal', entities: [], reactions: [] };
  const media = [{ type: 'photo' as const, messageId: postId + 1, src, width: file.width ?? 1, height: file.height ?? 1 }];
  await store.putMessages([{ post, media, source: 'bot', seen: 1_760_000_000 }]);
  for (const channel of [cellar, town]) channel.post(telegram.make.text('Nothing to hide'));
  await until(async () => (await store.posts({ limit: 9 }, { privateChannels: 'all' })).length === 4, 'all is there');
  const picture = (await shown())?.picture?.src ?? '';
  const keys = [picture, src].map((path) => path.replace('/media/', ''));
  const hashes = keys.map((key) => key.split('.')[0] ?? '');
  const secrets = [
    'xylophone',
    'rehearsal',
    'Gardenia',
    FORMER_NAME,
    'Whispering',
    '4245',
    `"channelId":"${garden.bareId}","count"`,
  ];
  return { ...site, garden, postId, keys, secrets: [...secrets, ...hashes] };
};

const whole = (answer: { statusCode: number; headers: object; body: string }) =>
  `${answer.statusCode} ${JSON.stringify(answer.headers)} ${answer.body}`;

type Headers = Readonly<Record<string, string>>;

/** Asks everything about a channel as somebody, or with these headers; gives what was asked and answered. */
const askAll = async (site: Garden, who: number | null | Headers, name: string, key: string) => {
  const told: { asked: InjectOptions; answer: string; status: number; cached: unknown }[] = [];
  for (const asked of Object.values(ASKED).flatMap((ask) => ask(name, site.postId, key))) {
    // Signing in each time: some of what is asked ends the session.
    const headers = typeof who === 'number' ? await site.signIn(who) : (who ?? {});
    const answer = await site.app.inject({ ...asked, headers });
    told.push({ asked, answer: whole(answer), status: answer.statusCode, cached: answer.headers['cache-control'] });
  }
  return told;
};

const CLUB = 'https://club.example';

/** Grants of a site that may show the garden, good and bad. */
const makeGrants = async (site: Garden) => {
  const headers = await site.signIn(site.telegram.operator.id);
  const cellar = [...site.telegram.channels.values()].find(({ title }) => title === 'Cellar');
  const keyOf = async (channel: string): Promise<MadeSiteKey> => {
    const payload = { origin: CLUB, channels: [channel] };
    return (await site.app.inject({ method: 'POST', url: '/api/operator/site-keys', headers, payload })).json();
  };
  const revoke = ({ id }: MadeSiteKey) =>
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
    'of a key that is none': from(signGrant({ ...garden, id: 'AAAAAAAAAAAAAAAA' }, { now: seconds })),
    'signed with another secret': from(signGrant({ ...garden, secret: other.secret }, { now: seconds })),
    'for another channel': from(signGrant(other, { now: seconds })),
    'that is over': from(signGrant(garden, { now: seconds - 3600, life: 3599 })),
    'without a signature': from(signGrant(garden, { now: seconds, alg: 'none' })),
    'tampered with': from(`${head}.${longer}.${signature}`),
    'of a key that was revoked': from(signGrant(former, { now: seconds })),
    'for another origin': from(good, 'https://thief.example'),
  };
  return { garden, other, good: from(good), bad, revoke, secrets: [garden.secret, other.secret, former.secret] };
};

describe('A private channel that a bot follows', () => {
  it('has every route of the app asked about it', async (t) => {
    const site = await makeBotSite(t, {}, false);
    await site.app.ready();
    assert.deepEqual(new Set([...routesOf(site), 'GET /*']), new Set(Object.keys(ASKED)));
  });

  it('is not to be found by strangers, by anyone anonymous, or by members of another, whatever they ask', async (t) => {
    const site = await makeGarden(t);
    for (const who of [null, STRANGER, MEMBER_ELSEWHERE])
      for (const name of [site.garden.bareId, FORMER_NAME])
        for (const key of site.keys) {
          const nowhere = await askAll(site, who, NOWHERE, 'a'.repeat(64));
          const about = await askAll(site, who, name, key);
          for (const [at, { asked, answer, status }] of about.entries()) {
            const said = JSON.stringify(asked);
            for (const secret of site.secrets.filter((one) => one !== name && !said.includes(one)))
              assert.ok(!answer.includes(secret), `${who} asked ${said} and was told ${secret}: ${answer}`);
            assert.equal(status, nowhere[at]?.status, `${who} can tell by ${said} that it is there`);
          }
        }
  });

  it('is there for its members and for operators, in answers that no cache keeps', async (t) => {
    const site = await makeGarden(t);
    for (const who of [MEMBER, site.telegram.operator.id]) {
      const told = (await askAll(site, who, site.garden.bareId, site.keys[0] ?? '')).map(({ answer }) => answer).join('\n');
      assert.ok(!told.includes(site.telegram.token.split(':')[1] ?? ''), 'the token is told');
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

  it('is as if it were not there for whoever brings no good grant for it, whatever they ask', async (t) => {
    const site = await makeGarden(t);
    const { bad, secrets } = await makeGrants(site);
    for (const [what, headers] of Object.entries(bad)) {
      const nowhere = await askAll(site, headers, NOWHERE, 'a'.repeat(64));
      const about = await askAll(site, headers, site.garden.bareId, site.keys[0] ?? '');
      for (const [at, { asked, answer, status }] of about.entries()) {
        const said = JSON.stringify(asked);
        for (const secret of [...secrets, ...site.secrets.filter((one) => !said.includes(one))])
          assert.ok(!answer.includes(secret), `a grant ${what} asked ${said} and was told ${secret}: ${answer}`);
        assert.equal(status, nowhere[at]?.status, `with a grant ${what} ${said} tells that it is there`);
      }
      const { statusCode, headers: told, body } = await site.app.inject({ url: `/api/channels/${site.garden.bareId}`, headers });
      assert.equal(told['cache-control'], 'no-store');
      if (what !== 'for another channel') {
        assert.match(String(told['content-type']), /^application\/problem\+json/, what);
        assert.ok([401, 403].includes(statusCode), `${what}: ${statusCode} ${body}`);
        assert.equal(told['access-control-allow-origin'], '*', 'its tag can tell why');
      }
    }
  });

  it('is read through a good grant, which writes nothing and opens no other, in answers that no cache keeps', async (t) => {
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
        assert.ok(isTown || !answer.includes(secret), `${JSON.stringify(asked)} told ${secret}`);
      }
    }
    const all = told.map(({ answer }) => answer).join('\n');
    for (const secret of site.secrets.filter((one) => one !== FORMER_NAME)) assert.ok(all.includes(secret), secret);
    const answer = await site.app.inject({ url: `/api/channels/${site.garden.bareId}`, headers: good });
    assert.deepEqual([answer.statusCode, answer.headers.etag], [200, undefined]);
    assert.equal((await site.app.inject({ url: answer.json().picture.src })).statusCode, 200);
    assert.ok(site.lines.every((line) => ![...secrets, good['access-token'] ?? ''].some((secret) => line.includes(secret))));
  });

  it('is told of live through a good grant until its key is revoked', async (t) => {
    const site = await makeGarden(t);
    const { good, garden, revoke } = await makeGrants(site);
    const origin = await listenOn(site);
    const reader = await listenNow(t, origin, '', good);
    site.garden.post(site.telegram.make.text('Another xylophone'));
    await until(async () => reader.text().includes('Another xylophone'), 'it is heard');
    const cellar = [...site.telegram.channels.values()].find(({ title }) => title === 'Cellar');
    await revoke(garden);
    site.garden.post(site.telegram.make.text('Behind closed doors'));
    cellar?.post(site.telegram.make.text('Deep below'));
    await until(
      async () => (await site.store.posts({ limit: 1, match: 'below' }, { privateChannels: 'all' })).length === 1,
      'it came',
    );
    await until(async () => reader.isOver(), 'the stream is over');
    for (const secret of ['Behind closed doors', 'Deep below', cellar?.bareId ?? 'Cellar'])
      assert.ok(!reader.text().includes(secret));
  });

  it('is told of live to those who may read it, and to nobody else', async (t) => {
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
    await until(async () => readers.every((reader) => reader.text().includes('The end')), 'all have heard the end');
    await until(async () => readers.slice(3).every((reader) => reader.text().includes('Gardenia Square')), 'members heard all');
    for (const reader of readers.slice(0, 3))
      for (const secret of [...site.secrets, site.garden.bareId]) assert.ok(!reader.text().includes(secret), secret);
  });

  it('is closed to a member who leaves as soon as the bot is told, and asked of Telegram once in five minutes', async (t) => {
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
    await until(async () => (await status()) === 404, 'it is closed');
    site.garden.join(user);
    await until(async () => (await status()) === 200, 'it is open again');
  });

  it('is closed to everyone of whom Telegram says nothing in two seconds', async (t) => {
    const site = await makeGarden(t);
    const headers = await site.signIn(MEMBER);
    site.telegram.fail('getChatMember', { slow: 10_000 }, 20);
    const from = Date.now();
    const answer = await site.app.inject({ url: `/api/channels/${site.garden.bareId}`, headers });
    assert.equal(answer.statusCode, 404);
    assert.ok(Date.now() - from < 10_000);
  });
});
