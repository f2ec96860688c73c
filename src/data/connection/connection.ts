import { ApiError } from '../../api/api-error.ts';
import type { Read } from '../../api/channels-api.ts';
import { createCell, type Readable } from '../../lib/signal.ts';
import type { Connection } from '../model/types.ts';

/** What a failure is to a page; `unheard` when no server answered. */
export interface Failure {
  readonly message: string;
  readonly status: number | null;
  readonly unheard: boolean;
}

/** What stands before the server says these where it does not answer. */
const GATEWAY: readonly number[] = [502, 504];

export function failureOf(thrown: unknown): Failure {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return thrown instanceof ApiError
    ? { message, status: thrown.status, unheard: thrown.status === null || GATEWAY.includes(thrown.status) }
    : { message, status: null, unheard: false };
}

/** An area's way to the server. Once closed no answer comes through any more, so that none lands with another reader. */
export interface Link {
  readonly connection: Readable<Connection>;
  /** Makes a request once the gate is open; rejects when closed, also while the answer was on its way. */
  call<Value>(request: (read: Read) => Promise<Value>, fresh?: boolean): Promise<Value>;
  /** Lets the reads go that waited for the sign-in. */
  open(): void;
  /** Resolves when the gate opens. */
  readonly opened: Promise<void>;
  /** Aborted when it closes. */
  readonly signal: AbortSignal;
  isOpen(): boolean;
  isClosed(): boolean;
  close(): void;
}

/** Waits with the first requests for `open`, but no longer than this (a sign-in that hangs). */
const PATIENCE = 1500;

/** A server that answers no request for so long is unreachable, ms; a request that waits may still be answered. */
const SILENCE = 10_000;

const saysOffline = (): boolean => globalThis.navigator?.onLine === false;

export interface LinkOptions {
  /** The server does not know the reader any more. */
  onUnauthorized(): void;
  /** The browser says that it is back online. */
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
  /** Waits for one request; where others are answered meanwhile, the server is slow and not away. Returns what ends it. */
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
      if (!isOpen) timer ??= setTimeout(open, PATIENCE);
      await gate;
      signal.throwIfAborted();
      const stopWaiting = awaitAnswer();
      try {
        const answer = await request({ signal, fresh });
        // What the server said counts more than what the browser says; but a held answer may be served offline.
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
