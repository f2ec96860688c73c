// Applies server events to the query cache: updates the displayed channels, posts, lists and unread counts.

import type { Channel } from '../../../contract/channel.ts';
import type { LiveEvent } from '../../../contract/events.ts';
import { SHARED_CACHE_SECONDS } from '../../../contract/limits.ts';
import type { Post } from '../../../contract/post.ts';
import type { DataClientControl } from '../clients/account-client.ts';
import type { DataContext } from '../context.ts';
import type { Loadable } from '../model/types.ts';
import type { DataQuery } from '../queries/query.ts';
import { isPost, type PostOrChannel } from './list-membership.ts';
import type { LivePostLists } from './new-posts.ts';

/** Upper limit of the server's unread counts. */
const MAX_UNREAD = 100;
/** Maximum time for which a response that the server sent before it hid a post may be cached or in flight, ms. */
const STALE_RESPONSE_DELAY_MS = SHARED_CACHE_SECONDS * 1000 + 10_000;

/** Creates the function that applies an event to every query of a data layer. */
export function createQueryUpdater({ context, refresh }: DataClientControl, lists: LivePostLists): (event: LiveEvent) => void {
  const { cache, channelIndex, directory, unreadCounts, userState, connection } = context;
  const countNewPost = createUnreadCounter(context);
  const updateChannelQueries = (id: string, change: () => Channel | null): void =>
    updateQueries(cache.all('channel'), ({ idOrUsername }) => channelIndex.idOf(idOrUsername) === id, change);

  function updateChannel(channel: Channel): void {
    // A directory that is not complete contains only the channels that are shown. A reader-added (unlisted) channel is
    // only in the directories of its followers.
    const isInLineup = userState.lineup.get()?.entries.some(({ channelId }) => channelId === channel.id);
    directory.add([channel], isInLineup || (directory.next === null && !channel.elsewhere));
    updateChannelQueries(channel.id, () => channel);
    for (const { value } of lists.all()) {
      const state = value.get();
      if (state.type === 'loaded' && state.channels.has(channel.id)) value.edit(() => ({ channels: [channel] }));
    }
  }
  function addPost(post: Post, channel: Channel): void {
    countNewPost(post, channel);
    unreadCounts?.addPosts([post]);
    updateChannel(channel);
    lists.add(post);
  }
  function changePost(post: Post, channel: Channel, wasHidden: boolean): void {
    updateChannel(channel);
    lists.replace(post, wasHidden);
    updateQueries(cache.all('post'), isPost(post), () => ({ post, channel }));
  }
  function removeChannel(channelId: string): void {
    updateChannelQueries(channelId, () => null);
    updateQueries(
      cache.all('directory'),
      () => true,
      (channels) => channels.filter(({ id }) => id !== channelId),
    );
  }
  const refreshChannel = async (channelId: string): Promise<void> =>
    (await import('./refresh-channel.ts')).refreshChannelLists(context, lists, updateChannel, channelId);
  function remove(hidden: PostOrChannel): void {
    if (connection.isClosed()) return;
    lists.remove(isPost(hidden));
    updateQueries(cache.all('post'), isPost(hidden), () => null);
    if (hidden.id === undefined) removeChannel(hidden.channelId);
  }
  /** Timers of second removals, by the key of the hidden post or channel. A timer that has run stays here. */
  const removalTimers = new Map<string, ReturnType<typeof setTimeout>>();
  /**
   * Cancels the second removal of a post that was restored, or of a channel that is available again. Returns true if it was
   * hidden while this page was open.
   */
  function cancelRemoval(hidden: PostOrChannel): boolean {
    clearTimeout(removalTimers.get(hiddenKey(hidden)));
    return removalTimers.delete(hiddenKey(hidden));
  }

  return (event) => {
    if ('channel' in event) cancelRemoval({ channelId: event.channel.id });
    const wasHidden = 'post' in event && cancelRemoval(event.post);
    switch (event.type) {
      case 'new':
        return addPost(event.post, event.channel);
      case 'edited':
        return changePost(event.post, event.channel, wasHidden);
      case 'channel':
        userState.recordFirstSeen([event.channel]);
        return updateChannel(event.channel);
      case 'refresh':
        return void refreshChannel(event.channelId).catch(() => {}); // The next fetch shows the change.
      case 'reader':
        return void context.sync();
      case 'reset':
        return void refresh();
      case 'hidden':
        // Removes it a second time later: a response that is in flight now may still contain it.
        cancelRemoval(event);
        remove(event);
        removalTimers.set(
          hiddenKey(event),
          setTimeout(() => remove(event), STALE_RESPONSE_DELAY_MS),
        );
    }
  };
}

/** Returns the key of a hidden post, or without an id of a hidden channel. */
const hiddenKey = ({ channelId, id }: PostOrChannel): string => `${channelId}/${id}`;

/** A query of one value, in the query cache. */
interface CachedQuery<Parameters, Value> {
  readonly parameters: Parameters;
  readonly value: DataQuery<Value>;
}

/** Changes the value of the loaded queries whose parameters are the target; null shows that it was not found. */
function updateQueries<Parameters, Value>(
  queries: readonly CachedQuery<Parameters, Value>[],
  isTarget: (parameters: Parameters) => boolean,
  change: (value: Value) => Value | null,
): void {
  for (const { parameters, value: query } of queries) {
    const state = query.get();
    if (state.type !== 'loaded' || !isTarget(parameters)) continue;
    const value = change(state.value);
    query.set(value === null ? NOT_FOUND_STATE : { ...state, value });
  }
}

/** Creates the function that counts a new post as unread. It counts no post twice. */
function createUnreadCounter({ channelIndex, unreadCounts, userState }: DataContext): (post: Post, channel: Channel) => void {
  /**
   * Per channel: the last counted post, and the newest post that its event named. Each event of a burst names the newest post
   * of the burst.
   */
  const counted = new Map<string, readonly [id: number, latest: number]>();
  function incrementCount({ channelId, id, service }: Post): void {
    const current = unreadCounts?.counts.get().get(channelId);
    const isRead = id <= (userState.readMarkers.get().get(channelId) ?? 0);
    if (current === undefined || current === MAX_UNREAD || service !== undefined || isRead) return;
    unreadCounts?.set(new Map(unreadCounts.counts.get()).set(channelId, current + 1));
  }
  return (post, channel) => {
    const [lastId = 0, previousLatestId] = counted.get(channel.id) ?? [];
    const latestId = channelIndex.get(channel.id)?.latest?.id ?? 0;
    // The directory's response already counted the posts up to its newest one.
    const countedId = previousLatestId === latestId ? lastId : latestId;
    if (post.id > countedId) incrementCount(post);
    counted.set(channel.id, [Math.max(countedId, post.id), channel.latest?.id ?? 0]);
  };
}

const NOT_FOUND_STATE: Loadable<never> = { type: 'failed', message: '', status: 404 };
