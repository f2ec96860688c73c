import type { PostOpened } from '../events.ts';

/** Links to a post: its date leads to its page, the last of its actions to the place where it was published. */
const POST_LINK_SELECTOR = '.post-facts a, .post-actions a';

/** Returns the post that a click on one of these links opens, or null for any other click. */
export function openedPost(event: Event): PostOpened | null {
  const link = event.composedPath().find((target) => target instanceof HTMLAnchorElement && target.matches(POST_LINK_SELECTOR));
  if (!(link instanceof HTMLAnchorElement)) return null;
  const [channelId, postId] = link.closest('[data-key]')?.getAttribute('data-key')?.split('/') ?? [];
  return channelId === undefined ? null : { channelId, postId: Number(postId), url: link.href };
}
