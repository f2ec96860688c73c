/**
 * Event hub: broadcasts events to the connected clients. The hub follows the store's event log once, reads and
 * serializes each event once, and sends the same bytes to all clients that may read them. Permissions are checked when
 * an event is sent: against the channel's current state and, for a private channel, the reader's current rights.
 */
import type { ServerResponse } from 'node:http';
import { hashToken } from '../auth/sessions.ts';
import type { LogFn } from '../lib/logger.ts';
import type { Store } from '../storage/ports/store.ts';
import { refreshAccessOfAll } from './access-refresh.ts';
import { catchUp } from './catch-up.ts';
import { EventDelivery } from './event-delivery.ts';
import { type EventIdCodec, openEventIdCodec } from './event-ids.ts';
import { createFrameEncoder, type EventFrameDeps, encodeHeartbeat } from './frames.ts';
import { ReaderChangeNotifier } from './reader-changes.ts';
import { createRecentPositions } from './recent.ts';
import type { SubscriptionRequest } from './subscription.ts';
import { SubscriptionSet } from './subscription-set.ts';

/** Services that this module uses. */
export type EventHubDeps = EventFrameDeps & {
  readonly store: Store;
  readonly elapsed: () => number;
  readonly log: LogFn;
};

export interface EventHub {
  /** Responds with an event stream; false if no slot is free. */
  subscribe(response: ServerResponse, request: SubscriptionRequest): boolean;
  /** Notifies a reader's other pages, but not those of this token's session, that the reader's own data changed. */
  notifyReader(readerId: string, token: string): void;
  /** Ends a reader's streams: the sessions that opened them have ended. */
  disconnectReader(readerId: string): void;
  /** Returns the number of open streams. */
  count(): number;
  /** Ends all streams; the clients reconnect to the next process. */
  close(): void;
}

/** Debounce of events, ms: an album's messages, and a burst of edits, are sent together. */
const EVENTS_DEBOUNCE_MS = 150;
const HEARTBEAT_INTERVAL_MS = 15_000;
/** Interval at which read permissions and line-ups of the clients are loaded again, ms. */
const ACCESS_REFRESH_INTERVAL_MS = 45_000;

/** Creates the hub of this process, and follows the store's event log until `close()`. */
export async function createEventHub(deps: EventHubDeps): Promise<EventHub> {
  const { store, elapsed, log } = deps;
  const ids = await openEventIdCodec(store);
  const encoder = await createFrameEncoder(deps, ids);
  const recentPositions = createRecentPositions(elapsed);
  const subscriptions = new SubscriptionSet();
  const closeController = new AbortController();
  const closing = closeController.signal;
  const onError = (error: unknown) => void (closing.aborted || log('Could not send events to readers.', error));

  const sharedDeps = { store, ids, encoder, subscriptions, recentPositions, closing };
  const delivery = new EventDelivery(sharedDeps, await store.lastEventId());
  const readerChanges = new ReaderChangeNotifier({ store, ids, subscriptions, elapsed, onError });
  const catchUpDeps = { ...sharedDeps, delivery, readerChanges };

  const stopDelivery = followEventLog(store, {
    onChange: encoder.clearCache,
    deliver: () => delivery.deliverNewEvents().catch(onError),
  });
  const heartbeatTimer = setInterval(() => {
    encoder.clearCache();
    void sendHeartbeats(subscriptions, ids);
  }, HEARTBEAT_INTERVAL_MS).unref();
  const accessTimer = setInterval(() => void refreshAccessOfAll(subscriptions.all(), ids), ACCESS_REFRESH_INTERVAL_MS).unref();

  return {
    // The token itself is a secret, so only its hash is broadcast.
    notifyReader: (readerId, token) => readerChanges.publish({ type: 'reader-changed', readerId, sessionHash: hashToken(token) }),
    disconnectReader: (readerId) => readerChanges.publish({ type: 'reader-left', readerId }),
    count: () => subscriptions.count(),
    subscribe(response, request) {
      const subscription = closing.aborted ? null : subscriptions.open(response, request);
      if (subscription === null) return false;
      catchUp(subscription, catchUpDeps).catch((error: unknown) => {
        onError(error);
        subscription.stream.end();
      });
      return true;
    },
    close() {
      closeController.abort();
      stopDelivery();
      readerChanges.close();
      clearInterval(heartbeatTimer);
      clearInterval(accessTimer);
      subscriptions.endAll();
    },
  };
}

interface EventLogFollower {
  /** Called at once when there may be new events. */
  readonly onChange: () => void;
  /** Called after the debounce, never before the previous call has ended. Must not reject. */
  readonly deliver: () => Promise<void>;
}

/** Calls the follower when the store may have new events. Returns a function that stops it. */
function followEventLog(store: Pick<Store, 'onChange'>, { onChange, deliver }: EventLogFollower): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastDelivery = Promise.resolve();
  const unsubscribe = store.onChange(() => {
    onChange();
    timer ??= setTimeout(() => {
      timer = undefined;
      lastDelivery = lastDelivery.then(deliver);
    }, EVENTS_DEBOUNCE_MS);
  });
  return () => {
    unsubscribe();
    clearTimeout(timer);
  };
}

/** Sends each client the position from which it would resume. Clients at the same position get the same bytes. */
async function sendHeartbeats(subscriptions: SubscriptionSet, ids: EventIdCodec): Promise<void> {
  const byPosition = new Map<number, Buffer>();
  await subscriptions.forEachCaughtUp(({ stream, lastEventNumber }) => {
    const bytes = byPosition.get(lastEventNumber) ?? encodeHeartbeat(ids, lastEventNumber);
    byPosition.set(lastEventNumber, bytes);
    stream.send(bytes);
  });
}
