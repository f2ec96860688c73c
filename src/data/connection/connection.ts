// Connection state and request wrapper of the data layer: online, offline or unreachable.

import { ApiError } from '../../api/api-error.ts';
import type { Read } from '../../api/channels-api.ts';
import { createCell, type Readable } from '../../lib/signal.ts';
import type { Connection } from '../model/types.ts';

/** A failure as a page shows it. `unheard` is true when no server responded. */
export interface Failure {
  readonly message: string;
  readonly status: number | null;
  readonly unheard: boolean;
}

/** Status codes that a gateway or proxy returns when the server behind it does not respond. */
const GATEWAY: readonly number[] = [502, 504];

export function failureOf(thrown: unknown): Failure {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return thrown instanceof ApiError
    ? { message, status: thrown.status, unheard: thrown.status === null || GATEWAY.includes(thrown.status) }
    : { message, status: null, unheard: false };
}

/**
 * The data layer's connection to the server. After `close`, no response is delivered any more, so that no data reaches
 * another reader.
 */
export interface Link {
  readonly connection: Readable<Connection>;
  /** Sends a request once the gate is open. Rejects if the connection is closed, also while the request is in flight. */
  call<Value>(request: (read: Read) => Promise<Value>, fresh?: boolean): Promise<Value>;
  /** Opens the gate: releases the reads that waited for the sign-in. */
  open(): void;
  /** Resolves when the gate opens. */
  readonly opened: Promise<void>;
  /** Aborted by `close`. */
  readonly signal: AbortSignal;
  isOpen(): boolean;
  isClosed(): boolean;
  close(): void;
}

/** Maximum time that the first requests wait for `open`, ms (a sign-in that hangs). */
const SIGN_IN_GATE_TIMEOUT_MS = 1500;

/** A server that responds to no request for this time is unreachable, ms. A pending request may still get a response. */
const SILENCE = 10_000;

const saysOffline = (): boolean => globalThis.navigator?.onLine === false;

export interface LinkOptions {
  /** Called when the server does not accept the reader's token any more. */
  onUnauthorized(): void;
  /** Called when the browser reports that it is online again. */
  onOnline(): void;
}

export function createLink({ onUnauthorized, onOnline }: LinkOptions): Link {
  const connection = createCell<Connection>(saysOffline() ? 'offline' : 'online');
  const controller = new AbortController();
  const { signal } = controller;
  let isOpen = false;
  let letGo = (): void => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let answers = 0;

  function open(): void {
    isOpen = true;
    clearTimeout(timer);
    letGo();
  }
  const lose = () => connection.set(saysOffline() ? 'offline' : 'unreachable');
  function answered(): void {
    answers++;
    connection.set('online');
  }
  /**
   * Watches one pending request. If other requests get responses in the meantime, the server is slow but reachable. Returns a
   * function that stops the watch.
   */
  function awaitAnswer(): () => void {
    let silent: ReturnType<typeof setTimeout>;
    const wait = (): void => {
      const before = answers;
      silent = setTimeout(() => (answers === before ? lose() : wait()), SILENCE);
    };
    wait();
    return () => clearTimeout(silent);
  }
  function hear(thrown: unknown): void {
    if (!(thrown instanceof ApiError) || thrown.cancelled) return;
    if (failureOf(thrown).unheard) lose();
    else answered();
    if (thrown.status === 401) onUnauthorized();
  }

  globalThis.addEventListener?.('online', onOnline, { signal });
  globalThis.addEventListener?.('offline', () => connection.set('offline'), { signal });

  return {
    connection,
    open,
    opened: gate,
    signal,
    isOpen: () => isOpen,
    isClosed: () => signal.aborted,
    close() {
      controller.abort();
      open();
    },
    async call(request, fresh = false) {
      if (!isOpen) timer ??= setTimeout(open, SIGN_IN_GATE_TIMEOUT_MS);
      await gate;
      signal.throwIfAborted();
      const stopWaiting = awaitAnswer();
      try {
        const answer = await request({ signal, fresh });
        // A response of the server counts more than the browser's offline state, but a cached response may be returned while
        // offline.
        if (!signal.aborted && (fresh || !saysOffline())) answered();
        signal.throwIfAborted();
        return answer;
      } catch (thrown) {
        if (!signal.aborted) hear(thrown);
        throw thrown;
      } finally {
        stopWaiting();
      }
    },
  };
}
