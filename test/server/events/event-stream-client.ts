// Client of the event stream (SSE) for tests.

import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { type LiveEvent, parseLiveEvent } from '../../../contract/events.ts';
import type { TestApp } from '../support/make-app.ts';

/** A client of /api/events that behaves like a page. */
export interface EventStreamClient {
  readonly status: number;
  readonly headers: Headers;
  /** The received events, in order. */
  readonly received: LiveEvent[];
  /** Returns everything that was received, as raw text. */
  text(): string;
  /** Returns the id to resume after. */
  lastId(): string;
  isClosed(): boolean;
  stop(): void;
}

/** Starts the server. Returns its origin. */
export async function startListening({ app }: TestApp): Promise<string> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

/** Opens a stream, and reads it until the test ends. */
export async function openEventStream(
  t: Pick<TestContext, 'after'>,
  origin: string,
  query = '',
  headers: Record<string, string> = {},
): Promise<EventStreamClient> {
  const stopper = new AbortController();
  const response = await fetch(`${origin}/api/events${query}`, { headers, signal: stopper.signal });
  const received: LiveEvent[] = [];
  let text = '';
  let read = 0;
  let over = false;
  const readStream = async () => {
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) {
      text += decoder.decode(bytes, { stream: true });
      for (let end = text.indexOf('\n\n', read); end !== -1; end = text.indexOf('\n\n', read)) {
        const data = /^data: (.*)$/m.exec(text.slice(read, end))?.[1];
        if (data !== undefined) received.push(parseLiveEvent(JSON.parse(data), 'event'));
        read = end + 2;
      }
    }
  };
  const reading = readStream()
    .catch(() => {})
    .finally(() => {
      over = true;
    });
  t.after(async () => {
    stopper.abort();
    await reading;
  });
  return {
    status: response.status,
    headers: response.headers,
    received,
    text: () => text,
    lastId: () => [...text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? '',
    isClosed: () => over,
    stop: () => stopper.abort(),
  };
}

/** Opens a stream and waits until it has caught up. From then on it receives new events. */
export async function openCaughtUpStream(...args: Parameters<typeof openEventStream>): Promise<EventStreamClient> {
  const reader = await openEventStream(...args);
  await until(() => reader.lastId() !== '', 'the stream says where it is');
  return reader;
}

/** Waits until the condition holds. */
export async function until(condition: () => boolean, description: string): Promise<void> {
  const end = Date.now() + 60_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`It never came to this: ${description}.`);
    await new Promise((next) => setTimeout(next, 5));
  }
}

/** Returns the received events in a short form: `new 1/51 Its text`, `hidden 9`. */
export const summarizeEvents = (received: readonly LiveEvent[]): string[] => received.map(short);

function short(event: LiveEvent): string {
  if ('post' in event) return `${event.type} ${event.post.channelId}/${event.post.id} ${event.post.text}`;
  if ('channel' in event) return `${event.type} ${event.channel.title}`;
  if (event.type === 'reset' || event.type === 'reader') return event.type;
  return `${event.type} ${event.channelId}${event.type === 'hidden' && event.id !== undefined ? `/${event.id}` : ''}`;
}
