import type { AxiosError, AxiosInstance, AxiosResponse } from 'axios';
import type { AxiosCacheInstance, CacheRequestConfig } from 'axios-cache-interceptor';
import { CACHED_METHODS, CACHED_STATUSES, type CacheKeys, createCacheKeys, mayServeStale, TIME_TO_LIVE } from './cache.ts';
import { toApiError } from './errors.ts';

/** How to reach the API: one per address. */
export interface ClientOptions {
  /** '' for our own origin, else an origin such as https://channels.example. */
  readonly baseUrl: string;
  /** The app's client sends credentials, the Access-Token and logs; a tag on a foreign page does none of it. */
  readonly session: Session | null;
}

/** Where the access token lives; see session.ts. */
export interface Session {
  token(): string | null;
  store(token: string): void;
  clear(): void;
}

export interface GetOptions {
  readonly params?: Readonly<Record<string, string | number | undefined>>;
  readonly signal?: AbortSignal;
  /** Asks the server even where a fresh answer is held. */
  readonly fresh?: boolean;
}

/**
 * The HTTP client of SPEC sections 7 to 9; the only importer of axios, which it loads with its first request.
 * Answers are `unknown` until a parser of contract/ has read them. A failed call throws ApiError (errors.ts).
 */
export interface Client {
  get(path: string, options?: GetOptions): Promise<unknown>;
  /** A write always reaches the server, and drops the held answers whose path starts with one of `drops`. */
  write(method: 'post' | 'put' | 'delete', path: string, body: unknown, drops: readonly string[]): Promise<unknown>;
  /** Forgets every held answer (another reader). */
  forget(): void;
}

/** The header that carries the reader's session. */
export const TOKEN_HEADER = 'Access-Token';

/** Makes a client. Nothing is loaded or sent before its first request. */
export function createClient(options: ClientOptions): Client {
  const keys = createCacheKeys();
  let loading: Promise<AxiosCacheInstance> | null = null;
  const load = (): Promise<AxiosCacheInstance> => {
    loading ??= createInstance(options, keys).catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
  const send = async (config: CacheRequestConfig): Promise<unknown> => {
    const token = options.session?.token() ?? null;
    try {
      const http = await load();
      return (await http.request<unknown>({ ...config, ...(token !== null && { headers: { [TOKEN_HEADER]: token } }) })).data;
    } catch (thrown) {
      throw toApiError(thrown);
    }
  };
  return {
    get(path, { params, signal, fresh = false } = {}) {
      if (fresh) keys.renew(path);
      return send({ method: 'get', url: path, ...(params && { params }), ...(signal && { signal }) });
    },
    async write(method, path, body, drops) {
      try {
        return await send({ method, url: path, data: body, cache: { enabled: false } });
      } finally {
        // Also after a failure: an answer that was lost on its way back may have changed what it names.
        for (const prefix of drops) keys.drop(prefix);
      }
    },
    forget() {
      keys.drop('');
      void loading?.then((http) => http.storage.clear?.());
    },
  };
}

async function createInstance({ baseUrl, session }: ClientOptions, keys: CacheKeys): Promise<AxiosCacheInstance> {
  const [{ default: axios }, { buildMemoryStorage, setupCache }] = await Promise.all([
    import('axios'),
    import('axios-cache-interceptor'),
  ]);
  const http = axios.create({
    baseURL: baseUrl,
    timeout: 0,
    withCredentials: session !== null,
    xsrfCookieName: 'XSRF-TOKEN',
    xsrfHeaderName: 'X-XSRF-TOKEN',
    paramsSerializer: { serialize: toQuery },
    // A tag on a foreign page does not even read that page's cookies.
    ...(session === null && { withXSRFToken: false }),
  });
  if (session !== null) watch(http, session);
  return setupCache(http, {
    storage: buildMemoryStorage(false, TIME_TO_LIVE, 256),
    ttl: TIME_TO_LIVE,
    methods: [...CACHED_METHODS],
    cachePredicate: { statusCheck: (status) => CACHED_STATUSES.includes(status) },
    interpretHeader: true,
    // Conditional headers make a request of another origin ask for leave first; there the browser's own cache revalidates.
    etag: session !== null,
    modifiedSince: session !== null,
    // Its request headers would do the same.
    cacheTakeover: false,
    staleIfError: (response, _held, error) => mayServeStale(response?.status, error.code),
    generateKey: (request) => keys.of(request, String(request.headers?.[TOKEN_HEADER] ?? '')),
    // Keys hold all that our answers vary by.
    vary: false,
  });
}

function toQuery(params: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(params).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
}

/** Registered before the cache's own interceptor, so that it sees what the server said even where a held answer stands in. */
function watch(http: AxiosInstance, session: Session): void {
  http.interceptors.response.use(
    (response) => {
      log(response);
      return response;
    },
    (error: AxiosError) => {
      if (error.response !== undefined) {
        log(error.response);
        forgetRefusedToken(error.response, session);
      }
      throw error;
    },
  );
}

/** SPEC section 8: one line per response. */
function log({ config, status }: AxiosResponse): void {
  const line = [config.method?.toUpperCase() ?? 'GET', status, config.url ?? ''];
  if (status >= 200 && status < 400) console.log(...line);
  else console.error(...line);
}

/** Removes the token that was refused; a newer one, stored while the request was under way, stays. */
function forgetRefusedToken({ config, status }: AxiosResponse, session: Session): void {
  const sent: unknown = config.headers.get(TOKEN_HEADER);
  if (status === 401 && sent !== undefined && sent === session.token()) session.clear();
}
