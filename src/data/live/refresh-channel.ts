/*
 * Refetches a channel after many of its posts changed at once, for example by an import on a running server. A separate
 * chunk, because this is rare.
 */
import type { Channel } from '../../../contract/channel.ts';
import type { DataContext } from '../context.ts';
import { postKey } from '../model/post-key.ts';
import type { LivePostLists, ShownList } from './new-posts.ts';

/** Maximum page size of the server. A list that misses as many posts is refetched when its reader requests them. */
const MAX_PAGE_POSTS = 100;

/**
 * Refetches the channel's lists. Lists without a reader are refetched completely. In the others, changed posts are replaced,
 * and newer posts wait until the reader requests them, so that nothing moves. The server counts the unread posts.
 */
export async function refreshChannelLists(
  { api, connection: link, channelIndex: channelsMet, userState: state, unreadCounts: unread }: DataContext,
  lists: LivePostLists,
  learn: (channel: Channel) => void,
  channelId: string,
): Promise<void> {
  const isOf = ({ key: [name, channel] }: ShownList): boolean =>
    name === 'feed' || (typeof channel === 'string' && (channelsMet.get(channel)?.id ?? channel) === channelId);
  const waits = lists.all().filter(({ list }) => lists.isObserved(list));
  for (const shown of lists.all()) if (!lists.isObserved(shown.list) && isOf(shown)) void shown.list.refetch();
  const { items, channels } = await link.request((how) => api.posts(channelId, { limit: MAX_PAGE_POSTS }, how), true);
  if (link.isClosed()) return;
  for (const channel of channels) learn(channel);
  unread?.addPosts(items);
  const known = new Set(
    waits.flatMap(({ list }) => {
      const now = list.get();
      return now.type === 'loaded' ? now.posts.map(postKey) : [];
    }),
  );
  for (const post of items.toReversed()) {
    if (known.has(postKey(post))) lists.changed(post);
    else lists.added(post);
  }
  await unread?.refetch([channelId], state);
}
