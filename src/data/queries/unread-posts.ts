// Unread posts: filters the feed's pages, and fetches kept-unread posts that are further back.

import type { PagedPosts } from '../../../contract/api.ts';
import type { Post } from '../../../contract/post.ts';
import type { RequestOptions } from '../../api/channels-api.ts';
import { toRequestFailure } from '../connection/connection.ts';
import { newestFirst, postKey } from '../model/post-key.ts';
import type { PostSourceContext, ReadPage } from './page-source.ts';

/** Maximum number of feed pages that are fetched for one page of unread posts. */
const MAX_SEARCHED_PAGES = 5;
/** Maximum number of kept-unread posts that are fetched one by one for a page. */
const MAX_SINGLE_READS = 20;

/**
 * Returns a function that fetches pages of unread posts: it fetches feed pages until one contains an unread post. If none
 * does, it fetches kept-unread posts from further back directly, because they may be years older. The read state is copied when
 * the list starts, so that no post disappears while the reader reads the list.
 */
export function filterUnreadPages(sources: PostSourceContext, read: ReadPage, channelIds?: readonly string[]): ReadPage {
  let readMarkers: ReadonlyMap<string, number> | undefined;
  let keptUnread: ReadonlySet<string> = new Set();
  /** Keys of kept-unread posts that no page has contained so far. */
  let missingKeys = new Set<string>();
  const isUnread = (post: Post): boolean => post.id > (readMarkers?.get(post.channelId) ?? 0) || keptUnread.has(postKey(post));

  async function begin(): Promise<void> {
    readMarkers = await sources.readMarkers();
    keptUnread = sources.keptUnread.get();
    missingKeys = new Set(keptUnread);
  }
  /** Fetches some of the missing posts one by one, and returns those older than `last`. */
  async function fetchMissing(last: Post | undefined, options: RequestOptions): Promise<Pick<PagedPosts, 'items' | 'channels'>> {
    // Empty if this device has not stored its channels yet: then the feed's channels are unknown.
    const ids = channelIds ?? (await sources.cachedChannelIds());
    const isInFeed = (key: string): boolean => ids.length === 0 || ids.some((id) => key.startsWith(`${id}/`));
    const keys = [...missingKeys].filter(isInFeed).slice(0, MAX_SINGLE_READS);
    const results = await Promise.all(keys.map((key) => fetchPost(key, options)));
    for (const key of keys) missingKeys.delete(key);
    const posts = results.flatMap((result) =>
      result !== null && (last === undefined || newestFirst(last, result.post) < 0) ? [result] : [],
    );
    return { items: posts.map(({ post }) => post).sort(newestFirst), channels: posts.map(({ channel }) => channel) };
  }
  /** Fetches a post; null if it was deleted, or is no longer accessible. */
  async function fetchPost(key: string, options: RequestOptions) {
    const [channelId = '', id] = key.split('/');
    try {
      return await sources.api.post(channelId, Number(id), options);
    } catch (thrown) {
      // The list then offers to retry loading.
      if (toRequestFailure(thrown).unreachable) throw thrown;
      return null;
    }
  }

  return async (cursor, options) => {
    if (readMarkers === undefined || (cursor.before === undefined && cursor.after === undefined)) await begin();
    let page = await read(cursor, options);
    const removeFound = (): void => {
      for (const post of page.items) missingKeys.delete(postKey(post));
    };
    removeFound();
    for (let count = 1; count < MAX_SEARCHED_PAGES && page.next !== null && !page.items.some(isUnread); count++) {
      const nextPage = await read({ before: page.next }, options);
      page = { ...nextPage, previous: page.previous, channels: [...page.channels, ...nextPage.channels] };
      removeFound();
    }
    const items = page.items.filter(isUnread);
    if (items.length > 0 || page.next === null || cursor.after !== undefined || missingKeys.size === 0) return { ...page, items };
    const { items: older, channels } = await fetchMissing(page.items.at(-1), options);
    return { ...page, items: older, channels: [...page.channels, ...channels] };
  };
}
