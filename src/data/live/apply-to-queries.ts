// Applies server events to the query cache: updates the displayed channels, posts, lists and unread counts.

import type { Channel } from '../../../contract/channel.ts';
import type { LiveEvent } from '../../../contract/events.ts';
import type { Post } from '../../../contract/post.ts';
import type { DataClientControl } from '../clients/account-client.ts';
import { DEFAULT_LINEUP, externalFeedIds } from '../lineup/selectors.ts';
import type { Loadable } from '../model/types.ts';
import type { DataQuery } from '../queries/query.ts';
import type { LivePostLists } from './new-posts.ts';

/** Upper limit of the server's unread counts. */
const MAX_UNREAD = 100;
/** Maximum time that a response from before a post was hidden may still be in flight, ms. */
const STALE_RESPONSE_DELAY_MS = 10_000;

/** Creates the function that applies an event to every query of a data layer. */
export function createQueryUpdater(
  { context: inside, refresh }: DataClientControl,
  lists: LivePostLists,
): (happening: LiveEvent) => void {
  const { cache: things, channelIndex: known, unreadCounts: unread, userState: state, connection: link } = inside;

  function setResource<Value>(
    name: string,
    isMeant: (query: readonly unknown[]) => boolean,
    change: (value: Value) => Value | null,
  ) {
    for (const { key, query } of things.entries.values()) {
      if (key[0] !== name || !isMeant(key)) continue;
      // Sound: the query's name determines the type of the resource.
      const resource = query as DataQuery<Value>;
      const shown = resource.get();
      if (shown.type !== 'loaded') continue;
      const value = change(shown.value);
      resource.set(value === null ? NOT_FOUND_STATE : { ...shown, value });
    }
  }
  const setDirectory = (change: (channels: readonly Channel[]) => readonly Channel[]) =>
    setResource('directory', () => true, change);
  const isOf = (id: string) => (query: readonly unknown[]) =>
    query[1] === id || (typeof query[1] === 'string' && known.get(query[1])?.id === id);

  function learn(channel: Channel): void {
    known.add([channel]);
    // A reader-added (unlisted) channel is only in the directories of its followers.
    if (channel.elsewhere !== true || externalFeedIds(state.lineup.get() ?? DEFAULT_LINEUP).includes(channel.id))
      setDirectory((channels) => upsertChannel(channels, channel));
    setResource<Channel>('channel', isOf(channel.id), () => channel);
    for (const { list } of lists.all()) {
      const shown = list.get();
      if (shown.type === 'loaded' && shown.channels.has(channel.id)) list.edit(() => ({ channels: [channel] }));
    }
  }
  function count({ channelId, id, service }: Post, by: 1 | -1): void {
    const held = unread?.counts.get().get(channelId);
    if (held === undefined || held === MAX_UNREAD || service !== undefined || id <= (state.readMarkers.get().get(channelId) ?? 0))
      return;
    unread?.set(new Map(unread.counts.get()).set(channelId, Math.max(0, held + by)));
  }
  /**
   * Per channel: the last counted post, and the newest post that its event named. Each event of a burst names the newest post
   * of the burst.
   */
  const counted = new Map<string, readonly [id: number, latest: number]>();
  function came(post: Post, channel: Channel): void {
    const [last = 0, of] = counted.get(channel.id) ?? [];
    const latest = known.get(channel.id)?.latest?.id ?? 0;
    // The directory's response already counted the posts up to its newest one.
    const base = of === latest ? last : latest;
    if (post.id > base) count(post, 1);
    counted.set(channel.id, [Math.max(base, post.id), channel.latest?.id ?? 0]);
    unread?.addPosts([post]);
    learn(channel);
    lists.added(post);
  }
  function changedPost(post: Post, channel: Channel): void {
    learn(channel);
    lists.changed(post);
    setResource(
      'post',
      (query) => query[1] === post.channelId && query[2] === post.id,
      () => ({ post, channel }),
    );
  }
  function postLeft(channelId: string, id: number): void {
    const isGone = (post: Post): boolean => post.channelId === channelId && post.id === id;
    lists.removed(isGone);
    setResource(
      'post',
      (query) => query[1] === channelId && query[2] === id,
      () => null,
    );
  }
  function channelLeft(channelId: string): void {
    lists.removed((post) => post.channelId === channelId);
    setResource('channel', isOf(channelId), () => null);
    setResource(
      'post',
      (query) => query[1] === channelId,
      () => null,
    );
    setDirectory((channels) => channels.filter(({ id }) => id !== channelId));
  }
  const renew = async (channelId: string): Promise<void> =>
    (await import('./refresh-channel.ts')).refreshChannelLists(inside, lists, learn, channelId);
  function left({ channelId, id }: Extract<LiveEvent, { type: 'hidden' }>): void {
    if (link.isClosed()) return;
    if (id === undefined) channelLeft(channelId);
    else postLeft(channelId, id);
  }

  return (happening) => {
    switch (happening.type) {
      case 'new':
        return came(happening.post, happening.channel);
      case 'edited':
        return changedPost(happening.post, happening.channel);
      case 'channel':
        state.recordFirstSeen([happening.channel]);
        return learn(happening.channel);
      case 'refresh':
        return void renew(happening.channelId).catch(() => {}); // The next fetch shows the change.
      case 'reader':
        return void inside.sync();
      case 'reset':
        return void refresh();
      case 'hidden':
        left(happening);
        setTimeout(() => left(happening), STALE_RESPONSE_DELAY_MS);
    }
  };
}

const NOT_FOUND_STATE: Loadable<never> = { type: 'failed', message: '', status: 404 };

const upsertChannel = (channels: readonly Channel[], channel: Channel): readonly Channel[] =>
  channels.some(({ id }) => id === channel.id)
    ? channels.map((one) => (one.id === channel.id ? channel : one))
    : [...channels, channel];
