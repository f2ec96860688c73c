// Outbox: stores the reader's changes on the device and sends them to the server in order, with idempotency keys.

import type { Lineup, LineupChange } from '../../../contract/lineup.ts';
import { mergeLineups } from '../../../contract/merge-lineup.ts';
import * as parse from '../../../contract/parse.ts';
import { boolean, number, oneOf, optional, type Parse, shape, string } from '../../../contract/shape.ts';
import type { ChannelsApi } from '../../api/channels-api.ts';
import { createSignal, type Signal } from '../../lib/signal.ts';
import type { KeyUpdate } from '../../storage/key-value-store.ts';
import { type Connection, type RequestFailure, toRequestFailure } from '../connection/connection.ts';
import type { PendingChanges, RejectedChange, SyncStatus } from '../model/types.ts';
import { type OfflineStore, tryParse } from '../offline/offline-store.ts';

/** A change of the reader that the server must receive. */
export type Change =
  | ({ readonly type: 'lineup' } & Readonly<LineupChange>)
  /** `exact` may also move the read marker backwards. */
  | { readonly type: 'mark'; readonly channelId: string; readonly messageId: number; readonly exact: boolean }
  /** `post` is the key of a post (`channelId/id`). */
  | { readonly type: 'kept-unread'; readonly post: string; readonly kept: boolean }
  | {
      readonly type: 'star';
      readonly channelId: string;
      readonly postId: number;
      readonly at: number;
      readonly starred: boolean;
    };

/**
 * A pending change with its sequence number, which is also its idempotency key. The number is the time of the change plus a
 * random fraction of a millisecond, so that no two devices use the same one. A later change of the same item replaces the
 * earlier one.
 */
interface PendingChange {
  readonly turn: number;
  readonly change: Change;
  /** Number of line-up changes that were combined into this one; 1 if absent. */
  readonly acts?: number | undefined;
}

/** Pending changes: stored on the device first, sent in order, deleted when the server acknowledges them. */
export interface Outbox {
  readonly syncStatus: Signal<SyncStatus>;
  /** Loads the pending changes of an earlier visit. */
  load(): Promise<void>;
  pending(): readonly Change[];
  /** Counts added, sent and rejected changes. An unchanged number later means that nothing happened in between. */
  revision(): number;
  /** Stores the change and, in the same transaction, the resulting state. Resolves when both are on the device. */
  add(change: Change, state: KeyUpdate): Promise<unknown>;
  /** Sends pending changes, one after the other, while the server is reachable. */
  flush(): Promise<void>;
  close(): void;
}

export interface OutboxOptions {
  readonly api: ChannelsApi;
  readonly connection: Connection;
  readonly offline: OfflineStore;
  /** Name of the lock: tabs with the same name send one at a time. */
  readonly lockName: string;
  now(): number;
  /** Returns true if the reader is signed in. */
  isSignedIn(): boolean;
  /** Called when the server rejected a change, which is dropped: the server's state must be fetched. */
  onRejected(): void;
  /** Called when the server saved a line-up, with the line-up that it has now. */
  onLineupAccepted(held: Lineup): void;
}

const OUTBOX_PREFIX = 'out/';
const bySequence = ([, a]: [string, PendingChange], [, b]: [string, PendingChange]): number => a.turn - b.turn;

/** Debounce time of read markers, ms: they move with every post that is scrolled by. */
const MARKS_DEBOUNCE_MS = 1000;
const MIN_RETRY_DELAY_MS = 2000;
const MAX_RETRY_DELAY_MS = 60_000;

/** Returns the key of a pending change: the key of the state that results from it. */
function entityKey(change: Change, [key]: KeyUpdate): string {
  // A marker moved backwards has its own key. A later forward move does not replace it, because the server may have applied
  // it already.
  return change.type === 'mark' && change.exact ? `back/${change.channelId}` : key;
}

/**
 * Combines a change with the pending one that it replaces. Another tab may have written `former`, unknown to this tab;
 * nothing of it is lost.
 */
function coalesceChange(former: Change | undefined, change: Change): Change {
  if (former?.type === 'lineup' && change.type === 'lineup')
    return { ...change, ...mergeLineups(former, change), version: Math.min(former.version ?? 0, change.version ?? 0) };
  if (former?.type === 'mark' && change.type === 'mark' && !change.exact)
    return { ...change, messageId: Math.max(former.messageId, change.messageId) };
  return change;
}

