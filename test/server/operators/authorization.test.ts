// Access to the API of operators: the status of every route for every kind of caller.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AuditPage, GapPage } from '../../../contract/operator.ts';
import { message, signIn, withChannels } from '../support/make-app.ts';

const SITE_KEY = { origin: 'https://club.example', channels: ['1'] };
const BRAND = { name: 'City Channels', color: '#112233' };

type Statuses = readonly [anonymous: number, reader: number, ofOther: number, ofThis: number, operator: number];

/** Channel 1 is the one in the requests. */
const OF_CHANNEL: Statuses = [401, 403, 403, 200, 200];
const OF_ANY: Statuses = [401, 403, 200, 200, 200];
const OF_SITE: Statuses = [401, 403, 403, 403, 200];
/**
 * Replaces the status of callers with access. Some requests fail because something does not exist: a bot, a pending
 * disconnection, or a channel that waits for acceptance.
 */
const denied = (statuses: Statuses, status: number) => statuses.map((each) => (each === 200 ? status : each));

const disconnect = '/api/operator/channels/1/disconnect';

/** Every route of the API of operators, with its response to each of five callers. */
const ROUTES: readonly {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  url: string;
  statuses: readonly number[];
  payload?: object;
}[] = [
  { method: 'GET', url: '/api/operator/channels', statuses: [401, 200, 200, 200, 200] },
  { method: 'POST', url: '/api/operator/connect', statuses: [401, 503, 503, 503, 503] },
  { method: 'POST', url: disconnect, statuses: denied(OF_CHANNEL, 204), payload: { keep: true } },
  { method: 'POST', url: '/api/operator/channels/1/reconnect', statuses: denied(OF_CHANNEL, 409) },
  { method: 'POST', url: '/api/operator/channels/1/recheck', statuses: denied(OF_CHANNEL, 409) },
  { method: 'POST', url: '/api/operator/channels/1/accept', statuses: denied(OF_SITE, 409) },
  { method: 'POST', url: '/api/operator/channels/1/decline', statuses: denied(OF_SITE, 409) },
  { method: 'POST', url: '/api/operator/feeds', statuses: denied(OF_SITE, 422), payload: { url: 'http://127.0.0.1/' } },
  { method: 'GET', url: '/api/operator/hidden', statuses: OF_ANY },
  { method: 'GET', url: '/api/operator/hidden?channel=1', statuses: OF_CHANNEL },
  { method: 'PUT', url: '/api/operator/hidden/1/5', statuses: denied(OF_CHANNEL, 204) },
  { method: 'DELETE', url: '/api/operator/hidden/1/5', statuses: denied(OF_CHANNEL, 204) },
  { method: 'GET', url: '/api/operator/gaps', statuses: OF_ANY },
  { method: 'GET', url: '/api/operator/gaps?channel=1', statuses: OF_CHANNEL },
  { method: 'GET', url: '/api/operator/audit', statuses: OF_ANY },
  { method: 'GET', url: '/api/operator/audit?channel=1', statuses: OF_CHANNEL },
  { method: 'GET', url: '/api/operator/rights', statuses: [401, 200, 200, 200, 200] },
  { method: 'GET', url: '/api/operator/site-keys', statuses: OF_ANY },
  { method: 'GET', url: '/api/operator/site-keys?channel=1', statuses: OF_CHANNEL },
  // Channel 1 is public and needs no key. A caller who operates a channel gets the error that the key does not exist or is not
  // theirs.
  { method: 'POST', url: '/api/operator/site-keys', statuses: denied(OF_CHANNEL, 422), payload: SITE_KEY },
  { method: 'DELETE', url: '/api/operator/site-keys/none', statuses: [401, 403, 403, 403, 404] },
  { method: 'GET', url: '/api/operator/brand', statuses: OF_SITE },
  { method: 'PUT', url: '/api/operator/brand', statuses: OF_SITE, payload: BRAND },
  { method: 'DELETE', url: '/api/operator/brand', statuses: OF_SITE },
];

