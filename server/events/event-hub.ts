/**
 * Event hub: broadcasts events to the connected clients. The hub follows the store's event log once, reads and serializes each
 * event once, and sends the same bytes to all clients that may read them. Permissions are checked when an event is sent: against
 * the channel's current state and, for a private channel, the reader's current rights.
 */
import type { ServerResponse } from 'node:http';
import { setImmediate as breathe } from 'node:timers/promises';
import type { Happening } from '../../contract/events.ts';
import { hashOf } from '../auth/sessions.ts';
import type { Audience } from '../domain/model.ts';
import { createPlaces } from '../lib/concurrency.ts';
import type { Say } from '../lib/logger.ts';
import type { Store } from '../storage/ports/store.ts';
import { openEventIds } from './event-ids.ts';
import { type EventFrameDeps, openTellings, type Telling, write } from './frames.ts';
import { createChanges, createPast, READ_TOLERANCE_MS, REMEMBERED } from './recent.ts';
import { openStream, type Stream } from './sse-stream.ts';

/** Services that this module uses. */
export type EventHubDeps = EventFrameDeps & {
  readonly store: Store;
  readonly passed: () => number;
  readonly log: Say;
};

/** Read permissions and channels of a subscription. */
export interface Hearing {
  readonly audience: Audience;
  /** Channels outside the directory whose events the client receives: those that the request named, and those of the line-up. */
  readonly also: ReadonlySet<string>;
}

/** Subscription of one client, and the event from which it starts. */
export interface Listener extends Hearing {
  /** Reader or address for which the connection slot is counted. */
  readonly whose: string;
  /** Token of the reader's session; null for an anonymous client. */
  readonly token: string | null;
  /** Loads the current read permissions. Rejects when the session has ended. Null for an anonymous client. */
  readonly ask: (() => Promise<Hearing>) | null;
  /** Only events of these channels; null for all. */
  readonly channels: ReadonlySet<string> | null;
  /** Id of the last event that the client received, or how many milliseconds ago it loaded its data. */
  readonly from: { readonly id: string } | { readonly ago: number };
}

export interface Live {
  /** Responds with an event stream; false if no slot is free. */
  listen(response: ServerResponse, listener: Listener): boolean;
  /** Notifies a reader's other pages, but not those of this token's session, that the reader's own data changed. */
  tellReader(readerId: string, token: string): void;
  /** Ends a reader's streams: the sessions that opened them have ended. */
  endReader(readerId: string): void;
  /** Returns the number of open streams. */
  count(): number;
  /** Ends all streams; the clients reconnect to the next process. */
  close(): void;
}

interface Listening extends Listener {
  audience: Audience;
  also: ReadonlySet<string>;
  readonly stream: Stream;
  /** Number of the last event that was sent to it: the position from which it resumes after a disconnection. */
  heard: number;
}

/**
 * Debounce of changes to a reader's own data, ms. Read markers move with every post that is read, so they are reported together.
 */
const READER_CHANGES_DEBOUNCE_MS = 1000;
/** Debounce of events, ms: an album's messages and a burst of edits are sent once. */
const EVENTS_DEBOUNCE_MS = 150;
const BEAT = 15_000;
/** Interval at which read permissions and line-ups of the clients are loaded again, ms. */
const ASK = 45_000;
const BATCH = 100;
/**
 * Number of streams that are written to before control returns to the event loop, so that page requests do not wait for thousands
 * of streams.
 */
const A_TURN = 100;
/** A client that missed more events reloads everything: that is less data. */
const MAX_MISSED_EVENTS = 5000;

