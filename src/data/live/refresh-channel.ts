/*
 * Reads a channel anew of which many posts changed at once: an import beside a running server. A chunk of its own, since it is
 * rare.
 */
import type { Channel } from '../../../contract/channel.ts';
import type { Inside } from '../context.ts';
import { postKey } from '../model/post-key.ts';
import type { LiveLists, Shown } from './new-posts.ts';

/** The largest page that the server gives: a list that lacks as many is read anew when its reader asks for them. */
const LIMIT = 100;

/**
 * Lists that nobody reads are read anew. In the others posts that changed take their new form, and newer ones wait to be asked
 * for, so that nothing moves. The server counts what is unread.
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
