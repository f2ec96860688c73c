// HTTP client of the API: loads its transport with the first request.

import { toApiError } from './api-error.ts';
import type { HttpClient, HttpClientOptions, HttpRequest, HttpTransport } from './types.ts';

/**
 * Defined by the build: true if the bundle may contain the app, and tags of third-party pages; see
 * build/app-bundle.mjs.
 */
declare const __APP__: boolean;
declare const __EMBEDDED__: boolean;

/** Creates an HTTP client. It loads and sends nothing before its first request. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  let loading: Promise<HttpTransport> | null = null;
  const load = (): Promise<HttpTransport> => {
    loading ??= loadTransport(options).catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
  const send = async (request: HttpRequest): Promise<unknown> => {
    const token = options.tokenStorage?.token() ?? (options.siteAccessToken?.() || null);
    try {
      return await (await load()).send(request, token);
    } catch (thrown) {
      throw toApiError(thrown);
    }
  };
  return {
    get: (path, options) => send({ method: 'get', path, ...options }),
    write: (method, path, body, invalidatedPrefixes, idempotencyKey, headers) =>
      send({ method, path, body, invalidatedPrefixes, idempotencyKey, headers }),
    // A transport that was never loaded has no cached responses.
    clearCache: () => void loading?.then((http) => http.clearCache()).catch(() => {}),
  };
}

const loadTransport = async (options: HttpClientOptions): Promise<HttpTransport> =>
  __EMBEDDED__ && (!__APP__ || options.tokenStorage === null)
    ? (await import('./fetch-transport.ts')).createFetchTransport(options)
    : (await import('./axios-transport.ts')).createAxiosTransport(options);
