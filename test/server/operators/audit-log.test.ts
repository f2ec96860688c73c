// Audit log: the recorded actions of operators.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { FULL_ACCESS } from '../../../server/domain/model.ts';
import { DATABASE_FILE, openStore } from '../../../server/storage/open.ts';
import { openSqliteDatabase } from '../../../server/storage/sqlite/connection.ts';
import { makeFolder, signIn, withChannels } from '../support/make-app.ts';

async function makeStore(t: Parameters<typeof makeFolder>[0]) {
  const store = await openStore({ dataDir: makeFolder(t) });
  t.after(() => store.close());
  await store.putReader({ id: '7', name: 'Ines Prado' });
  return store;
}

describe('the audit log', () => {
  it('lists events newest first, page by page, with the names of the operators', async (t) => {
    const store = await makeStore(t);
    for (const detail of ['1', '2', '3'])
      await store.appendAuditEntry({ at: 1000, actorId: '7', act: 'hide', channelId: 'a', channelTitle: 'A', detail });
    const first = await store.auditEntries({ limit: 2 });
    assert.deepEqual(
      first.map(({ detail, actor, channelTitle }) => [detail, actor.name, channelTitle]),
      [
        ['3', 'Ines Prado', 'A'],
        ['2', 'Ines Prado', 'A'],
      ],
    );
    const second = await store.auditEntries({ limit: 2, before: first[1]?.id ?? 0 });
    assert.deepEqual(
      second.map(({ detail }) => detail),
      ['1'],
    );
  });

  it('filters events by channel, which excludes events without a channel', async (t) => {
    const store = await makeStore(t);
    await store.appendAuditEntry({ at: 1000, actorId: '7', act: 'brand' });
    for (const channelId of ['a', 'b']) await store.appendAuditEntry({ at: 1000, actorId: '7', act: 'hide', channelId });
    const of = async (channelIds: string[]) =>
      (await store.auditEntries({ limit: 9, channelIds })).map((event) => event.channelId);
    assert.deepEqual([await of(['a']), await of([]), await of(['a', 'b'])], [['a'], [], ['b', 'a']]);
  });

  it('keeps the id of a deleted reader, and no name', async (t) => {
    const store = await makeStore(t);
    await store.appendAuditEntry({ at: 1000, actorId: '7', act: 'brand' });
    await store.deleteReader('7');
    assert.deepEqual(
      (await store.auditEntries({ limit: 9 })).map((event) => event.actor),
      [{ id: '7' }],
    );
  });

  it('stores an action and its event together, or neither', async (t) => {
    const testApp = await withChannels(t, { OPERATOR_IDS: '770077' });
    const headers = await signIn(testApp, 770_077);
    const database = await openSqliteDatabase(join(testApp.dataDir, DATABASE_FILE));
    t.after(() => database.close());
    database.exec("CREATE TRIGGER refuse BEFORE INSERT ON acts BEGIN SELECT RAISE(ABORT, 'refused'); END");
    const requests = [
      { method: 'POST', url: '/api/operator/channels/1/disconnect', payload: { keep: true } },
      { method: 'PUT', url: '/api/operator/hidden/1/1' },
      { method: 'PUT', url: '/api/operator/brand', payload: { name: 'Town', color: '#112233' } },
      { method: 'POST', url: '/api/operator/site-keys', payload: { channels: ['9'], origin: 'https://site.example' } },
    ] as const;
    const statuses = async () => {
      const found: number[] = [];
      for (const request of requests) found.push((await testApp.app.inject({ headers, ...request })).statusCode);
      return found;
    };
    const state = async () => [
      (await testApp.store.channel('1', FULL_ACCESS))?.state,
      (await testApp.store.hiddenPosts('1', 9)).length,
      testApp.context.brands.get().name,
      (await testApp.store.siteKeys()).length,
    ];
    const before = await state();
    for (const status of await statuses()) assert.ok(status >= 500, String(status));
    assert.deepEqual(await state(), before);
    assert.deepEqual(await testApp.store.auditEntries({ limit: 9 }), []);

    database.exec('DROP TRIGGER refuse');
    assert.deepEqual(await statuses(), [204, 204, 200, 200]);
    assert.notDeepEqual(await state(), before);
    assert.deepEqual(
      (await testApp.store.auditEntries({ limit: 9 })).map(({ act }) => act),
      ['site-key', 'brand', 'hide', 'disconnect'],
    );
  });
});
