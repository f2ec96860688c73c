/** Event delivery: follows the store's event log once, and sends each new event to the clients that may read it. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Store, StoredEvent } from '../storage/ports/store.ts';
import { refreshAccessOfAll } from './access-refresh.ts';
import type { EventIdCodec } from './event-ids.ts';
import { encodeFrame, type FrameEncoder } from './frames.ts';
import type { RecentPositions } from './recent.ts';
import { framesFor, isPublicSubscription, publicFrames } from './subscription.ts';
import type { SubscriptionSet } from './subscription-set.ts';

/** Parts of the event hub that the delivery uses. */
export interface EventDeliveryDeps {
  readonly store: Pick<Store, 'eventsAfter' | 'lastEventId'>;
  readonly ids: EventIdCodec;
  readonly encoder: FrameEncoder;
  readonly subscriptions: SubscriptionSet;
  readonly recentPositions: RecentPositions;
  /** Aborted when the server stops. */
  readonly closing: AbortSignal;
}

/** Number of events that are read from the store at once. */
export const MAX_BATCH_EVENTS = 100;

/** Sends new events to the clients that have caught up. */
export class EventDelivery {
  readonly #deps: EventDeliveryDeps;
  #position: number;

  /** `position` is the number of the event after which the delivery starts. */
  constructor(deps: EventDeliveryDeps, position: number) {
    this.#deps = deps;
    this.#position = position;
  }

  /** Number of the last event that is being sent, or was sent, to all clients that have caught up. */
  get position(): number {
    return this.#position;
  }

  /** Sends all events that the store has now. Calls must not overlap. */
  async deliverNewEvents(): Promise<void> {
    while (!this.#deps.closing.aborted) {
      const events = await this.#deps.store.eventsAfter(this.#position, MAX_BATCH_EVENTS);
      if (events === null) {
        await this.#skipDeletedEvents();
        continue;
      }
      const last = events.at(-1);
      if (last === undefined) return;
      await this.#deliverBatch(events, last.id);
      // Lets the sockets send before more events follow. Otherwise a burst looks like clients that do not receive.
      await yieldToEventLoop();
    }
  }

  /** Sends a reset, because the store has deleted some of the next events: the clients reload everything. */
  async #skipDeletedEvents(): Promise<void> {
    const { store, ids, subscriptions } = this.#deps;
    this.#position = await store.lastEventId();
    const bytes = encodeFrame(ids, this.#position, { type: 'reset' });
    await subscriptions.forEachCaughtUp((subscription) => {
      subscription.stream.send(bytes);
      subscription.lastEventNumber = this.#position;
    });
  }

  async #deliverBatch(events: readonly StoredEvent[], last: number): Promise<void> {
    const { ids, encoder, subscriptions, recentPositions } = this.#deps;
    await encoder.trackVisibility(events);
    const batch = await encoder.encodeFrames(events);
    if (batch.some(({ forMembers, forOthers }) => forMembers !== forOthers)) await refreshAccessOfAll(subscriptions.all(), ids);
    recentPositions.record(this.#position);
    const publicBytes = publicFrames(batch);
    // No `await` until the sending starts: a client that catches up is either sent this batch here, or is at `last`
    // already.
    this.#position = last;
    await subscriptions.forEachCaughtUp((subscription) => {
      subscription.stream.send(isPublicSubscription(subscription) ? publicBytes : framesFor(batch, subscription));
      subscription.lastEventNumber = last;
    });
  }
}
