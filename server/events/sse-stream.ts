import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** SSE stream: one client's open response. */
export interface SseStream {
  /** Sends bytes. A client that receives too slowly is disconnected, and resumes at its last event. */
  send(bytes: Buffer): void;
  /** Resolves when the sent bytes have left the buffer, or the client has disconnected. */
  drained(): Promise<void>;
  isOpen(): boolean;
  /**
   * Ends the stream. The client reconnects within seconds, after a random delay so that clients do not return all at
   * once.
   */
  end(): void;
}

/** Maximum number of buffered bytes of a client when more are sent: a hundred posts. The system has further buffers. */
const MAX_PENDING_BYTES = 256 * 1024;

/** Some proxies forward a response only when they have buffered some of it: most of them, two kilobytes. */
const PROXY_BUFFER_BYTES = 2048;
/** Delay after which a client reconnects to a stream that broke off, ms. */
const RECONNECT_DELAY_MS = 2000;
/** Range of the random delay after which a client reconnects to a stream that the server ended, ms. */
const [MIN_RECONNECT_DELAY_MS, MAX_RECONNECT_DELAY_MS] = [1000, 10_000];

/** A comment that fills the buffers of proxies, and the delay for reconnecting. */
const STREAM_PREAMBLE = Buffer.from(`:${' '.repeat(PROXY_BUFFER_BYTES)}\nretry: ${RECONNECT_DELAY_MS}\n\n`);

const randomReconnectDelayMs = (): number =>
  MIN_RECONNECT_DELAY_MS + Math.floor(Math.random() * (MAX_RECONNECT_DELAY_MS - MIN_RECONNECT_DELAY_MS));

/**
 * Starts the response of a stream, with the headers that are set already. `onClose` is called once, when either side
 * ends it.
 */
export function openSseStream(response: ServerResponse, onClose: () => void): SseStream {
  response.on('close', onClose).on('error', () => response.destroy());
  // The connection's end marks the end of the body. Without chunked encoding, bytes that thousands of clients share are
  // not framed for each one.
  response.useChunkedEncodingByDefault = false;
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    // Otherwise a server that stops would wait a minute for the next request on the connection.
    connection: 'close',
  });
  response.write(STREAM_PREAMBLE);
  const isOpen = () => !response.destroyed && !response.writableEnded;
  return {
    isOpen,
    send(bytes) {
      if (bytes.length === 0 || !isOpen()) return;
      if (response.writableLength > MAX_PENDING_BYTES) response.destroy();
      else response.write(bytes);
    },
    async drained() {
      if (!isOpen() || !response.writableNeedDrain) return;
      const controller = new AbortController();
      const abort = () => controller.abort();
      response.once('close', abort);
      await once(response, 'drain', { signal: controller.signal }).catch(() => {});
      response.off('close', abort);
    },
    end: () => void (isOpen() && response.end(`retry: ${randomReconnectDelayMs()}\n\n`)),
  };
}
