// Starred posts: the server's list for a signed-in reader, else the posts that are starred on the device.

import type { PagedPosts } from '../../../contract/api.ts';
import type { RequestOptions } from '../../api/channels-api.ts';
import { toRequestFailure } from '../connection/connection.ts';
import { postKey } from '../model/post-key.ts';
import { offlineList } from '../offline/cached-posts.ts';
import { createPageSource, EMPTY_PAGE, type ListCursor, type PostSourceContext } from './page-source.ts';
import type { OfflineList, PostSource } from './post-list/post-list.ts';

/** Number of stars per request where other channels are filtered out: the server's maximum. */
const MAX_PAGE_STARS = 100;

/**
 * Creates the source of starred posts, last starred first: the server's list for a signed-in reader, else the device's stars
 * with one request per post. `channelIds` filters the channels.
 */
export function starredSource(
  sources: PostSourceContext,
  limit: number,
  channelIds?: readonly string[],
): Omit<PostSource, 'loadOfflineList'> & { readonly offline: OfflineList } {
  const isWanted = (channelId: string): boolean => channelIds?.includes(channelId) ?? true;
  const { api, offline: device } = sources;

  async function ofServer({ before }: ListCursor, how: RequestOptions): Promise<PagedPosts> {
    if (channelIds !== undefined && (await starredKeys()).length === 0) return EMPTY_PAGE;
    const page = await api.stars({ before, limit: channelIds === undefined ? limit : MAX_PAGE_STARS }, how);
    const { posts, channels, next } = page;
    const items = page.items.filter(({ channelId }) => isWanted(channelId));
    // A page without any of these channels is skipped: the list continues to one that has some. At least one page has.
    if (items.length === 0 && next !== null) return ofServer({ before: next }, how);
    const byKey = new Map(posts.map((post) => [postKey(post), post]));
    return {
      items: items.flatMap((star) => byKey.get(`${star.channelId}/${star.postId}`) ?? []),
      next,
      previous: null,
      channels,
    };
  }
  /** Returns the keys of starred posts, last starred first. */
  async function starredKeys(): Promise<readonly string[]> {
    const stars = [...(await sources.stars())].sort(([, a], [, b]) => b - a);
    return stars.map(([key]) => key).filter((key) => isWanted(key.slice(0, key.lastIndexOf('/'))));
  }
  async function ofDevice(
    { before }: ListCursor,
    find: (channelId: string, id: number) => Promise<Partial<PagedPosts>>,
  ): Promise<PagedPosts> {
    const from = Number(before ?? 0);
    const keys = await starredKeys();
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
  async function kept(channelId: string, id: number): Promise<Partial<PagedPosts>> {
    const held = await device.post(channelId, id);
    since = Math.max(since, held?.at ?? 0);
    const channel = held && (await sources.channel(channelId));
    return held === null ? {} : { items: [held.value], ...(channel && { channels: [channel] }) };
  }
  async function current(channelId: string, id: number, how: RequestOptions): Promise<Partial<PagedPosts>> {
    try {
      const { post, channel } = await api.post(channelId, id, how);
      return { items: [post], channels: [channel] };
    } catch (thrown) {
      // Without a response, the error is passed on: the list then shows the stored posts with their time, not as a fresh
      // response.
      if (toRequestFailure(thrown).unreachable) throw thrown;
      return kept(channelId, id);
    }
  }

  async function read(cursor: ListCursor, how: RequestOptions): Promise<PagedPosts> {
    const page = await (sources.isSignedIn()
      ? ofServer(cursor, how)
      : ofDevice(cursor, (channelId, id) => current(channelId, id, how)));
    // These channels may be in no stored list, but their names are needed offline too.
    for (const channel of page.channels) void device.write(`channel/${channel.id}`, channel, [channel]);
    return page;
  }

  return {
    ...createPageSource(sources, null, read),
    async readOffline() {
      const page = await ofDevice({}, kept);
      if (page.items.length === 0) return null;
      // The list is known to be complete if every starred post is stored.
      const isAll = page.items.length === (await starredKeys()).length;
      return { value: { ...page, next: isAll ? null : undefined }, at: since };
    },
    offline: offlineList({
      async older(last) {
        const from = (await starredKeys()).indexOf(postKey(last)) + 1;
        return ofDevice({ before: String(from) }, kept);
      },
    }),
  };
}
