// Types of the HTTP client, shared by the client (client.ts) and its transports (axios-transport.ts, fetch-transport.ts).

/** How to reach the API: one per address. */
export interface ClientOptions {
  /** '' for our own origin, else an origin such as https://channels.example. */
  readonly baseUrl: string;
  /** The app's client sends credentials, the Access-Token and logs; a tag on a foreign page does none of it. */
  readonly session: Session | null;
  /** Gives what a site's server granted the page, to be sent in the token's place; '' for nothing. */
  readonly grant?: () => string;
}

/** Where the access token lives; see token-storage.ts. */
export interface Session {
  token(): string | null;
  store(token: string): void;
  clear(): void;
  /** Removes a token that the server refused; a newer one, stored meanwhile, stays. */
  refuse(token: string): void;
}

export interface GetOptions {
  readonly params?: Readonly<Record<string, string | number | undefined>>;
  readonly signal?: AbortSignal;
  /** Asks the server even where a fresh answer is held. */
  readonly fresh?: boolean;
}

/**
 * The HTTP client of specification 7 to 9. axios and its cache (axios-transport.ts), or what a tag on a foreign page has in their place
 * (fetch-transport.ts), load with the first request.
 * Answers are `unknown` until a parser of contract/ has read them. A failed call throws ApiError (errors.ts).
 */
export interface Client {
  get(path: string, options?: GetOptions): Promise<unknown>;
  /**
   * A write always reaches the server, and drops the held answers whose path starts with one of `drops`. One that is sent again
   * under the same `key` is made once.
   */
  write(method: 'post' | 'put' | 'delete', path: string, body: unknown, drops: readonly string[], key?: string): Promise<unknown>;
  /** Forgets every held answer (another reader). */
  forget(): void;
}

/** A read, or a write with what it drops; see Client. */
export type Request =
  | ({ readonly method: 'get'; readonly path: string } & GetOptions)
  | {
      readonly method: Parameters<Client['write']>[0];
      readonly path: string;
      readonly body: unknown;
      readonly drops: readonly string[];
      readonly key: string | undefined;
    };

/** What sends requests; a failed one throws what axios throws. */
export interface Http {
  send(request: Request, token: string | null): Promise<unknown>;
  /** Forgets every held answer. */
  forget(): void;
}

/** The header that carries the reader's session, or a site's grant. */
export const TOKEN_HEADER = 'Access-Token';
