import type { ChannelsApi } from '../../api/channels-api.ts';
import type { Connection } from '../connection/connection.ts';
import type { Outbox } from '../mutations/outbox.ts';
import type { UserState } from '../mutations/user-state.ts';
import type { OfflineStore } from '../offline/offline-store.ts';
import type { ChannelDirectory } from '../queries/channel-directory.ts';
import type { FeedMembership } from '../queries/feed-membership.ts';
import type { PostSourceContext } from '../queries/page-source.ts';
import type { ChannelIndex } from '../queries/query-cache.ts';
import type { UnreadCounts } from '../queries/unread-counts.ts';

export interface PostSourceContextOptions {
  readonly api: ChannelsApi;
  readonly connection: Connection;
  readonly offline: OfflineStore;
  readonly channelIndex: ChannelIndex;
  readonly unreadCounts: UnreadCounts | undefined;
  readonly userState: UserState;
  readonly outbox: Outbox | null;
  isSignedIn(): boolean;
}

/** Connects the sources of post lists to the reader's state and the channels. */
export function createPostSourceContext(
  { api, connection, offline, channelIndex, unreadCounts, userState, outbox, isSignedIn }: PostSourceContextOptions,
  directory: ChannelDirectory,
  feeds: FeedMembership,
  sync: () => Promise<void>,
): PostSourceContext {
  const isLineupPending = (): boolean => outbox?.pending().some((change) => change.type === 'lineup') ?? false;
  return {
    api,
    offline,
    isSignedIn,
    /** Returns the channel ids to send with a feed request; undefined if the server has the current line-up. */
    async feedChannelIds() {
      await userState.loaded;
      if (isLineupPending()) await outbox?.flush();
      return isSignedIn() && !isLineupPending() ? undefined : feeds.channelIds();
    },
    async cachedChannelIds() {
      await userState.loaded;
      const listedIds = async () => (await directory.readCached())?.value.flatMap(({ id, elsewhere }) => (elsewhere ? [] : id));
      return feeds.channelIds() ?? (await listedIds()) ?? [];
    },
    async readMarkers() {
      await (isSignedIn() && userState.lineup.get() === null ? sync() : userState.loaded);
      return userState.readMarkers.get();
    },
    keptUnread: userState.keptUnread,
    async stars() {
      await userState.loaded;
      return userState.stars.get();
    },
    channel: async (id) => channelIndex.get(id) ?? (await directory.readCachedChannel(id))?.value ?? null,
    idOf: channelIndex.idOf,
    storePage(page) {
      if (connection.isClosed()) return;
      channelIndex.add(page.channels);
      unreadCounts?.addPosts(page.items);
      void offline.writePosts(page);
    },
  };
}
