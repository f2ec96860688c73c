// PostList: paging through a long list, and its stored first page.

import { aTimeout, expect } from '@open-wc/testing';
import type { PagedPosts } from '../../../contract/api.ts';
import type { Connection } from '../../../src/data/connection/connection.ts';
import { createPostList } from '../../../src/data/queries/post-list/post-list.ts';
import type { PostSource } from '../../../src/data/queries/post-list/types.ts';
import { posts } from '../features/reading-services.ts';

const POST_COUNT = 4000;
const PAGE_SIZE = 100;
const ALL = posts(POST_COUNT, 1);

/** Returns a page of posts that starts at this index. Cursors are indices. */
const pageAt = (start: number): PagedPosts => ({
  items: ALL.slice(start, start + PAGE_SIZE),
  next: start + PAGE_SIZE < POST_COUNT ? String(start + PAGE_SIZE) : null,
  previous: start > 0 ? String(start) : null,
  channels: [],
});

function listOf(overrides: Partial<PostSource> = {}) {
  const requests: object[] = [];
  const source: PostSource = {
    first: async () => pageAt(0),
    page: async (cursor) => {
      requests.push(cursor);
      return pageAt('before' in cursor ? Number(cursor.before) : Number(cursor.after) - PAGE_SIZE);
    },
    readOffline: async () => null,
    ...overrides,
  };
  const connection: Pick<Connection, 'request' | 'isClosed'> = {
    request: (send) => send({ fresh: false }),
    isClosed: () => false,
  };
  return { requests, list: createPostList(connection as Connection, source, () => 0) };
}

const ids = (list: ReturnType<typeof listOf>['list']): number[] => {
  const state = list.get();
  return state.type === 'loaded' ? state.posts.map(({ id }) => id) : [];
};

describe('a long list', () => {
  it('drops its newest posts beyond 3000, and loads them again without a gap', async () => {
    const { list } = listOf();
    await list.refresh();
    for (let page = 1; page < 31; page++) await list.loadOlder();
    expect(ids(list).length).to.equal(2000);
    expect(ids(list).at(-1)).to.equal(POST_COUNT - 3099);
    for (let page = 0; page < 11; page++) await list.loadNewer();
    expect(ids(list)[0]).to.equal(POST_COUNT);
    expect(list.get()).to.include({ newer: 'end', older: 'idle' });
    const first = ids(list)[0] ?? 0;
    expect(ids(list)).to.deep.equal(ids(list).map((_, index) => first - index));
    for (let page = 0; page < 3; page++) await list.loadOlder();
    expect(ids(list)).to.deep.equal(ids(list).map((_, index) => (ids(list)[0] ?? 0) - index));
  });
  it('starts with the page that its user was on', async () => {
    const { list } = listOf();
    await list.refresh();
    for (let page = 1; page < 6; page++) await list.loadOlder();
    list.scrollAnchor = { key: `1/${POST_COUNT - 350}`, offset: 12 };
    const reopened = listOf();
    reopened.list.scrollAnchor = list.scrollAnchor;
    await reopened.list.refresh();
    expect(ids(reopened.list)[0]).to.equal(POST_COUNT - 300);
    await reopened.list.refetch();
    await reopened.list.refresh();
    expect(ids(reopened.list)[0]).to.equal(POST_COUNT - 300);
    await reopened.list.loadNewer();
    expect(ids(reopened.list)[0]).to.equal(POST_COUNT - 200);
  });
});

/** Returns a pending response, and the function that resolves it. */
function deferredPage(): [response: Promise<PagedPosts>, resolvePage: (page: PagedPosts) => void] {
  let resolvePage = (_page: PagedPosts): void => {};
  const response = new Promise<PagedPosts>((resolve) => {
    resolvePage = resolve;
  });
  return [response, resolvePage];
}

describe('a list that shows its stored first page while it waits for the server', () => {
  it('shows the response of the server, also when an older page that was requested before arrives after it', async () => {
    const [first, resolveFirst] = deferredPage();
    const [older, resolveOlder] = deferredPage();
    const { list } = listOf({
      readOffline: async () => ({ value: pageAt(0), at: 5 }),
      first: () => first,
      page: () => older,
    });
    const storedPages = () => {
      const state = list.get();
      return state.type === 'loaded' ? state.cachedAt : undefined;
    };
    const refreshed = list.refresh();
    await aTimeout(0);
    expect(storedPages()).to.equal(5);
    const grown = list.loadOlder();
    resolveFirst(pageAt(0));
    await refreshed;
    expect(storedPages()).to.equal(null);
    resolveOlder(pageAt(PAGE_SIZE));
    await grown;
    expect(ids(list)).to.have.length(2 * PAGE_SIZE);
    expect(storedPages()).to.equal(null);
  });
});
