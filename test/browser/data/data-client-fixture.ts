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

const areas: DataClientControl[] = [];
/** Timeout of a condition on a busy machine, ms. */
const PATIENCE = 30_000;
const DATABASES = ['changer-public', 'changer-anonymous', 'changer-reader-1', 'changer-reader-2'];

/** Opens a data layer over IndexedDB. `account` is its reader, who signs in at once unless `expected` is true. */
export function openArea(
  server: FakeServer,
  account: FakeAccount | null = null,
  options: { expected?: boolean; kept?: DeviceStorage | Promise<DeviceStorage> } = {},
): DataClientControl {
  const readerId = account?.id ?? null;
  const area = createAccountClient({
    api: createChannelsApi(server.client),
    storage: options.kept ?? openDeviceStorage(readerId),
    readerId,
  });
  areas.push(area);
  if (account !== null && options.expected !== true) signIn(server, area, account);
  return area;
}

export const openMemoryArea = (server: FakeServer): DataClientControl => openArea(server, null, { kept: createMemoryStorage() });

export function signIn(server: FakeServer, area: DataClientControl, account: FakeAccount): void {
  server.account = account;
  area.signedIn(userOf(account));
}

/** Stores channels as known to this device since before their first post, so that all their posts are unread. */
export async function knowFromTheStart(readerId: string | null, ...channelIds: readonly string[]): Promise<void> {
  const kept = await openDeviceStorage(readerId);
  await kept.reader.put([['first-seen', channelIds.map((channelId) => ({ channelId, messageId: 0 }))]]);
  kept.close();
}

/** Closes every data layer and deletes the databases of the device. */
export async function endAreas(): Promise<void> {
  for (const area of areas.splice(0)) area.close();
  for (const name of DATABASES) await deleteDB(name);
}

/**
 * Resolves with the value when it fulfils the condition. The subscription to the readable remains, so it counts as displayed
 * from then on.
 */
export function until<Value>(readable: Signal<Value>, wanted: (value: Value) => boolean, what = ''): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Waited in vain ${what}: ${show(readable.get())}`)), PATIENCE);
    const look = (): void => {
      const value = readable.get();
      if (!wanted(value)) return;
      clearTimeout(timer);
      resolve(value);
    };
    readable.subscribe(look);
    look();
  });
}

const show = (value: unknown): string =>
  JSON.stringify(value, (_, part) => (part instanceof Map ? [...part] : part instanceof Set ? [...part] : part))?.slice(0, 600);

type LoadedList = Extract<PostListState, { type: 'loaded' }>;

export async function loaded(
  list: PostList,
  wanted: (state: LoadedList) => boolean = ({ cachedAt }) => cachedAt === null,
): Promise<LoadedList> {
  const state = await until(list, (value) => value.type === 'loaded' && wanted(value), 'for a list');
  if (state.type !== 'loaded') throw new Error('not loaded');
  return state;
}

export async function fresh<Value>(
  readable: Signal<Loadable<Value>>,
  wanted: (value: Value) => boolean = () => true,
): Promise<Value> {
  const state = await until(
    readable,
    (value) => value.type === 'loaded' && value.cachedAt === null && wanted(value.value),
    'for a thing',
  );
  if (state.type !== 'loaded') throw new Error('not loaded');
  return state.value;
}

export const keysOf = (state: LoadedList): string[] => state.posts.map((post) => `${post.channelId}/${post.id}`);

/** Waits until the condition holds. */
export async function eventually(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + PATIENCE;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`Waited in vain until ${what}`);
    // A timer is used instead of animation frames, since a page in the background gets no frames.
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Waits until a database of the device contains an entry. */
export async function isKept(database: string, key: string, wanted: (json: string) => boolean = () => true): Promise<void> {
  await eventually(async () => {
    // Opening a database that does not exist would create an empty one.
    if (!(await indexedDB.databases()).some(({ name }) => name === database)) return false;
    const opened = await openDB(database);
    const values = opened.objectStoreNames.length > 0 ? await opened.getAll('things', key) : [];
    opened.close();
    return values.length > 0 && wanted(JSON.stringify(values[0]));
  }, `${database} holds ${key}`);
}

/** Returns the changes that a reader makes to the line-up of a data layer, based on its current rows. */
export const acting = (area: DataClient) => ({
  follow: (channelId: string, followed: boolean) =>
    area.applyLineupOperation(
      { action: followed ? 'follow' : 'unfollow', channelId },
      arrange.setFollowed([channelId], followed),
    ),
  mute: (channelId: string, until: number | null) =>
    area.applyLineupOperation(
      { action: until === null ? 'unmute' : 'mute', channelId },
      arrange.muteChannels([channelId], until),
    ),
  move(channelId: string, number: number) {
    const rows = area.lineup.get();
    const shown = rows.type === 'loaded' ? rows.value.flatMap((row) => (row.followed ? row.channel.id : [])) : [];
    area.applyLineupOperation({ action: 'move', channelId }, arrange.moveChannels(shown, [channelId], number));
  },
});
