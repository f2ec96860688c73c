// Event stream reconnection: reopens the stream after errors, timeouts and sleep, with exponential backoff.

import type { Block } from '../../api/event-stream.ts';
import { failureOf } from '../connection/connection.ts';

export interface FollowOptions {
  /** Opens the stream after the last received event. */
  open(signal: AbortSignal): Promise<AsyncGenerator<Block>>;
  heard(block: Block): void;
  /** Returns true if any tab needs the stream. */
  isWanted(): boolean;
  /** Ends the stream. */
  readonly signal: AbortSignal;
}

/** An event stream that reconnects after interruptions. */
export interface Following {
  /** Reconnects early, where that may succeed now: the network is back, or a tab is visible again. */
  wake(): void;
  /** Resolves when the stream has ended; with true if streams do not work on this network. */
  readonly useless: Promise<boolean>;
}

/**
 * Timeouts without any data, ms. The server sends a heartbeat every 15 s. The shorter timeout applies at a wake-up, for
 * example after the phone was asleep and its timers did not run.
 */
const SILENT = 45_000;
const SILENT_AFTER_SLEEP = 20_000;
/**
 * Timeout for the first data after the response began, ms. After that, a proxy on the way is probably buffering the stream.
 */
const GATHERED = 10_000;
const TICK = 5000;
const FIRST_DELAY = 1000;
const MAX_RETRY_DELAY_MS = 60_000;
/** Status codes of a server or proxy that has no such stream. */
const NONE: readonly (number | null)[] = [404, 405, 406, 501];
const TRIES = 2;

type Outcome = 'heard' | 'unheard' | 'failed' | 'none';

export function follow({ open, heard, isWanted, signal }: FollowOptions): Following {
  let woken = (): void => {};
  let last = 0;
  let connection: AbortController | null = null;

  async function once(): Promise<Outcome> {
    const own = new AbortController();
    connection = own;
    const end = () => own.abort();
    signal.addEventListener('abort', end);
    let answered = false;
    let any = false;
    last = Date.now();
    const timer = setInterval(() => {
      const silence = Date.now() - last;
      if (!isWanted() || silence > (any || !answered ? SILENT : GATHERED)) end();
    }, TICK);
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
      const { status } = failureOf(thrown);
      if (NONE.includes(status)) return 'none';
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
      if (unheard >= TRIES) return true;
      failures = outcome === 'heard' ? 0 : failures + 1;
      const delay = Math.min(MAX_RETRY_DELAY_MS, FIRST_DELAY * 2 ** failures);
      // Jitter: when a server restarts, all clients lose their connection. They must not all reconnect at once.
      if (!signal.aborted) await pause(delay * (0.5 + Math.random() / 2));
    }
    return false;
  }

  return {
    useless: run(),
    wake() {
      if (connection !== null && Date.now() - last > SILENT_AFTER_SLEEP) connection.abort();
      woken();
    },
  };
}
