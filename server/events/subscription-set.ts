/** Open subscriptions of this process, with a limit of streams for each client. */
import type { ServerResponse } from 'node:http';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { createSlotLimiter } from '../lib/concurrency.ts';
import { openSseStream } from './sse-stream.ts';
import type { Subscription, SubscriptionRequest } from './subscription.ts';

/**
 * Number of streams that are written to before control returns to the event loop, so that page requests do not wait for
 * thousands of streams.
 */
const MAX_STREAMS_PER_TICK = 100;

export class SubscriptionSet {
  readonly #slots = createSlotLimiter();
  readonly #all = new Set<Subscription>();
  /** Subscriptions that receive new events. All others still receive the events that they missed. */
  readonly #caughtUp = new Set<Subscription>();

  /** Responds with an event stream, and returns its subscription. Returns null if no slot is free. */
  open(response: ServerResponse, request: SubscriptionRequest): Subscription | null {
    const releaseSlot = this.#slots.acquire(request.ownerKey);
    if (releaseSlot === null) return null;
    const stream = openSseStream(response, () => {
      releaseSlot();
      this.#all.delete(subscription);
      this.#caughtUp.delete(subscription);
    });
    const subscription: Subscription = { ...request, stream, lastEventNumber: 0 };
    this.#all.add(subscription);
    return subscription;
  }

  /** Lets a subscription receive new events: it has received all events that it missed. */
  markCaughtUp(subscription: Subscription): void {
    this.#caughtUp.add(subscription);
  }

  all(): readonly Subscription[] {
    return [...this.#all];
  }

  /** Returns the open subscriptions of a reader or an address. */
  ownedBy(ownerKey: string): readonly Subscription[] {
    return [...this.#all].filter((subscription) => subscription.ownerKey === ownerKey);
  }

  /** Returns the subscriptions of a reader or an address that receive new events. */
  caughtUpOf(ownerKey: string): readonly Subscription[] {
    return [...this.#caughtUp].filter((subscription) => subscription.ownerKey === ownerKey);
  }

  /**
   * Calls `send` for each subscription that receives new events now. A client that catches up in the meantime has
   * already received what is being sent.
   */
  async forEachCaughtUp(send: (subscription: Subscription) => void): Promise<void> {
    for (const [index, subscription] of [...this.#caughtUp].entries()) {
      send(subscription);
      if (index % MAX_STREAMS_PER_TICK === MAX_STREAMS_PER_TICK - 1) await yieldToEventLoop();
    }
  }

  count(): number {
    return this.#slots.count();
  }

  endAll(): void {
    for (const { stream } of this.#all) stream.end();
  }
}
