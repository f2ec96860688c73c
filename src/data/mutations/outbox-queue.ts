// Outbox queue: the pending changes, in memory and on the device.

import type { KeyUpdate } from '../../storage/key-value-store.ts';
import type { Connection } from '../connection/connection.ts';
import { type OfflineStore, tryParse } from '../offline/offline-store.ts';
import { type Change, coalesceChange, entityKey, type PendingChange, parsePendingChange } from './change.ts';

/** A pending change with its key. */
export type OutboxEntry = readonly [key: string, pending: PendingChange];

export interface OutboxQueue {
  /** Reads the pending changes from the device, including those of other tabs. */
  load(): Promise<void>;
  /** Resolves when the changes that were added so far are on the device. */
  written(): Promise<unknown>;
  get(key: string): PendingChange | undefined;
  /** Returns the pending changes in the order in which they are sent. */
  entries(): OutboxEntry[];
  /** Returns the number of calls of `add` and `remove` so far. */
  revision(): number;
  /** Adds a change, and stores it with the resulting state in one transaction. Resolves when both are on the device. */
  add(change: Change, state: KeyUpdate): Promise<unknown>;
  /** Removes a change, unless a later one of the same item has replaced it. */
  remove(entry: OutboxEntry): Promise<void>;
}

export interface OutboxQueueOptions {
  readonly connection: Connection;
  readonly offline: OfflineStore;
  now(): number;
}

export const OUTBOX_PREFIX = 'out/';

export function createOutboxQueue({ connection, offline, now }: OutboxQueueOptions): OutboxQueue {
  const pending = new Map<string, PendingChange>();
  let writing: Promise<unknown> = Promise.resolve();
  let lastSequence = 0;
  let revision = 0;

  async function load(): Promise<void> {
    const { reader: readerStore } = await offline.storage;
    // Reads again if a change was added in the meantime.
    let lastWrite = writing;
    let stored: [string, unknown][];
    do {
      lastWrite = writing;
      await lastWrite;
      stored = await readerStore.list(OUTBOX_PREFIX);
    } while (lastWrite !== writing);
    if (connection.isClosed()) return;
    pending.clear();
    for (const [key, raw] of stored) {
      const change = tryParse(parsePendingChange, raw);
      if (change !== null) pending.set(key.slice(OUTBOX_PREFIX.length), change);
      lastSequence = Math.max(lastSequence, change?.turn ?? 0);
    }
  }
  function add(change: Change, state: KeyUpdate): Promise<unknown> {
    const key = entityKey(change, state);
    // Rises in this tab even if the clock goes back. The fraction makes it different from the numbers of other tabs.
    lastSequence = Math.max(Math.floor(lastSequence) + 1, now()) + Math.random();
    const sequence = lastSequence;
    // `turn` is the stored name of the sequence number, `acts` that of the number of combined changes.
    const combine = (previous: PendingChange | null | undefined): PendingChange => ({
      turn: sequence,
      change: coalesceChange(previous?.change, change),
      ...(previous && change.type === 'lineup' && { acts: (previous.acts ?? 1) + 1 }),
    });
    const storeChange = (raw: unknown): PendingChange => {
      const combined = combine(tryParse(parsePendingChange, raw));
      if (pending.get(key)?.turn === sequence) pending.set(key, combined);
      return combined;
    };
    pending.set(key, combine(pending.get(key)));
    revision++;
    writing = writing.then(async () => (await offline.storage).reader.update(state, [OUTBOX_PREFIX + key, storeChange]));
    return writing;
  }
  async function remove([key, { turn: sequence }]: OutboxEntry): Promise<void> {
    if (pending.get(key)?.turn === sequence) pending.delete(key);
    revision++;
    await (await offline.storage).reader.update([
      OUTBOX_PREFIX + key,
      (raw) => (tryParse(parsePendingChange, raw)?.turn === sequence ? undefined : raw),
    ]);
  }
  return {
    load,
    written: () => writing,
    get: (key) => pending.get(key),
    entries: () => [...pending].sort(([, a], [, b]) => a.turn - b.turn),
    revision: () => revision,
    add,
    remove,
  };
}
