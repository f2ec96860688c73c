// Data layer (client store): connects API, offline store, outbox, queries and line-up of one reader.

import type { Channel } from '../../../contract/channel.ts';
import * as parse from '../../../contract/parse.ts';
import type { Post } from '../../../contract/post.ts';
import { list } from '../../../contract/shape.ts';
import type { ChannelsApi } from '../../api/channels-api.ts';
import { createSignal } from '../../lib/signal.ts';
import { computed, onFirstSubscriber } from '../../lib/watched-signal.ts';
import type { DeviceStorage } from '../../storage/device-storage.ts';
import { createConnection } from '../connection/connection.ts';
import type { DataContext, NewPostsWithView } from '../context.ts';
import { DEFAULT_LINEUP, externalFeedIds, feedChannelIds, nextUnmuteTime, toLineupRows } from '../lineup/selectors.ts';
import type { DataClient } from '../model/client.ts';
import type { LineupRow, Loadable, SessionState as Who } from '../model/types.ts';
import { createReadOnlyActions } from '../mutations/read-only.ts';
import { type Cached, createOfflineStore } from '../offline/offline-store.ts';
import type { PostSourceContext } from '../queries/page-source.ts';
import type { InfinitePostList } from '../queries/post-list/post-list.ts';
import { channelSource, feedSource } from '../queries/post-sources.ts';
import { createChannelIndex, createQueryCache } from '../queries/query-cache.ts';
import type { AccountSupport } from '../sync/pull.ts';
import type { SignInSync } from '../sync/sign-in.ts';
import type { WriteSupport } from './write-support.ts';

/** Maximum delay of a timer, ms. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** Number of posts on the dial's card. */
const MAX_CARD_POSTS = 3;

export interface DataClientOptions {
  readonly api: ChannelsApi;
  /** `openDeviceStorage(readerId)` in the app, which never rejects; an in-memory store for a tag. */
  readonly storage: DeviceStorage | Promise<DeviceStorage>;
  /** Current time, unix ms. */
  readonly now?: () => number;
}

export type CoreDataClient = DataClient & { readonly context: DataContext } & Pick<SignInSync, 'signedIn' | 'resume'> & {
    signInFailed(): void;
  };

/**
 * Creates a data layer. It is read-only if `acting` has only `createUserState`; it has no sign-in without an `account`. The
 * parameters let a caller load only the code that it needs.
 */