describe('the operators’ API', () => {
  for (const { method, url, statuses, ...body } of ROUTES)
    it(`allows the right roles: ${method} ${url}`, async (t) => {
      const requestStatus = async (id: number | null) => {
        const testApp = await withChannels(t, { OPERATOR_IDS: '7' });
        testApp.administered.set('2', ['2']);
        testApp.administered.set('3', ['1']);
        const headers = id === null ? {} : await signIn(testApp, id);
        const response = await testApp.app.inject({ method, url, headers, ...body });
        if (response.statusCode < 500) assert.equal(response.headers['cache-control'], 'no-store');
        return response.statusCode;
      };
      const receivedStatuses: number[] = [];
      for (const id of [null, 1, 2, 3, 7]) receivedStatuses.push(await requestStatus(id));
      assert.deepEqual(receivedStatuses, statuses);
    });

  it('has every route in the table above', async (t) => {
    const { app } = await withChannels(t);
    const { paths } = (await app.inject('/api/docs/json')).json();
    const known = new Set(
      ROUTES.map(
        ({ method, url }) =>
          `${method} ${url.replace(/\?.*/, '').replace('/hidden/1/5', '/hidden/{channel}/{post}').replace('channels/1', 'channels/{id}').replace('keys/none', 'keys/{id}')}`,
      ),
    );
    const documented = Object.entries<object>(paths)
      .filter(([path]) => path.startsWith('/api/operator'))
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`));
    assert.deepEqual(documented.sort(), [...known].sort());
  });

  it('does not disclose to an administrator whether other channels exist', async (t) => {
    const testApp = await withChannels(t, { OPERATOR_IDS: '7' });
    testApp.administered.set('2', ['1']);
    const [operator, administrator] = [await signIn(testApp, 7), await signIn(testApp, 2)];
    for (const channel of ['1', '2', '9']) {
      await testApp.store.putMessages([message(channel, 100, 'After a gap')]);
      await testApp.app.inject({ method: 'PUT', url: `/api/operator/hidden/${channel}/1`, headers: operator });
    }
    await testApp.app.inject({ method: 'PUT', url: '/api/operator/brand', headers: operator, payload: BRAND });
    const getJson = async (url: string) => (await testApp.app.inject({ url, headers: administrator })).json();
    const [hidden, gaps, audit] = [
      await getJson('/api/operator/hidden'),
      await getJson('/api/operator/gaps'),
      await getJson('/api/operator/audit'),
    ];
    assert.deepEqual(
      hidden.items.map((item: { channel: { id: string } }) => item.channel.id),
      ['1'],
    );
    assert.deepEqual(gaps.items, [{ channelId: '1', messageId: 100, missing: 49 }] satisfies GapPage['items']);
    assert.deepEqual(
      audit.items.map((event: AuditPage['items'][number]) => [event.act, event.channelId]),
      [['hide', '1']],
    );
    const errors = ['secret', 'nobody'].map(async (name) => (await getJson(`/api/operator/gaps?channel=${name}`)).detail);
    assert.equal(new Set(await Promise.all(errors)).size, 1);
  });

  it('pages through the audit log', async (t) => {
    const testApp = await withChannels(t, { OPERATOR_IDS: '7' });
    const headers = await signIn(testApp, 7);
    for (const id of [1, 2, 3]) await testApp.app.inject({ method: 'PUT', url: `/api/operator/hidden/1/${id}`, headers });
    const page = async (query: string): Promise<AuditPage> =>
      (await testApp.app.inject({ url: `/api/operator/audit?limit=2${query}`, headers })).json();
    const first = await page('');
    assert.deepEqual(
      first.items.map((event) => [event.act, event.detail, event.actor.name, event.channelTitle]),
      [
        ['hide', '3', 'Reader 7', 'Channel 1'],
        ['hide', '2', 'Reader 7', 'Channel 1'],
      ],
    );
    const second = await page(`&before=${first.next}`);
    assert.deepEqual([second.items.map((event) => event.detail), second.next], [['1'], null]);
  });
});
