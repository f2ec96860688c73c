// Simulated device of a reader: tabs with a shared memory store, for tests of synchronization.

import type { Reader } from '../../contract/api.ts';
import { createChannelsApi } from '../../src/api/channels-api.ts';
import { createHttpClient } from '../../src/api/client.ts';
import { createAccountClient, type DataClientControl } from '../../src/data/clients/account-client.ts';
import { createSignal } from '../../src/lib/signal.ts';
import type { DeviceStorage } from '../../src/storage/device-storage.ts';
import type { KeyUpdate, KeyValueStore } from '../../src/storage/key-value-store.ts';
import { createMemoryStore } from '../../src/storage/memory-store.ts';
import type { Wire } from './lossy-network.ts';

/** A device of a reader. Its tabs share a store and are closed without any cleanup. The store remains. */
export interface LastingDevice {
  readonly wire: Wire;
  readonly tabs: DataClientControl[];
  readonly reader: KeyValueStore;
  /** The ids of all changes that were ever in the outbox of this device. */
  readonly named: ReadonlySet<string>;
  open(): DataClientControl;
  /** Closes the last tab. */
  close(): void;
  /** Stores channels as known to the device since before their first post, so that all posts are unread. */
  knowFromTheStart(channelIds: readonly string[]): Promise<void>;
}

export interface DeviceOptions {
  readonly wire: Wire;
  readonly user: Reader;
  readonly token: string;
  now(): number;
}

export function createDevice({ wire, user, token, now }: DeviceOptions): LastingDevice {
  const named = new Set<string>();
  const [common, reader] = [createMemoryStore(), noting(createMemoryStore(), named)];
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
      const area = createAccountClient({
        api: createChannelsApi(client),
        storage: keptOf(common, reader),
        readerId: user.id,
        now,
      });
      area.lineup.subscribe(() => {});
      area.signedIn(user);
      tabs.push(area);
      return area;
    },
    close: () => tabs.pop()?.close(),
    knowFromTheStart: (ids) => reader.put([['first-seen', ids.map((channelId) => ({ channelId, messageId: 0 }))]]),
  };
}

/** Returns the view of a tab on the stores of its device. It is disconnected when the tab is closed. */
function keptOf(common: KeyValueStore, reader: KeyValueStore): DeviceStorage {
  const shelves = [common, reader, createMemoryStore()].map(ending);
  const [one = createMemoryStore(), other = createMemoryStore(), left = createMemoryStore()] = shelves;
  return {
    persistent: createSignal(true),
    public: one,
    reader: other,
    openAnonymous: async () => left,
    close: () => shelves.map((shelf) => shelf.close()),
  };
}

/** Records the `turn` of each change that is put into the outbox. It is the id of the change. */
const noting = (shelf: KeyValueStore, named: Set<string>): KeyValueStore => ({
  ...shelf,
  update: (...slots) =>
    shelf.update(
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

function ending(shelf: KeyValueStore): KeyValueStore {
  let isOpen = true;
  return {
    get: async (key) => (isOpen ? shelf.get(key) : undefined),
    list: async (...asked) => (isOpen ? shelf.list(...asked) : []),
    put: async (entries) => (isOpen ? shelf.put(entries) : undefined),
    update: async (...asked) => (isOpen ? shelf.update(...asked) : undefined),
    deletePrefix: async (prefix) => (isOpen ? shelf.deletePrefix(prefix) : undefined),
    keys: async (prefix) => (isOpen ? shelf.keys(prefix) : []),
    deleteMany: async (keys) => (isOpen ? shelf.deleteMany(keys) : undefined),
    close() {
      isOpen = false;
    },
  };
}
