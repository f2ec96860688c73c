/*
 * HTTP transport of tags on third-party pages, based on `fetch`: it reads public data, without credentials. Its size is a
 * sixth of the app's transport (axios-transport.ts). Errors and the cache lifetime are the same.
 */

import { ApiError, toApiError } from './api-error.ts';
import { toQuery } from './query-string.ts';
import { mayServeStale, TIME_TO_LIVE } from './response-cache.ts';
import { type ClientOptions, type Http, TOKEN_HEADER } from './types.ts';

/** A cached response body. `until` is the end of its freshness, unix ms. */
interface Held {
  readonly until: number;
  readonly body: unknown;
}

/** Maximum number of cached responses; the oldest is evicted first. */
const MAX_CACHED_RESPONSES = 256;

export function createOpenHttp({ baseUrl }: ClientOptions): Http {
  const held = new Map<string, Held>();
  const underWay = new Map<string, Promise<unknown>>();
  // Counts calls of `forget`. A response that was in flight during `forget` is not cached.
  let generation = 0;

  async function fetchNew(url: string, key: string, token: string | null, signal: AbortSignal | undefined): Promise<unknown> {
    const began = generation;
    const headers = token === null ? {} : { [TOKEN_HEADER]: token };
    try {
      const { body, mayHold } = await read(url, { headers, credentials: 'omit', signal: signal ?? null });
      if (mayHold && began === generation) hold(key, body);
      return body;
    } catch (thrown) {
      const error =
        thrown instanceof ApiError ? thrown : toApiError({ request: url, ...(signal?.aborted && { code: 'ERR_CANCELED' }) });
      const stale = held.get(key);
      if (stale !== undefined && !error.cancelled && mayServeStale(error.status ?? undefined, null)) return stale.body;
      throw error;
    }
  }
  function hold(key: string, body: unknown): void {
    held.delete(key);
    held.set(key, { until: Date.now() + TIME_TO_LIVE, body });
    for (const oldest of held.keys()) if (held.size > MAX_CACHED_RESPONSES) held.delete(oldest);
  }

  return {
    send(request, token) {
      if (request.method !== 'get') throw new ApiError('A tag on another site only reads', null);
      const { path, params = {}, signal, fresh = false } = request;
      const query = toQuery(params);
      const url = baseUrl + path + (query && `?${query}`);
      const key = `${url} ${token ?? ''}`;
      const answer = held.get(key);
      if (!fresh && answer !== undefined && answer.until > Date.now()) return Promise.resolve(answer.body);
      const asked = underWay.get(key);
      if (!fresh && asked !== undefined) return asked;
      const reading = fetchNew(url, key, token, signal);
      // A request with a signal is not shared: its caller may cancel it, and the other callers would lose the response.
      if (signal === undefined) {
        underWay.set(key, reading);
        const done = () => void underWay.delete(key);
        reading.then(done, done);
      }
      return reading;
    },
    forget() {
      generation++;
      held.clear();
      underWay.clear();
    },
  };
}

async function read(url: string, options: RequestInit): Promise<{ readonly body: unknown; readonly mayHold: boolean }> {
  const answer = await fetch(url, options);
  const body = parse(await answer.text());
  if (answer.ok) return { body, mayHold: !/no-store/.test(answer.headers.get('cache-control') ?? '') };
  const error = new Error(`Request failed with status code ${answer.status}`);
  throw toApiError(Object.assign(error, { response: { status: answer.status, data: body } }));
}

/** Parses JSON. Text that is not JSON is returned as it is; the parsers of contract/ reject it. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
