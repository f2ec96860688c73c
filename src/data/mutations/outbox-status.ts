// Outbox status: reports if the reader's changes have reached the server.

import { createSignal, type Signal } from '../../lib/signal.ts';
import type { RejectedChange, SyncStatus } from '../model/types.ts';
import { toPendingChanges } from './change.ts';
import type { OutboxQueue } from './outbox-queue.ts';

export interface OutboxStatus {
  readonly signal: Signal<SyncStatus>;
  /** Returns the rejected change that is shown; null where there is none. */
  rejectedChange(): RejectedChange | null;
  /** Sets the rejected change. The next update shows it. */
  setRejectedChange(change: RejectedChange | null): void;
  /** Shows the rejected change, else the number of pending changes. */
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
      // Another attempt, by this tab or another, was accepted.
      if (rejected?.changeType === 'lineup' && queue.get('lineup') === undefined) rejected = null;
      const pending = queue.entries();
      if (rejected !== null) signal.set(rejected);
      else if (pending.length > 0) signal.set(toPendingChanges(pending.map(([, change]) => change)));
      else if (signal.get().type !== 'saved') signal.set({ type: 'saved' });
    },
  };
}
