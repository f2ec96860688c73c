/**
 * Tells readers what happens, as it happens. The store's log is followed once, each event is read and written once, and the
 * same bytes go to everyone who may read them. Whether one may is asked when they are sent: of the channel as it is then, and,
 * where it is private, of the reader's rights as they are then.
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
import { createChanges, createPast, REMEMBERED, SLACK } from './recent.ts';
import { openStream, type Stream } from './sse-stream.ts';

/** Services that this module uses. */
export type EventHubDeps = EventFrameDeps & {
  readonly store: Store;
  readonly passed: () => number;
  readonly log: Say;
};

/** What one who listens may hear. */
export interface Hearing {
  readonly audience: Audience;
  /** What is heard besides the directory of channels from elsewhere: those that were named, and the line-up's. */
  readonly also: ReadonlySet<string>;
}

/** Who listens, and from where on. */
export interface Listener extends Hearing {
  /** The reader or address that a place is counted to. */
  readonly whose: string;
  /** Of the reader's session; null for anyone. */
  readonly token: string | null;
  /** Asks anew whose eyes these are; rejects when the session is over. Null for anyone's. */
  readonly ask: (() => Promise<Hearing>) | null;
  /** Only these channels; null for all. */
  readonly channels: ReadonlySet<string> | null;
  /** The id of the last event that was heard, or how many milliseconds ago the reader began to read. */
  readonly from: { readonly id: string } | { readonly ago: number };
}

export interface Live {
  /** Answers with a stream; false when there is no room. */
  listen(response: ServerResponse, listener: Listener): boolean;
  /** Tells a reader's pages, but the one of this token, that what is the reader's own has changed. */
  tellReader(readerId: string, token: string): void;
  /** Ends a reader's streams: the sessions that they were opened with are over. */
  endReader(readerId: string): void;
  /** Open streams. */
  count(): number;
  /** Ends every stream; the readers come back to the next process. */
  close(): void;
}

interface Listening extends Listener {
  audience: Audience;
  also: ReadonlySet<string>;
  readonly stream: Stream;
  /** The number of the last event that it was told of: where it resumes when it is cut off. */
  heard: number;
}

/** Marks move with every post that is read: a reader's other pages hear of them together. */
const GATHER_OWN = 1000;
/** Events are gathered for so long: an album's messages and a burst of edits are told once. */
const GATHER = 150;
const BEAT = 15_000;
/** How often it is asked again whether readers may still read what is private, and what their line-ups name. */
const ASK = 45_000;
const BATCH = 100;
/** So many streams are written to in a turn: whoever reads a page does not wait for thousands of them. */
const A_TURN = 100;
/** A reader who missed more reads everything anew: that is less. */
const MOST_MISSED = 5000;

export async function openLive(deps: EventHubDeps): Promise<Live> {
  const { store, log } = deps;
  const ids = await openEventIds(store);
  const tellings = await openTellings(deps, ids);
  const places = createPlaces();
  const past = createPast(deps.passed);
  const everyone = new Set<Listening>();
  /** Those who are told what comes; all others are still told what they missed. */
  const caughtUp = new Set<Listening>();
  let position = await store.lastEvent();
  let closing = false;

  const reset = () => write(ids, position, { type: 'reset' });
  /** Shows that the stream lives, and where it is. */
  const here = (at: number) => Buffer.from(`:\nid: ${ids.seal(at)}\n\n`);
  const tell = (one: Listening, happening: Happening) => one.stream.send(write(ids, one.heard, happening));

  /** Whoever comes meanwhile is at `position` already, or is told what was missed first. */
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
      // What was sent goes out before more comes: else a burst looks like readers who take nothing.
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
      // The session is over, or nobody can say: the reader asks again, and is told by that answer.
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
      const events = at === null || position - at > MOST_MISSED ? null : await store.events(at, BATCH);
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
      // In one turn with the comparison: nothing can come between.
      if (at === position) {
        caughtUp.add(one);
        one.stream.send(here(at));
        if (!('ago' in one.from)) tellOwn(one, deps.passed() - REMEMBERED);
        else if (one.from.ago > 0) tellOwn(one, deps.passed() - one.from.ago - SLACK);
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
    }, GATHER);
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
  /** Readers who changed something that has not been told yet. */
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
    setTimeout(gathered, GATHER_OWN).unref();
  });
  const pass = (word: string) => void store.pass(word).catch(failed);

  return {
    // The token itself is a secret, and is told to nobody.
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

/** One who hears what everyone does. */
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

/** The private channels that were among an audience's and are no more. */
const without = (former: Audience, now: Audience): readonly string[] =>
  former.privateChannels === 'all' ? [] : former.privateChannels.filter((id) => !includes(now, id));

/** What a reader's places are counted to. */
export const ofReader = (readerId: string): string => `reader ${readerId}`;
