import type { PostPage } from '../../../contract/api.ts';
import type { Post } from '../../../contract/post.ts';
import type { Read } from '../../api/channels-api.ts';
import { failureOf } from '../connection/connection.ts';
import { newestFirst, postKey } from '../model/post-key.ts';
import type { ReadPage, Sources } from './page-source.ts';

/** A page of unread posts is gathered from at most so many of the feed's. */
const PAGES_SEARCHED = 5;
/** Posts that are kept unread, read one by one for a page. */
const MAX_READ_ALONE = 20;

/**
 * Reads pages until one holds an unread post. Where none does, the posts that are kept unread further back follow at once: they may
 * be years away. What counts as read is taken when the list begins: nothing vanishes while it is read.
 */
export function unreadOnly(sources: Sources, read: ReadPage, channelIds?: readonly string[]): ReadPage {
  let marks: ReadonlyMap<string, number> | undefined;
  let kept: ReadonlySet<string> = new Set();
  /** Keys of posts kept unread that no page has held so far. */
  let missing = new Set<string>();
  const isUnread = (post: Post): boolean => post.id > (marks?.get(post.channelId) ?? 0) || kept.has(postKey(post));

  async function begin(): Promise<void> {
    marks = await sources.marks();
    kept = sources.keptUnread.get();
    missing = new Set(kept);
  }
  /** Reads some of them alone, those older than a post. */
  async function readMissing(last: Post | undefined, how: Read): Promise<Pick<PostPage, 'items' | 'channels'>> {
    // Empty where this device has not read its channels yet: the feed's are not known then.
    const ids = channelIds ?? (await sources.cachedIds());
    const isInFeed = (key: string): boolean => ids.length === 0 || ids.some((id) => key.startsWith(`${id}/`));
    const keys = [...missing].filter(isInFeed).slice(0, MAX_READ_ALONE);
    const found = await Promise.all(keys.map((key) => readAlone(key, how)));
    for (const key of keys) missing.delete(key);
    const posts = found.flatMap((one) => (one !== null && (last === undefined || newestFirst(last, one.post) < 0) ? [one] : []));
    return { items: posts.map(({ post }) => post).sort(newestFirst), channels: posts.map(({ channel }) => channel) };
  }
  /** Null where the post is gone, or cannot be read any more. */
  async function readAlone(key: string, how: Read) {
    const [channelId = '', id] = key.split('/');
    try {
      return await sources.api.post(channelId, Number(id), how);
    } catch (thrown) {
      // The list offers to load on once more.
      if (failureOf(thrown).unheard) throw thrown;
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
    for (let count = 1; count < PAGES_SEARCHED && page.next !== null && !page.items.some(isUnread); count++) {
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
