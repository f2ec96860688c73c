// Read-ahead: prefetching of posts for offline use.

import { expect } from '@open-wc/testing';
import { prefetchPosts } from '../../../src/data/background/prefetch.ts';
import type { DataClientControl } from '../../../src/data/clients/account-client.ts';
import { evict } from '../../../src/data/offline/eviction.ts';
import { saveRetentionLevel } from '../../../src/data/offline/retention.ts';
import { endAreas, fresh, openArea } from './data-client-fixture.ts';
import { FakeServer, makeAccount, makeChannel, makePost, makePosts } from './fake-server.ts';
import { ownDevice } from './own-device.ts';

ownDevice();

describe('prefetch', () => {
  const { estimate } = navigator.storage;
  let server: FakeServer;
  const { signal } = new AbortController();

  beforeEach(() => {
    server = new FakeServer();
    server.channels = [
      makeChannel('1', { latest: { id: 730, date: 1 } }),
      makeChannel('9', { private: true, latest: { id: 3, date: 1 } }),
    ];
    server.posts = [...makePosts('1', 730), ...makePosts('9', 3)];
  });
  afterEach(async () => {
    Object.assign(navigator.storage, { estimate });
    saveRetentionLevel('usual');
    await endAreas();
  });

  async function opened(): Promise<DataClientControl> {
    const area = openArea(server, makeAccount('1'));
    await fresh(area.lineup);
    return area;
  }
  const run = (area: DataClientControl, wanted = 500) => prefetchPosts(area.context, ['1', '9'], wanted, signal);
  /**
   * Returns the numbers of stored posts: of the public channel in the shared database, and of the private one in the database
   * of the reader.
   */
  async function kept({ context: inside }: DataClientControl): Promise<readonly number[]> {
    const { reader, public: common } = await inside.offline.storage;
    const keys = await Promise.all([common.keys('post/1/'), reader.keys('post/9/'), common.keys('post/9/')]);
    return keys.map(({ length }) => length);
  }
  const asked = () => server.log.filter((line) => line.includes('/posts?')).length;

  it('stores the last posts of each channel, and does not request them again', async () => {
    const area = await opened();
    await run(area);
    expect(await kept(area)).to.deep.equal([500, 3, 0]);
    const before = asked();
    await run(area);
    expect(asked()).to.equal(before);
  });

  it('requests only the posts since the last run', async () => {
    const area = await opened();
    await run(area);
    server.posts = [...server.posts, ...Array.from({ length: 120 }, (_, at) => makePost('1', 731 + at))];
    area.addChannel(makeChannel('1', { latest: { id: 850, date: 2 } }));
    const before = asked();
    await run(area);
    expect([asked() - before, ...(await kept(area))]).to.deep.equal([2, 620, 3, 0]);
    await evict(await area.context.offline.storage);
    expect(await kept(area)).to.deep.equal([500, 3, 0]);
  });

  it('resumes where the network failed', async () => {
    const area = await opened();
    server.hold('GET /api/channels/1/posts?limit=100&before=');
    const running = run(area).catch((thrown: unknown) => thrown);
    server.reach = 'down';
    server.release();
    expect(await running).to.be.an('error');
    const [came = 0] = await kept(area);
    expect(came).to.be.lessThan(500);
    server.reach = 'up';
    await run(area);
    expect(await kept(area)).to.deep.equal([500, 3, 0]);
  });

  it('loads older posts when the user wants more, and stops when the device is full', async () => {
    const area = await opened();
    await run(area, 100);
    expect(await kept(area)).to.deep.equal([100, 3, 0]);
    await run(area, 2000);
    expect(await kept(area)).to.deep.equal([730, 3, 0]);
    saveRetentionLevel('little');
    await evict(await area.context.offline.storage);
    expect(await kept(area)).to.deep.equal([100, 3, 0]);
    navigator.storage.estimate = async () => ({ usage: 90, quota: 100 });
    await run(area);
    expect(await kept(area)).to.deep.equal([100, 3, 0]);
  });

  it('skips a channel that was deleted', async () => {
    const area = await opened();
    server.channels = server.channels.slice(1);
    await run(area);
    expect(await kept(area)).to.deep.equal([0, 3, 0]);
  });
});
