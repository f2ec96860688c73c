// HTTP client of the API: loads its transport with the first request.

import { toApiError } from './api-error.ts';
import type { Client, ClientOptions, Http, Request } from './types.ts';

/** Defined by the build; see build/app-bundle.mjs. */
declare const __APP__: boolean;
declare const __EMBEDDED__: boolean;

/** Creates an HTTP client. It loads and sends nothing before its first request. */
export function createClient(options: ClientOptions): Client {
  let loading: Promise<Http> | null = null;
  const load = (): Promise<Http> => {
    loading ??= loadHttp(options).catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
  const send = async (request: Request): Promise<unknown> => {
    const token = options.session?.token() ?? (options.grant?.() || null);
    try {
      return await (await load()).send(request, token);
    } catch (thrown) {
      throw toApiError(thrown);
    }
  };
  return {
    get: (path, options) => send({ method: 'get', path, ...options }),
    write: (method, path, body, drops, key) => send({ method, path, body, drops, key }),
    // A transport that was never loaded has no cached responses.
    forget: () => void loading?.then((http) => http.forget()).catch(() => {}),
  };
}

const loadHttp = async (options: ClientOptions): Promise<Http> =>
  __EMBEDDED__ && (!__APP__ || options.session === null)
    ? (await import('./fetch-transport.ts')).createOpenHttp(options)
    : (await import('./axios-transport.ts')).createHttp(options);
