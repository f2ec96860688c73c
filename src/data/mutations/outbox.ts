import type { Lineup, LineupChange } from '../../../contract/lineup.ts';
import { mergeLineups } from '../../../contract/merge-lineup.ts';
import * as parse from '../../../contract/parse.ts';
import { boolean, number, optional, type Parse, shape, string, word } from '../../../contract/shape.ts';
import type { Api } from '../../api/channels-api.ts';
import { createCell, type Readable } from '../../lib/signal.ts';
import type { Slot } from '../../storage/key-value-store.ts';
import { type Failure, failureOf, type Link } from '../connection/connection.ts';
import type { Refused, Saving, WaitingChanges } from '../model/types.ts';
import { type Device, fit } from '../offline/offline-store.ts';

/** What a reader did and the server has to hear. */
export type Change =
  | ({ readonly type: 'lineup' } & Readonly<LineupChange>)
  /** `exact` moves the mark backwards too. */
  | { readonly type: 'mark'; readonly channelId: string; readonly messageId: number; readonly exact: boolean }
  /** `post` is the key of one. */
  | { readonly type: 'kept-unread'; readonly post: string; readonly kept: boolean }
  | {
      readonly type: 'star';
      readonly channelId: string;
      readonly postId: number;
      readonly at: number;
      readonly starred: boolean;
    };

/**
 * A change and its turn, which is its name too: when it was made, and by chance less than a millisecond more, so that no other device
 * has the same. A later change of the same thing takes the place of the earlier.
 */
interface Waiting {
  readonly turn: number;
  readonly change: Change;
  /** How often the reader changed the line-up that waits as one; 1 where that is absent. */
  readonly acts?: number | undefined;
}

/** Changes on their way: on the device first, sent in order, gone when acknowledged. */
export interface Outbox {
  readonly saving: Readable<Saving>;
  /** Reads what waits from an earlier visit. */
  load(): Promise<void>;
  waiting(): readonly Change[];
  /** Counts what was added, sent and refused: the same number later means that nothing moved. */
  moves(): number;
  /** Stores the change and, in the same transaction, the state that it makes. Resolves when both are on the device. */
  add(change: Change, state: Slot): Promise<unknown>;
  /** Sends what waits, one after the other, as far as the server can be reached. */
  flush(): Promise<void>;
  close(): void;
}

export interface OutboxOptions {
  readonly api: Api;
  readonly link: Link;
  readonly device: Device;
  /** Tabs of the same name send one at a time. */
  readonly name: string;
  now(): number;
  /** Whether the server knows us. */
  canSend(): boolean;
  /** The server refused a change, which is dropped: what it holds has to be read. */
  onRefused(): void;
  /** The server has saved a line-up: this is what it holds now. */
  onLineup(held: Lineup): void;
}

const PREFIX = 'out/';
const byTurn = ([, a]: [string, Waiting], [, b]: [string, Waiting]): number => a.turn - b.turn;

/** Marks move with every post scrolled by: they may gather before they are sent, milliseconds. */
const MARKS_GATHER = 1000;
const FIRST_RETRY = 2000;
const LAST_RETRY = 60_000;

/** A change waits under the key of the state that it makes. */
function thingOf(change: Change, [key]: Slot): string {
  // What moves on from a mark that went backwards follows it, and does not go backwards itself: the other may have been heard.
  return change.type === 'mark' && change.exact ? `back/${change.channelId}` : key;
}

/** What takes the place of `former`, which another tab may have written that this one has not heard of yet: nothing of it is lost. */
function over(former: Change | undefined, change: Change): Change {
  if (former?.type === 'lineup' && change.type === 'lineup')
    return { ...change, ...mergeLineups(former, change), version: Math.min(former.version ?? 0, change.version ?? 0) };
  if (former?.type === 'mark' && change.type === 'mark' && !change.exact)
    return { ...change, messageId: Math.max(former.messageId, change.messageId) };
  return change;
}