export function createDataClient(
  { api, storage: kept, now = Date.now }: DataClientOptions,
  readerId: string | null,
  acting: Pick<WriteSupport, 'createUserState'> & Partial<WriteSupport>,
  account: AccountSupport | null,
): CoreDataClient {
  const nobody: Who = readerId === null ? { type: 'anonymous' } : { type: 'expected', id: readerId };
  const reader = createSignal<Who>(nobody);
  const isSignedIn = (): boolean => reader.get().type === 'signed-in';
  const seconds = (): number => Math.floor(now() / 1000);

  const link = createConnection({ onUnauthorized: () => reader.set(nobody), onOnline: () => void refresh() });
  const device = createOfflineStore(Promise.resolve(kept), now);
  const outbox =
    readerId === null || account === null
      ? null
      : account.createOutbox({
          api,
          connection: link,
          offline: device,
          lockName: `changer-outbox-${readerId}`,
          now,
          isSignedIn,
          onRejected: () => void sync(),
          onLineupAccepted: (held) => state.lineupAccepted(held),
        });
  const state = acting.createUserState({ connection: link, offline: device, outbox });
  const syncState = outbox && account?.createSync({ api, connection: link, outbox, userState: state });
  const unread = acting.createUnreadCounts?.(api, link, device);
  const counts = unread?.counts ?? createSignal<ReadonlyMap<string, number>>(new Map());
  const known = createChannelIndex();
  const things = createQueryCache(link, now);

  async function keptChannels(): Promise<Cached<readonly Channel[]> | null> {
    const held = await device.read('channels', list(parse.channel));
    known.add(held?.value ?? []);
    return held;
  }
  /** Returns the stored channel: its own entry if its page was visited, else its entry in the stored directory. */
  async function keptChannel(id: string): Promise<Cached<Channel> | null> {
    const own = await device.read(`channel/${id}`, parse.channel);
    if (own !== null) return own;
    const all = await keptChannels();
    const value = known.get(id);
    return all === null || value === undefined ? null : { value, at: all.at };
  }
  const directory = things.getQuery<readonly Channel[]>(['directory'], () => ({
    readOffline: keptChannels,
    async fetch(how) {
      const { items } = await api.channels(elsewhere(), how);
      known.add(items);
      state.recordFirstSeen(items);
      void device.writeChannels(items);
      return items;
    },
  }));
  /** Time when a mute last expired, unix seconds. */
  const unmuted = createSignal(0);
  const view = computed([directory, state.lineup, counts, unmuted], (): Loadable<readonly LineupRow[]> => {
    const shown = directory.get();
    const contents = state.lineup.get();
    if (shown.type !== 'loaded') return shown;
    return contents === null
      ? { type: 'loading' }
      : { ...shown, value: toLineupRows(shown.value, contents, counts.get(), seconds()) };
  });
  const lineup = onFirstSubscriber(view, () => {
    if (counted !== null || unread === undefined) return;
    counted = '';
    void unread.loadCached();
    view.subscribe(count);
    count();
  });
  const listOf = <Value>(loadable: Loadable<readonly Value[]>): readonly Value[] =>
    loadable.type === 'loaded' ? loadable.value : [];
  const rows = (): readonly LineupRow[] => listOf(view.get());

  /** Ids of the channels whose unread posts were counted last; null until a line-up is shown. */
  let counted: string | null = null;
  let syncing = 0;
  function count(): void {
    const shown = directory.get();
    if (counted === null || syncing > 0 || shown.type !== 'loaded' || shown.cachedAt !== null || state.lineup.get() === null)
      return;
    const ids = rows().flatMap((row) => (row.followed ? row.channel.id : []));
    if (ids.join() === counted) return;
    counted = ids.join();
    unread?.refetch(ids, state).catch(countAgain);
  }
  function countAgain(): void {
    if (counted !== null) counted = '';
  }

  /** Feeds over the line-up. They restart when the line-up's channels change. */
  const feeds = new Set<InfinitePostList>();
  const feedNow = (): readonly string[] | undefined => feedChannelIds(state.lineup.get() ?? DEFAULT_LINEUP, seconds());
  let feedBefore: string | null = null;
  let elsewhereBefore = '';
  const elsewhere = (): readonly string[] => externalFeedIds(state.lineup.get() ?? DEFAULT_LINEUP);
  function tune(): void {
    const ids = feedNow();
    const feed = ids?.toSorted().join() ?? 'all';
    if (feedBefore !== null && feed !== feedBefore)
      for (const one of feeds) void one.reset((post) => ids === undefined || ids.includes(post.channelId));
    feedBefore = feed;
  }
  let unmuting: ReturnType<typeof setTimeout> | undefined;
  state.lineup.subscribe(() => {
    const contents = state.lineup.get();
    if (contents === null) return;
    tune();
    const named = elsewhere().join();
    if (named !== elsewhereBefore) void directory.refetch();
    elsewhereBefore = named;
    clearTimeout(unmuting);
    const end = nextUnmuteTime(contents.entries, seconds());
    if (end !== null) unmuting = setTimeout(endMute, Math.min((end - seconds()) * 1000, MAX_TIMER_MS));
  });
  function endMute(): void {
    unmuted.set(seconds());
    if (!link.isClosed()) tune();
  }

  const sources: PostSourceContext = {
    api,
    offline: device,
    isSignedIn,
    /** Returns the channel ids to send with a feed request; undefined where the server has the current line-up. */
    async feedChannelIds() {
      await state.loaded;
      const isWaiting = (): boolean => outbox?.pending().some((change) => change.type === 'lineup') ?? false;
      if (isWaiting()) await outbox?.flush();
      return isSignedIn() && !isWaiting() ? undefined : feedNow();
    },
    async cachedChannelIds() {
      await state.loaded;
      return feedNow() ?? (await keptChannels())?.value.flatMap(({ id, elsewhere }) => (elsewhere ? [] : id)) ?? [];
    },
    async readMarkers() {
      await (isSignedIn() && state.lineup.get() === null ? sync() : state.loaded);
      return state.readMarkers.get();
    },
    keptUnread: state.keptUnread,
    async stars() {
      await state.loaded;
      return state.stars.get();
    },
    channel: async (id) => known.get(id) ?? (await keptChannel(id))?.value ?? null,
    idOf: (idOrUsername) => known.get(idOrUsername)?.id ?? idOrUsername,
    storePage(page) {
      if (link.isClosed()) return;
      known.add(page.channels);
      unread?.addPosts(page.items);
      void device.writePosts(page);
    },
  };

  async function sync(): Promise<void> {
    syncing++;
    try {
      await syncState?.();
    } catch {
      // Stored data remains; `connection` reports the problem, and the next refresh tries again.
    }
    syncing--;
    state.applyDefaultIfUnknown();
    countAgain();
    count();
  }
  async function reread(): Promise<void> {
    await state.reloadFromStorage();
    countAgain();
    count();
  }
  const arrival = account?.createSignInSync({
    api,
    connection: link,
    offline: device,
    readerId,
    session: reader,
    onSignedIn: (first) => void arrive(first),
  });
  async function arrive(first: boolean): Promise<void> {
    const merged = await arrival?.mergeAnonymousState();
    if (link.isClosed()) return;
    await (first && merged !== true ? sync() : refresh());
  }
  async function refresh(): Promise<void> {
    await arrival?.retry();
    if (isSignedIn()) {
      await arrival?.mergeAnonymousState();
      await sync();
    }
    countAgain();
    await things.refetchAll();
  }
  void device.storage.then(({ lateOpen: late }) => late?.then(reread, () => {}));
  void link.released.then(async () => {
    await state.loaded;
    if (!isSignedIn()) state.applyDefaultIfUnknown();
  });
  link.connectivity.subscribe(() => {
    if (link.connectivity.get() === 'online') void outbox?.flush();
  });
  if (readerId === null) link.release();

  const fresh = createSignal<NewPostsWithView | null>(null);

  const acts =
    unread &&
    acting.createActions?.({
      userState: state,
      unreadCounts: unread,
      now,
      channels: () => listOf(directory.get()),
      latestIdOf: (channelId) => known.get(channelId)?.latest?.id,
      storePost(post) {
        const channel = known.get(post.channelId);
        void device.writePosts({ items: [post], channels: channel === undefined ? [] : [channel] });
      },
    });

  const posts: DataClient['posts'] = (id, query) => {
    const { q, media, around, date, limit } = query;
    return things.getList(['posts', id, q, media, around, limit, date], () => channelSource(sources, id, query));
  };

  return {
    session: reader,
    connectivity: link.connectivity,
    syncStatus: (outbox ?? state).syncStatus,
    directory,
    lineup,
    readMarkers: state.readMarkers,
    keptUnread: state.keptUnread,
    stars: computed([state.stars], () => new Set(state.stars.get().keys())),
    ...(acts ?? createReadOnlyActions()),
    addChannel(channel) {
      known.add([channel]);
      const shown = directory.get();
      if (shown.type === 'loaded' && !shown.value.some(({ id }) => id === channel.id))
        directory.set({ ...shown, value: [...shown.value, channel] });
    },

    feed(filter) {
      const { channelIds, show = 'all', limit } = filter;
      const made = things.getList(['feed', channelIds, show, limit], () => feedSource(sources, filter));
      if (channelIds === undefined && show !== 'starred') feeds.add(made);
      return made;
    },
    posts,
    channel: (id) =>
      things.getQuery<Channel>(['channel', id], () => ({
        initialData: known.get(id) ?? null,
        readOffline: () => keptChannel(id),
        async fetch(how) {
          const channel = await api.channel(id, how);
          known.add([channel]);
          void device.write(`channel/${id}`, channel, [channel]);
          return channel;
        },
      })),
    latestPosts: (channelId) =>
      things.getOrCreate(['latest', channelId], () => {
        const all = posts(channelId, {});
        return computed([all], (): Loadable<readonly Post[]> => {
          const shown = all.get();
          if (shown.type !== 'loaded') return shown;
          // The card shows posts of the channel, not service messages.
          const written = shown.posts.filter((post) => post.service === undefined);
          return { type: 'loaded', value: written.slice(0, MAX_CARD_POSTS), cachedAt: shown.cachedAt };
        });
      }),
    post: (channelId, id) =>
      things.getQuery(['post', channelId, id], () => ({
        async readOffline() {
          const held = await device.post(channelId, id);
          const channel = known.get(channelId) ?? (await keptChannel(channelId))?.value;
          return held === null || channel === undefined ? null : { value: { post: held.value, channel }, at: held.at };
        },
        async fetch(how) {
          const answer = await api.post(channelId, id, how);
          sources.storePage({ items: [answer.post], channels: [answer.channel], next: null, previous: null });
          return answer;
        },
      })),

    newPosts: fresh,
    refresh,
    context: {
      api,
      connection: link,
      offline: device,
      cache: things,
      channelIndex: known,
      unreadCounts: unread,
      userState: state,
      newPosts: fresh,
      reloadFromStorage: reread,
      sync,
    },
    signedIn: (user) => arrival?.signedIn(user),
    signInFailed: link.release,
    resume: () => arrival?.resume(),
    close() {
      link.close();
      clearTimeout(unmuting);
      outbox?.close();
      void device.storage.then((opened) => opened.close());
    },
  };
}
