/*
 * Refetches a channel after many of its posts changed at once, for example by an import on a running server. A separate
 * chunk, because this is rare.
 */
import type { Channel } from '../../../contract/channel.ts';
import type { DataContext } from '../context.ts';
import { postKey } from '../model/post-key.ts';
import type { CachedList } from './list-membership.ts';
import type { LivePostLists } from './new-posts.ts';

/** Maximum page size of the server. A list that lacks as many posts is refetched when its reader requests them. */
const MAX_PAGE_POSTS = 100;

/**
 * Refetches the channel's lists. Lists without a reader are refetched completely. In the others, changed posts are replaced,
 * and newer posts wait until the reader requests them, so that nothing moves. The server counts the unread posts.
 */
export async function refreshChannelLists(
  { api, connection, channelIndex, userState, unreadCounts }: DataContext,
  lists: LivePostLists,
  updateChannel: (channel: Channel) => void,
  channelId: string,
): Promise<void> {
  const mayContainChannel = (entry: CachedList): boolean =>
    entry.kind === 'feed' || (entry.kind === 'channelPosts' && channelIndex.idOf(entry.parameters.idOrUsername) === channelId);
  const observedLists = lists.all().filter(({ value }) => lists.isObserved(value));
  for (const entry of lists.all()) if (!lists.isObserved(entry.value) && mayContainChannel(entry)) void entry.value.refetch();
  const { items, channels } = await connection.request(
    (options) => api.posts(channelId, { limit: MAX_PAGE_POSTS }, options),
    true,
  );
  if (connection.isClosed()) return;
  for (const channel of channels) updateChannel(channel);
  unreadCounts?.addPosts(items);
  const shownKeys = new Set(
    observedLists.flatMap(({ value }) => {
      const state = value.get();
      return state.type === 'loaded' ? state.posts.map(postKey) : [];
    }),
  );
  for (const post of items.toReversed()) {
    if (shownKeys.has(postKey(post))) lists.replace(post, false);
    else lists.add(post);
  }
  await unreadCounts?.refetch([channelId], userState);
}
