// Outbox sender: sends pending changes one after the other, and retries with exponential backoff.

import type { Lineup } from '../../../contract/lineup.ts';
import type { ChannelsApi } from '../../api/channels-api.ts';
import { createEmitter, type Emitter } from '../../lib/emitter.ts';
import { type Connection, isTransientFailure, type RequestFailure, toRequestFailure } from '../connection/connection.ts';
import type { PendingChange } from './change.ts';
import type { OutboxEntry, OutboxQueue } from './outbox-queue.ts';
import type { OutboxStatus } from './outbox-status.ts';

export interface OutboxSender {
  /** Emits when the server rejected a change, which is dropped: the server's state must be fetched. */
  readonly rejected: Emitter<void>;
  /** Emits the line-up that the server has now, when it has saved a line-up. */
  readonly lineupAccepted: Emitter<Lineup>;
  /** Sends pending changes, one after the other, while the server is reachable. */
  flush(): Promise<void>;
  /** Sends pending changes after a delay, ms. */
  schedule(delay: number): void;
  close(): void;
}

export interface OutboxSenderOptions {
  readonly api: ChannelsApi;
  readonly connection: Connection;
  /** Name of the lock: tabs with the same name send one at a time. */
  readonly lockName: string;
  /** Returns true if the reader is signed in. */
  isSignedIn(): boolean;
}

const MIN_RETRY_DELAY_MS = 2000;
const MAX_RETRY_DELAY_MS = 60_000;

export function createOutboxSender(options: OutboxSenderOptions, queue: OutboxQueue, status: OutboxStatus): OutboxSender {
  const { api, connection, lockName, isSignedIn } = options;
  const rejected = createEmitter<void>();
  const lineupAccepted = createEmitter<Lineup>();
  let sending: Promise<void> | null = null;
  let isFlushRequested = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let retryDelay = MIN_RETRY_DELAY_MS;

  function schedule(delay: number): void {
    clearTimeout(timer);
    if (!connection.isClosed()) timer = setTimeout(() => void flush(), delay);
  }
  /** Sends a change. Returns the failure; null if the server accepted the change. */
  async function send([, pending]: OutboxEntry): Promise<RequestFailure | null> {
    try {
      await connection.request(() => sendChange(api, pending, lineupAccepted), true);
      retryDelay = MIN_RETRY_DELAY_MS;
      return null;
    } catch (thrown) {
      return toRequestFailure(thrown);
    }
  }
  /** Discards a rejected change. */
  async function discard(): Promise<void> {
    await queue.written();
    const lineup = queue.get('lineup');
    if (status.rejectedChange()?.changeType === 'lineup' && lineup !== undefined) await queue.remove(['lineup', lineup]);
    status.setRejectedChange(null);
    status.update();
    rejected.emit();
  }
  async function sendAll(): Promise<void> {
    await queue.load();
    let isLineupRejected = false;
    let isOtherRejected = false;
    while (isSignedIn() && !connection.isClosed()) {
      await queue.written();
      const next = queue.entries().find(([, { change }]) => !isLineupRejected || change.type !== 'lineup');
      if (next === undefined) break;
      const failure = await send(next);
      if (failure !== null) {
        if (connection.isClosed()) return;
        if (isTransient(failure)) {
          if (failure.status !== 401) schedule(retryDelay);
          retryDelay = Math.min(retryDelay * 2, MAX_RETRY_DELAY_MS);
          break;
        }
        const changeType = next[1].change.type;
        status.setRejectedChange({ type: 'rejected', changeType, status: failure.status, discard: () => void discard() });
        // A rejected line-up stays in the queue, to be sent again or discarded. Markers and stars are refetched.
        if (changeType === 'lineup') {
          isLineupRejected = true;
          continue;
        }
        isOtherRejected = true;
      }
      await queue.remove(next);
    }
    status.update();
    if (isOtherRejected) rejected.emit();
  }
  function flush(): Promise<void> {
    if (!isSignedIn()) return Promise.resolve();
    clearTimeout(timer);
    if (sending !== null) {
      isFlushRequested = true;
      return sending;
    }
    sending = withOutboxLock(lockName, sendAll).finally(() => {
      sending = null;
      if (isFlushRequested) void flush();
    });
    isFlushRequested = false;
    return sending;
  }
  return { rejected, lineupAccepted, flush, schedule, close: () => clearTimeout(timer) };
}

async function sendChange(api: ChannelsApi, { change, turn }: PendingChange, lineupAccepted: Emitter<Lineup>): Promise<void> {
  const idempotencyKey = String(turn);
  if (change.type === 'lineup') {
    const { type: _, ...lineup } = change;
    lineupAccepted.emit(await api.putLineup(lineup, idempotencyKey));
  } else if (change.type === 'mark') await api.putReadMarker(change, change.exact, idempotencyKey);
  else if ('post' in change) await api.setKeptUnread(change.post, change.kept, idempotencyKey);
  else await (change.starred ? api.putStar : api.deleteStar)(change.channelId, change.postId, idempotencyKey);
}

/** Returns true for a transient failure, or if the reader is not signed in: the change is valid and stays in the outbox. */
const isTransient = (failure: RequestFailure): boolean => failure.status === 401 || isTransientFailure(failure);

/**
 * Runs `work` under a Web Lock. Without locks (an old engine, plain http) two tabs may send the same change; its idempotency
 * key makes that harmless.
 */
async function withOutboxLock(name: string, work: () => Promise<void>): Promise<void> {
  const locks = globalThis.navigator?.locks;
  if (locks === undefined) await work();
  else await locks.request(name, work);
}
