/** Catch-up: sends a new client the events that it missed, and then lets it receive new events. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Store } from '../storage/ports/store.ts';
import { type EventDelivery, MAX_BATCH_EVENTS } from './event-delivery.ts';
import type { EventIdCodec } from './event-ids.ts';
import { encodeFrame, encodeHeartbeat, type FrameEncoder } from './frames.ts';
import type { ReaderChangeNotifier } from './reader-changes.ts';
import type { RecentPositions } from './recent.ts';
import { framesFor, type Subscription } from './subscription.ts';
import type { SubscriptionSet } from './subscription-set.ts';

/** Parts of the event hub that the catch-up uses. */
export interface CatchUpDeps {
  readonly store: Pick<Store, 'eventsAfter'>;
  readonly ids: EventIdCodec;
  readonly encoder: Pick<FrameEncoder, 'encodeFrames'>;
  readonly subscriptions: Pick<SubscriptionSet, 'markCaughtUp'>;
  readonly recentPositions: Pick<RecentPositions, 'positionAt'>;
  readonly delivery: Pick<EventDelivery, 'position'>;
  readonly readerChanges: Pick<ReaderChangeNotifier, 'sendMissedChange'>;
  /** Aborted when the server stops. */
  readonly closing: AbortSignal;
}

/** A client that missed more events reloads everything: that is less data. */
const MAX_MISSED_EVENTS = 5000;

/** Interval at which a client waits for the delivery of the events that another process has already sent to it, ms. */
const DELIVERY_CHECK_INTERVAL_MS = 50;

/** Sends the missed events, or a reset if they are unknown or too many. Ends early if the stream or the server ends. */
export async function catchUp(subscription: Subscription, deps: CatchUpDeps): Promise<void> {
  const { ids, delivery, subscriptions, closing } = deps;
  let position = startPosition(subscription, deps);
  subscription.lastEventNumber = position ?? 0;
  while (subscription.stream.isOpen() && !closing.aborted) {
    position = await sendMissedEvents(subscription, position, deps);
    // Runs synchronously after the comparison, so no event can be missed in between.
    if (position === delivery.position) {
      subscriptions.markCaughtUp(subscription);
      subscription.stream.send(encodeHeartbeat(ids, position));
      deps.readerChanges.sendMissedChange(subscription);
      return;
    }
    if (position > delivery.position) await delay(DELIVERY_CHECK_INTERVAL_MS);
  }
}

/** Returns the position from which a client continues; null if it is unknown. */
function startPosition({ from }: Subscription, { ids, recentPositions, delivery }: CatchUpDeps): number | null {
  return 'id' in from ? ids.decode(from.id) : recentPositions.positionAt(from.ago, delivery.position);
}

/** Sends the next batch of missed events after a position, or a reset. Returns the new position of the client. */
async function sendMissedEvents(subscription: Subscription, after: number | null, deps: CatchUpDeps): Promise<number> {
  const { store, ids, encoder, delivery } = deps;
  const { stream } = subscription;
  // The delivery may advance during the read. Events after this position are read in the next round, or sent by the
  // delivery.
  const { position } = delivery;
  const isResumable = after !== null && position - after <= MAX_MISSED_EVENTS;
  const events = isResumable ? await store.eventsAfter(after, MAX_BATCH_EVENTS) : null;
  if (events === null) {
    subscription.lastEventNumber = delivery.position;
    stream.send(encodeFrame(ids, subscription.lastEventNumber, { type: 'reset' }));
    return subscription.lastEventNumber;
  }
  const missed = events.filter(({ id }) => id <= position);
  stream.send(framesFor(await encoder.encodeFrames(missed), subscription));
  subscription.lastEventNumber = missed.at(-1)?.id ?? Math.max(after ?? 0, position);
  await stream.drained();
  return subscription.lastEventNumber;
}
