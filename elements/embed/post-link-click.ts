/* Post link clicks: finds the post that a click on a link opens, for the event `changer-post-opened`. */
import type { PostOpened } from '../events.ts';

/** Links of a post: the date links to the post's page, the last action to the original post. */
const POST_LINK_SELECTOR = '.post-facts a, .post-actions a';

/** Returns the post that a click opens, or null for any other click. */
export function openedPost(event: Event): PostOpened | null {
  const link = event.composedPath().find((target) => target instanceof HTMLAnchorElement && target.matches(POST_LINK_SELECTOR));
  if (!(link instanceof HTMLAnchorElement)) return null;
  const [channelId, postId] = link.closest('[data-key]')?.getAttribute('data-key')?.split('/') ?? [];
  return channelId === undefined ? null : { channelId, postId: Number(postId), url: link.href };
}
