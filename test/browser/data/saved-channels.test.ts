// Channels saved for offline reading.

import { expect } from '@open-wc/testing';
import type { Post } from '../../../contract/post.ts';
import { ApiError } from '../../../src/api/api-error.ts';
import { type SavedChannel, savedChannelsOf } from '../../../src/data/background/saved-channels.ts';
import type { DataClientControl } from '../../../src/data/clients/account-client.ts';
import { evict } from '../../../src/data/offline/eviction.ts';
import { closeDataClients, eventually, openDataClient, waitForValue } from './data-client-fixture.ts';
import { FakeServer, makeAccount, makeChannel, makePost } from './fake-server.ts';
import { lockDevice } from './own-device.ts';

const photo = (id: number): Post['media'] => [
  { type: 'photo', messageId: id, src: `/media/${String(id).padStart(64, '0')}.jpg`, width: 320, height: 200 },
];
const posts = (channelId: string, count: number): Post[] =>
  Array.from({ length: count }, (_, at) => makePost(channelId, at + 1, at % 100 === 0 ? { media: photo(at + 1) } : {}));

/** Prefix of the requests for pages after the first. */
const OLDER = 'GET /api/channels/1/posts?limit=100&before=';

lockDevice();

describe('a channel that is saved for offline reading', () => {
  const { fetch } = window;
  const { estimate, persist } = navigator.storage;
  let server: FakeServer;
  let requestedCount: number;

  beforeEach(() => {
    server = new FakeServer();
    server.channels = [makeChannel('1', { latest: { id: 730, date: 1 } }), makeChannel('9', { private: true })];
    server.posts = [...posts('1', 730), ...posts('9', 3)];
    requestedCount = 0;
    navigator.storage.persist = async () => ++requestedCount > 0;
    navigator.storage.estimate = async () => ({ usage: 1, quota: 100 });
    window.fetch = async () => new Response(new Uint8Array(50), { headers: { 'content-type': 'image/jpeg' } });
  });
  afterEach(async () => {
    window.fetch = fetch;
    Object.assign(navigator.storage, { persist, estimate });
    await closeDataClients();
  });

  const waitForSave = (
    dataClient: DataClientControl,
    id: string,
    condition: (save: SavedChannel) => boolean,
  ): Promise<SavedChannel | undefined> => {
    const saves = savedChannelsOf(dataClient.context);
    return waitForValue(
      saves,
      (saved) => saved?.has(id) === true && condition(saved.get(id) as SavedChannel),
      `for the save of ${id}`,
    ).then((saved) => saved?.get(id));
  };
  const is = (state: SavedChannel['state']) => (save: SavedChannel) => save.state === state;
  const count = async (dataClient: DataClientControl, prefix: string): Promise<number> =>
    (await (await dataClient.context.offline.storage).public.keys(prefix)).length;

  const firstPage = (dataClient: DataClientControl) => waitForSave(dataClient, '1', ({ posts: postCount }) => postCount === 100);

  it('is stored completely with its pictures, is not evicted, and makes the browser persist storage', async () => {
    const dataClient = openDataClient(server);
    expect(requestedCount).to.equal(0);
    savedChannelsOf(dataClient.context).save(['1']);
    const save = await waitForSave(dataClient, '1', is('complete'));
    expect([requestedCount, save?.posts, save?.progress]).to.deep.equal([1, 730, 1]);
    expect(save?.bytes).to.be.greaterThan(8 * 50);
    await evict(await dataClient.context.offline.storage);
    expect([await count(dataClient, 'post/1/'), await count(dataClient, 'picture/1/')]).to.deep.equal([730, 8]);
  });

  it('is deleted except for its newest posts when the user releases it', async () => {
    const dataClient = openDataClient(server);
    const saves = savedChannelsOf(dataClient.context);
    saves.save(['1']);
    await waitForSave(dataClient, '1', is('complete'));
    await saves.release(['1']);
    expect(saves.get()?.size).to.equal(0);
    expect(await count(dataClient, 'post/1/')).to.equal(500);
  });

  it('stops on request, keeps the posts that arrived, and resumes from there', async () => {
    server.hold(OLDER);
    const dataClient = openDataClient(server);
    const saves = savedChannelsOf(dataClient.context);
    saves.save(['1']);
    await firstPage(dataClient);
    saves.stop(['1']);
    server.release();
    expect(saves.get()?.get('1')?.state).to.equal('stopped');
    const postCount = await count(dataClient, 'post/1/');
    expect(postCount).to.equal(100);
    await saves.resume();
    expect(saves.get()?.get('1')?.state).to.equal('stopped');
    saves.save(['1']);
    expect((await waitForSave(dataClient, '1', is('complete')))?.posts).to.equal(730);
    expect(await count(dataClient, 'post/1/')).to.equal(730);
  });

  it('waits when the network fails, and resumes by itself', async () => {
    server.hold(OLDER);
    const dataClient = openDataClient(server);
    const saves = savedChannelsOf(dataClient.context);
    saves.save(['1']);
    await firstPage(dataClient);
    server.reachability = 'down';
    server.release();
    await waitForSave(dataClient, '1', is('unreachable'));
    server.reachability = 'up';
    dataClient.directory.subscribe(() => {});
    await dataClient.refresh();
    expect((await waitForSave(dataClient, '1', is('complete')))?.posts).to.equal(730);
  });

  it('waits when the server fails or accepts no more requests', async () => {
    const { get } = server.client;
    const dataClient = openDataClient(server);
    const saves = savedChannelsOf(dataClient.context);
    for (const status of [429, 500, 503]) {
      server.client.get = () => Promise.reject(new ApiError('Busy.', status));
      saves.save(['1']);
      await waitForSave(dataClient, '1', is('saving'));
      await eventually(() => saves.get()?.get('1')?.state !== 'saving', 'the request fails');
      expect(saves.get()?.get('1')?.state).to.equal('unreachable');
    }
    server.client.get = get;
    await saves.resume();
    expect((await waitForSave(dataClient, '1', is('complete')))?.posts).to.equal(730);
  });

  it('waits when the network fails during the download of a picture', async () => {
    window.fetch = () => Promise.reject(new TypeError('Failed to fetch'));
    const dataClient = openDataClient(server);
    savedChannelsOf(dataClient.context).save(['1']);
    await waitForSave(dataClient, '1', is('unreachable'));
  });

  it('is rejected when a response of the server is invalid', async () => {
    const dataClient = openDataClient(server);
    server.client.get = async () => ({ items: 'none' });
    savedChannelsOf(dataClient.context).save(['1']);
    await eventually(() => savedChannelsOf(dataClient.context).get()?.get('1')?.state === 'rejected', 'the save is rejected');
  });

  it('reports a full device, and loses nothing', async () => {
    server.hold(OLDER);
    const dataClient = openDataClient(server);
    savedChannelsOf(dataClient.context).save(['1']);
    await firstPage(dataClient);
    navigator.storage.estimate = async () => ({ usage: 90, quota: 100 });
    server.release();
    const save = await waitForSave(dataClient, '1', is('full'));
    await evict(await dataClient.context.offline.storage);
    expect(await count(dataClient, 'post/1/')).to.equal(save?.posts);
  });

  it('adds the new posts on the next visit', async () => {
    const dataClient = openDataClient(server);
    const saves = savedChannelsOf(dataClient.context);
    saves.save(['1']);
    await waitForSave(dataClient, '1', is('complete'));
    server.posts.push(makePost('1', 731), makePost('1', 732));
    await saves.resume();
    await waitForSave(dataClient, '1', ({ posts: postCount, state }) => postCount === 732 && state === 'complete');
    expect(await count(dataClient, 'post/1/')).to.equal(732);
  });

  it('starts again when its stored posts were deleted', async () => {
    const dataClient = openDataClient(server);
    const saves = savedChannelsOf(dataClient.context);
    saves.save(['1']);
    await waitForSave(dataClient, '1', is('complete'));
    await (await dataClient.context.offline.storage).public.deletePrefix('post/');
    await saves.resume();
    await waitForSave(dataClient, '1', is('saving'));
    await waitForSave(dataClient, '1', is('complete'));
    expect(await count(dataClient, 'post/1/')).to.equal(730);
  });

  it('is saved after the previous channel, and in the database of the user if it is private', async () => {
    const dataClient = openDataClient(server, makeAccount('1'));
    savedChannelsOf(dataClient.context).save(['1', '9']);
    await waitForSave(dataClient, '9', is('complete'));
    expect(savedChannelsOf(dataClient.context).get()?.get('1')?.state).to.equal('complete');
    const { reader, public: publicStore } = await dataClient.context.offline.storage;
    expect(await reader.keys('picture/9/')).to.have.length(1);
    expect([
      ...(await publicStore.keys('post/9/')),
      ...(await publicStore.keys('picture/9/')),
      ...(await publicStore.keys('saved/')),
    ]).to.deep.equal([]);
  });

  it('is rejected when the channel no longer exists', async () => {
    const dataClient = openDataClient(server);
    server.channels = [];
    savedChannelsOf(dataClient.context).save(['1']);
    await eventually(() => savedChannelsOf(dataClient.context).get()?.get('1')?.state === 'rejected', 'the save is refused');
  });
});
