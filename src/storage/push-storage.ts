/*
 * Storage of Web Push on this device: the device's token, and the number of new posts that the icon's badge shows. It is
 * in the public database, because the page and the service worker use it, and the worker knows no reader.
 */

import { PUBLIC_DATABASE } from './device-storage.ts';
import { openIndexedDb, readFromExistingDatabase, withDatabaseTimeout } from './indexed-db-store.ts';

/** The device as the server knows it. */
export interface PushDevice {
  /** Random token that authenticates the device. */
  readonly token: string;
  /** Id of the device on the server; null until it is stored there. */
  readonly id: string | null;
  /** Id of the reader whose choices it has; null for those of an anonymous reader. */
  readonly readerId: string | null;
  /** Language of the texts that the server writes. */
  readonly language: string;
  /** Time of the last report to the server, unix ms. */
  readonly reportedAt: number;
}

/** New posts of a channel that the reader was notified of and has neither read nor dismissed. */
export interface PushCount {
  readonly count: number;
  /** Id of the newest of these posts. */
  readonly postId: number;
}

export type PushCounts = Readonly<Record<string, PushCount>>;

/** Keys in the public database. They are stored on devices. */
export const PUSH_DEVICE_KEY = 'push-device';
export const PUSH_COUNTS_KEY = 'push-counts';

/** Returns the stored device; null if there is none, or if the storage fails. */
export async function readPushDevice(): Promise<PushDevice | null> {
  const raw = await withDatabaseTimeout(readFromExistingDatabase(PUBLIC_DATABASE, PUSH_DEVICE_KEY)).catch(() => null);
  const { token, id = null, readerId = null, language = 'en', reportedAt = 0 } = Object(raw);
  return typeof token === 'string' ? { token, id, readerId, language, reportedAt } : null;
}

/** Stores the device; null deletes it, and the counts with it. Rejects if the storage fails. */
export async function writePushDevice(device: PushDevice | null): Promise<void> {
  await withPublicStore((store) =>
    device === null ? store.deleteMany([PUSH_DEVICE_KEY, PUSH_COUNTS_KEY]) : store.put([[PUSH_DEVICE_KEY, device]]),
  );
}

/**
 * Changes the counts in one transaction, because the page and the worker may change them at the same time. Returns the new
 * counts. If the storage fails, the change applies to no counts.
 */
export async function updatePushCounts(change: (counts: PushCounts) => PushCounts): Promise<PushCounts> {
  let changed: PushCounts = {};
  const apply = (raw: unknown) => {
    changed = change(parseCounts(raw));
    return Object.keys(changed).length === 0 ? undefined : changed;
  };
  await withPublicStore((store) => store.update([PUSH_COUNTS_KEY, apply])).catch(() => apply(undefined));
  return changed;
}

/** Returns the sum of all counts. */
export const totalCount = (counts: PushCounts): number => Object.values(counts).reduce((sum, { count }) => sum + count, 0);

function parseCounts(raw: unknown): PushCounts {
  const isCount = (value: unknown): value is PushCount => {
    const { count, postId } = Object(value);
    return Number.isInteger(count) && Number.isInteger(postId);
  };
  return Object.fromEntries(Object.entries(Object(raw)).filter((entry): entry is [string, PushCount] => isCount(entry[1])));
}

async function withPublicStore(use: (store: Awaited<ReturnType<typeof openIndexedDb>>) => Promise<void>): Promise<void> {
  const store = await withDatabaseTimeout(openIndexedDb(PUBLIC_DATABASE));
  try {
    await use(store);
  } finally {
    store.close();
  }
}
