/*
 * HTTP transport of tags on third-party pages, based on `fetch`: it reads public data, without credentials. Its size is a
 * sixth of the app's transport (axios-transport.ts). Errors and the cache lifetime are the same.
 */

import { ApiError, toApiError } from './api-error.ts';
import { toQueryString } from './query-string.ts';
import { CACHE_TTL_MS, mayServeStale } from './response-cache.ts';
import { type HttpClientOptions, type HttpTransport, TOKEN_HEADER } from './types.ts';

/** A cached response body. `until` is the end of its freshness, unix ms. */
interface CachedResponse {
  readonly until: number;
  readonly body: unknown;
}

/** Maximum number of cached responses; the oldest is evicted first. */
const MAX_CACHED_RESPONSES = 256;

export function createFetchTransport({ baseUrl }: HttpClientOptions): HttpTransport {
  const held = new Map<string, CachedResponse>();
  const underWay = new Map<string, Promise<unknown>>();
  // Counts calls of `clearCache`. A response that was in flight during `clearCache` is not cached.
  let generation = 0;

  async function fetchNew(url: string, key: string, token: string | null, signal: AbortSignal | undefined): Promise<unknown> {
    const began = generation;
    const headers = token === null ? {} : { [TOKEN_HEADER]: token };
    try {
      const { body, mayHold } = await fetchBody(url, { headers, credentials: 'omit', signal: signal ?? null });
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
    held.set(key, { until: Date.now() + CACHE_TTL_MS, body });
    for (const oldest of held.keys()) if (held.size > MAX_CACHED_RESPONSES) held.delete(oldest);
  }

  return {
    send(request, token) {
      if (request.method !== 'get') throw new ApiError('A tag on another site only reads', null);
      const { path, params = {}, signal, fresh = false } = request;
      const query = toQueryString(params);
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
    clearCache() {
      generation++;
      held.clear();
      underWay.clear();
    },
  };
}

async function fetchBody(url: string, options: RequestInit): Promise<{ readonly body: unknown; readonly mayHold: boolean }> {
  const answer = await fetch(url, options);
  const body = parseJsonOrText(await answer.text());
  if (answer.ok) return { body, mayHold: !/no-store/.test(answer.headers.get('cache-control') ?? '') };
  const error = new Error(`Request failed with status code ${answer.status}`);
  throw toApiError(Object.assign(error, { response: { status: answer.status, data: body } }));
}

/** Parses JSON. Text that is not JSON is returned as it is; the parsers of contract/ reject it. */
function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