export function createOutbox({
  api,
  connection: link,
  offline: device,
  lockName: name,
  now,
  isSignedIn: canSend,
  onRejected: onRefused,
  onLineupAccepted: onLineup,
}: OutboxOptions): Outbox {
  const saving = createSignal<SyncStatus>({ type: 'saved' });
  const waiting = new Map<string, PendingChange>();
  let writing: Promise<unknown> = Promise.resolve();
  let sending: Promise<void> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let again = false;
  let retry = MIN_RETRY_DELAY_MS;
  let lastTurn = 0;
  let moved = 0;
  let refused: RejectedChange | null = null;

  function tell(): void {
    // Another attempt, by this tab or another, was accepted.
    if (refused?.changeType === 'lineup' && !waiting.has('lineup')) refused = null;
    if (refused !== null) saving.set(refused);
    else if (waiting.size > 0) saving.set(toPendingChanges([...waiting.values()]));
    else if (saving.get().type !== 'saved') saving.set({ type: 'saved' });
  }
  function schedule(delay: number): void {
    clearTimeout(timer);
    if (!link.isClosed()) timer = setTimeout(() => void flush(), delay);
  }
  async function reload(): Promise<void> {
    const { reader } = await device.storage;
    let written = writing;
    let found: [string, unknown][];
    do {
      written = writing;
      await written;
      found = await reader.list(OUTBOX_PREFIX);
    } while (written !== writing);
    if (link.isClosed()) return;
    waiting.clear();
    for (const [key, raw] of found) {
      const held = tryParse(parsePendingChange, raw);
      if (held !== null) waiting.set(key.slice(OUTBOX_PREFIX.length), held);
      lastTurn = Math.max(lastTurn, held?.turn ?? 0);
    }
  }
  /** Removes a change, unless a later one of the same item has replaced it. */
  async function remove(thing: string, { turn }: PendingChange): Promise<void> {
    if (waiting.get(thing)?.turn === turn) waiting.delete(thing);
    moved++;
    await (await device.storage).reader.update([
      OUTBOX_PREFIX + thing,
      (raw) => (tryParse(parsePendingChange, raw)?.turn === turn ? undefined : raw),
    ]);
  }
  async function send({ change, turn }: PendingChange): Promise<void> {
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
    if (refused?.changeType === 'lineup' && lineup !== undefined) await remove('lineup', lineup);
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
      const [next] = sendable.sort(bySequence);
      if (next === undefined) break;
      try {
        await link.request(() => send(next[1]), true);
        retry = MIN_RETRY_DELAY_MS;
      } catch (thrown) {
        if (link.isClosed()) return;
        const failure = toRequestFailure(thrown);
        if (isTransient(failure)) {
          if (failure.status !== 401) schedule(retry);
          retry = Math.min(retry * 2, MAX_RETRY_DELAY_MS);
          break;
        }
        const what = next[1].change.type;
        refused = { type: 'refused', changeType: what, status: failure.status, discard: () => void drop() };
        // A rejected line-up stays as the reader made it, to be sent again or discarded. Markers and stars are refetched.
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
    sending = withOutboxLock(name, sendAll).finally(() => {
      sending = null;
      if (again) void flush();
    });
    again = false;
    return sending;
  }

  return {
    syncStatus: saving,
    async load() {
      await reload();
      tell();
    },
    pending: () => [...waiting].sort(bySequence).map(([, { change }]) => change),
    revision: () => moved,
    add(change, state) {
      const thing = entityKey(change, state);
      lastTurn = Math.max(Math.floor(lastTurn) + 1, now()) + Math.random();
      const turn = lastTurn;
      const on = (former: PendingChange | null | undefined): PendingChange => ({
        turn,
        change: coalesceChange(former?.change, change),
        ...(former && change.type === 'lineup' && { acts: (former.acts ?? 1) + 1 }),
      });
      waiting.set(thing, on(waiting.get(thing)));
      moved++;
      tell();
      writing = writing.then(async () =>
        (await device.storage).reader.update(state, [
          OUTBOX_PREFIX + thing,
          (raw) => {
            const held = on(tryParse(parsePendingChange, raw));
            if (waiting.get(thing)?.turn === turn) waiting.set(thing, held);
            return held;
          },
        ]),
      );
      if (change.type === 'mark') schedule(MARKS_DEBOUNCE_MS);
      else void writing.then(flush);
      return writing;
    },
    flush,
    close: () => clearTimeout(timer),
  };
}

/**
 * Returns true for a transient failure (no response, unauthenticated, timeout, too many requests, server error): the change
 * is valid and stays in the outbox.
 */
const isTransient = ({ status, unreachable: unheard }: RequestFailure): boolean =>
  unheard || (status !== null && (status === 401 || status === 408 || status === 429 || status >= 500));

/**
 * Runs `work` under a Web Lock. Without locks (an old engine, plain http) two tabs may send the same change; its idempotency
 * key makes that harmless.
 */
async function withOutboxLock(name: string, work: () => Promise<void>): Promise<void> {
  const locks = globalThis.navigator?.locks;
  if (locks === undefined) await work();
  else await locks.request(name, work);
}

function toPendingChanges(waiting: readonly PendingChange[]): PendingChanges {
  const count = waiting.reduce((sum, { acts = 1 }) => sum + acts, 0);
  const onlyReadMarkers = waiting.every(({ change }) => change.type === 'mark');
  return { type: 'waiting', count, ...(onlyReadMarkers && { onlyReadMarkers }) };
}

type ChangeType = Change['type'];

/** Parsers of the fields of each type of change, without `type`. */
const CHANGE_PARSERS: { readonly [Type in ChangeType]: Parse<Omit<Extract<Change, { type: Type }>, 'type'>> } = {
  lineup: parse.lineupChange,
  mark: shape({ channelId: string, messageId: number, exact: boolean }),
  'kept-unread': shape({ post: string, kept: boolean }),
  star: shape({ channelId: string, postId: number, at: number, starred: boolean }),
};

const parseChangeType = shape<{ type: ChangeType }>({ type: oneOf<ChangeType>(CHANGE_PARSERS) });

function parseChange(raw: unknown, at: string): Change {
  const { type } = parseChangeType(raw, at);
  // Sound: the parser of this type has validated the fields.
  return { ...CHANGE_PARSERS[type](raw, at), type } as Change;
}

const parsePendingChange = shape<PendingChange>({ turn: number, acts: optional(number), change: parseChange });
