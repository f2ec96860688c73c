/**
 * Event hub: broadcasts events to the connected clients. The hub follows the store's event log once, reads and serializes each
 * event once, and sends the same bytes to all clients that may read them. Permissions are checked when an event is sent: against
 * the channel's current state and, for a private channel, the reader's current rights.
 */
import type { ServerResponse } from 'node:http';
import { setImmediate as breathe } from 'node:timers/promises';
import type { LiveEvent } from '../../contract/events.ts';
import { hashToken } from '../auth/sessions.ts';
import type { AccessScope } from '../domain/model.ts';
import { createSlotLimiter } from '../lib/concurrency.ts';
import type { LogFn } from '../lib/logger.ts';
import type { BusMessage } from '../storage/ports/bus-message.ts';
import type { Store } from '../storage/ports/store.ts';
import { openEventIdCodec } from './event-ids.ts';
import { createFrameEncoder, type EventFrame, type EventFrameDeps, encodeFrame } from './frames.ts';
import { createRecentChanges, createRecentPositions, HISTORY_MS, READ_TOLERANCE_MS } from './recent.ts';
import { openSseStream, type SseStream } from './sse-stream.ts';

/** Services that this module uses. */
export type EventHubDeps = EventFrameDeps & {
  readonly store: Store;
  readonly elapsed: () => number;
  readonly log: LogFn;
};

/** Read permissions and channels of a subscription. */
export interface SubscriptionScope {
  readonly accessScope: AccessScope;
  /** Channels outside the directory whose events the client receives: those that the request named, and those of the line-up. */
  readonly extraChannels: ReadonlySet<string>;
}

/** Subscription of one client, and the event from which it starts. */
export interface SubscriptionRequest extends SubscriptionScope {
  /** Reader or address for which the connection slot is counted. */
  readonly ownerKey: string;
  /** Token of the reader's session; null for an anonymous client. */
  readonly token: string | null;
  /** Loads the current read permissions. Rejects when the session has ended. Null for an anonymous client. */
  readonly refreshAccess: (() => Promise<SubscriptionScope>) | null;
  /** Only events of these channels; null for all. */
  readonly channels: ReadonlySet<string> | null;
  /** Id of the last event that the client received, or how many milliseconds ago it loaded its data. */
  readonly from: { readonly id: string } | { readonly ago: number };
}

export interface EventHub {
  /** Responds with an event stream; false if no slot is free. */
  subscribe(response: ServerResponse, listener: SubscriptionRequest): boolean;
  /** Notifies a reader's other pages, but not those of this token's session, that the reader's own data changed. */
  notifyReader(readerId: string, token: string): void;
  /** Ends a reader's streams: the sessions that opened them have ended. */
  disconnectReader(readerId: string): void;
  /** Returns the number of open streams. */
  count(): number;
  /** Ends all streams; the clients reconnect to the next process. */
  close(): void;
}

interface Subscription extends SubscriptionRequest {
  accessScope: AccessScope;
  extraChannels: ReadonlySet<string>;
  readonly stream: SseStream;
  /** Number of the last event that was sent to it: the position from which it resumes after a disconnection. */
  lastEventId: number;
}

/**
 * Debounce of changes to a reader's own data, ms. Read markers move with every post that is read, so they are reported together.
 */
const READER_CHANGES_DEBOUNCE_MS = 1000;
/** Debounce of events, ms: an album's messages and a burst of edits are sent once. */
const EVENTS_DEBOUNCE_MS = 150;
const HEARTBEAT_INTERVAL_MS = 15_000;
/** Interval at which read permissions and line-ups of the clients are loaded again, ms. */
const ACCESS_REFRESH_INTERVAL_MS = 45_000;
const MAX_BATCH_EVENTS = 100;
/**
 * Number of streams that are written to before control returns to the event loop, so that page requests do not wait for thousands
 * of streams.
 */
const MAX_STREAMS_PER_TICK = 100;
/** A client that missed more events reloads everything: that is less data. */
const MAX_MISSED_EVENTS = 5000;

