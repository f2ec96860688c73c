// Connection state and request wrapper of the data layer: online, offline or unreachable.

import { ApiError } from '../../api/api-error.ts';
import type { RequestOptions } from '../../api/channels-api.ts';
import { createSignal, type Signal } from '../../lib/signal.ts';
import type { Connectivity } from '../model/types.ts';

/**
 * A failed request as a page shows it. `status` is null without an HTTP response. `unreachable` is true if no server responded.
 */
export interface RequestFailure {
  readonly message: string;
  readonly status: number | null;
  readonly unreachable: boolean;
}

/** Status codes that a gateway or proxy returns when the server behind it does not respond. */
const GATEWAY_STATUSES: readonly number[] = [502, 504];

/** Converts a thrown error to a request failure. */
export function toRequestFailure(thrown: unknown): RequestFailure {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return thrown instanceof ApiError
    ? { message, status: thrown.status, unreachable: thrown.status === null || GATEWAY_STATUSES.includes(thrown.status) }
    : { message, status: null, unreachable: false };
}

/** Returns true if the same request may succeed later: no response, timeout, too many requests or a server error. */
export const isTransientFailure = ({ status, unreachable }: RequestFailure): boolean =>
  unreachable || (status !== null && (status === 408 || status === 429 || status >= 500));

/**
 * The data layer's connection to the server. After `close`, no response is delivered any more, so that no data reaches
 * another reader.
 */
export interface Connection {
  readonly connectivity: Signal<Connectivity>;
  /**
   * Sends a request once the gate is open. `fresh` requests a response from the server even if a cached one exists. Rejects if
   * the connection is closed, also while the request is in flight.
   */
  request<Value>(send: (options: RequestOptions) => Promise<Value>, fresh?: boolean): Promise<Value>;
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

/** Maximum time that the first requests wait for `release`, ms (a sign-in that hangs). */
const SIGN_IN_GATE_TIMEOUT_MS = 1500;

/** A server that responds to no request for this time is unreachable, ms. A pending request may still get a response. */
const UNREACHABLE_TIMEOUT_MS = 10_000;

const isBrowserOffline = (): boolean => globalThis.navigator?.onLine === false;

/** Creates the connection. Calls `onUnauthorized` when the server does not accept the reader's token any more. */
export function createConnection(onUnauthorized: () => void): Connection {
  const connectivity = createSignal<Connectivity>(isBrowserOffline() ? 'offline' : 'online');
  const controller = new AbortController();
  const { signal } = controller;
  let isOpen = false;
  let resolveReleased = (): void => {};
  const released = new Promise<void>((resolve) => {
    resolveReleased = resolve;
  });
  let gateTimer: ReturnType<typeof setTimeout> | undefined;
  let responseCount = 0;

  function release(): void {
    isOpen = true;
    clearTimeout(gateTimer);
    resolveReleased();
  }
  const setUnreachable = () => connectivity.set(isBrowserOffline() ? 'offline' : 'unreachable');
  function setOnline(): void {
    responseCount++;
    connectivity.set('online');
  }
  /**
   * Watches one pending request. If other requests get responses in the meantime, the server is slow but reachable. Returns a
   * function that stops the watch.
   */
  function watchResponse(): () => void {
    let timeout: ReturnType<typeof setTimeout>;
    const wait = (): void => {
      const previousCount = responseCount;
      timeout = setTimeout(() => (responseCount === previousCount ? setUnreachable() : wait()), UNREACHABLE_TIMEOUT_MS);
    };
    wait();
    return () => clearTimeout(timeout);
  }
  function handleError(thrown: unknown): void {
    if (!(thrown instanceof ApiError) || thrown.cancelled) return;
    if (toRequestFailure(thrown).unreachable) setUnreachable();
    else setOnline();
    if (thrown.status === 401) onUnauthorized();
  }

  globalThis.addEventListener?.('offline', () => connectivity.set('offline'), { signal });

  return {
    connectivity,
    release,
    released,
    signal,
    isReleased: () => isOpen,
    isClosed: () => signal.aborted,
    close() {
      controller.abort();
      release();
    },
    async request(send, fresh = false) {
      if (!isOpen) gateTimer ??= setTimeout(release, SIGN_IN_GATE_TIMEOUT_MS);
      await released;
      signal.throwIfAborted();
      const stopWatch = watchResponse();
      try {
        const response = await send({ signal, fresh });
        // A response of the server proves that it is reachable, even if the browser reports that it is offline. A
        // cached response does not.
        if (!signal.aborted && (fresh || !isBrowserOffline())) setOnline();
        signal.throwIfAborted();
        return response;
      } catch (thrown) {
        if (!signal.aborted) handleError(thrown);
        throw thrown;
      } finally {
        stopWatch();
      }
    },
  };
}
