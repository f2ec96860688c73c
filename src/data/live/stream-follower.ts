// Event stream reconnection: reopens the stream after errors, timeouts and sleep, with exponential backoff.

import type { EventStreamBlock } from '../../api/event-stream.ts';
import { toRequestFailure } from '../connection/connection.ts';

export interface StreamFollowerOptions {
  /** Opens the stream after the last received event. */
  open(signal: AbortSignal): Promise<AsyncGenerator<EventStreamBlock>>;
  onBlock(block: EventStreamBlock): void;
  /** Returns true if any tab needs the stream. */
  isWanted(): boolean;
  /** Ends the stream. */
  readonly signal: AbortSignal;
}

/** An event stream that reconnects after interruptions. */
export interface StreamFollower {
  /** Reconnects early, where that may succeed now: the network is back, or a tab is visible again. */
  reconnectNow(): void;
  /** Resolves when the stream has ended; with true if streams do not work on this network. */
  readonly unsupported: Promise<boolean>;
}

/**
 * Timeouts without any data, ms. The server sends a heartbeat every 15 s. The shorter timeout applies at a wake-up, for
 * example after the phone was asleep and its timers did not run.
 */
const SILENCE_TIMEOUT_MS = 45_000;
const SLEEP_SILENCE_TIMEOUT_MS = 20_000;
/**
 * Timeout for the first data after the response began, ms. After that, a proxy on the way is probably buffering the stream.
 */
const BUFFERED_TIMEOUT_MS = 10_000;
const CHECK_INTERVAL_MS = 5000;
const MIN_RETRY_DELAY_MS = 1000;
const MAX_RETRY_DELAY_MS = 60_000;
/** Status codes of a server or proxy that has no such stream. */
const UNSUPPORTED_STATUSES: readonly (number | null)[] = [404, 405, 406, 501];
const MAX_SILENT_TRIES = 2;

type StreamOutcome = 'heard' | 'unheard' | 'failed' | 'none';

export function followStream({ open, onBlock: heard, isWanted, signal }: StreamFollowerOptions): StreamFollower {
  let woken = (): void => {};
  let last = 0;
  let connection: AbortController | null = null;

  async function once(): Promise<StreamOutcome> {
    const own = new AbortController();
    connection = own;
    const end = () => own.abort();
    signal.addEventListener('abort', end);
    let answered = false;
    let any = false;
    last = Date.now();
    const timer = setInterval(() => {
      const silence = Date.now() - last;
      if (!isWanted() || silence > (any || !answered ? SILENCE_TIMEOUT_MS : BUFFERED_TIMEOUT_MS)) end();
    }, CHECK_INTERVAL_MS);
    try {
      const blocks = await open(own.signal);
      answered = true;
      for await (const block of blocks) {
        if (own.signal.aborted) break;
        any = true;
        last = Date.now();
        heard(block);
      }
      return any ? 'heard' : 'unheard';
    } catch (thrown) {
      if (any) return 'heard';
      const { status } = toRequestFailure(thrown);
      if (UNSUPPORTED_STATUSES.includes(status)) return 'none';
      return answered && isWanted() && !signal.aborted ? 'unheard' : 'failed';
    } finally {
      clearInterval(timer);
      signal.removeEventListener('abort', end);
      end();
      connection = null;
    }
  }
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      woken = () => {
        clearTimeout(timer);
        resolve();
      };
      signal.addEventListener('abort', woken, { once: true });
    });

  async function run(): Promise<boolean> {
    let failures = 0;
    let unheard = 0;
    while (!signal.aborted) {
      if (!isWanted()) {
        await pause(MAX_RETRY_DELAY_MS);
        continue;
      }
      const outcome = await once();
      if (outcome === 'none') return true;
      unheard = outcome === 'unheard' ? unheard + 1 : 0;
      if (unheard >= MAX_SILENT_TRIES) return true;
      failures = outcome === 'heard' ? 0 : failures + 1;
      const delay = Math.min(MAX_RETRY_DELAY_MS, MIN_RETRY_DELAY_MS * 2 ** failures);
      // Jitter: when a server restarts, all clients lose their connection. They must not all reconnect at once.
      if (!signal.aborted) await pause(delay * (0.5 + Math.random() / 2));
    }
    return false;
  }

  return {
    unsupported: run(),
    reconnectNow() {
      if (connection !== null && Date.now() - last > SLEEP_SILENCE_TIMEOUT_MS) connection.abort();
      woken();
    },
  };
}
