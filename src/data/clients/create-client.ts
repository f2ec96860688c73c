// Data layer (client store): connects API, offline store, outbox, queries and line-up of one reader.

import type { Channel } from '../../../contract/channel.ts';
import * as parse from '../../../contract/parse.ts';
import type { Post } from '../../../contract/post.ts';
import { list } from '../../../contract/shape.ts';
import type { Api } from '../../api/channels-api.ts';
import { createCell } from '../../lib/signal.ts';
import { derived, watched } from '../../lib/watched-signal.ts';
import type { Kept } from '../../storage/device-storage.ts';
import { createLink } from '../connection/connection.ts';
import type { Inside, ShownNewPosts } from '../context.ts';
import { DEFAULT, feedIds, feedsOf, nextUnmute, rowsOf } from '../lineup/selectors.ts';
import type { Channels } from '../model/client.ts';
import type { LineupRow, Loadable, ReaderState as Who } from '../model/types.ts';
import { inertActs } from '../mutations/read-only.ts';
import { createDevice, type Held } from '../offline/offline-store.ts';
import type { Sources } from '../queries/page-source.ts';
import type { GrowingList } from '../queries/post-list/post-list.ts';
import { channelSource, feedSource } from '../queries/post-sources.ts';
import { createAcquaintance, createThings } from '../queries/query-cache.ts';
import type { Account } from '../sync/pull.ts';
import type { Arrival } from '../sync/sign-in.ts';
import type { Acting } from './write-support.ts';

/** Maximum delay of a timer, ms. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** Number of posts on the dial's card. */
const CARD = 3;

export interface AreaOptions {
  readonly api: Api;
  /** `openKept(readerId)` in the app, which never rejects; an in-memory store for a tag. */
  readonly kept: Kept | Promise<Kept>;
  /** Current time, unix ms. */
  readonly now?: () => number;
}

export type Area = Channels & { readonly inside: Inside } & Pick<Arrival, 'signedIn' | 'resume'> & { signInFailed(): void };

/**
 * Creates a data layer. It is read-only if `acting` has only `createReaderState`; it has no sign-in without an `account`. The
 * parameters let a caller load only the code that it needs.
 */
