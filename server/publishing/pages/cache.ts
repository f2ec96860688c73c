// Page cache: caches rendered pages and tags while the store and the build have not changed.

import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { nullOnOutage } from '../../lib/infrastructure-errors.ts';
import type { LogFn } from '../../lib/logger.ts';
import { withTimeout } from '../../lib/time.ts';
import type { Store } from '../../storage/ports/store.ts';
import type { WebApp } from '../../web/web-app.ts';

/** Services that this module uses. */
export type PageCacheDeps = {
  readonly store: Pick<Store, 'lastEventId'>;
  readonly web: () => WebApp;
  readonly now: () => number;
  readonly elapsed: () => number;
  readonly log: LogFn;
};

/** Version of a cached value: the build and the store's last event. The value is stale when one of them changes. */
export interface RenderVersion {
  readonly web: WebApp;
  /** The id of the store's last event. */
  readonly lastEventId: number;
  /** Unix milliseconds. The rendered HTML contains this time for the app. */
  readonly at: number;
  /** The same moment on the monotonic clock `elapsed`, so that a change of the system clock does not change the age. */
  readonly elapsed: number;
}

/**
 * Returns the cached value of `key` while it is current. Otherwise creates it again, once for all concurrent callers.
 */
export type RenderCache<Value> = (
  key: string,
  render: (version: RenderVersion) => Promise<Value | null>,
) => Promise<Value | null>;

/** Minimum time between two renderings of an entry, ms, so that a burst of posts causes only one. */
const FRESH_MS = 2000;
/** Maximum age of an entry, ms, because dates are rendered relative to now: "8 minutes ago". */
const MAX_AGE_MS = 60_000;
/** Maximum number of entries; the least recently used ones are evicted. An entry takes about 150 kB. */
const MAX_ENTRIES = 100;
/** Maximum number of concurrent renderings. */
const MAX_CONCURRENT_RENDERS = 4;

/**
 * Creates a cache of values that are derived from the store, each valid until the store changes. `maxPending` is the
 * maximum number of renderings that run or wait. Further callers get null, as after a failure, and the browser fetches
 * the content.
 */
export function createRenderCache<Value>(deps: PageCacheDeps, maxPending = MAX_CONCURRENT_RENDERS): RenderCache<Value> {
  const limit = pLimit(MAX_CONCURRENT_RENDERS);
  const cached = new LRUCache<string, { readonly value: Value | null; readonly version: RenderVersion }>({ max: MAX_ENTRIES });
  const pending = new Map<string, Promise<Value | null>>();

  // If the store does not respond, callers that wait for a page get the shell.
  const readLastEventId = () => withTimeout(deps.store.lastEventId());

  async function isCurrent({ web, lastEventId, elapsed }: RenderVersion): Promise<boolean> {
    const age = deps.elapsed() - elapsed;
    if (web !== deps.web() || age >= MAX_AGE_MS) return false;
    if (age < FRESH_MS) return true;
    // If the store does not respond, an entry younger than a minute counts as current, as in any cache.
    const currentEventId = await readLastEventId().catch(nullOnOutage);
    return currentEventId === null || currentEventId === lastEventId;
  }
  async function renderAgain(key: string, render: (version: RenderVersion) => Promise<Value | null>): Promise<Value | null> {
    // Read before the rendering starts: a change during the rendering makes the entry stale.
    const version = { web: deps.web(), lastEventId: await readLastEventId(), at: deps.now(), elapsed: deps.elapsed() };
    const value = await render(version);
    cached.set(key, { value, version });
    return value;
  }

  return async (key, render) => {
    const entry = cached.get(key);
    if (entry !== undefined && (await isCurrent(entry.version))) return entry.value;
    const pendingRender = pending.get(key);
    if (pendingRender !== undefined) return pendingRender;
    if (pending.size >= maxPending) return null;
    const rendering = limit(renderAgain, key, render)
      .catch((error: unknown) => {
        deps.log(`A ${key.startsWith('/elements') ? 'tag' : 'page'} could not be rendered.`, error);
        return null;
      })
      .finally(() => pending.delete(key));
    pending.set(key, rendering);
    return rendering;
  };
}
