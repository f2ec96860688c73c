// PostList: paging through a long list, and its stored first page.

import { aTimeout, expect } from '@open-wc/testing';
import type { PagedPosts } from '../../../contract/api.ts';
import type { Connection } from '../../../src/data/connection/connection.ts';
import { createPostList } from '../../../src/data/queries/post-list/post-list.ts';
import type { PostSource } from '../../../src/data/queries/post-list/types.ts';
import { posts } from '../features/reading-services.ts';

const MANY = 4000;
const PAGE = 100;
const ALL = posts(MANY, 1);

/** Returns a page of posts that starts at this index. Cursors are indices. */
const pageAt = (start: number): PagedPosts => ({
  items: ALL.slice(start, start + PAGE),
  next: start + PAGE < MANY ? String(start + PAGE) : null,
  previous: start > 0 ? String(start) : null,
  channels: [],
});

function listOf(own: Partial<PostSource> = {}) {
  const asked: object[] = [];
  const source: PostSource = {
    first: async () => pageAt(0),
    page: async (cursor) => {
      asked.push(cursor);
      return pageAt('before' in cursor ? Number(cursor.before) : Number(cursor.after) - PAGE);
    },
    readOffline: async () => null,
    ...own,
  };
  const link: Pick<Connection, 'request' | 'isClosed'> = { request: (act) => act({ fresh: false }), isClosed: () => false };
  return { asked, list: createPostList(link as Connection, source, () => 0) };
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
    expect(ids(list).at(-1)).to.equal(MANY - 3099);
    for (let page = 0; page < 11; page++) await list.loadNewer();
    expect(ids(list)[0]).to.equal(MANY);
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
    list.scrollAnchor = { key: `1/${MANY - 350}`, offset: 12 };
    const again = listOf();
    again.list.scrollAnchor = list.scrollAnchor;
    await again.list.refresh();
    expect(ids(again.list)[0]).to.equal(MANY - 300);
    await again.list.refetch();
    await again.list.refresh();
    expect(ids(again.list)[0]).to.equal(MANY - 300);
    await again.list.loadNewer();
    expect(ids(again.list)[0]).to.equal(MANY - 200);
  });
});

/** Returns a pending response, and the function that resolves it. */
function held(): [answer: Promise<PagedPosts>, give: (page: PagedPosts) => void] {
  let give = (_page: PagedPosts): void => {};
  const answer = new Promise<PagedPosts>((resolve) => {
    give = resolve;
  });
  return [answer, give];
}

describe('a list that shows its stored first page while it waits for the server', () => {
  it('shows the response of the server, also when an older page that was requested before arrives after it', async () => {
    const [first, answerFirst] = held();
    const [older, answerOlder] = held();
    const { list } = listOf({
      readOffline: async () => ({ value: pageAt(0), at: 5 }),
      first: () => first,
      page: () => older,
    });
    const kept = () => {
      const state = list.get();
      return state.type === 'loaded' ? state.cachedAt : undefined;
    };
    const refreshed = list.refresh();
    await aTimeout(0);
    expect(kept()).to.equal(5);
    const grown = list.loadOlder();
    answerFirst(pageAt(0));
    await refreshed;
    expect(kept()).to.equal(null);
    answerOlder(pageAt(PAGE));
    await grown;
    expect(ids(list)).to.have.length(2 * PAGE);
    expect(kept()).to.equal(null);
  });
});
