// Simulated device of a reader: tabs with a shared memory store, for tests of synchronization.

import type { Reader } from '../../contract/api.ts';
import { createChannelsApi } from '../../src/api/channels-api.ts';
import { createHttpClient } from '../../src/api/client.ts';
import { createAccountClient, type DataClientControl } from '../../src/data/clients/account-client.ts';
import { createSignal } from '../../src/lib/signal.ts';
import type { DeviceStorage } from '../../src/storage/device-storage.ts';
import type { KeyUpdate, KeyValueStore } from '../../src/storage/key-value-store.ts';
import { createMemoryStore } from '../../src/storage/memory-store.ts';
import type { LossyNetwork } from './lossy-network.ts';

/** A device of a reader. Its tabs share a store and are closed without any cleanup. The store remains. */
export interface PersistentDevice {
  readonly wire: LossyNetwork;
  readonly tabs: DataClientControl[];
  readonly reader: KeyValueStore;
  /** The ids of all changes that were ever in the outbox of this device. */
  readonly named: ReadonlySet<string>;
  open(): DataClientControl;
  /** Closes the last tab. */
  close(): void;
  /** Stores channels as known to the device since before their first post, so that all posts are unread. */
  markAllPostsUnread(channelIds: readonly string[]): Promise<void>;
}

export interface DeviceOptions {
  readonly wire: LossyNetwork;
  readonly user: Reader;
  readonly token: string;
  now(): number;
}

export function createDevice({ wire, user, token, now }: DeviceOptions): PersistentDevice {
  const named = new Set<string>();
  const [publicStore, reader] = [createMemoryStore(), recordChangeIds(createMemoryStore(), named)];
  const tabs: DataClientControl[] = [];
  return {
    wire,
    tabs,
    reader,
    named,
    open() {
      const client = createHttpClient({
        baseUrl: wire.origin,
        tokenStorage: { token: () => token, store() {}, clear() {}, clearRejected() {} },
      });
      const dataClient = createAccountClient({
        api: createChannelsApi(client),
        storage: openStorage(publicStore, reader),
        readerId: user.id,
        now,
      });
      dataClient.lineup.subscribe(() => {});
      dataClient.signedIn(user);
      tabs.push(dataClient);
      return dataClient;
    },
    close: () => tabs.pop()?.close(),
    markAllPostsUnread: (ids) => reader.put([['first-seen', ids.map((channelId) => ({ channelId, messageId: 0 }))]]),
  };
}

/** Returns the view of a tab on the stores of its device. It is disconnected when the tab is closed. */
function openStorage(publicStore: KeyValueStore, reader: KeyValueStore): DeviceStorage {
  const stores = [publicStore, reader, createMemoryStore()].map(closable);
  const [one = createMemoryStore(), other = createMemoryStore(), left = createMemoryStore()] = stores;
  return {
    persistent: createSignal(true),
    public: one,
    reader: other,
    openAnonymous: async () => left,
    close: () => stores.map((store) => store.close()),
  };
}

/** Records the `turn` of each change that is put into the outbox. It is the id of the change. */
const recordChangeIds = (store: KeyValueStore, named: Set<string>): KeyValueStore => ({
  ...store,
  update: (...slots) =>
    store.update(
      ...slots.map(
        ([key, make]): KeyUpdate => [
          key,
          (raw) => {
            const value = make(raw);
            if (key.startsWith('out/') && typeof value === 'object' && value !== null)
              named.add(String(Reflect.get(value, 'turn')));
            return value;
          },
        ],
      ),
    ),
});

function closable(store: KeyValueStore): KeyValueStore {
  let isOpen = true;
  return {
    get: async (key) => (isOpen ? store.get(key) : undefined),
    list: async (...args) => (isOpen ? store.list(...args) : []),
    put: async (entries) => (isOpen ? store.put(entries) : undefined),
    update: async (...args) => (isOpen ? store.update(...args) : undefined),
    deletePrefix: async (prefix) => (isOpen ? store.deletePrefix(prefix) : undefined),
    keys: async (prefix) => (isOpen ? store.keys(prefix) : []),
    deleteMany: async (keys) => (isOpen ? store.deleteMany(keys) : undefined),
    close() {
      isOpen = false;
    },
  };
}
