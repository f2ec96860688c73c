/*
 * Event stream client (server-sent events): reads GET /api/events with `fetch`. axios cannot read a response while it
 * arrives in every engine, and `EventSource` sends no Access-Token header. The rules of the HTTP client apply here too:
 * the request sends the token, a rejected token is removed, and each response is logged in one line.
 */

import { ApiError } from './api-error.ts';
import type { TokenStorage } from './types.ts';

export interface EventStreamOptions {
  /** '' for our own origin. */
  readonly baseUrl: string;
  readonly tokenStorage: TokenStorage;
}

/** A block of the stream: an event with its data, or a heartbeat. `id` is the last event id after this block. */
export interface EventStreamBlock {
  readonly id: string | null;
  readonly data: string | null;
}

/**
 * Start of the stream: after an event id, or `agoMs` milliseconds before now. `unlistedChannelIds` names unlisted channels, which the
 * stream otherwise leaves out.
 */
export type EventStreamStart = ({ readonly after: string } | { readonly agoMs: number }) & {
  readonly unlistedChannelIds: readonly string[];
};

const EVENTS_PATH = '/api/events';
/** Maximum number of unlisted channels that the server accepts. */
const MAX_UNLISTED_CHANNELS = 200;

/**
 * Opens the stream and returns its blocks as they arrive. Rejects with an `ApiError` if the stream cannot be opened.
 */
export async function openEventStream(
  { baseUrl, tokenStorage }: EventStreamOptions,
  start: EventStreamStart,
  signal: AbortSignal,
) {
  const token = tokenStorage.token();
  const params = new URLSearchParams('after' in start ? { after: start.after } : { ago: String(Math.round(start.agoMs)) });
  // The client sees changes of further channels when it fetches them.
  if (start.unlistedChannelIds.length > 0) params.set('also', start.unlistedChannelIds.slice(0, MAX_UNLISTED_CHANNELS).join());
  const response = await fetchStream(`${baseUrl}${EVENTS_PATH}?${params}`, token, signal);
  const logLine = ['GET', response.status, EVENTS_PATH];
  if (response.ok) console.log(...logLine);
  else console.error(...logLine);
  if (response.status === 401 && token !== null) tokenStorage.clearRejected(token);
  if (!response.ok) throw new ApiError(`The stream of events: ${response.status}`, response.status);
  if (response.body === null) throw new ApiError('This browser reads no streams', 501);
  return parseBlocks(response.body);
}

async function fetchStream(url: string, token: string | null, signal: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = token === null ? {} : { 'Access-Token': token };
  try {
    return await fetch(url, { headers, signal, credentials: 'include', cache: 'no-store' });
  } catch (thrown) {
    throw new ApiError('No response received', null, thrown);
  }
}

/** Splits the stream at empty lines into blocks. */
async function* parseBlocks(body: ReadableStream<Uint8Array>): AsyncGenerator<EventStreamBlock> {
  // Does not use `for await` on the stream, because Safari does not implement it.
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let incompleteBlock = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (incompleteBlock + decoder.decode(value, { stream: true })).replaceAll('\r', '').split('\n\n');
    incompleteBlock = blocks.pop() ?? '';
    for (const block of blocks) yield { id: fieldOf(block, 'id'), data: fieldOf(block, 'data') };
  }
}

/** Returns the first value of a field; null if the block does not have it. */
const fieldOf = (block: string, name: string): string | null =>
  block
    .split('\n')
    .find((line) => line.startsWith(`${name}: `))
    ?.slice(name.length + 2) ?? null;
