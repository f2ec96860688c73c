// Types of the HTTP client, shared by the client (client.ts) and its transports (axios-transport.ts,
// fetch-transport.ts).

/** Options of an HTTP client: one client per API address. */
export interface HttpClientOptions {
  /** '' for our own origin, else an origin such as https://channels.example. */
  readonly baseUrl: string;
  /**
   * Token storage of the app's client, which sends credentials and the Access-Token, and logs responses. Null for a tag
   * on a third-party page, which does none of these.
   */
  readonly tokenStorage: TokenStorage | null;
  /**
   * Returns the access token that a site's server issued for the page. It is sent instead of the session token. '' if
   * there is none.
   */
  readonly siteAccessToken?: () => string;
}

/** Storage of the access token; see token-storage.ts. */
export interface TokenStorage {
  token(): string | null;
  store(token: string): void;
  clear(): void;
  /** Removes a token that the server rejected. A newer token, stored in the meantime, remains. */
  clearRejected(token: string): void;
}

export interface GetOptions {
  readonly params?: Readonly<Record<string, string | number | undefined>>;
  readonly signal?: AbortSignal;
  /** Sends the request even if a fresh cached response exists. */
  readonly fresh?: boolean;
  /** Additional request headers. Only the app's transport sends them. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The HTTP client of specification 7 to 9. It loads its transport with the first request: axios with its cache
 * (axios-transport.ts), or the small transport of a tag on a third-party page (fetch-transport.ts). A response is
 * `unknown` until a parser of contract/ has validated it. A failed call throws `ApiError` (api-error.ts).
 */
export interface HttpClient {
  get(path: string, options?: GetOptions): Promise<unknown>;
  /**
   * Sends a write; it always reaches the server. It invalidates the cached responses whose path starts with one of
   * `drops`. `key` is an idempotency key: the server applies repeated requests with the same key once. `headers` are
   * additional request headers, which only the app's transport sends.
   */
  write(
    method: 'post' | 'put' | 'delete',
    path: string,
    body: unknown,
    drops: readonly string[],
    key?: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<unknown>;
  /** Deletes every cached response, so that the next reader does not see responses for this one. */
  clearCache(): void;
}

/** A read, or a write with the path prefixes that it invalidates; see `HttpClient`. */
export type HttpRequest =
  | ({ readonly method: 'get'; readonly path: string } & GetOptions)
  | {
      readonly method: Parameters<HttpClient['write']>[0];
      readonly path: string;
      readonly body: unknown;
      readonly invalidatedPrefixes: readonly string[];
      readonly idempotencyKey: string | undefined;
      readonly headers: Readonly<Record<string, string>> | undefined;
    };

/** A transport, which sends requests. A failed request throws the error of the transport. */
export interface HttpTransport {
  send(request: HttpRequest, token: string | null): Promise<unknown>;
  /** Deletes every cached response. */
  clearCache(): void;
}

/** Header that carries the reader's session token or a site's access token. */
export const TOKEN_HEADER = 'Access-Token';
