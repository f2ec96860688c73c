// Authorization matrix: the status of every route for every kind of caller.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { InjectOptions } from 'fastify';
import { openSqliteDatabase } from '../../server/storage/sqlite/connection.ts';
import { startListening } from './events/event-stream-client.ts';
import {
  MEMBER,
  makePrivateChannelSite,
  NON_MEMBER,
  type PrivateChannelSite,
  REQUESTS_BY_ROUTE,
} from './support/private-channel.ts';

const ELSEWHERE = 504;
const ADMINISTRATOR = 505;

/** The callers. Each has its own site and sends requests about the private channel of that site. `ended` has signed out. */
const ACTORS = ['anonymous', 'ended', 'reader', 'member', 'elsewhere', 'administrator', 'operator'] as const;
type Actor = (typeof ACTORS)[number];

const IDS: Readonly<Partial<Record<Actor, number>>> = {
  ended: NON_MEMBER,
  reader: NON_MEMBER,
  member: MEMBER,
  elsewhere: ELSEWHERE,
  administrator: ADMINISTRATOR,
};

/**
 * The expected responses: a route, then its status for each of ACTORS. The table contains every route of the app, because
 * private-channels.test.ts checks that ASKED is complete.
 */
const TABLE = `
GET /api/docs                                    200 200 200 200 200 200 200
GET /api/docs/static/index.html                  302 302 302 302 302 302 302
GET /api/docs/static/swagger-initializer.js      200 200 200 200 200 200 200
GET /api/docs/*                                  404 404 404 404 404 404 404
GET /api/docs/json                               200 200 200 200 200 200 200
GET /api/docs/yaml                               200 200 200 200 200 200 200
DELETE /api/demo                                 401 401 403 403 403 403 204
POST /api/telegram/auth/webapp                   401 401 401 401 401 401 401
POST /api/telegram/webhook                       401 401 401 401 401 401 401
DELETE /api/session                              401 401 204 204 204 204 204
GET /api/me/sessions                             401 401 200 200 200 200 200
DELETE /api/me/sessions                          401 401 204 204 204 204 204
DELETE /api/me/sessions/:id                      401 401 404 404 404 404 404
GET /api/search                                  200 401 200 200 200 200 200
PUT /api/stars/:channel/:id                      401 401 404 204 404 204 204
PUT /api/kept-unread/:channel/:id                401 401 404 204 404 204 204
DELETE /api/kept-unread/:channel/:id             401 401 204 204 204 204 204
GET /api/notifications/key                       200 401 200 200 200 200 200
GET /api/notifications                           200 401 200 200 200 200 200
POST /api/notifications/test                     409 401 409 409 409 409 409
PUT /api/notifications/device                    400 401 400 400 400 400 400
DELETE /api/notifications/devices/:id            404 401 404 404 404 404 404
PUT /api/notifications/bot-access                401 401 204 204 204 204 204
PUT /api/notifications/settings                  409 401 200 200 200 200 200
PUT /api/notifications/channels/:channelId       409 401 404 200 404 200 200
DELETE /api/notifications                        204 401 204 204 204 204 204
POST /api/me/merge                               401 401 204 204 204 204 204
GET /api/stars                                   200 401 200 200 200 200 200
DELETE /api/stars/:channel/:id                   401 401 204 204 204 204 204
GET /api/marks                                   200 401 200 200 200 200 200
GET /api/unread                                  200 401 200 200 200 200 200
PUT /api/lineup                                  401 401 200 200 200 200 200
GET /api/lineup                                  200 401 200 200 200 200 200
GET /api/channels                                200 401 200 200 200 200 200
GET /api/channels/:id                            404 401 404 200 404 200 200
GET /api/channels/:id/posts                      404 401 404 200 404 200 200
PUT /api/channels/:id/read                       401 401 404 200 404 200 200
GET /api/posts/:channel/:id                      404 401 404 200 404 200 200
GET /api/feed                                    200 401 200 200 200 200 200
POST /api/feeds                                  422 401 422 200 422 200 200
GET /api/events                                  404 401 404 200 404 200 200
GET /api/operator/hidden                         401 401 403 403 200 200 200
PUT /api/operator/hidden/:channel/:post          401 401 403 403 403 204 204
DELETE /api/operator/hidden/:channel/:post       401 401 403 403 403 204 204
GET /api/operator/gaps                           401 401 403 403 200 200 200
GET /api/operator/rights                         401 401 200 200 200 200 200
GET /api/operator/audit                          401 401 403 403 200 200 200
GET /api/operator/brand                          401 401 403 403 403 403 200
PUT /api/operator/brand                          401 401 403 403 403 403 200
DELETE /api/operator/brand                       401 401 403 403 403 403 200
POST /api/operator/feeds                         401 401 403 403 403 403 422
POST /api/operator/connect                       401 401 200 200 200 200 200
GET /api/operator/site-keys                      401 401 403 403 200 200 200
POST /api/operator/site-keys                     401 401 403 403 403 200 200
DELETE /api/operator/site-keys/:id               401 401 403 403 403 403 404
GET /api/operator/channels                       401 401 200 200 200 200 200
POST /api/operator/channels/:id/disconnect       401 401 403 403 403 204 204
POST /api/operator/channels/:id/reconnect        401 401 403 403 403 204 204
POST /api/operator/channels/:id/recheck          401 401 403 403 403 202 202
POST /api/operator/channels/:id/accept           401 401 403 403 403 403 409
POST /api/operator/channels/:id/decline          401 401 403 403 403 403 409
GET /api/version                                 200 401 200 200 200 200 200
GET /healthz                                     200 401 200 200 200 200 200
GET /media/:key                                  404 404 404 404 404 404 404
GET /elements                                    404 404 404 404 404 404 404
GET /elements/drawn/:tag                         204 204 204 204 204 204 204
GET /elements/versions.json                      200 200 200 200 200 200 200
GET /elements/v/:version/:file                   404 404 404 404 404 404 404
GET /feeds/:file                                 404 404 404 404 404 404 404
GET /feeds/line-up.rss                           200 200 200 200 200 200 200
GET /feeds/line-up.atom                          200 200 200 200 200 200 200
GET /feeds/line-up.json                          200 200 200 200 200 200 200
GET /feeds/search.rss                            200 200 200 200 200 200 200
GET /feeds/search.atom                           200 200 200 200 200 200 200
GET /feeds/search.json                           200 200 200 200 200 200 200
GET /feeds/network.opml                          200 200 200 200 200 200 200
GET /oembed                                      404 404 404 404 404 404 404
GET /robots.txt                                  200 200 200 200 200 200 200
GET /sitemap.xml                                 200 200 200 200 200 200 200
GET /sitemap/:part                               200 200 200 200 200 200 200
GET /*                                           200 200 200 200 200 200 200
DELETE /api/me                                   401 401 204 204 204 204 204
GET /api/me                                      200 401 200 200 200 200 200
GET /metrics                                     404 404 404 404 404 404 404
GET /privacy                                     200 200 200 200 200 200 200
GET /.well-known/security.txt                    404 404 404 404 404 404 404
GET /api/me/data                                 401 401 200 200 200 200 200
`;

