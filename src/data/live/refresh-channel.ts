/*
 * Refetches a channel after many of its posts changed at once, for example by an import on a running server. A separate
 * chunk, because this is rare.
 */
import type { Channel } from '../../../contract/channel.ts';
import type { Inside } from '../context.ts';
import { postKey } from '../model/post-key.ts';
import type { LiveLists, Shown } from './new-posts.ts';

/** Maximum page size of the server. A list that misses as many posts is refetched when its reader requests them. */
const LIMIT = 100;

/**
 * Refetches the channel's lists. Lists without a reader are refetched completely. In the others, changed posts are replaced,
 * and newer posts wait until the reader requests them, so that nothing moves. The server counts the unread posts.
 */
export async function refreshChannel(
  { api, link, known: channelsMet, state, unread }: Inside,
  lists: LiveLists,
  learn: (channel: Channel) => void,
  channelId: string,
): Promise<void> {
  const isOf = ({ query: [name, channel] }: Shown): boolean =>
    name === 'feed' || (typeof channel === 'string' && (channelsMet.find(channel)?.id ?? channel) === channelId);
  const waits = lists.all().filter(({ list }) => lists.isRead(list));
  for (const shown of lists.all()) if (!lists.isRead(shown.list) && isOf(shown)) void shown.list.renew();
  const { items, channels } = await link.call((how) => api.posts(channelId, { limit: LIMIT }, how), true);
  if (link.isClosed()) return;
  for (const channel of channels) learn(channel);
  unread?.learn(items);
  const known = new Set(
    waits.flatMap(({ list }) => {
      const now = list.get();
      return now.type === 'loaded' ? now.posts.map(postKey) : [];
    }),
  );
  for (const post of items.toReversed()) {
    if (known.has(postKey(post))) lists.changed(post);
    else lists.came(post);
  }
  await unread?.read([channelId], state);
}
