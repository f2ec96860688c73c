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
  /** Reconnects early, when that may succeed now: the network is back, or a tab is visible again. */
  reconnectNow(): void;
  /** Resolves when the stream has ended: with true if streams do not work on this network, with false if `signal` aborted. */
  readonly unsupported: Promise<boolean>;
}

/**
 * Timeouts without any data, ms. The server sends a heartbeat every 15 s. The shorter timeout applies when `reconnectNow` is
 * called, for example after the phone was asleep and its timers did not run.
 */
const SILENCE_TIMEOUT_MS = 45_000;
const SLEEP_SILENCE_TIMEOUT_MS = 20_000;
/**
 * Timeout for the first data after the response began, ms. Without data until then, a proxy is probably buffering the stream.
 */
const BUFFERED_TIMEOUT_MS = 10_000;
const CHECK_INTERVAL_MS = 5000;
const MIN_RETRY_DELAY_MS = 1000;
const MAX_RETRY_DELAY_MS = 60_000;
/** Status codes of a server or proxy that has no such stream. */
const UNSUPPORTED_STATUSES: readonly (number | null)[] = [404, 405, 406, 501];
/** Number of successive silent connections after which streams count as unsupported. */
const MAX_SILENT_TRIES = 2;

/** Outcome of a connection. `silent`: it was open, but delivered no data. `unsupported`: the server has no such stream. */
type StreamOutcome = 'received' | 'silent' | 'failed' | 'unsupported';

/** Follows an event stream until `signal` aborts, or until it is clear that streams do not work. */
export function followStream({ open, onBlock, isWanted, signal }: StreamFollowerOptions): StreamFollower {
  let wake = (): void => {};
  let lastDataAt = 0;
  let currentAttempt: AbortController | null = null;
  signal.addEventListener('abort', () => {
    currentAttempt?.abort();
    wake();
  });

  async function readStream(): Promise<StreamOutcome> {
    const attempt = new AbortController();
    currentAttempt = attempt;
    const abort = () => attempt.abort();
    let hasResponse = false;
    let hasData = false;
    lastDataAt = Date.now();
    const timer = setInterval(() => {
      const silence = Date.now() - lastDataAt;
      if (!isWanted() || silence > (hasData || !hasResponse ? SILENCE_TIMEOUT_MS : BUFFERED_TIMEOUT_MS)) abort();
    }, CHECK_INTERVAL_MS);
    try {
      const blocks = await open(attempt.signal);
      hasResponse = true;
      for await (const block of blocks) {
        if (attempt.signal.aborted) break;
        hasData = true;
        lastDataAt = Date.now();
        onBlock(block);
      }
      return hasData ? 'received' : 'silent';
    } catch (thrown) {
      if (hasData) return 'received';
      const { status } = toRequestFailure(thrown);
      if (UNSUPPORTED_STATUSES.includes(status)) return 'unsupported';
      return hasResponse && isWanted() && !signal.aborted ? 'silent' : 'failed';
    } finally {
      clearInterval(timer);
      abort();
      currentAttempt = null;
    }
  }
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function run(): Promise<boolean> {
    let failures = 0;
    let silentTries = 0;
    while (!signal.aborted) {
      if (!isWanted()) {
        await pause(MAX_RETRY_DELAY_MS);
        continue;
      }
      const outcome = await readStream();
      if (outcome === 'unsupported') return true;
      silentTries = outcome === 'silent' ? silentTries + 1 : 0;
      if (silentTries >= MAX_SILENT_TRIES) return true;
      failures = outcome === 'received' ? 0 : failures + 1;
      const delay = Math.min(MAX_RETRY_DELAY_MS, MIN_RETRY_DELAY_MS * 2 ** failures);
      // Jitter: when a server restarts, all clients lose their connection. They must not all reconnect at once.
      if (!signal.aborted) await pause(delay * (0.5 + Math.random() / 2));
    }
    return false;
  }

  return {
    unsupported: run(),
    reconnectNow() {
      if (currentAttempt !== null && Date.now() - lastDataAt > SLEEP_SILENCE_TIMEOUT_MS) currentAttempt.abort();
      wake();
    },
  };
}
