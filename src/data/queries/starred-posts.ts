// Starred posts: the server's list for a signed-in reader, else the posts that are starred on the device.

import type { PagedPosts } from '../../../contract/api.ts';
import type { RequestOptions } from '../../api/channels-api.ts';
import { toRequestFailure } from '../connection/connection.ts';
import { postKey } from '../model/post-key.ts';
import { offlineList } from '../offline/cached-posts.ts';
import { channelKey } from '../offline/keys.ts';
import { createPageSource, EMPTY_PAGE, type ListCursor, type PostSourceContext } from './page-source.ts';
import type { OfflineList, PostSource } from './post-list/types.ts';

/** Number of stars per request if the result is filtered by channel: the server's maximum. */
const MAX_PAGE_STARS = 100;

type StarredSource = Omit<PostSource, 'loadOfflineList'> & { readonly offline: OfflineList };

/** Finds one starred post. The result is empty if the post is not available. */
type FindPost = (channelId: string, id: number) => Promise<Partial<PagedPosts>>;

interface StarredQuery {
  readonly sources: PostSourceContext;
  /** Number of posts per page. */
  readonly limit: number;
  /** Channels of the list; undefined for all. */
  readonly channelIds: readonly string[] | undefined;
}

/**
 * Creates the source of starred posts, last starred first: the server's list for a signed-in reader, else the device's stars
 * with one request per post. `channelIds` filters the channels.
 */
export function starredSource(sources: PostSourceContext, limit: number, channelIds?: readonly string[]): StarredSource {
  const query: StarredQuery = { sources, limit, channelIds };
  /** Time when the newest of the stored posts was stored, unix ms. */
  let storedAt = 0;
  const findStored: FindPost = async (channelId, id) => {
    const stored = await sources.offline.post(channelId, id);
    storedAt = Math.max(storedAt, stored?.at ?? 0);
    const channel = stored && (await sources.channel(channelId));
    return stored === null ? {} : { items: [stored.value], ...(channel && { channels: [channel] }) };
  };
  async function readPage(cursor: ListCursor, options: RequestOptions): Promise<PagedPosts> {
    const page = await (sources.isSignedIn()
      ? readServerPage(query, cursor, options)
      : readDevicePage(query, cursor, (channelId, id) => fetchPost(sources, findStored, channelId, id, options)));
    // These channels may be in no stored list, but their names are needed offline too.
    for (const channel of page.channels) void sources.offline.write(channelKey(channel.id), channel, [channel]);
    return page;
  }
  return {
    ...createPageSource(sources, null, readPage),
    async readOffline() {
      const page = await readDevicePage(query, {}, findStored);
      if (page.items.length === 0) return null;
      // The list is known to be complete if every starred post is stored.
      const isComplete = page.items.length === (await starredKeys(query)).length;
      return { value: { ...page, next: isComplete ? null : undefined }, at: storedAt };
    },
    offline: offlineList({
      async older(last) {
        const start = (await starredKeys(query)).indexOf(postKey(last)) + 1;
        return readDevicePage(query, { before: String(start) }, findStored);
      },
    }),
  };
}

const isInQuery = ({ channelIds }: StarredQuery, channelId: string): boolean => channelIds?.includes(channelId) ?? true;

/** Returns the keys of starred posts, last starred first. */
async function starredKeys(query: StarredQuery): Promise<readonly string[]> {
  const stars = [...(await query.sources.stars())].sort(([, a], [, b]) => b - a);
  return stars.map(([key]) => key).filter((key) => isInQuery(query, key.slice(0, key.lastIndexOf('/'))));
}

async function readServerPage(query: StarredQuery, { before }: ListCursor, options: RequestOptions): Promise<PagedPosts> {
  const { sources, limit, channelIds } = query;
  if (channelIds !== undefined && (await starredKeys(query)).length === 0) return EMPTY_PAGE;
  const page = await sources.api.stars({ before, limit: channelIds === undefined ? limit : MAX_PAGE_STARS }, options);
  const { posts, channels, next } = page;
  const stars = page.items.filter(({ channelId }) => isInQuery(query, channelId));
  // Skips a page that contains none of these channels. At least one page contains one of them.
  if (stars.length === 0 && next !== null) return readServerPage(query, { before: next }, options);
  const byKey = new Map(posts.map((post) => [postKey(post), post]));
  const items = stars.flatMap((star) => byKey.get(`${star.channelId}/${star.postId}`) ?? []);
  return { items, next, previous: null, channels };
}

/** Returns a page of the stars on this device. Its cursor is the number of stars before the page. */
async function readDevicePage(query: StarredQuery, { before }: ListCursor, find: FindPost): Promise<PagedPosts> {
  const start = Number(before ?? 0);
  const end = start + query.limit;
  const keys = await starredKeys(query);
  const results = await Promise.all(
    keys.slice(start, end).map((key) => {
      const separatorIndex = key.lastIndexOf('/');
      return find(key.slice(0, separatorIndex), Number(key.slice(separatorIndex + 1)));
    }),
  );
  return {
    items: results.flatMap((result) => result.items ?? []),
    channels: results.flatMap((result) => result.channels ?? []),
    next: end < keys.length ? String(end) : null,
    previous: null,
  };
}

/** Fetches a post. If the server rejects the request, returns the stored post. */
async function fetchPost(
  { api }: PostSourceContext,
  findStored: FindPost,
  channelId: string,
  id: number,
  options: RequestOptions,
): Promise<Partial<PagedPosts>> {
  try {
    const { post, channel } = await api.post(channelId, id, options);
    return { items: [post], channels: [channel] };
  } catch (thrown) {
    // Without a response, the error is rethrown: the list then shows the stored posts with their time, not as a fresh
    // response.
    if (toRequestFailure(thrown).unreachable) throw thrown;
    return findStored(channelId, id);
  }
}