export async function createEventHub(deps: EventHubDeps): Promise<EventHub> {
  const { store, log } = deps;
  const ids = await openEventIdCodec(store);
  const tellings = await createFrameEncoder(deps, ids);
  const places = createSlotLimiter();
  const past = createRecentPositions(deps.elapsed);
  const everyone = new Set<Subscription>();
  /** Connections that receive new events. All others still receive the events that they missed. */
  const caughtUp = new Set<Subscription>();
  let position = await store.lastEventId();
  let closing = false;

  const reset = () => encodeFrame(ids, position, { type: 'reset' });
  /** Heartbeat: shows that the stream is alive, and its position. */
  const here = (at: number) => Buffer.from(`:\nid: ${ids.encode(at)}\n\n`);
  const tell = (one: Subscription, happening: LiveEvent) => one.stream.send(encodeFrame(ids, one.lastEventId, happening));

  /** A client that connects in the meantime is already at `position`, or receives the missed events first. */
  async function toEach(send: (one: Subscription) => void): Promise<void> {
    for (const [at, one] of [...caughtUp].entries()) {
      send(one);
      if (at % MAX_STREAMS_PER_TICK === MAX_STREAMS_PER_TICK - 1) await breathe();
    }
  }

  async function pump(): Promise<void> {
    for (;;) {
      const events = closing ? [] : await store.eventsAfter(position, MAX_BATCH_EVENTS);
      if (events === null) {
        position = await store.lastEventId();
        const bytes = reset();
        await toEach((one) => one.stream.send(bytes));
        continue;
      }
      const last = events.at(-1);
      if (last === undefined) return;
      await tellings.trackVisibility(events);
      const batch = await tellings.encodeFrames(events);
      if (batch.some(({ forMembers, forOthers }) => forMembers !== forOthers)) await askAll();
      past.record(position);
      position = last.id;
      await deliver(batch, last.id);
      // Lets the sockets send before more events follow. Otherwise a burst looks like clients that do not receive.
      await breathe();
    }
  }
  function deliver(batch: readonly EventFrame[], last: number): Promise<void> {
    const open = Buffer.concat(batch.flatMap(({ forOthers, external }) => (external ? [] : (forOthers ?? []))));
    return toEach((one) => {
      one.stream.send(isPublicSubscription(one) ? open : framesFor(batch, one));
      one.lastEventId = last;
    });
  }

  async function ask(one: Subscription): Promise<void> {
    if (one.refreshAccess === null) return;
    try {
      const [former, now] = [one.accessScope, await one.refreshAccess()];
      Object.assign(one, now);
      for (const channelId of revokedChannels(former, now.accessScope))
        if (isSubscribedTo(one, { channelId, external: false })) tell(one, { type: 'hidden', channelId });
    } catch {
      // The session has ended, or the permissions cannot be determined. The client reconnects and learns the reason from that
      // response.
      one.stream.end();
    }
  }
  async function askAll(): Promise<void> {
    await Promise.all([...everyone].map(ask));
  }

  async function catchUp(one: Subscription): Promise<void> {
    let at = 'id' in one.from ? ids.decode(one.from.id) : past.positionAt(one.from.ago, position);
    one.lastEventId = at ?? 0;
    while (one.stream.isOpen() && !closing) {
      const events = at === null || position - at > MAX_MISSED_EVENTS ? null : await store.eventsAfter(at, MAX_BATCH_EVENTS);
      if (events === null) {
        one.stream.send(reset());
        at = position;
        one.lastEventId = at;
      } else {
        const missed = events.filter(({ id }) => id <= position);
        one.stream.send(framesFor(await tellings.encodeFrames(missed), one));
        at = missed.at(-1)?.id ?? position;
        one.lastEventId = at;
        await one.stream.drained();
      }
      // Runs synchronously after the comparison, so no event can be missed in between.
      if (at === position) {
        caughtUp.add(one);
        one.stream.send(here(at));
        if (!('ago' in one.from)) tellOwn(one, deps.elapsed() - HISTORY_MS);
        else if (one.from.ago > 0) tellOwn(one, deps.elapsed() - one.from.ago - READ_TOLERANCE_MS);
        return;
      }
    }
  }

  let due: ReturnType<typeof setTimeout> | undefined;
  let work = Promise.resolve();
  const failed = (error: unknown) => void (closing || log('Readers could not be told what happened.', error));
  const stopWatching = store.onChange(() => {
    tellings.clearCache();
    due ??= setTimeout(() => {
      due = undefined;
      work = work.then(pump).catch(failed);
    }, EVENTS_DEBOUNCE_MS);
  });
  const beat = setInterval(() => {
    tellings.clearCache();
    const bytes = new Map<number, Buffer>();
    void toEach(({ stream, lastEventId }) => {
      const beat = bytes.get(lastEventId) ?? here(lastEventId);
      bytes.set(lastEventId, beat);
      stream.send(beat);
    });
  }, HEARTBEAT_INTERVAL_MS).unref();
  const asking = setInterval(() => void askAll(), ACCESS_REFRESH_INTERVAL_MS).unref();

  const changes = createRecentChanges(deps.elapsed);
  /** Readers with a change that has not been reported yet. */
  const changing = new Set<string>();
  const tellOwn = (one: Subscription, since: number) =>
    one.token !== null && changes.changedByOthers(one.ownerKey, one.token, since) && tell(one, { type: 'reader' });

  const stopHearing = store.subscribe((message) => {
    const own = readerKey(message.readerId);
    const ofOwn = (streams: ReadonlySet<Subscription>) => [...streams].filter(({ ownerKey }) => ownerKey === own);
    if (message.type === 'reader-left') {
      for (const { stream } of ofOwn(everyone)) stream.end();
      return;
    }
    const since = deps.elapsed();
    changes.record(own, message.sessionHash);
    if (changing.has(own)) return;
    changing.add(own);
    const gathered = () => {
      changing.delete(own);
      for (const one of ofOwn(caughtUp)) tellOwn(one, since);
    };
    setTimeout(gathered, READER_CHANGES_DEBOUNCE_MS).unref();
  });
  const publish = (message: BusMessage) => void store.publish(message).catch(failed);

  return {
    // The token itself is a secret, so only its hash is broadcast.
    notifyReader: (readerId, token) => publish({ type: 'reader-changed', readerId, sessionHash: hashToken(token) }),
    disconnectReader: (readerId) => publish({ type: 'reader-left', readerId }),
    count: places.count,
    subscribe(response, listener) {
      const leave = closing ? null : places.acquire(listener.ownerKey);
      if (leave === null) return false;
      const stream = openSseStream(response, () => {
        leave();
        everyone.delete(one);
        caughtUp.delete(one);
      });
      const one: Subscription = { ...listener, stream, lastEventId: 0 };
      everyone.add(one);
      catchUp(one).catch((error: unknown) => {
        failed(error);
        stream.end();
      });
      return true;
    },
    close() {
      closing = true;
      stopWatching();
      stopHearing();
      clearTimeout(due);
      clearInterval(beat);
      clearInterval(asking);
      for (const { stream } of everyone) stream.end();
    },
  };
}

