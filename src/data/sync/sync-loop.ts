// Sync loop: sends pending changes, and refetches state and displayed data (start, sign-in, back online, other tabs).

import type { ChannelsApi } from '../../api/channels-api.ts';
import type { WritableSignal } from '../../lib/signal.ts';
import type { Connection } from '../connection/connection.ts';
import type { SessionState } from '../model/types.ts';
import type { Outbox } from '../mutations/outbox.ts';
import type { UserState } from '../mutations/user-state.ts';
import type { OfflineStore } from '../offline/offline-store.ts';
import type { QueryCache } from '../queries/query-cache.ts';
import type { UnreadRefresh } from '../queries/unread-refresh.ts';
import type { AccountSupport } from './pull.ts';
import type { SignInSync } from './sign-in.ts';

export interface SyncLoop {
  /** Fetches the line-up, read markers and stars of a signed-in reader from the server. */
  sync(): Promise<void>;
  /** Syncs, and refetches what is shown. */
  refresh(): Promise<void>;
  /** Reads the state that another tab wrote to the device. */
  reloadFromStorage(): Promise<void>;
  /** Undefined without an account. */
  readonly signIn: SignInSync | undefined;
}

export interface SyncLoopOptions {
  readonly account: AccountSupport | null;
  readonly readerId: string | null;
  readonly api: ChannelsApi;
  readonly connection: Connection;
  readonly offline: OfflineStore;
  readonly session: WritableSignal<SessionState>;
  readonly cache: QueryCache;
  readonly outbox: Outbox | null;
  readonly userState: UserState;
  isSignedIn(): boolean;
}

export function createSyncLoop(options: SyncLoopOptions, unreadRefresh: UnreadRefresh): SyncLoop {
  const { account, readerId, api, connection, offline, session, cache, outbox, userState, isSignedIn } = options;
  const pull = outbox && account?.createSync({ api, connection, outbox, userState });
  const onSignedIn = (isFirst: boolean): void => void syncAfterSignIn(isFirst);
  const signIn = account?.createSignInSync({ api, connection, offline, readerId, session, onSignedIn });

  function recount(): void {
    unreadRefresh.invalidate();
    unreadRefresh.update();
  }
  async function sync(): Promise<void> {
    const resumeUnread = unreadRefresh.pause();
    try {
      await pull?.();
    } catch {
      // Stored data remains; `connection` reports the problem, and the next refresh tries again.
    }
    resumeUnread();
    userState.applyDefaultIfUnknown();
    recount();
  }
  async function reloadFromStorage(): Promise<void> {
    await userState.reloadFromStorage();
    recount();
  }
  async function syncAfterSignIn(isFirst: boolean): Promise<void> {
    const isMerged = await signIn?.mergeAnonymousState();
    if (connection.isClosed()) return;
    await (isFirst && isMerged !== true ? sync() : refresh());
  }
  async function refresh(): Promise<void> {
    await signIn?.retry();
    if (isSignedIn()) {
      await signIn?.mergeAnonymousState();
      await sync();
    }
    unreadRefresh.invalidate();
    await cache.refetchAll();
  }

  outbox?.rejected.subscribe(() => void sync());
  globalThis.addEventListener?.('online', () => void refresh(), { signal: connection.signal });
  void offline.storage.then(({ lateOpen }) => lateOpen?.then(reloadFromStorage, () => {}));
  void connection.released.then(async () => {
    await userState.loaded;
    if (!isSignedIn()) userState.applyDefaultIfUnknown();
  });
  connection.connectivity.subscribe(() => {
    if (connection.connectivity.get() === 'online') void outbox?.flush();
  });
  if (readerId === null) connection.release();

  return { sync, refresh, reloadFromStorage, signIn };
}
