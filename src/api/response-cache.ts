/* Response cache: constants (specification 7.4 and 9; times in ms) and cache keys. */
export const CACHE_TTL_MS = 5 * 60 * 1000;
export const CACHED_METHODS = ['get', 'post', 'options', 'put', 'delete'] as const;
export const CACHED_STATUSES: readonly number[] = [200, 203, 300, 301, 302, 404, 405, 410, 414, 501];

interface CacheableRequest {
  readonly method?: string | undefined;
  readonly baseURL?: string | undefined;
  readonly url?: string | undefined;
  readonly params?: unknown;
  readonly data?: unknown;
}

/** Cache keys of responses. Invalidation changes the key, so that the old entry is never requested again. */
export interface CacheKeys {
  keyFor(request: CacheableRequest, token: string): string;
  /** Invalidates every response whose path starts with `prefix`. */
  invalidatePrefix(prefix: string): void;
  /** Invalidates the responses of one path. */
  invalidatePath(path: string): void;
}

/**
 * Creates the cache keys. A key is a string, because the library's own key is a 32-bit hash, which collides on ordinary
 * URLs. The key contains the token, so that no reader sees a response for another reader. It also contains how often
 * its path was invalidated: a response that was in flight while a write changed its data is stored under the previous
 * key, which no request uses any more.
 */
export function createCacheKeys(): CacheKeys {
  const prefixInvalidations = new Map<string, number>();
  const pathInvalidations = new Map<string, number>();
  const increment = (counts: Map<string, number>, path: string) => counts.set(path, (counts.get(path) ?? 0) + 1);
  /** Returns the part of a key that each invalidation of the path changes. */
  const generation = (path: string): string => {
    let count = 0;
    for (const [prefix, prefixCount] of prefixInvalidations) if (path.startsWith(prefix)) count += prefixCount;
    return `${count}.${pathInvalidations.get(path) ?? 0}`;
  };
  return {
    keyFor: ({ method = 'get', baseURL = '', url = '', params, data }, token) =>
      JSON.stringify([generation(url), method.toLowerCase(), baseURL, url, params ?? null, data ?? null, token]),
    invalidatePrefix: (prefix) => void increment(prefixInvalidations, prefix),
    invalidatePath: (path) => void increment(pathInvalidations, path),
  };
}

/**
 * Returns true if a cached response may replace a failed one: no response arrived (and the caller did not cancel), or
 * the server failed (5xx).
 */
export function mayServeStale(status: number | undefined, code: unknown): boolean {
  return status === undefined ? code !== 'ERR_CANCELED' : status >= 500;
}
