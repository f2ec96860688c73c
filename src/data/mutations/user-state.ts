// User state: line-up, read markers, stars and kept-unread posts, stored on the device and synchronized through the
// outbox.

import type { Channel } from '../../../contract/channel.ts';
import type { Lineup, LineupContents } from '../../../contract/lineup.ts';
import type { Signal, WritableSignal } from '../../lib/signal.ts';
import { DEFAULT_LINEUP } from '../lineup/selectors.ts';
import type { SyncStatus } from '../model/types.ts';
import { createDeviceWrites } from './device-writes.ts';
import { createFirstSeen } from './first-seen.ts';
import { createUserStateChanges, type UserStateChanges } from './user-state-changes.ts';
import type { StoredUserState } from './user-state-storage.ts';
import { applyServerState, loadUserState, mergeAcceptedLineup, reloadUserState, type UserStateParts } from './user-state-sync.ts';
import { createUserStateValues, type LineupMerge } from './user-state-values.ts';

/**
 * A reader's line-up, read markers, stars and kept-unread posts. Changes are stored on the device at once; the outbox sends
 * them to the server.
 */
export interface UserState extends UserStateChanges {
  /** Null until the device and, for a signed-in reader, the server have been read. */
  readonly lineup: Signal<LineupContents | null>;
  /**
   * Read markers. Without a marker, a channel counts as read up to its newest post when this device first saw it: a new
   * reader has no unread history.
   */
  readonly readMarkers: Signal<ReadonlyMap<string, number>>;
  /** Stores the newest post of each channel that this device sees for the first time. */
  recordFirstSeen(channels: readonly Channel[]): void;
  /** Time when each post was starred, unix ms, by post key. */
  readonly stars: Signal<ReadonlyMap<string, number>>;
  /** Keys of posts that remain unread although the channel's read marker has passed them. */
  readonly keptUnread: Signal<ReadonlySet<string>>;
  /** Resolves when the stored state has been loaded from the device. */
  readonly loaded: Promise<void>;
  /** Replaces the state by the server's. Pending changes are applied on top. */
  applyServerState(state: StoredUserState & { readonly lineup: Lineup }): void;
  /** Reports if all changes are stored on the device. */
  readonly syncStatus: Signal<SyncStatus>;
  /** Counts writes to the device. After each one, the reader's other tabs must read the state again. */
  readonly writeCount: Signal<number>;
  /** Loads the state that another tab wrote to the device. */
  reloadFromStorage(): Promise<void>;
  /** The line-up before and after another device's changes were merged into it; null after the notice is acknowledged. */
  readonly lastMerge: WritableSignal<LineupMerge | null>;
  /** Shows the default line-up if none is known. Called when the server will not send one. */
  applyDefaultIfUnknown(): void;
}

export type UserStateOptions = Pick<UserStateParts, 'connection' | 'offline' | 'outbox'>;

export function createUserState({ connection, offline, outbox }: UserStateOptions): UserState {
  const values = createUserStateValues();
  const { lineup, readMarkers, stars, keptUnread, lastMerge } = values;
  const writes = createDeviceWrites(connection, offline);
  const firstSeen = createFirstSeen(connection, offline, values);
  const parts: UserStateParts = { connection, offline, outbox, values, writes, firstSeen };
  const loaded = loadUserState(parts);
  outbox?.lineupAccepted.subscribe((accepted) => mergeAcceptedLineup(parts, accepted));

  return {
    lineup,
    readMarkers,
    stars,
    keptUnread,
    lastMerge,
    loaded,
    recordFirstSeen: firstSeen.record,
    syncStatus: writes.syncStatus,
    writeCount: writes.writeCount,
    ...createUserStateChanges(parts),
    applyServerState: (state) => applyServerState(parts, state),
    async reloadFromStorage() {
      await loaded;
      await reloadUserState(parts);
    },
    applyDefaultIfUnknown() {
      if (lineup.get() !== null) return;
      lineup.set(DEFAULT_LINEUP);
      firstSeen.addReadMarkers();
    },
  };
}
