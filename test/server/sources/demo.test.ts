import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'node:test';
import { createCommandAuditEntry } from '../../../server/observability/audit-log.ts';
import { removeDemo, seedDemo } from '../../../server/sources/demo.ts';
import { channel, fill, makeApp } from '../support/make-app.ts';

const folder = path.resolve(import.meta.dirname, '../../../demo');

describe('the demo network', () => {
  it('is created once in an empty store: channels with names, pictures and posts, all marked as demo', async (t) => {
    const testApp = await makeApp(t);
    assert.ok((await seedDemo(testApp.store, testApp.mediaStore, folder)) >= 5);
    const { items } = (await testApp.app.inject('/api/channels')).json();
    for (const each of items) {
      assert.equal(each.demo, true);
      assert.ok(each.username && each.about && each.latest, each.title);
      assert.equal((await testApp.app.inject(each.picture.src)).statusCode, 200);
    }
    const feed = (await testApp.app.inject('/api/feed?limit=100')).json();
    assert.equal(feed.items.length, 100);
    assert.equal(await seedDemo(testApp.store, testApp.mediaStore, folder), 0);
  });

  it('is not created in a store with data', async (t) => {
    const testApp = await makeApp(t);
    await fill(testApp.store, channel('1'), 1);
    assert.equal(await seedDemo(testApp.store, testApp.mediaStore, folder), 0);
  });

  it('is completed after a start that was interrupted', async (t) => {
    const testApp = await makeApp(t);
    await testApp.store.putSetting('demo', 'making');
    await fill(testApp.store, channel('1', { demo: true }), 1);
    assert.ok((await seedDemo(testApp.store, testApp.mediaStore, folder)) >= 5);
  });

  it('is not created again after it was removed', async (t) => {
    const testApp = await makeApp(t);
    const count = await seedDemo(testApp.store, testApp.mediaStore, folder);
    assert.equal(await removeDemo(testApp.store, createCommandAuditEntry('remove-demo')), count);
    assert.deepEqual((await testApp.app.inject('/api/feed')).json().items, []);
    assert.equal(await seedDemo(testApp.store, testApp.mediaStore, folder), 0);
  });
});
