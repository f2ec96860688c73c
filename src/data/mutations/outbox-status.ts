// Outbox status: reports if the reader's changes have reached the server.

import { createSignal, type Signal } from '../../lib/signal.ts';
import type { RejectedChange, SyncStatus } from '../model/types.ts';
import { toPendingChanges } from './change.ts';
import type { OutboxQueue } from './outbox-queue.ts';

export interface OutboxStatus {
  readonly signal: Signal<SyncStatus>;
  /** Returns the change that the server rejected last; null if there is none. */
  rejectedChange(): RejectedChange | null;
  /** Sets the rejected change. The next update shows it. */
  setRejectedChange(change: RejectedChange | null): void;
  /** Sets the signal: to the rejected change if there is one, else to the number of pending changes. */
  update(): void;
}

export function createOutboxStatus(queue: OutboxQueue): OutboxStatus {
  const signal = createSignal<SyncStatus>({ type: 'saved' });
  let rejected: RejectedChange | null = null;
  return {
    signal,
    rejectedChange: () => rejected,
    setRejectedChange(change) {
      rejected = change;
    },
    update() {
      // A rejected line-up stays in the queue. If it has left the queue, the server accepted a later attempt of this or
      // another tab.
      if (rejected?.changeType === 'lineup' && queue.get('lineup') === undefined) rejected = null;
      const entries = queue.entries();
      if (rejected !== null) signal.set(rejected);
      else if (entries.length > 0) signal.set(toPendingChanges(entries.map(([, pending]) => pending)));
      else if (signal.get().type !== 'saved') signal.set({ type: 'saved' });
    },
  };
}
