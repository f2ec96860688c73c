// Connection state and request wrapper of the data layer: online, offline or unreachable.

import { ApiError } from '../../api/api-error.ts';
import type { RequestOptions } from '../../api/channels-api.ts';
import { createSignal, type Signal } from '../../lib/signal.ts';
import type { Connectivity } from '../model/types.ts';

/** A failure as a page shows it. `unreachable` is true when no server responded. */
export interface RequestFailure {
  readonly message: string;
  readonly status: number | null;
  readonly unreachable: boolean;
}

/** Status codes that a gateway or proxy returns when the server behind it does not respond. */
const GATEWAY_STATUSES: readonly number[] = [502, 504];

export function toRequestFailure(thrown: unknown): RequestFailure {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return thrown instanceof ApiError
    ? { message, status: thrown.status, unreachable: thrown.status === null || GATEWAY_STATUSES.includes(thrown.status) }
    : { message, status: null, unreachable: false };
}

/**
 * The data layer's connection to the server. After `close`, no response is delivered any more, so that no data reaches
 * another reader.
 */
export interface Connection {
  readonly connectivity: Signal<Connectivity>;
  /** Sends a request once the gate is open. Rejects if the connection is closed, also while the request is in flight. */
  request<Value>(request: (read: RequestOptions) => Promise<Value>, fresh?: boolean): Promise<Value>;
  /** Opens the gate: releases the reads that waited for the sign-in. */
  release(): void;
  /** Resolves when the gate opens. */
  readonly released: Promise<void>;
  /** Aborted by `close`. */
  readonly signal: AbortSignal;
  isReleased(): boolean;
  isClosed(): boolean;
  close(): void;
}

/** Maximum time that the first requests wait for `open`, ms (a sign-in that hangs). */
const SIGN_IN_GATE_TIMEOUT_MS = 1500;

/** A server that responds to no request for this time is unreachable, ms. A pending request may still get a response. */
const UNREACHABLE_TIMEOUT_MS = 10_000;

const isBrowserOffline = (): boolean => globalThis.navigator?.onLine === false;

export interface ConnectionOptions {
  /** Called when the server does not accept the reader's token any more. */
  onUnauthorized(): void;
  /** Called when the browser reports that it is online again. */
  onOnline(): void;
}

export function createConnection({ onUnauthorized, onOnline }: ConnectionOptions): Connection {
  const connection = createSignal<Connectivity>(isBrowserOffline() ? 'offline' : 'online');
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
  const lose = () => connection.set(isBrowserOffline() ? 'offline' : 'unreachable');
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
      silent = setTimeout(() => (answers === before ? lose() : wait()), UNREACHABLE_TIMEOUT_MS);
    };
    wait();
    return () => clearTimeout(silent);
  }
  function hear(thrown: unknown): void {
    if (!(thrown instanceof ApiError) || thrown.cancelled) return;
    if (toRequestFailure(thrown).unreachable) lose();
    else answered();
    if (thrown.status === 401) onUnauthorized();
  }

  globalThis.addEventListener?.('online', onOnline, { signal });
  globalThis.addEventListener?.('offline', () => connection.set('offline'), { signal });

  return {
    connectivity: connection,
    release: open,
    released: gate,
    signal,
    isReleased: () => isOpen,
    isClosed: () => signal.aborted,
    close() {
      controller.abort();
      open();
    },
    async request(request, fresh = false) {
      if (!isOpen) timer ??= setTimeout(open, SIGN_IN_GATE_TIMEOUT_MS);
      await gate;
      signal.throwIfAborted();
      const stopWaiting = awaitAnswer();
      try {
        const answer = await request({ signal, fresh });
        // A response of the server counts more than the browser's offline state, but a cached response may be returned while
        // offline.
        if (!signal.aborted && (fresh || !isBrowserOffline())) answered();
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
