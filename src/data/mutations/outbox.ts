// Outbox: stores the reader's changes on the device and sends them to the server in order, with idempotency keys.

import type { Signal } from '../../lib/signal.ts';
import type { KeyUpdate } from '../../storage/key-value-store.ts';
import type { SyncStatus } from '../model/types.ts';
import type { Change } from './change.ts';
import { createOutboxQueue, type OutboxQueueOptions } from './outbox-queue.ts';
import { createOutboxSender, type OutboxSender, type OutboxSenderOptions } from './outbox-sender.ts';
import { createOutboxStatus } from './outbox-status.ts';

/** Pending changes: stored on the device first, sent in order, deleted when the server acknowledges them. */
export interface Outbox extends Pick<OutboxSender, 'rejected' | 'lineupAccepted' | 'flush' | 'close'> {
  readonly syncStatus: Signal<SyncStatus>;
  /** Loads the pending changes of an earlier visit. */
  load(): Promise<void>;
  pending(): readonly Change[];
  /** Returns the number of added, sent and rejected changes so far: if it is the same later, nothing happened in between. */
  revision(): number;
  /** Stores the change and, in the same transaction, the resulting state. Resolves when both are on the device. */
  add(change: Change, state: KeyUpdate): Promise<unknown>;
}

export interface OutboxOptions extends OutboxQueueOptions, OutboxSenderOptions {}

/** Debounce time of read markers, ms: they move with every post that the reader scrolls past. */
const MARKS_DEBOUNCE_MS = 1000;

export function createOutbox(options: OutboxOptions): Outbox {
  const queue = createOutboxQueue(options);
  const status = createOutboxStatus(queue);
  const { rejected, lineupAccepted, flush, schedule, close } = createOutboxSender(options, queue, status);
  return {
    syncStatus: status.signal,
    async load() {
      await queue.load();
      status.update();
    },
    pending: () => queue.entries().map(([, { change }]) => change),
    revision: queue.revision,
    add(change, state) {
      const written = queue.add(change, state);
      status.update();
      if (change.type === 'mark') schedule(MARKS_DEBOUNCE_MS);
      else void written.then(flush);
      return written;
    },
    rejected,
    lineupAccepted,
    flush,
    close,
  };
}
