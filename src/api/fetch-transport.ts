/*
 * HTTP transport of tags on third-party pages, based on `fetch`: it reads public data, without credentials. It has a
 * sixth of the size of the app's transport (axios-transport.ts). Both have the same errors and the same cache lifetime.
 */

import { ApiError, toApiError } from './api-error.ts';
import { toQueryString } from './query-string.ts';
import { CACHE_TTL_MS, mayServeStale } from './response-cache.ts';
import { type HttpClientOptions, type HttpTransport, TOKEN_HEADER } from './types.ts';

/** A cached response body. After `freshUntil`, unix ms, it is only used if a request fails. */
interface CachedResponse {
  readonly freshUntil: number;
  readonly body: unknown;
}

/** Maximum number of cached responses; the oldest is evicted first. */
const MAX_CACHED_RESPONSES = 256;

export function createFetchTransport({ baseUrl }: HttpClientOptions): HttpTransport {
  const cachedResponses = new Map<string, CachedResponse>();
  const requestsInFlight = new Map<string, Promise<unknown>>();
  // Counts calls of `clearCache`. A response that was in flight during a call is not cached.
  let generation = 0;

  /** Fetches a response, and caches it. If the request fails, returns a stale cached response if there is one. */
  async function fetchOrServeStale(
    url: string,
    key: string,
    token: string | null,
    signal: AbortSignal | undefined,
  ): Promise<unknown> {
    const startGeneration = generation;
    const headers = token === null ? {} : { [TOKEN_HEADER]: token };
    try {
      const { body, isCacheable } = await fetchBody(url, { headers, credentials: 'omit', signal: signal ?? null });
      if (isCacheable && startGeneration === generation) cacheResponse(key, body);
      return body;
    } catch (thrown) {
      // 'ERR_CANCELED' is axios's code of a cancelled request; both transports report the same errors.
      const error =
        thrown instanceof ApiError ? thrown : toApiError({ request: url, ...(signal?.aborted && { code: 'ERR_CANCELED' }) });
      const stale = cachedResponses.get(key);
      if (stale !== undefined && !error.cancelled && mayServeStale(error.status ?? undefined, null)) return stale.body;
      throw error;
    }
  }
  function cacheResponse(key: string, body: unknown): void {
    cachedResponses.delete(key);
    cachedResponses.set(key, { freshUntil: Date.now() + CACHE_TTL_MS, body });
    for (const oldest of cachedResponses.keys()) if (cachedResponses.size > MAX_CACHED_RESPONSES) cachedResponses.delete(oldest);
  }

  return {
    send(request, token) {
      if (request.method !== 'get') throw new ApiError('A tag on another site only reads', null);
      const { path, params = {}, signal, fresh = false } = request;
      const query = toQueryString(params);
      const url = baseUrl + path + (query && `?${query}`);
      const key = `${url} ${token ?? ''}`;
      const response = cachedResponses.get(key);
      if (!fresh && response !== undefined && response.freshUntil > Date.now()) return Promise.resolve(response.body);
      const inFlight = requestsInFlight.get(key);
      if (!fresh && inFlight !== undefined) return inFlight;
      const fetching = fetchOrServeStale(url, key, token, signal);
      // A request with a signal is not shared: its caller may cancel it, and the other callers would lose the response.
      if (signal === undefined) {
        requestsInFlight.set(key, fetching);
        const removeInFlight = () => requestsInFlight.get(key) === fetching && requestsInFlight.delete(key);
        fetching.then(removeInFlight, removeInFlight);
      }
      return fetching;
    },
    clearCache() {
      generation++;
      cachedResponses.clear();
      requestsInFlight.clear();
    },
  };
}

async function fetchBody(url: string, options: RequestInit): Promise<{ readonly body: unknown; readonly isCacheable: boolean }> {
  const response = await fetch(url, options);
  const body = parseJsonOrText(await response.text());
  if (response.ok) return { body, isCacheable: !/no-store/.test(response.headers.get('cache-control') ?? '') };
  const error = new Error(`Request failed with status code ${response.status}`);
  throw toApiError(Object.assign(error, { response: { status: response.status, data: body } }));
}

/** Parses JSON. Text that is not JSON is returned as it is; the parsers of contract/ reject it. */
function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
