import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** One reader's open answer. */
export interface Stream {
  /** Sends. A reader who takes too little is cut off, and resumes where it was. */
  send(bytes: Buffer): void;
  /** Resolves when what was sent is on its way, or the reader has gone. */
  drained(): Promise<void>;
  isOpen(): boolean;
  /** Ends it; the reader comes back within seconds, not when all others do. */
  end(): void;
}

/** Bytes that may wait for a reader when more come: a hundred posts. The system's own buffers hold some more. */
const MOST_WAITING = 256 * 1024;

/** Proxies that gather an answer before they pass it on mostly gather two kilobytes. `retry` is milliseconds. */
const OPENING = Buffer.from(`:${' '.repeat(2048)}\nretry: 2000\n\n`);

/** Begins the answer of a stream, over the headers that it has; `closed` is called once, when it ends on either side. */
export function openStream(response: ServerResponse, closed: () => void): Stream {
  response.on('close', closed).on('error', () => response.destroy());
  // It ends when the connection does: bytes that are the same for thousands are not framed anew for each.
  response.useChunkedEncodingByDefault = false;
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    // A server that stops would wait a minute for the next request on it.
    connection: 'close',
  });
  response.write(OPENING);
  const isOpen = () => !response.destroyed && !response.writableEnded;
  return {
    isOpen,
    send(bytes) {
      if (bytes.length === 0 || !isOpen()) return;
      if (response.writableLength > MOST_WAITING) response.destroy();
      else response.write(bytes);
    },
    async drained() {
      if (!isOpen() || !response.writableNeedDrain) return;
      const gone = new AbortController();
      const close = () => gone.abort();
      response.once('close', close);
      await once(response, 'drain', { signal: gone.signal }).catch(() => {});
      response.off('close', close);
    },
    end: () => void (isOpen() && response.end(`retry: ${1000 + Math.floor(Math.random() * 9000)}\n\n`)),
  };
}
