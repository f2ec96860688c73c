import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** SSE stream: one client's open response. */
export interface SseStream {
  /** Sends bytes. A client that receives too slowly is disconnected, and resumes at its last event. */
  send(bytes: Buffer): void;
  /** Resolves when the sent bytes have left the buffer, or the client has disconnected. */
  drained(): Promise<void>;
  isOpen(): boolean;
  /** Ends the stream. The client reconnects within seconds, after a random delay so that clients do not return all at once. */
  end(): void;
}

/** Maximum of buffered bytes for a client when more are sent: a hundred posts. The system's own buffers hold some more. */
const MAX_PENDING_BYTES = 256 * 1024;

/** Proxies that buffer a response before they forward it mostly buffer two kilobytes. `retry` is milliseconds. */
const STREAM_PREAMBLE = Buffer.from(`:${' '.repeat(2048)}\nretry: 2000\n\n`);

/** Starts the response of a stream, with the headers that are set already. `closed` is called once, when either side ends it. */
export function openSseStream(response: ServerResponse, closed: () => void): SseStream {
  response.on('close', closed).on('error', () => response.destroy());
  // The connection's end marks the end of the body. Without chunked encoding, bytes that thousands of clients share are not
  // framed for each one.
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
      const gone = new AbortController();
      const close = () => gone.abort();
      response.once('close', close);
      await once(response, 'drain', { signal: gone.signal }).catch(() => {});
      response.off('close', close);
    },
    end: () => void (isOpen() && response.end(`retry: ${1000 + Math.floor(Math.random() * 9000)}\n\n`)),
  };
}
