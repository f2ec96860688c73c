import type { PagedPosts } from '../../../../contract/api.ts';
import type { Post } from '../../../../contract/post.ts';
import { postKey } from '../../model/post-key.ts';
import type { PostListContent } from './types.ts';

/** Removes duplicates: the later object is used, at the position of the first one. */
export function uniquePosts(posts: readonly Post[]): Post[] {
  return [...new Map(posts.map((post) => [postKey(post), post])).values()];
}

/**
 * Merges a fetched page into the list that it overlaps, so that previously loaded pages remain. Returns null when there is a
 * gap between them. Posts within the page's range that the page does not contain were hidden.
 */
export function mergePage(content: PostListContent, page: PagedPosts): PostListContent | null {
  const freshKeys = new Set(page.items.map(postKey));
  const sharedIndexes = content.items.flatMap((post, index) => (freshKeys.has(postKey(post)) ? index : []));
  const start = sharedIndexes[0];
  const end = sharedIndexes.at(-1);
  if (start === undefined || end === undefined) return null;
  const head = page.previous === null ? [] : content.items.slice(0, start);
  const tail = page.next === null ? [] : content.items.slice(end + 1);
  const isCached = (posts: readonly Post[]): boolean => posts.every((post) => content.cachedKeys.has(postKey(post)));
  return {
    items: [...head, ...page.items, ...tail],
    // Cached posts have no cursor: the list continues after the server's page.
    previous: isCached(head) ? page.previous : content.previous,
    next: isCached(tail) ? page.next : content.next,
    channels: page.channels,
    cachedKeys: new Set([...content.cachedKeys].filter((key) => !freshKeys.has(key))),
  };
}