const canReadPrivate = ({ privateChannels }: AccessScope, channelId: string): boolean =>
  privateChannels === 'all' || privateChannels.includes(channelId);

/** Returns whether a subscription receives exactly the public events. */
const isPublicSubscription = ({ refreshAccess, channels, extraChannels }: SubscriptionRequest): boolean =>
  refreshAccess === null && channels === null && extraChannels.size === 0;

const isSubscribedTo = (
  { channels, extraChannels }: SubscriptionRequest,
  { channelId, external }: Pick<EventFrame, 'channelId' | 'external'>,
): boolean => (channels === null ? !external || extraChannels.has(channelId) : channels.has(channelId));

const framesFor = (batch: readonly EventFrame[], one: Subscription): Buffer =>
  Buffer.concat(
    batch.flatMap((telling) => {
      const bytes = canReadPrivate(one.accessScope, telling.channelId) ? telling.forMembers : telling.forOthers;
      return bytes !== null && isSubscribedTo(one, telling) ? bytes : [];
    }),
  );

/** Returns the private channels to which the client has lost access. */
const revokedChannels = (former: AccessScope, now: AccessScope): readonly string[] =>
  former.privateChannels === 'all' ? [] : former.privateChannels.filter((id) => !canReadPrivate(now, id));

/** Returns the key under which a reader's connection slots are counted. */
export const readerKey = (readerId: string): string => `reader ${readerId}`;
