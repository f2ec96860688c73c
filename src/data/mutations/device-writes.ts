// Writes of the user state to the device: counts the changes that are not stored yet.

import { createSignal, type Signal } from '../../lib/signal.ts';
import type { KeyValueStore } from '../../storage/key-value-store.ts';
import type { Connection } from '../connection/connection.ts';
import type { SyncStatus } from '../model/types.ts';
import type { OfflineStore } from '../offline/offline-store.ts';

export interface DeviceWrites {
  /** Reports if all changes are stored on the device. */
  readonly syncStatus: Signal<SyncStatus>;
  /** Counts writes to the device. */
  readonly writeCount: Signal<number>;
  /** Returns a promise of all writes so far. If it returns another promise later, another write has started. */
  written(): Promise<unknown>;
  /** Runs a write, and counts it as pending until it is done. */
  add(write: (store: KeyValueStore) => Promise<unknown>, isReadMarker: boolean): Promise<void>;
}

export function createDeviceWrites(connection: Connection, offline: OfflineStore): DeviceWrites {
  const syncStatus = createSignal<SyncStatus>({ type: 'saved' });
  const writeCount = createSignal(0);
  let writing: Promise<unknown> = Promise.resolve();
  let unwritten = 0;
  /** Number of unwritten changes that are not read markers. */
  let unwrittenOthers = 0;

  function count(delta: 1 | -1, isReadMarker: boolean): void {
    unwritten += delta;
    if (!isReadMarker) unwrittenOthers += delta;
    syncStatus.set(
      unwritten === 0
        ? { type: 'saved' }
        : { type: 'waiting', count: unwritten, ...(unwrittenOthers === 0 && { onlyReadMarkers: true }) },
    );
  }
  return {
    syncStatus,
    writeCount,
    written: () => writing,
    async add(write, isReadMarker) {
      if (connection.isClosed()) return;
      count(1, isReadMarker);
      const done = offline.storage.then(({ reader }) => write(reader));
      writing = Promise.all([writing, done]);
      await done;
      // A database that opens late receives the write at that time.
      await (await offline.storage).lateOpen?.catch(() => {});
      count(-1, isReadMarker);
      writeCount.set(writeCount.get() + 1);
    },
  };
}
