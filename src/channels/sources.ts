import type { PostPage } from '../../contract/api.ts';
import * as parse from '../../contract/parse.ts';
import type { Post } from '../../contract/post.ts';
import type { Api, PostsRequest, Read } from '../api/api.ts';
import { type ChannelPostsQuery, type FeedFilter, postKey } from './channels.ts';
import type { Device } from './device.ts';
import { failureOf } from './link.ts';
import type { PostSource } from './post-list.ts';

/** Posts of a page, where a query does not say. */
const LIMIT = 20;
/** A page of unread posts is gathered from at most so many of the feed's. */
const PAGES_SEARCHED = 5;

type Cursor = { readonly before?: string | undefined; readonly after?: string | undefined };

/** What the sources share. */
export interface Sources {
  readonly api: Api;
  readonly device: Device;
  /** The channels of the feed: undefined where the server knows them, after what that needs has been read. */
  feedIds(): Promise<readonly string[] | undefined>;
  marks(): Promise<ReadonlyMap<string, number>>;
  stars(): Promise<ReadonlyMap<string, number>>;
  /** Whether the server knows the reader's stars. */
  isSignedIn(): boolean;
  /** The id of a channel called by its id or username. */
  idOf(idOrUsername: string): string;
  /** Notes what came. */
  learn(page: PostPage): void;
}

const EMPTY: PostPage = { items: [], next: null, previous: null, channels: [] };

/** Makes a source of a way to read pages: what comes is learnt, and the first page kept under `slot`. */
function paged(
  { device, learn }: Sources,
  slot: string | null,
  read: (cursor: Cursor, how: Read) => Promise<PostPage>,
): Pick<PostSource, 'first' | 'page' | 'held'> {
  async function learnt(cursor: Cursor, how: Read): Promise<PostPage> {
    const page = await read(cursor, how);
    learn(page);
    return page;
  }
  return {
    async first(how) {
      const page = await learnt({}, how);
      const isOpen = slot?.startsWith('posts/') === true && page.channels.every((channel) => !channel.private);
      if (slot !== null) void device.keep(slot, page, isOpen);
      return page;
    },
    page: learnt,
    held: async () => (slot === null ? null : device.answer(slot, parse.postPage)),
  };
}

/** The feed over the line-up, or over channels that are named. */
export function feedSource(sources: Sources, filter: FeedFilter): PostSource {
  const { api } = sources;
  const show = filter.show ?? 'all';
  const read = async (cursor: Cursor, how: Read): Promise<PostPage> => {
    const channels = filter.channelIds ?? (await sources.feedIds());
    if (channels?.length === 0) return EMPTY;
    return api.feed({ ...cursor, limit: filter.limit ?? LIMIT, media: show === 'media', channels }, how);
  };
  if (show === 'starred') return starredSource(sources, filter.limit ?? LIMIT);
  const slot = `feed/${show}/${filter.channelIds?.join(',') ?? ''}`;
  const source = paged(sources, slot, show === 'unread' ? unreadOnly(sources, read) : read);
  return {
    ...source,
    async held() {
      // The line-up first: it has the words that keep posts out.
      await sources.stars();
      return source.held();
    },
  };
}

/** Reads pages until one holds an unread post. What counts as read is taken when the list begins: nothing vanishes while it is read. */
function unreadOnly(sources: Sources, read: (cursor: Cursor, how: Read) => Promise<PostPage>): typeof read {
  let marks: ReadonlyMap<string, number> | undefined;
  const isUnread = (post: Post): boolean => post.id > (marks?.get(post.channelId) ?? 0);
  return async (cursor, how) => {
    if (marks === undefined || (cursor.before === undefined && cursor.after === undefined)) marks = await sources.marks();
    let page = await read(cursor, how);
    for (let count = 1; count < PAGES_SEARCHED && page.next !== null && !page.items.some(isUnread); count++) {
      const further = await read({ before: page.next }, how);
      page = { ...further, previous: page.previous, channels: [...page.channels, ...further.channels] };
    }
    return { ...page, items: page.items.filter(isUnread) };
  };
}

/** Starred posts, the last starred first: the server's list for a signed-in reader, else the device's, a post at a time. */
function starredSource(sources: Sources, limit: number): PostSource {
  const { api, device } = sources;

  async function ofServer({ before }: Cursor, how: Read): Promise<PostPage> {
    const { items, posts, channels, next } = await api.stars({ before, limit }, how);
    const byKey = new Map(posts.map((post) => [postKey(post), post]));
    return {
      items: items.flatMap((star) => byKey.get(`${star.channelId}/${star.postId}`) ?? []),
      next,
      previous: null,
      channels,
    };
  }
  async function ofDevice(
    { before }: Cursor,
    find: (channelId: string, id: number) => Promise<Partial<PostPage>>,
  ): Promise<PostPage> {
    const from = Number(before ?? 0);
    const keys = [...(await sources.stars())].sort(([, a], [, b]) => b - a).map(([key]) => key);
    const parts = await Promise.all(
      keys.slice(from, from + limit).map((key) => {
        const split = key.lastIndexOf('/');
        return find(key.slice(0, split), Number(key.slice(split + 1)));
      }),
    );
    const next = from + limit < keys.length ? String(from + limit) : null;
    return {
      items: parts.flatMap((part) => part.items ?? []),
      channels: parts.flatMap((part) => part.channels ?? []),
      next,
      previous: null,
    };
  }
  let since = 0;
  async function kept(channelId: string, id: number): Promise<Partial<PostPage>> {
    const held = await device.post(channelId, id);
    since = Math.max(since, held?.at ?? 0);
    return held === null ? {} : { items: [held.value] };
  }
  async function current(channelId: string, id: number, how: Read): Promise<Partial<PostPage>> {
    try {
      const { post, channel } = await api.post(channelId, id, how);
      return { items: [post], channels: [channel] };
    } catch (thrown) {
      const held = await kept(channelId, id);
      if (held.items === undefined && failureOf(thrown).unheard) throw thrown;
      return held;
    }
  }

  return {
    ...paged(sources, null, (cursor, how) =>
      sources.isSignedIn() ? ofServer(cursor, how) : ofDevice(cursor, (channelId, id) => current(channelId, id, how)),
    ),
    async held() {
      const page = await ofDevice({}, kept);
      return page.items.length === 0 ? null : { value: { ...page, next: undefined }, at: since };
    },
  };
}

/** One channel's posts. */
export function channelSource(sources: Sources, idOrUsername: string, query: ChannelPostsQuery): PostSource {
  const { api, device } = sources;
  const { q, media = false, around, limit = LIMIT } = query;
  const request: PostsRequest = { limit, media, q };
  const isPlain = q === undefined && around === undefined;
  const source = paged(sources, isPlain ? `posts/${idOrUsername}${media ? '/media' : ''}` : null, (cursor, how) => {
    const start = cursor.before === undefined && cursor.after === undefined ? around : undefined;
    return api.posts(idOrUsername, { ...request, ...cursor, around: start }, how);
  });
  if (!isPlain || media) return source;
  return {
    ...source,
    async held() {
      const page = await source.held();
      if (page !== null) return page;
      const { value: items, at } = await device.posts(sources.idOf(idOrUsername), limit);
      return items.length === 0 ? null : { value: { items: [...items], next: undefined, previous: null, channels: [] }, at };
    },
    heldOlder: async (last) => (await device.posts(last.channelId, limit, last.id)).value,
  };
}