const about = (path: string, method: 'PUT' | 'DELETE' | 'POST', payload?: object) => (site: PrivateChannelSite) => ({
  url: `/api/operator/${path.replace(':id', site.privateChannel.bareId).replace(':post', String(site.postId))}`,
  method,
  ...(payload && { payload }),
});

/** Requests that change something. The requests of ASKED for the same routes are written so that they change nothing. */
const CHANGING_REQUESTS: Readonly<Record<string, (garden: PrivateChannelSite) => InjectOptions>> = {
  'PUT /api/operator/hidden/:channel/:post': about('hidden/:id/:post', 'PUT'),
  'DELETE /api/operator/hidden/:channel/:post': about('hidden/:id/:post', 'DELETE'),
  'PUT /api/operator/brand': about('brand', 'PUT', { name: 'Herald', color: '#3a5bd9' }),
  'POST /api/operator/channels/:id/disconnect': about('channels/:id/disconnect', 'POST', { keep: true }),
};

/** Actions of operators on channels or on the site. The start of a connection changes nothing yet. */
const IS_AUDITED = /^((PUT|POST|DELETE) \/api\/operator\/(?!connect$)|DELETE \/api\/demo$)/;

/** Returns everything that the store contains, except sessions and cached responses of Telegram. */
const contents = async ({ dataDir }: PrivateChannelSite): Promise<ReadonlyMap<string, string>> => {
  const database = await openSqliteDatabase(join(dataDir, 'changer.sqlite'));
  const tables = database.sql("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  const names = tables
    .map(({ name }) => String(name))
    .filter((name) => !/^(sqlite_|words|sessions$|readers$|members$)/.test(name));
  const all = names.map((name): [string, string] => [name, JSON.stringify(database.sql(`SELECT * FROM ${name}`).all())]);
  database.close();
  return new Map(all);
};

const headersOf = async (site: PrivateChannelSite, actor: Actor): Promise<Record<string, string>> => {
  if (actor === 'anonymous') return {};
  const headers = await site.signIn(IDS[actor] ?? site.telegram.operator.id);
  if (actor === 'ended') await site.app.inject({ method: 'DELETE', url: '/api/session', headers });
  return headers;
};

/** Sends a request to every route as an actor. Returns the status of each. */
async function statusesAs(t: TestContext, actor: Actor): Promise<Map<string, number>> {
  const site = await makePrivateChannelSite(t);
  const cellar = [...site.telegram.channels.values()].find(({ title }) => title === 'Cellar');
  cellar?.join(site.telegram.user(ELSEWHERE, 'Elsewhere'));
  site.privateChannel.join(site.telegram.user(ADMINISTRATOR, 'Administrator'));
  site.administered.set(String(ELSEWHERE), [cellar?.bareId ?? '']).set(String(ADMINISTRATOR), [site.privateChannel.bareId]);
  // The bot changes data by itself, and the test would take that for an effect of a rejected request.
  await site.context.bot?.stop();
  const origin = await startListening(site);
  const statuses = new Map<string, number>();
  for (const [route, requestsOf] of Object.entries(REQUESTS_BY_ROUTE)) {
    const headers = await headersOf(site, actor);
    const before = await contents(site);
    const [plain] = requestsOf(site.privateChannel.bareId, site.postId, site.keys[1] ?? '');
    const request = CHANGING_REQUESTS[route]?.(site) ?? plain;
    const status =
      request === undefined
        ? await statusOf(`${origin}/api/events?channels=${site.privateChannel.bareId}`, headers)
        : (await site.app.inject({ ...request, headers: { ...request.headers, ...headers } })).statusCode;
    statuses.set(route, status);
    const after = await contents(site);
    const changed = [...after.keys()].filter((table) => after.get(table) !== before.get(table));
    if (status < 300 && IS_AUDITED.test(route)) assert.ok(changed.includes('acts'), `${route} by ${actor} is in no audit log`);
    if (status >= 400) assert.deepEqual(changed, [], `${route} was refused to ${actor}, and did something`);
  }
  return statuses;
}

/** An event stream does not end, so the test reads only the head of the response. */
const statusOf = async (url: string, headers: Record<string, string>): Promise<number> => {
  const stop = new AbortController();
  const { status } = await fetch(url, { headers, signal: stop.signal });
  stop.abort();
  return status;
};

describe('the permissions of each kind of caller', () => {
  it('match the table for every route, and the audit log records each action of an operator', async (t) => {
    const statuses = new Map<Actor, Map<string, number>>();
    for (const actor of ACTORS) statuses.set(actor, await statusesAs(t, actor));
    const lines = Object.keys(REQUESTS_BY_ROUTE).map(
      (route) => `${route.padEnd(48)} ${ACTORS.map((actor) => statuses.get(actor)?.get(route)).join(' ')}`,
    );
    for (const line of lines) t.diagnostic(line);
    assert.deepEqual(lines, TABLE.trim().split('\n'));
  });
});
