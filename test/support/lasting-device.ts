// Simulated device of a reader: tabs with a shared memory store, for tests of synchronization.

import type { Reader } from '../../contract/api.ts';
import { createApi } from '../../src/api/channels-api.ts';
import { createClient } from '../../src/api/client.ts';
import { type ChannelsArea, createChannels } from '../../src/data/clients/account-client.ts';
import { createCell } from '../../src/lib/signal.ts';
import type { Kept } from '../../src/storage/device-storage.ts';
import type { Shelf, Slot } from '../../src/storage/key-value-store.ts';
import { memoryShelf } from '../../src/storage/memory-store.ts';
import type { Wire } from './lossy-wire.ts';

/** A device of a reader. Its tabs share a store and are closed without any cleanup. The store remains. */
export interface LastingDevice {
  readonly wire: Wire;
  readonly tabs: ChannelsArea[];
  readonly reader: Shelf;
  /** The ids of all changes that were ever in the outbox of this device. */
  readonly named: ReadonlySet<string>;
  open(): ChannelsArea;
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
  const [common, reader] = [memoryShelf(), noting(memoryShelf(), named)];
  const tabs: ChannelsArea[] = [];
  return {
    wire,
    tabs,
    reader,
    named,
    open() {
      const client = createClient({ baseUrl: wire.origin, session: { token: () => token, store() {}, clear() {}, refuse() {} } });
      const area = createChannels({ api: createApi(client), kept: keptOf(common, reader), readerId: user.id, now });
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
function keptOf(common: Shelf, reader: Shelf): Kept {
  const shelves = [common, reader, memoryShelf()].map(ending);
  const [one = memoryShelf(), other = memoryShelf(), left = memoryShelf()] = shelves;
  return {
    lasting: createCell(true),
    public: one,
    reader: other,
    anonymous: async () => left,
    close: () => shelves.map((shelf) => shelf.close()),
  };
}

/** Records the `turn` of each change that is put into the outbox. It is the id of the change. */
const noting = (shelf: Shelf, named: Set<string>): Shelf => ({
  ...shelf,
  change: (...slots) =>
    shelf.change(
      ...slots.map(
        ([key, make]): Slot => [
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

function ending(shelf: Shelf): Shelf {
  let isOpen = true;
  return {
    get: async (key) => (isOpen ? shelf.get(key) : undefined),
    list: async (...asked) => (isOpen ? shelf.list(...asked) : []),
    put: async (entries) => (isOpen ? shelf.put(entries) : undefined),
    change: async (...asked) => (isOpen ? shelf.change(...asked) : undefined),
    drop: async (prefix) => (isOpen ? shelf.drop(prefix) : undefined),
    keys: async (prefix) => (isOpen ? shelf.keys(prefix) : []),
    remove: async (keys) => (isOpen ? shelf.remove(keys) : undefined),
    close() {
      isOpen = false;
    },
  };
}
