import type { PostOpened } from '../events.ts';

/** The ways to a post: when it was written leads to its page, the last of its actions to where it was published. */
const WAYS = '.post-facts a, .post-actions a';

/** Says which post a click on one of its ways opens; null for any other click. */
export function openedBy(event: Event): PostOpened | null {
  const link = event.composedPath().find((target) => target instanceof HTMLAnchorElement && target.matches(WAYS));
  if (!(link instanceof HTMLAnchorElement)) return null;
  const [channelId, postId] = link.closest('[data-key]')?.getAttribute('data-key')?.split('/') ?? [];
  return channelId === undefined ? null : { channelId, postId: Number(postId), url: link.href };
}
