/*
 * HTTP transport of the app: axios with a response cache, as specification 7 to 9 require. It is a separate chunk;
 * client.ts loads it with the first request.
 */
import axios, { type AxiosError, type AxiosInstance, type AxiosResponse } from 'axios';
import { type AxiosCacheInstance, buildMemoryStorage, setupCache } from 'axios-cache-interceptor';
import { toQueryString } from './query-string.ts';
import {
  CACHE_TTL_MS,
  CACHED_METHODS,
  CACHED_STATUSES,
  type CacheKeys,
  createCacheKeys,
  mayServeStale,
} from './response-cache.ts';
import { type HttpClientOptions, type HttpTransport, TOKEN_HEADER, type TokenStorage } from './types.ts';

const MAX_CACHED_RESPONSES = 256;

export function createAxiosTransport(options: HttpClientOptions): HttpTransport {
  const keys = createCacheKeys();
  const http = createInstance(options, keys);
  return {
    async send(request, token) {
      const { method, path: url } = request;
      const headers = { ...request.headers, ...(token !== null && { [TOKEN_HEADER]: token }) };
      if (request.method === 'get') {
        const { params, signal, fresh = false } = request;
        if (fresh) keys.invalidatePath(url);
        return (await http.request({ method, url, headers, ...(params && { params }), ...(signal && { signal }) })).data;
      }
      try {
        const { body: data, idempotencyKey } = request;
        const requestHeaders = { ...headers, ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }) };
        return (await http.request({ method, url, headers: requestHeaders, data, cache: { enabled: false } })).data;
      } finally {
        // Also after a failure: the server may have applied the change although its response was lost.
        for (const prefix of request.invalidatedPrefixes) keys.invalidatePrefix(prefix);
      }
    },
    clearCache() {
      keys.invalidatePrefix('');
      http.storage.clear?.();
    },
  };
}

function createInstance({ baseUrl, tokenStorage }: HttpClientOptions, keys: CacheKeys): AxiosCacheInstance {
  const http = axios.create({
    baseURL: baseUrl,
    timeout: 0,
    withCredentials: tokenStorage !== null,
    xsrfCookieName: 'XSRF-TOKEN',
    xsrfHeaderName: 'X-XSRF-TOKEN',
    paramsSerializer: { serialize: toQueryString },
    // A tag on a third-party page does not read the cookies of that page.
    ...(tokenStorage === null && { withXSRFToken: false }),
  });
  if (tokenStorage !== null) observeResponses(http, tokenStorage);
  return setupCache(http, {
    storage: buildMemoryStorage(false, CACHE_TTL_MS, MAX_CACHED_RESPONSES),
    ttl: CACHE_TTL_MS,
    methods: [...CACHED_METHODS],
    cachePredicate: { statusCheck: (status) => CACHED_STATUSES.includes(status) },
    interpretHeader: true,
    // With conditional headers, a cross-origin request would need a CORS preflight. There the browser's own cache
    // revalidates.
    etag: tokenStorage !== null,
    modifiedSince: tokenStorage !== null,
    // This option adds request headers, which would also cause a preflight.
    cacheTakeover: false,
    staleIfError: (response, _cached, error) => mayServeStale(response?.status, error.code),
    generateKey: (request) => keys.keyFor(request, String(request.headers?.[TOKEN_HEADER] ?? '')),
    // The cache keys already contain everything that our responses vary by.
    vary: false,
  });
}

/**
 * Adds a response interceptor for logging and rejected tokens. It is registered before the interceptor of the cache, so
 * that it sees the server's response even where the cache replaces it with a stored one.
 */
function observeResponses(http: AxiosInstance, tokenStorage: TokenStorage): void {
  http.interceptors.response.use(
    (response) => {
      logResponse(response);
      return response;
    },
    (error: AxiosError) => {
      if (error.response !== undefined) {
        logResponse(error.response);
        clearRejectedToken(error.response, tokenStorage);
      }
      throw error;
    },
  );
}

/** Logs one line per response (specification 8.2). */
function logResponse({ config, status }: AxiosResponse): void {
  const line = [config.method?.toUpperCase() ?? 'GET', status, config.url ?? ''];
  if (status >= 200 && status < 400) console.log(...line);
  else console.error(...line);
}

/** Removes the token that the request carried, if the server rejected it. */
function clearRejectedToken({ config, status }: AxiosResponse, tokenStorage: TokenStorage): void {
  const sentToken: unknown = config.headers.get(TOKEN_HEADER);
  if (status === 401 && typeof sentToken === 'string') tokenStorage.clearRejected(sentToken);
}
