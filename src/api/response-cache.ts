/** Constants of the response cache (specification 7.4 and 9); times in ms. */
export const TIME_TO_LIVE = 5 * 60 * 1000;
export const CACHED_METHODS = ['get', 'post', 'options', 'put', 'delete'] as const;
export const CACHED_STATUSES: readonly number[] = [200, 203, 300, 301, 302, 404, 405, 410, 414, 501];

interface Request {
  readonly method?: string | undefined;
  readonly baseURL?: string | undefined;
  readonly url?: string | undefined;
  readonly params?: unknown;
  readonly data?: unknown;
}

/** Names answers, and lets them go by never asking for that name again. */
export interface CacheKeys {
  of(request: Request, token: string): string;
  /** Lets go of every answer whose path starts with `prefix`. */
  drop(prefix: string): void;
  /** Lets go of the answers of one path. */
  renew(path: string): void;
}

/**
 * A key is a string (the library's own, a 32-bit hash, collides on ordinary addresses) and holds the token, so that no reader
 * is shown what another saw. It also holds how often its path was let go: an answer that was under way when a write made it
 * old is filed under the former name, where nobody looks.
 */
export function createCacheKeys(): CacheKeys {
  const dropped = new Map<string, number>();
  const renewed = new Map<string, number>();
  const add = (counts: Map<string, number>, path: string) => counts.set(path, (counts.get(path) ?? 0) + 1);
  const generation = (path: string): string => {
    let drops = 0;
    for (const [prefix, times] of dropped) if (path.startsWith(prefix)) drops += times;
    return `${drops}.${renewed.get(path) ?? 0}`;
  };
  return {
    of: ({ method = 'get', baseURL = '', url = '', params, data }, token) =>
      JSON.stringify([generation(url), method.toLowerCase(), baseURL, url, params ?? null, data ?? null, token]),
    drop: (prefix) => void add(dropped, prefix),
    renew: (path) => void add(renewed, path),
  };
}

/** Whether a held answer may stand in for a failed one: nothing came (and nobody cancelled), or the server itself failed. */
export function mayServeStale(status: number | undefined, code: unknown): boolean {
  return status === undefined ? code !== 'ERR_CANCELED' : status >= 500;
}
