import type { PostPage } from '../../contract/api.ts';
import type { Channel } from '../../contract/channel.ts';
import * as parse from '../../contract/parse.ts';
import type { Post } from '../../contract/post.ts';
import type { Api, PostsRequest, Read } from '../api/api.ts';
import type { ChannelPostsQuery, FeedFilter } from './channels.ts';
import type { Device } from './device.ts';
import type { PostSource } from './post-list.ts';

/** Posts of a page, where a query does not say. */
const LIMIT = 20;
/** A page of unread posts is gathered from at most so many of the feed's. */
const PAGES_SEARCHED = 5;

export type Cursor = { readonly before?: string | undefined; readonly after?: string | undefined };

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
  /** A channel as this device knows it. */
  channel(id: string): Promise<Channel | null>;
  /** Notes what came. */
  learn(page: PostPage): void;
}

const EMPTY: PostPage = { items: [], next: null, previous: null, channels: [] };

/** Makes a source of a way to read pages: what comes is learnt, and the first page kept under `slot`. */
export function paged(
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
  if (show === 'starred') return starred(sources, filter.limit ?? LIMIT);
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

/** Starred posts, whose source comes when they are asked for. */
function starred(sources: Sources, limit: number): PostSource {
  const source = async () => (await import('./starred.ts')).starredSource(sources, limit);
  return {
    first: async (how) => (await source()).first(how),
    page: async (cursor, how) => (await source()).page(cursor, how),
    held: async () => (await source().catch(() => null))?.held() ?? null,
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