export async function openLive(deps: EventHubDeps): Promise<Live> {
  const { store, log } = deps;
  const ids = await openEventIds(store);
  const tellings = await openTellings(deps, ids);
  const places = createPlaces();
  const past = createPast(deps.passed);
  const everyone = new Set<Listening>();
  /** Connections that receive new events. All others still receive the events that they missed. */
  const caughtUp = new Set<Listening>();
  let position = await store.lastEvent();
  let closing = false;

  const reset = () => write(ids, position, { type: 'reset' });
  /** Heartbeat: shows that the stream is alive, and its position. */
  const here = (at: number) => Buffer.from(`:\nid: ${ids.seal(at)}\n\n`);
  const tell = (one: Listening, happening: Happening) => one.stream.send(write(ids, one.heard, happening));

  /** A client that connects in the meantime is already at `position`, or receives the missed events first. */
  async function toEach(send: (one: Listening) => void): Promise<void> {
    for (const [at, one] of [...caughtUp].entries()) {
      send(one);
      if (at % A_TURN === A_TURN - 1) await breathe();
    }
  }

  async function pump(): Promise<void> {
    for (;;) {
      const events = closing ? [] : await store.events(position, BATCH);
      if (events === null) {
        position = await store.lastEvent();
        const bytes = reset();
        await toEach((one) => one.stream.send(bytes));
        continue;
      }
      const last = events.at(-1);
      if (last === undefined) return;
      await tellings.note(events);
      const batch = await tellings.of(events);
      if (batch.some(({ members, others }) => members !== others)) await askAll();
      past.passed(position);
      position = last.id;
      await deliver(batch, last.id);
      // Lets the sockets send before more events follow. Otherwise a burst looks like clients that do not receive.
      await breathe();
    }
  }
  function deliver(batch: readonly Telling[], last: number): Promise<void> {
    const open = Buffer.concat(batch.flatMap(({ others, elsewhere }) => (elsewhere ? [] : (others ?? []))));
    return toEach((one) => {
      one.stream.send(isAnyone(one) ? open : forOne(batch, one));
      one.heard = last;
    });
  }

  async function ask(one: Listening): Promise<void> {
    if (one.ask === null) return;
    try {
      const [former, now] = [one.audience, await one.ask()];
      Object.assign(one, now);
      for (const channelId of without(former, now.audience))
        if (isWanted(one, { channelId, elsewhere: false })) tell(one, { type: 'hidden', channelId });
    } catch {
      // The session has ended, or the permissions cannot be determined. The client reconnects and learns the reason from that
      // response.
      one.stream.end();
    }
  }
  async function askAll(): Promise<void> {
    await Promise.all([...everyone].map(ask));
  }

  async function catchUp(one: Listening): Promise<void> {
    let at = 'id' in one.from ? ids.open(one.from.id) : past.positionAt(one.from.ago, position);
    one.heard = at ?? 0;
    while (one.stream.isOpen() && !closing) {
      const events = at === null || position - at > MAX_MISSED_EVENTS ? null : await store.events(at, BATCH);
      if (events === null) {
        one.stream.send(reset());
        at = position;
        one.heard = at;
      } else {
        const missed = events.filter(({ id }) => id <= position);
        one.stream.send(forOne(await tellings.of(missed), one));
        at = missed.at(-1)?.id ?? position;
        one.heard = at;
        await one.stream.drained();
      }
      // Runs synchronously after the comparison, so no event can be missed in between.
      if (at === position) {
        caughtUp.add(one);
        one.stream.send(here(at));
        if (!('ago' in one.from)) tellOwn(one, deps.passed() - REMEMBERED);
        else if (one.from.ago > 0) tellOwn(one, deps.passed() - one.from.ago - READ_TOLERANCE_MS);
        return;
      }
    }
  }

  let due: ReturnType<typeof setTimeout> | undefined;
  let work = Promise.resolve();
  const failed = (error: unknown) => void (closing || log('Readers could not be told what happened.', error));
  const stopWatching = store.watch(() => {
    tellings.forget();
    due ??= setTimeout(() => {
      due = undefined;
      work = work.then(pump).catch(failed);
    }, EVENTS_DEBOUNCE_MS);
  });
  const beat = setInterval(() => {
    tellings.forget();
    const bytes = new Map<number, Buffer>();
    void toEach(({ stream, heard }) => {
      const beat = bytes.get(heard) ?? here(heard);
      bytes.set(heard, beat);
      stream.send(beat);
    });
  }, BEAT).unref();
  const asking = setInterval(() => void askAll(), ASK).unref();

  const changes = createChanges(deps.passed);
  /** Readers with a change that has not been reported yet. */
  const changing = new Set<string>();
  const tellOwn = (one: Listening, since: number) =>
    one.token !== null && changes.byOthers(one.whose, one.token, since) && tell(one, { type: 'reader' });

  const stopHearing = store.hear((word) => {
    const [what, readerId = '', by = ''] = word.split(' ');
    const own = ofReader(readerId);
    const ofOwn = (streams: ReadonlySet<Listening>) => [...streams].filter(({ whose }) => whose === own);
    if (what === 'left') for (const { stream } of ofOwn(everyone)) stream.end();
    if (what !== 'changed') return;
    const since = deps.passed();
    changes.note(own, by);
    if (changing.has(own)) return;
    changing.add(own);
    const gathered = () => {
      changing.delete(own);
      for (const one of ofOwn(caughtUp)) tellOwn(one, since);
    };
    setTimeout(gathered, READER_CHANGES_DEBOUNCE_MS).unref();
  });
  const pass = (word: string) => void store.pass(word).catch(failed);

  return {
    // The token itself is a secret, so only its hash is broadcast.
    tellReader: (readerId, token) => pass(`changed ${readerId} ${hashOf(token)}`),
    endReader: (readerId) => pass(`left ${readerId}`),
    count: places.count,
    listen(response, listener) {
      const leave = closing ? null : places.take(listener.whose);
      if (leave === null) return false;
      const stream = openStream(response, () => {
        leave();
        everyone.delete(one);
        caughtUp.delete(one);
      });
      const one: Listening = { ...listener, stream, heard: 0 };
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

const includes = ({ privateChannels }: Audience, channelId: string): boolean =>
  privateChannels === 'all' || privateChannels.includes(channelId);

/** Returns whether a subscription receives exactly the public events. */
const isAnyone = ({ ask, channels, also }: Listener): boolean => ask === null && channels === null && also.size === 0;

const isWanted = ({ channels, also }: Listener, { channelId, elsewhere }: Pick<Telling, 'channelId' | 'elsewhere'>): boolean =>
  channels === null ? !elsewhere || also.has(channelId) : channels.has(channelId);

const forOne = (batch: readonly Telling[], one: Listening): Buffer =>
  Buffer.concat(
    batch.flatMap((telling) => {
      const bytes = includes(one.audience, telling.channelId) ? telling.members : telling.others;
      return bytes !== null && isWanted(one, telling) ? bytes : [];
    }),
  );

/** Returns the private channels to which the client has lost access. */
const without = (former: Audience, now: Audience): readonly string[] =>
  former.privateChannels === 'all' ? [] : former.privateChannels.filter((id) => !includes(now, id));

/** Returns the key under which a reader's connection slots are counted. */
export const ofReader = (readerId: string): string => `reader ${readerId}`;
