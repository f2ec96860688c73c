// Data layer (client store): connects API, offline store, outbox, queries and line-up of one reader.

import type { ChannelsApi } from '../../api/channels-api.ts';
import { createSignal } from '../../lib/signal.ts';
import { computed } from '../../lib/watched-signal.ts';
import type { DeviceStorage } from '../../storage/device-storage.ts';
import { createConnection } from '../connection/connection.ts';
import type { DataContext, NewPostsWithView } from '../context.ts';
import { createMuteExpiry } from '../lineup/mute-expiry.ts';
import type { DataClient } from '../model/client.ts';
import type { SessionState } from '../model/types.ts';
import { type Actions, createReadOnlyActions } from '../mutations/read-only.ts';
import { createOfflineStore } from '../offline/offline-store.ts';
import { createChannelDirectory } from '../queries/channel-directory.ts';
import { createClientQueries } from '../queries/client-queries.ts';
import { createFeedMembership } from '../queries/feed-membership.ts';
import { createLineupRows } from '../queries/lineup-rows.ts';
import { createChannelIndex, createQueryCache } from '../queries/query-cache.ts';
import { createUnreadRefresh } from '../queries/unread-refresh.ts';
import type { AccountSupport } from '../sync/pull.ts';
import type { SignInSync } from '../sync/sign-in.ts';
import { createSyncLoop } from '../sync/sync-loop.ts';
import { createPostSourceContext } from './post-source-context.ts';
import type { WriteSupport } from './write-support.ts';

export interface DataClientOptions {
  readonly api: ChannelsApi;
  /** `openDeviceStorage(readerId)` in the app, which never rejects; an in-memory store for a tag. */
  readonly storage: DeviceStorage | Promise<DeviceStorage>;
  /** Returns the current time, unix ms. */
  readonly now?: () => number;
}

/** Data layer with its sign-in events and its internals. */
export type CoreDataClient = DataClient & { readonly context: DataContext } & Pick<SignInSync, 'signedIn' | 'resume'> & {
    signInFailed(): void;
  };

/** Support for changes. A data layer is read-only if this object has only `createUserState`. */
type PartialWriteSupport = Pick<WriteSupport, 'createUserState'> & Partial<WriteSupport>;

/**
 * Creates a data layer. It is read-only if `writeSupport` has only `createUserState`; it has no sign-in without an
 * `account`. The parameters let a caller load only the code that it needs.
 */
export function createDataClient(
  { api, storage, now = Date.now }: DataClientOptions,
  readerId: string | null,
  writeSupport: PartialWriteSupport,
  account: AccountSupport | null,
): CoreDataClient {
  const signedOut: SessionState = readerId === null ? { type: 'anonymous' } : { type: 'expected', id: readerId };
  const session = createSignal<SessionState>(signedOut);
  const isSignedIn = (): boolean => session.get().type === 'signed-in';
  const nowSeconds = (): number => Math.floor(now() / 1000);

  const connection = createConnection(() => session.set(signedOut));
  const offline = createOfflineStore(Promise.resolve(storage), now);
  const lockName = `changer-outbox-${readerId}`;
  const outbox =
    readerId === null ? null : (account?.createOutbox({ api, connection, offline, lockName, now, isSignedIn }) ?? null);
  const userState = writeSupport.createUserState({ connection, offline, outbox });
  const { lineup } = userState;
  const unreadCounts = writeSupport.createUnreadCounts?.(api, connection, offline);
  const counts = unreadCounts?.counts ?? createSignal<ReadonlyMap<string, number>>(new Map());
  const channelIndex = createChannelIndex();
  const cache = createQueryCache(connection, now);

  const muteExpiry = createMuteExpiry(lineup, nowSeconds, connection.signal);
  const shared = { api, connection, offline, cache, channelIndex, unreadCounts, userState };
  const core = { ...shared, account, isSignedIn, outbox, readerId, session };
  const feeds = createFeedMembership(connection, lineup, muteExpiry, nowSeconds);
  const directory = createChannelDirectory(shared);
  const rows = createLineupRows(directory.query, lineup, counts, muteExpiry, nowSeconds);
  const unreadRefresh = createUnreadRefresh(rows, unreadCounts, userState);
  const { sync, refresh, reloadFromStorage, signIn } = createSyncLoop(core, unreadRefresh);
  const sources = createPostSourceContext(core, directory, feeds, sync);
  const newPosts = createSignal<NewPostsWithView | null>(null);
  const context: DataContext = { ...shared, directory, newPosts, reloadFromStorage, sync };

  return {
    session,
    connectivity: connection.connectivity,
    syncStatus: (outbox ?? userState).syncStatus,
    directory: directory.query,
    lineup: unreadRefresh.lineup,
    readMarkers: userState.readMarkers,
    keptUnread: userState.keptUnread,
    stars: computed([userState.stars], () => new Set(userState.stars.get().keys())),
    ...createClientActions(writeSupport, context, now),
    addChannel: (channel) => directory.add([channel]),
    ...createClientQueries(cache, channelIndex, directory, feeds, sources),
    newPosts,
    refresh,
    context,
    signedIn: (user) => signIn?.signedIn(user),
    signInFailed: connection.release,
    resume: () => signIn?.resume(),
    close() {
      connection.close();
      outbox?.close();
      void offline.storage.then((opened) => opened.close());
    },
  };
}

function createClientActions(writeSupport: PartialWriteSupport, context: DataContext, now: () => number): Actions {
  const { channelIndex, offline, unreadCounts, userState } = context;
  if (unreadCounts === undefined || writeSupport.createActions === undefined) return createReadOnlyActions();
  return writeSupport.createActions({
    context,
    userState,
    unreadCounts,
    now,
    latestIdOf: (channelId) => channelIndex.get(channelId)?.latest?.id,
    storePost(post) {
      const channel = channelIndex.get(post.channelId);
      void offline.writePosts({ items: [post], channels: channel === undefined ? [] : [channel] });
    },
  });
}