export function createOutbox({ api, link, device, name, now, canSend, onRefused, onLineup }: OutboxOptions): Outbox {
  const saving = createCell<Saving>({ type: 'saved' });
  const waiting = new Map<string, Waiting>();
  let writing: Promise<unknown> = Promise.resolve();
  let sending: Promise<void> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let again = false;
  let retry = FIRST_RETRY;
  let lastTurn = 0;
  let moved = 0;
  let refused: Refused | null = null;

  function tell(): void {
    // Sent again, by this tab or another, and accepted.
    if (refused?.what === 'lineup' && !waiting.has('lineup')) refused = null;
    if (refused !== null) saving.set(refused);
    else if (waiting.size > 0) saving.set(waitingOf([...waiting.values()]));
    else if (saving.get().type !== 'saved') saving.set({ type: 'saved' });
  }
  function schedule(delay: number): void {
    clearTimeout(timer);
    if (!link.isClosed()) timer = setTimeout(() => void flush(), delay);
  }
  async function reload(): Promise<void> {
    const { reader } = await device.kept;
    let written = writing;
    let found: [string, unknown][];
    do {
      written = writing;
      await written;
      found = await reader.list(PREFIX);
    } while (written !== writing);
    if (link.isClosed()) return;
    waiting.clear();
    for (const [key, raw] of found) {
      const held = fit(parseWaiting, raw);
      if (held !== null) waiting.set(key.slice(PREFIX.length), held);
      lastTurn = Math.max(lastTurn, held?.turn ?? 0);
    }
  }
  /** Takes a change out, unless a later one of the same thing has come. */
  async function remove(thing: string, { turn }: Waiting): Promise<void> {
    if (waiting.get(thing)?.turn === turn) waiting.delete(thing);
    moved++;
    await (await device.kept).reader.change([PREFIX + thing, (raw) => (fit(parseWaiting, raw)?.turn === turn ? undefined : raw)]);
  }
  async function send({ change, turn }: Waiting): Promise<void> {
    const key = String(turn);
    if (change.type === 'lineup') {
      const { type: _, ...lineup } = change;
      onLineup(await api.putLineup(lineup, key));
    } else if (change.type === 'mark') await api.putMark(change, change.exact, key);
    else if ('post' in change) await api.setKeptUnread(change.post, change.kept, key);
    else await (change.starred ? api.putStar : api.dropStar)(change.channelId, change.postId, key);
  }
  async function drop(): Promise<void> {
    await writing;
    const lineup = waiting.get('lineup');
    if (refused?.what === 'lineup' && lineup !== undefined) await remove('lineup', lineup);
    refused = null;
    tell();
    onRefused();
  }
  async function sendAll(): Promise<void> {
    await reload();
    let isLineupRefused = false;
    let isOtherRefused = false;
    while (canSend() && !link.isClosed()) {
      await writing;
      const sendable = [...waiting].filter(([, { change }]) => !isLineupRefused || change.type !== 'lineup');
      const [next] = sendable.sort(byTurn);
      if (next === undefined) break;
      try {
        await link.call(() => send(next[1]), true);
        retry = FIRST_RETRY;
      } catch (thrown) {
        if (link.isClosed()) return;
        const failure = failureOf(thrown);
        if (isPassing(failure)) {
          if (failure.status !== 401) schedule(retry);
          retry = Math.min(retry * 2, LAST_RETRY);
          break;
        }
        const what = next[1].change.type;
        refused = { type: 'refused', what, status: failure.status, drop: () => void drop() };
        // What the reader made of the line-up stays, to be sent again or taken back; marks and stars are read anew.
        if (what === 'lineup') {
          isLineupRefused = true;
          continue;
        }
        isOtherRefused = true;
      }
      await remove(...next);
    }
    tell();
    if (isOtherRefused) onRefused();
  }
  function flush(): Promise<void> {
    if (!canSend()) return Promise.resolve();
    clearTimeout(timer);
    if (sending !== null) {
      again = true;
      return sending;
    }
    sending = alone(name, sendAll).finally(() => {
      sending = null;
      if (again) void flush();
    });
    again = false;
    return sending;
  }

  return {
    saving,
    async load() {
      await reload();
      tell();
    },
    waiting: () => [...waiting].sort(byTurn).map(([, { change }]) => change),
    moves: () => moved,
    add(change, state) {
      const thing = thingOf(change, state);
      lastTurn = Math.max(Math.floor(lastTurn) + 1, now()) + Math.random();
      const turn = lastTurn;
      const on = (former: Waiting | null | undefined): Waiting => ({
        turn,
        change: over(former?.change, change),
        ...(former && change.type === 'lineup' && { acts: (former.acts ?? 1) + 1 }),
      });
      waiting.set(thing, on(waiting.get(thing)));
      moved++;
      tell();
      writing = writing.then(async () =>
        (await device.kept).reader.change(state, [
          PREFIX + thing,
          (raw) => {
            const held = on(fit(parseWaiting, raw));
            if (waiting.get(thing)?.turn === turn) waiting.set(thing, held);
            return held;
          },
        ]),
      );
      if (change.type === 'mark') schedule(MARKS_GATHER);
      else void writing.then(flush);
      return writing;
    },
    flush,
    close: () => clearTimeout(timer),
  };
}

/** No answer, an unknown reader, too many requests, a server in trouble: the change is good and is kept. */
const isPassing = ({ status, unheard }: Failure): boolean =>
  unheard || (status !== null && (status === 401 || status === 408 || status === 429 || status >= 500));

/** Where there are no locks (an old engine, plain http) tabs may send the same change twice: it has one name. */
async function alone(name: string, work: () => Promise<void>): Promise<void> {
  const locks = globalThis.navigator?.locks;
  if (locks === undefined) await work();
  else await locks.request(name, work);
}

function waitingOf(waiting: readonly Waiting[]): WaitingChanges {
  const count = waiting.reduce((sum, { acts = 1 }) => sum + acts, 0);
  const onlyReadMarkers = waiting.every(({ change }) => change.type === 'mark');
  return { type: 'waiting', count, ...(onlyReadMarkers && { onlyReadMarkers }) };
}

type TypeOf = Change['type'];

/** What each type of change holds beside its type. */
const CHANGES: { readonly [Type in TypeOf]: Parse<Omit<Extract<Change, { type: Type }>, 'type'>> } = {
  lineup: parse.lineupChange,
  mark: shape({ channelId: string, messageId: number, exact: boolean }),
  'kept-unread': shape({ post: string, kept: boolean }),
  star: shape({ channelId: string, postId: number, at: number, starred: boolean }),
};

const typed = shape<{ type: TypeOf }>({ type: word<TypeOf>(CHANGES) });

function parseChange(raw: unknown, at: string): Change {
  const { type } = typed(raw, at);
  // Sound: the parser of this type has read what it holds.
  return { ...CHANGES[type](raw, at), type } as Change;
}

const parseWaiting = shape<Waiting>({ turn: number, acts: optional(number), change: parseChange });
