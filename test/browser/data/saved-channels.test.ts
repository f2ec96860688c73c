// Channels saved for offline reading.

import { expect } from '@open-wc/testing';
import type { Post } from '../../../contract/post.ts';
import { type SavedChannel, savedChannelsOf } from '../../../src/data/background/saved-channels.ts';
import type { DataClientControl } from '../../../src/data/clients/account-client.ts';
import { evict } from '../../../src/data/offline/eviction.ts';
import { endAreas, eventually, openArea, until } from './data-client-fixture.ts';
import { FakeServer, makeAccount, makeChannel, makePost } from './fake-server.ts';
import { ownDevice } from './own-device.ts';

const photo = (id: number): Post['media'] => [
  { type: 'photo', messageId: id, src: `/media/${String(id).padStart(64, '0')}.jpg`, width: 320, height: 200 },
];
const posts = (channelId: string, count: number): Post[] =>
  Array.from({ length: count }, (_, at) => makePost(channelId, at + 1, at % 100 === 0 ? { media: photo(at + 1) } : {}));

/** Prefix of the requests for pages after the first. */
const OLDER = 'GET /api/channels/1/posts?limit=100&before=';

ownDevice();

describe('a channel that is saved for offline reading', () => {
  const { fetch } = window;
  const { estimate, persist } = navigator.storage;
  let server: FakeServer;
  let asked: number;

  beforeEach(() => {
    server = new FakeServer();
    server.channels = [makeChannel('1', { latest: { id: 730, date: 1 } }), makeChannel('9', { private: true })];
    server.posts = [...posts('1', 730), ...posts('9', 3)];
    asked = 0;
    navigator.storage.persist = async () => ++asked > 0;
    navigator.storage.estimate = async () => ({ usage: 1, quota: 100 });
    window.fetch = async () => new Response(new Uint8Array(50), { headers: { 'content-type': 'image/jpeg' } });
  });
  afterEach(async () => {
    window.fetch = fetch;
    Object.assign(navigator.storage, { persist, estimate });
    await endAreas();
  });

  const stands = (
    area: DataClientControl,
    id: string,
    wanted: (save: SavedChannel) => boolean,
  ): Promise<SavedChannel | undefined> => {
    const saves = savedChannelsOf(area.context);
    return until(saves, (all) => all?.has(id) === true && wanted(all.get(id) as SavedChannel), `for the save of ${id}`).then(
      (all) => all?.get(id),
    );
  };
  const is = (state: SavedChannel['state']) => (save: SavedChannel) => save.state === state;
  const count = async (area: DataClientControl, prefix: string): Promise<number> =>
    (await (await area.context.offline.storage).public.keys(prefix)).length;

  const firstPage = (area: DataClientControl) => stands(area, '1', ({ posts: came }) => came === 100);

  it('is stored completely with its pictures, is not evicted, and makes the browser persist storage', async () => {
    const area = openArea(server);
    expect(asked).to.equal(0);
    savedChannelsOf(area.context).save(['1']);
    const save = await stands(area, '1', is('complete'));
    expect([asked, save?.posts, save?.progress]).to.deep.equal([1, 730, 1]);
    expect(save?.bytes).to.be.greaterThan(8 * 50);
    await evict(await area.context.offline.storage);
    expect([await count(area, 'post/1/'), await count(area, 'picture/1/')]).to.deep.equal([730, 8]);
  });

  it('is deleted except for its newest posts when the user releases it', async () => {
    const area = openArea(server);
    const saves = savedChannelsOf(area.context);
    saves.save(['1']);
    await stands(area, '1', is('complete'));
    await saves.release(['1']);
    expect(saves.get()?.size).to.equal(0);
    expect(await count(area, 'post/1/')).to.equal(500);
  });

  it('stops on request, keeps the posts that arrived, and resumes from there', async () => {
    server.hold(OLDER);
    const area = openArea(server);
    const saves = savedChannelsOf(area.context);
    saves.save(['1']);
    await firstPage(area);
    saves.stop(['1']);
    server.release();
    expect(saves.get()?.get('1')?.state).to.equal('stopped');
    const came = await count(area, 'post/1/');
    expect(came).to.equal(100);
    await saves.resume();
    expect(saves.get()?.get('1')?.state).to.equal('stopped');
    saves.save(['1']);
    expect((await stands(area, '1', is('complete')))?.posts).to.equal(730);
    expect(await count(area, 'post/1/')).to.equal(730);
  });

  it('waits when the network fails, and resumes by itself', async () => {
    server.hold(OLDER);
    const area = openArea(server);
    const saves = savedChannelsOf(area.context);
    saves.save(['1']);
    await firstPage(area);
    server.reach = 'down';
    server.release();
    await stands(area, '1', is('unreachable'));
    server.reach = 'up';
    area.directory.subscribe(() => {});
    await area.refresh();
    expect((await stands(area, '1', is('complete')))?.posts).to.equal(730);
  });

  it('reports a full device, and loses nothing', async () => {
    server.hold(OLDER);
    const area = openArea(server);
    savedChannelsOf(area.context).save(['1']);
    await firstPage(area);
    navigator.storage.estimate = async () => ({ usage: 90, quota: 100 });
    server.release();
    const save = await stands(area, '1', is('full'));
    await evict(await area.context.offline.storage);
    expect(await count(area, 'post/1/')).to.equal(save?.posts);
  });

  it('adds the new posts on the next visit', async () => {
    const area = openArea(server);
    const saves = savedChannelsOf(area.context);
    saves.save(['1']);
    await stands(area, '1', is('complete'));
    server.posts.push(makePost('1', 731), makePost('1', 732));
    await saves.resume();
    await stands(area, '1', ({ posts: came, state }) => came === 732 && state === 'complete');
    expect(await count(area, 'post/1/')).to.equal(732);
  });

  it('starts again when its stored posts were deleted', async () => {
    const area = openArea(server);
    const saves = savedChannelsOf(area.context);
    saves.save(['1']);
    await stands(area, '1', is('complete'));
    await (await area.context.offline.storage).public.deletePrefix('post/');
    await saves.resume();
    await stands(area, '1', is('saving'));
    await stands(area, '1', is('complete'));
    expect(await count(area, 'post/1/')).to.equal(730);
  });

  it('is saved after the previous channel, and in the database of the user if it is private', async () => {
    const area = openArea(server, makeAccount('1'));
    savedChannelsOf(area.context).save(['1', '9']);
    await stands(area, '9', is('complete'));
    expect(savedChannelsOf(area.context).get()?.get('1')?.state).to.equal('complete');
    const { reader, public: common } = await area.context.offline.storage;
    expect(await reader.keys('picture/9/')).to.have.length(1);
    expect([
      ...(await common.keys('post/9/')),
      ...(await common.keys('picture/9/')),
      ...(await common.keys('saved/')),
    ]).to.deep.equal([]);
  });

  it('is rejected when the channel no longer exists', async () => {
    const area = openArea(server);
    server.channels = [];
    savedChannelsOf(area.context).save(['1']);
    await eventually(() => savedChannelsOf(area.context).get()?.get('1')?.state === 'rejected', 'the save is refused');
  });
});
