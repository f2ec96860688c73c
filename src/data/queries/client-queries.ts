// Queries of the data layer: the feed, a channel's posts, a channel, its latest posts, and one post.

import type { Post } from '../../../contract/post.ts';
import type { Signal } from '../../lib/signal.ts';
import { computed } from '../../lib/watched-signal.ts';
import type { DataClient } from '../model/client.ts';
import type { ChannelPostsQuery, Loadable, PostList } from '../model/types.ts';
import { channelKey } from '../offline/keys.ts';
import type { ChannelDirectory } from './channel-directory.ts';
import type { FeedMembership } from './feed-membership.ts';
import type { PostSourceContext } from './page-source.ts';
import { channelSource, feedSource } from './post-sources.ts';
import type { ChannelIndex, QueryCache } from './query-cache.ts';

/** Maximum number of posts on the dial's card. */
const MAX_CARD_POSTS = 3;

export type ClientQueries = Pick<DataClient, 'feed' | 'posts' | 'channel' | 'latestPosts' | 'post'>;

export function createClientQueries(
  cache: QueryCache,
  channelIndex: ChannelIndex,
  directory: ChannelDirectory,
  feeds: FeedMembership,
  sources: PostSourceContext,
): ClientQueries {
  const posts = (id: string, query: ChannelPostsQuery): PostList => {
    const { q, media, around, date, limit } = query;
    const parameters = { idOrUsername: id, q, media, around, limit, date };
    return cache.getOrCreate('channelPosts', parameters, ({ list }) => list(channelSource(sources, id, query)));
  };
  return {
    posts,
    feed(filter) {
      const { channelIds, show = 'all', limit } = filter;
      const feed = cache.getOrCreate('feed', { channelIds, show, limit }, ({ list }) => list(feedSource(sources, filter)));
      if (channelIds === undefined && show !== 'starred') feeds.add(feed);
      return feed;
    },
    channel: (id) =>
      cache.getOrCreate('channel', { idOrUsername: id }, ({ query }) =>
        query({
          initialData: channelIndex.get(id) ?? null,
          readOffline: () => directory.readCachedChannel(id),
          async fetch(options) {
            const channel = await sources.api.channel(id, options);
            channelIndex.add([channel]);
            void sources.offline.write(channelKey(id), channel, [channel]);
            return channel;
          },
        }),
      ),
    latestPosts: (channelId) => cache.getOrCreate('cardPosts', { channelId }, () => toCardPosts(posts(channelId, {}))),
    post: (channelId, id) =>
      cache.getOrCreate('post', { channelId, id }, ({ query }) =>
        query({
          async readOffline() {
            const stored = await sources.offline.post(channelId, id);
            const channel = await sources.channel(channelId);
            return stored === null || channel === null ? null : { value: { post: stored.value, channel }, at: stored.at };
          },
          async fetch(options) {
            const response = await sources.api.post(channelId, id, options);
            sources.storePage({ items: [response.post], channels: [response.channel], next: null, previous: null });
            return response;
          },
        }),
      ),
  };
}

/** Derives the posts on the dial's card: posts of the channel, not service messages. */
const toCardPosts = (list: PostList): Signal<Loadable<readonly Post[]>> =>
  computed([list], () => {
    const state = list.get();
    if (state.type !== 'loaded') return state;
    const posts = state.posts.filter((post) => post.service === undefined);
    return { type: 'loaded', value: posts.slice(0, MAX_CARD_POSTS), cachedAt: state.cachedAt };
  });