export function createArea(
  { api, kept, now = Date.now }: AreaOptions,
  readerId: string | null,
  acting: Pick<Acting, 'createReaderState'> & Partial<Acting>,
  account: Account | null,
): Area {
  const nobody: Who = readerId === null ? { type: 'anonymous' } : { type: 'expected', id: readerId };
  const reader = createCell<Who>(nobody);
  const isSignedIn = (): boolean => reader.get().type === 'signed-in';
  const seconds = (): number => Math.floor(now() / 1000);

  const link = createLink({ onUnauthorized: () => reader.set(nobody), onOnline: () => void refresh() });
  const device = createDevice(Promise.resolve(kept), now);
  const outbox =
    readerId === null || account === null
      ? null
      : account.createOutbox({
          api,
          link,
          device,
          name: `changer-outbox-${readerId}`,
          now,
          canSend: isSignedIn,
          onRefused: () => void sync(),
          onLineup: (held) => state.saved(held),
        });
  const state = acting.createReaderState({ link, device, outbox });
  const syncState = outbox && account?.createSync({ api, link, outbox, state });
  const unread = acting.createUnread?.(api, link, device);
  const counts = unread?.counts ?? createCell<ReadonlyMap<string, number>>(new Map());
  const known = createAcquaintance();
  const things = createThings(link, now);

  async function keptChannels(): Promise<Held<readonly Channel[]> | null> {
    const held = await device.answer('channels', list(parse.channel));
    known.meet(held?.value ?? []);
    return held;
  }
  /** Returns the stored channel: its own entry if its page was visited, else its entry in the stored directory. */
  async function keptChannel(id: string): Promise<Held<Channel> | null> {
    const own = await device.answer(`channel/${id}`, parse.channel);
    if (own !== null) return own;
    const all = await keptChannels();
    const value = known.find(id);
    return all === null || value === undefined ? null : { value, at: all.at };
  }
  const directory = things.resource<readonly Channel[]>(['directory'], () => ({
    held: keptChannels,
    async fetch(how) {
      const { items } = await api.channels(elsewhere(), how);
      known.meet(items);
      state.meet(items);
      void device.keepChannels(items);
      return items;
    },
  }));
  /** Time when a mute last expired, unix seconds. */
  const unmuted = createCell(0);
  const view = derived([directory, state.lineup, counts, unmuted], (): Loadable<readonly LineupRow[]> => {
    const shown = directory.get();
    const contents = state.lineup.get();
    if (shown.type !== 'loaded') return shown;
    return contents === null ? { type: 'loading' } : { ...shown, value: rowsOf(shown.value, contents, counts.get(), seconds()) };
  });
  const lineup = watched(view, () => {
    if (counted !== null || unread === undefined) return;
    counted = '';
    void unread.load();
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
    if (counted === null || syncing > 0 || shown.type !== 'loaded' || shown.kept !== null || state.lineup.get() === null) return;
    const ids = rows().flatMap((row) => (row.followed ? row.channel.id : []));
    if (ids.join() === counted) return;
    counted = ids.join();
    unread?.read(ids, state).catch(countAgain);
  }
  function countAgain(): void {
    if (counted !== null) counted = '';
  }

  /** Feeds over the line-up. They restart when the line-up's channels change. */
  const feeds = new Set<GrowingList>();
  const feedNow = (): readonly string[] | undefined => feedIds(state.lineup.get() ?? DEFAULT, seconds());
  let feedBefore: string | null = null;
  let elsewhereBefore = '';
  const elsewhere = (): readonly string[] => feedsOf(state.lineup.get() ?? DEFAULT);
  function tune(): void {
    const ids = feedNow();
    const feed = ids?.toSorted().join() ?? 'all';
    if (feedBefore !== null && feed !== feedBefore)
      for (const one of feeds) void one.restart((post) => ids === undefined || ids.includes(post.channelId));
    feedBefore = feed;
  }
  let unmuting: ReturnType<typeof setTimeout> | undefined;
  state.lineup.subscribe(() => {
    const contents = state.lineup.get();
    if (contents === null) return;
    tune();
    const named = elsewhere().join();
    if (named !== elsewhereBefore) void directory.renew();
    elsewhereBefore = named;
    clearTimeout(unmuting);
    const end = nextUnmute(contents.entries, seconds());
    if (end !== null) unmuting = setTimeout(endMute, Math.min((end - seconds()) * 1000, MAX_TIMER_MS));
  });
  function endMute(): void {
    unmuted.set(seconds());
    if (!link.isClosed()) tune();
  }

  const sources: Sources = {
    api,
    device,
    isSignedIn,
    /** Returns the channel ids to send with a feed request; undefined where the server has the current line-up. */
    async feedIds() {
      await state.loaded;
      const isWaiting = (): boolean => outbox?.waiting().some((change) => change.type === 'lineup') ?? false;
      if (isWaiting()) await outbox?.flush();
      return isSignedIn() && !isWaiting() ? undefined : feedNow();
    },
    async cachedIds() {
      await state.loaded;
      return feedNow() ?? (await keptChannels())?.value.flatMap(({ id, elsewhere }) => (elsewhere ? [] : id)) ?? [];
    },
    async marks() {
      await (isSignedIn() && state.lineup.get() === null ? sync() : state.loaded);
      return state.marks.get();
    },
    keptUnread: state.keptUnread,
    async stars() {
      await state.loaded;
      return state.stars.get();
    },
    channel: async (id) => known.find(id) ?? (await keptChannel(id))?.value ?? null,
    idOf: (idOrUsername) => known.find(idOrUsername)?.id ?? idOrUsername,
    learn(page) {
      if (link.isClosed()) return;
      known.meet(page.channels);
      unread?.learn(page.items);
      void device.keepPosts(page);
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
    state.settle();
    countAgain();
    count();
  }
  async function reread(): Promise<void> {
    await state.reread();
    countAgain();
    count();
  }
  const arrival = account?.createArrival({ api, link, device, readerId, reader, onSignedIn: (first) => void arrive(first) });
  async function arrive(first: boolean): Promise<void> {
    const merged = await arrival?.merge();
    if (link.isClosed()) return;
    await (first && merged !== true ? sync() : refresh());
  }
  async function refresh(): Promise<void> {
    await arrival?.retry();
    if (isSignedIn()) {
      await arrival?.merge();
      await sync();
    }
    countAgain();
    await things.renew();
  }
  void device.kept.then(({ late }) => late?.then(reread, () => {}));
  void link.opened.then(async () => {
    await state.loaded;
    if (!isSignedIn()) state.settle();
  });
  link.connection.subscribe(() => {
    if (link.connection.get() === 'online') void outbox?.flush();
  });
  if (readerId === null) link.open();

  const fresh = createCell<ShownNewPosts | null>(null);

  const acts =
    unread &&
    acting.createActs?.({
      state,
      unread,
      now,
      channels: () => listOf(directory.get()),
      latestOf: (channelId) => known.find(channelId)?.latest?.id,
      keepPost(post) {
        const channel = known.find(post.channelId);
        void device.keepPosts({ items: [post], channels: channel === undefined ? [] : [channel] });
      },
    });

  const posts: Channels['posts'] = (id, query) => {
    const { q, media, around, date, limit } = query;
    return things.list(['posts', id, q, media, around, limit, date], () => channelSource(sources, id, query));
  };

  return {
    reader,
    connection: link.connection,
    saving: (outbox ?? state).saving,
    directory,
    lineup,
    marks: state.marks,
    keptUnread: state.keptUnread,
    stars: derived([state.stars], () => new Set(state.stars.get().keys())),
    ...(acts ?? inertActs()),
    meet(channel) {
      known.meet([channel]);
      const shown = directory.get();
      if (shown.type === 'loaded' && !shown.value.some(({ id }) => id === channel.id))
        directory.set({ ...shown, value: [...shown.value, channel] });
    },

    feed(filter) {
      const { channelIds, show = 'all', limit } = filter;
      const made = things.list(['feed', channelIds, show, limit], () => feedSource(sources, filter));
      if (channelIds === undefined && show !== 'starred') feeds.add(made);
      return made;
    },
    posts,
    channel: (id) =>
      things.resource<Channel>(['channel', id], () => ({
        known: known.find(id) ?? null,
        held: () => keptChannel(id),
        async fetch(how) {
          const channel = await api.channel(id, how);
          known.meet([channel]);
          void device.keep(`channel/${id}`, channel, [channel]);
          return channel;
        },
      })),
    latest: (channelId) =>
      things.once(['latest', channelId], () => {
        const all = posts(channelId, {});
        return derived([all], (): Loadable<readonly Post[]> => {
          const shown = all.get();
          if (shown.type !== 'loaded') return shown;
          // The card shows posts of the channel, not service messages.
          const written = shown.posts.filter((post) => post.service === undefined);
          return { type: 'loaded', value: written.slice(0, CARD), kept: shown.kept };
        });
      }),
    post: (channelId, id) =>
      things.resource(['post', channelId, id], () => ({
        async held() {
          const held = await device.post(channelId, id);
          const channel = known.find(channelId) ?? (await keptChannel(channelId))?.value;
          return held === null || channel === undefined ? null : { value: { post: held.value, channel }, at: held.at };
        },
        async fetch(how) {
          const answer = await api.post(channelId, id, how);
          sources.learn({ items: [answer.post], channels: [answer.channel], next: null, previous: null });
          return answer;
        },
      })),

    fresh,
    refresh,
    inside: { api, link, device, things, known, unread, state, fresh, reread, sync },
    signedIn: (user) => arrival?.signedIn(user),
    signInFailed: link.open,
    resume: () => arrival?.resume(),
    close() {
      link.close();
      clearTimeout(unmuting);
      outbox?.close();
      void device.kept.then((opened) => opened.close());
    },
  };
}
