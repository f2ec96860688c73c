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
 * does, it fetches kept-unread posts from further back directly, because they may be years away. The read state is taken when
 * the list begins, so that no post disappears while the list is read.
 */
export function filterUnreadPages(sources: PostSourceContext, read: ReadPage, channelIds?: readonly string[]): ReadPage {
  let marks: ReadonlyMap<string, number> | undefined;
  let kept: ReadonlySet<string> = new Set();
  /** Keys of kept-unread posts that no page has contained so far. */
  let missing = new Set<string>();
  const isUnread = (post: Post): boolean => post.id > (marks?.get(post.channelId) ?? 0) || kept.has(postKey(post));

  async function begin(): Promise<void> {
    marks = await sources.readMarkers();
    kept = sources.keptUnread.get();
    missing = new Set(kept);
  }
  /** Fetches some of the missing posts one by one, and returns those older than `last`. */
  async function readMissing(last: Post | undefined, how: RequestOptions): Promise<Pick<PagedPosts, 'items' | 'channels'>> {
    // Empty where this device has not stored its channels yet: then the feed's channels are unknown.
    const ids = channelIds ?? (await sources.cachedChannelIds());
    const isInFeed = (key: string): boolean => ids.length === 0 || ids.some((id) => key.startsWith(`${id}/`));
    const keys = [...missing].filter(isInFeed).slice(0, MAX_SINGLE_READS);
    const found = await Promise.all(keys.map((key) => readAlone(key, how)));
    for (const key of keys) missing.delete(key);
    const posts = found.flatMap((one) => (one !== null && (last === undefined || newestFirst(last, one.post) < 0) ? [one] : []));
    return { items: posts.map(({ post }) => post).sort(newestFirst), channels: posts.map(({ channel }) => channel) };
  }
  /** Returns null where the post was deleted, or is no longer accessible. */
  async function readAlone(key: string, how: RequestOptions) {
    const [channelId = '', id] = key.split('/');
    try {
      return await sources.api.post(channelId, Number(id), how);
    } catch (thrown) {
      // The list then offers to retry loading.
      if (toRequestFailure(thrown).unreachable) throw thrown;
      return null;
    }
  }

  return async (cursor, how) => {
    if (marks === undefined || (cursor.before === undefined && cursor.after === undefined)) await begin();
    let page = await read(cursor, how);
    const note = (): void => {
      for (const post of page.items) missing.delete(postKey(post));
    };
    note();
    for (let count = 1; count < MAX_SEARCHED_PAGES && page.next !== null && !page.items.some(isUnread); count++) {
      const further = await read({ before: page.next }, how);
      page = { ...further, previous: page.previous, channels: [...page.channels, ...further.channels] };
      note();
    }
    const items = page.items.filter(isUnread);
    if (items.length > 0 || page.next === null || cursor.after !== undefined || missing.size === 0) return { ...page, items };
    const { items: far, channels } = await readMissing(page.items.at(-1), how);
    return { ...page, items: far, channels: [...page.channels, ...channels] };
  };
}
