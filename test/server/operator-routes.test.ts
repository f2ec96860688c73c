import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ActPage, GapPage } from '../../contract/operator.ts';
import { message, signIn, withChannels } from './make-app.ts';

const BRAND = { name: 'City Channels', color: '#112233' };

/** Every route of the operators' API; those on a channel are for its administrators too. */
const ROUTES = [
  { method: 'GET', url: '/api/operator/hidden', whose: 'channel' },
  { method: 'GET', url: '/api/operator/hidden?channel=1', whose: 'channel' },
  { method: 'PUT', url: '/api/operator/hidden/1/5', whose: 'channel' },
  { method: 'DELETE', url: '/api/operator/hidden/1/5', whose: 'channel' },
  { method: 'GET', url: '/api/operator/gaps', whose: 'channel' },
  { method: 'GET', url: '/api/operator/gaps?channel=1', whose: 'channel' },
  { method: 'GET', url: '/api/operator/audit', whose: 'channel' },
  { method: 'GET', url: '/api/operator/audit?channel=1', whose: 'channel' },
  { method: 'GET', url: '/api/operator/brand', whose: 'site' },
  { method: 'PUT', url: '/api/operator/brand', whose: 'site', payload: BRAND },
  { method: 'DELETE', url: '/api/operator/brand', whose: 'site' },
] as const;

/** Names one channel in its address or its query. */
const ofOne = (url: string) => /[/=]1(\/|$)/.test(url);

describe('The operators’ API', () => {
  for (const { method, url, whose, ...body } of ROUTES)
    it(`lets the right ones in: ${method} ${url}`, async (t) => {
      const made = await withChannels(t, { OPERATOR_IDS: '7' });
      made.administered.set('2', ['1']);
      made.administered.set('3', ['2']);
      const status = async (id: number | null) => {
        const headers = id === null ? {} : await signIn(made, id);
        const answer = await made.app.inject({ method, url, headers, ...body });
        if (answer.statusCode < 300) assert.equal(answer.headers['cache-control'], 'no-store');
        else assert.match(answer.json().detail, /Sign in|operator/);
        return answer.statusCode;
      };
      const own = method === 'PUT' || method === 'DELETE' ? (whose === 'site' ? 200 : 204) : 200;
      assert.equal(await status(null), 401, 'anonymous');
      assert.equal(await status(1), 403, 'a reader');
      assert.equal(await status(2), whose === 'site' ? 403 : own, 'the administrator of channel 1');
      assert.equal(await status(3), whose === 'site' || ofOne(url) ? 403 : own, 'the administrator of another channel');
      assert.equal(await status(7), own, 'an operator');
    });

  it('tells an administrator nothing of other channels, not even whether they are there', async (t) => {
    const made = await withChannels(t, { OPERATOR_IDS: '7' });
    made.administered.set('2', ['1']);
    const [operator, administrator] = [await signIn(made, 7), await signIn(made, 2)];
    for (const channel of ['1', '2', '9']) {
      await made.store.putMessages([message(channel, 100, 'After a gap')]);
      await made.app.inject({ method: 'PUT', url: `/api/operator/hidden/${channel}/1`, headers: operator });
    }
    await made.app.inject({ method: 'PUT', url: '/api/operator/brand', headers: operator, payload: BRAND });
    const told = async (url: string) => (await made.app.inject({ url, headers: administrator })).json();
    const [hidden, gaps, audit] = [
      await told('/api/operator/hidden'),
      await told('/api/operator/gaps'),
      await told('/api/operator/audit'),
    ];
    assert.deepEqual(
      hidden.items.map((item: { channel: { id: string } }) => item.channel.id),
      ['1'],
    );
    assert.deepEqual(gaps.items, [{ channelId: '1', messageId: 100, missing: 49 }] satisfies GapPage['items']);
    assert.deepEqual(
      audit.items.map((act: ActPage['items'][number]) => [act.act, act.channelId]),
      [['hide', '1']],
    );
    const refused = ['secret', 'nobody'].map(async (name) => (await told(`/api/operator/gaps?channel=${name}`)).detail);
    assert.equal(new Set(await Promise.all(refused)).size, 1);
  });

  it('pages through what was done', async (t) => {
    const made = await withChannels(t, { OPERATOR_IDS: '7' });
    const headers = await signIn(made, 7);
    for (const id of [1, 2, 3]) await made.app.inject({ method: 'PUT', url: `/api/operator/hidden/1/${id}`, headers });
    const page = async (query: string): Promise<ActPage> =>
      (await made.app.inject({ url: `/api/operator/audit?limit=2${query}`, headers })).json();
    const first = await page('');
    assert.deepEqual(
      first.items.map((act) => [act.act, act.detail, act.actor.name, act.channelTitle]),
      [
        ['hide', '3', 'Reader 7', 'Channel 1'],
        ['hide', '2', 'Reader 7', 'Channel 1'],
      ],
    );
    const second = await page(`&before=${first.next}`);
    assert.deepEqual([second.items.map((act) => act.detail), second.next], [['1'], null]);
  });
});
