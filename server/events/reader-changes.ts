/** Reader change notifications: notify a reader's other pages, in all processes, that the reader's own data changed. */
import { hashToken } from '../auth/sessions.ts';
import type { BusMessage } from '../storage/ports/bus-message.ts';
import type { Store } from '../storage/ports/store.ts';
import type { EventIdCodec } from './event-ids.ts';
import { encodeFrame } from './frames.ts';
import { createRecentChanges, HISTORY_MS, READ_TOLERANCE_MS, type RecentChanges } from './recent.ts';
import { readerKey, type Subscription } from './subscription.ts';
import type { SubscriptionSet } from './subscription-set.ts';

/** Parts of the event hub that the notifier uses. */
export interface ReaderChangeDeps {
  readonly store: Pick<Store, 'publish' | 'subscribe'>;
  readonly ids: EventIdCodec;
  readonly subscriptions: SubscriptionSet;
  readonly elapsed: () => number;
  readonly onError: (error: unknown) => void;
}

/**
 * Debounce of changes to a reader's own data, ms. Read markers move with every post that is read, so they are reported
 * together.
 */
const READER_CHANGES_DEBOUNCE_MS = 1000;

/** Receives readers' changes from all processes, and reports them to the pages of this process. */
export class ReaderChangeNotifier {
  readonly #deps: ReaderChangeDeps;
  readonly #recentChanges: RecentChanges;
  /** Readers with a change that has not been reported yet. */
  readonly #pendingReaders = new Set<string>();
  readonly #unsubscribe: () => void;

  constructor(deps: ReaderChangeDeps) {
    this.#deps = deps;
    this.#recentChanges = createRecentChanges(deps.elapsed);
    this.#unsubscribe = deps.store.subscribe((message) => this.#receive(message));
  }

  /** Sends a message to all processes, this one included. */
  publish(message: BusMessage): void {
    this.#deps.store.publish(message).catch(this.#deps.onError);
  }

  /** Notifies a page that has caught up of changes since it loaded its data, or since it was disconnected. */
  sendMissedChange(subscription: Subscription): void {
    const { from } = subscription;
    const now = this.#deps.elapsed();
    if ('id' in from) this.#sendChange(subscription, now - HISTORY_MS);
    else if (from.ago > 0) this.#sendChange(subscription, now - from.ago - READ_TOLERANCE_MS);
  }

  close(): void {
    this.#unsubscribe();
  }

  #receive(message: BusMessage): void {
    const ownerKey = readerKey(message.readerId);
    if (message.type === 'reader-changed') this.#scheduleReport(ownerKey, message.sessionHash);
    else for (const { stream } of this.#deps.subscriptions.ownedBy(ownerKey)) stream.end();
  }

  #scheduleReport(ownerKey: string, sessionHash: string): void {
    const since = this.#deps.elapsed();
    this.#recentChanges.record(ownerKey, sessionHash);
    if (this.#pendingReaders.has(ownerKey)) return;
    this.#pendingReaders.add(ownerKey);
    setTimeout(() => {
      this.#pendingReaders.delete(ownerKey);
      for (const subscription of this.#deps.subscriptions.caughtUpOf(ownerKey)) this.#sendChange(subscription, since);
    }, READER_CHANGES_DEBOUNCE_MS).unref();
  }

  /** Notifies a page if another session changed the reader's data since then, ms by the clock. */
  #sendChange({ ownerKey, token, stream, lastEventNumber }: Subscription, since: number): void {
    if (token === null || !this.#recentChanges.changedByOthers(ownerKey, hashToken(token), since)) return;
    stream.send(encodeFrame(this.#deps.ids, lastEventNumber, { type: 'reader' }));
  }
}
