import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openStore } from '../../server/store/open.ts';
import { makeFolder, signIn, withChannels } from './make-app.ts';

async function makeStore(t: Parameters<typeof makeFolder>[0]) {
  const store = await openStore({ dataDir: makeFolder(t) });
  t.after(() => store.close());
  await store.putReader({ id: '7', name: 'Ines Prado' });
  return store;
}

describe('The acts of operators', () => {
  it('are listed newest first, page by page, with the names of those who did them', async (t) => {
    const store = await makeStore(t);
    for (const detail of ['1', '2', '3'])
      await store.putAct({ at: 1000, actorId: '7', act: 'hide', channelId: 'a', channelTitle: 'A', detail });
    const first = await store.acts({ limit: 2 });
    assert.deepEqual(
      first.map(({ detail, actor, channelTitle }) => [detail, actor.name, channelTitle]),
      [
        ['3', 'Ines Prado', 'A'],
        ['2', 'Ines Prado', 'A'],
      ],
    );
    const second = await store.acts({ limit: 2, before: first[1]?.id ?? 0 });
    assert.deepEqual(
      second.map(({ detail }) => detail),
      ['1'],
    );
  });

  it('are narrowed to channels, and those on no channel are left out then', async (t) => {
    const store = await makeStore(t);
    await store.putAct({ at: 1000, actorId: '7', act: 'brand' });
    for (const channelId of ['a', 'b']) await store.putAct({ at: 1000, actorId: '7', act: 'hide', channelId });
    const of = async (channelIds: string[]) => (await store.acts({ limit: 9, channelIds })).map((act) => act.channelId);
    assert.deepEqual([await of(['a']), await of([]), await of(['a', 'b'])], [['a'], [], ['b', 'a']]);
  });

  it('keep the id of a reader who was erased, and no name', async (t) => {
    const store = await makeStore(t);
    await store.putAct({ at: 1000, actorId: '7', act: 'brand' });
    await store.dropReader('7');
    assert.deepEqual(
      (await store.acts({ limit: 9 })).map((act) => act.actor),
      [{ id: '7' }],
    );
  });

  it('are told to the log where they were done and cannot be written down, without who did them', async (t) => {
    const made = await withChannels(t, { OPERATOR_IDS: '770077' });
    const headers = await signIn(made, 770_077);
    Object.assign(made.store, {
      putAct: async () => {
        throw new Error('disk is full');
      },
    });
    const url = '/api/operator/channels/1/disconnect';
    const answer = await made.app.inject({ method: 'POST', url, headers, payload: { keep: true } });
    assert.equal(answer.statusCode, 204);
    const told = made.lines.filter((line) => line.includes('could not be written down'));
    assert.equal(told.length, 1);
    assert.match(told[0] ?? '', /disconnect.*channel 1\b/);
    assert.doesNotMatch(told[0] ?? '', /770077/);
  });
});
