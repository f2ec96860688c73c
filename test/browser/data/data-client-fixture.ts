// Data layer for tests: opens clients of a fake server over IndexedDB or memory, and waits for their state.

import { deleteDB, openDB } from 'idb';
import { createChannelsApi } from '../../../src/api/channels-api.ts';
import { createAccountClient, type DataClientControl } from '../../../src/data/clients/account-client.ts';
import * as arrange from '../../../src/data/lineup/operations.ts';
import type { DataClient } from '../../../src/data/model/client.ts';
import type { Loadable, PostList, PostListState } from '../../../src/data/model/types.ts';
import type { Signal } from '../../../src/lib/signal.ts';
import { type DeviceStorage, openDeviceStorage } from '../../../src/storage/device-storage.ts';
import { createMemoryStorage } from '../../../src/storage/memory-storage.ts';
import { type FakeAccount, type FakeServer, userOf } from './fake-server.ts';

const dataClients: DataClientControl[] = [];
/** Timeout of a condition on a busy machine, ms. */
const TIMEOUT_MS = 30_000;
const DATABASES = ['changer-public', 'changer-anonymous', 'changer-reader-1', 'changer-reader-2'];

/** Opens a data layer over IndexedDB. `account` is its reader, who signs in at once unless `expected` is true. */
export function openDataClient(
  server: FakeServer,
  account: FakeAccount | null = null,
  options: { expected?: boolean; kept?: DeviceStorage | Promise<DeviceStorage> } = {},
): DataClientControl {
  const readerId = account?.id ?? null;
  const dataClient = createAccountClient({
    api: createChannelsApi(server.client),
    storage: options.kept ?? openDeviceStorage(readerId),
    readerId,
  });
  dataClients.push(dataClient);
  if (account !== null && options.expected !== true) signIn(server, dataClient, account);
  return dataClient;
}

export const openMemoryDataClient = (server: FakeServer): DataClientControl =>
  openDataClient(server, null, { kept: createMemoryStorage() });

export function signIn(server: FakeServer, dataClient: DataClientControl, account: FakeAccount): void {
  server.account = account;
  dataClient.signedIn(userOf(account));
}

/** Stores channels as known to this device since before their first post, so that all their posts are unread. */
export async function storeFirstSeen(readerId: string | null, ...channelIds: readonly string[]): Promise<void> {
  const storage = await openDeviceStorage(readerId);
  await storage.reader.put([['first-seen', channelIds.map((channelId) => ({ channelId, messageId: 0 }))]]);
  storage.close();
}

/** Closes every data layer and deletes the databases of the device. */
export async function closeDataClients(): Promise<void> {
  for (const dataClient of dataClients.splice(0)) dataClient.close();
  for (const name of DATABASES) await deleteDB(name);
}

/**
 * Resolves with the value when it fulfils the condition. The subscription to the signal remains, so it counts as displayed
 * from then on.
 */
export function waitForValue<Value>(signal: Signal<Value>, condition: (value: Value) => boolean, what = ''): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Waited in vain ${what}: ${format(signal.get())}`)), TIMEOUT_MS);
    const check = (): void => {
      const value = signal.get();
      if (!condition(value)) return;
      clearTimeout(timer);
      resolve(value);
    };
    signal.subscribe(check);
    check();
  });
}

const format = (value: unknown): string =>
  JSON.stringify(value, (_, part) => (part instanceof Map ? [...part] : part instanceof Set ? [...part] : part))?.slice(0, 600);

type LoadedList = Extract<PostListState, { type: 'loaded' }>;

export async function waitForLoaded(
  list: PostList,
  condition: (state: LoadedList) => boolean = ({ cachedAt }) => cachedAt === null,
): Promise<LoadedList> {
  const state = await waitForValue(list, (value) => value.type === 'loaded' && condition(value), 'for a list');
  if (state.type !== 'loaded') throw new Error('not loaded');
  return state;
}

export async function waitForFresh<Value>(
  signal: Signal<Loadable<Value>>,
  condition: (value: Value) => boolean = () => true,
): Promise<Value> {
  const state = await waitForValue(
    signal,
    (value) => value.type === 'loaded' && value.cachedAt === null && condition(value.value),
    'for a thing',
  );
  if (state.type !== 'loaded') throw new Error('not loaded');
  return state.value;
}

export const keysOf = (state: LoadedList): string[] => state.posts.map((post) => `${post.channelId}/${post.id}`);

/** Waits until the condition holds. */
export async function eventually(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + TIMEOUT_MS;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`Waited in vain until ${what}`);
    // A timer is used instead of animation frames, since a page in the background gets no frames.
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Waits until a database of the device contains an entry. */
export async function waitUntilStored(
  database: string,
  key: string,
  condition: (json: string) => boolean = () => true,
): Promise<void> {
  await eventually(async () => {
    // Opening a database that does not exist would create an empty one.
    if (!(await indexedDB.databases()).some(({ name }) => name === database)) return false;
    const db = await openDB(database);
    const values = db.objectStoreNames.length > 0 ? await db.getAll('things', key) : [];
    db.close();
    return values.length > 0 && condition(JSON.stringify(values[0]));
  }, `${database} holds ${key}`);
}

/** Returns the changes that a reader makes to the line-up of a data layer, based on its current rows. */
export const lineupActions = (dataClient: DataClient) => ({
  follow: (channelId: string, followed: boolean) =>
    dataClient.applyLineupOperation(
      { action: followed ? 'follow' : 'unfollow', channelId },
      arrange.setFollowed([channelId], followed),
    ),
  mute: (channelId: string, until: number | null) =>
    dataClient.applyLineupOperation(
      { action: until === null ? 'unmute' : 'mute', channelId },
      arrange.muteChannels([channelId], until),
    ),
  move(channelId: string, number: number) {
    const rows = dataClient.lineup.get();
    const followedIds = rows.type === 'loaded' ? rows.value.flatMap((row) => (row.followed ? row.channel.id : [])) : [];
    dataClient.applyLineupOperation({ action: 'move', channelId }, arrange.moveChannels(followedIds, [channelId], number));
  },
});
