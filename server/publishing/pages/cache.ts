// Page cache: caches rendered pages and tags while the store and the build have not changed.

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

/** Inputs of a cached value; a change of them makes it stale. */
export interface RenderVersion {
  readonly web: WebApp;
  /** The id of the store's last event. */
  readonly event: number;
  /** Unix milliseconds. The rendered HTML contains this time for the app. */
  readonly at: number;
  /** The same moment on the monotonic clock `elapsed`, so that a change of the system clock does not change the age. */
  readonly elapsed: number;
}

/** Returns the cached value of `key` while it is current. Otherwise creates it again, once for all concurrent callers. */
export type RenderCache<Value> = (
  key: string,
  render: (version: RenderVersion) => Promise<Value | null>,
) => Promise<Value | null>;

/** A burst of posts causes one rendering in this time, ms. */
const FRESH_MS = 2000;
/** Maximum age, because dates are rendered relative to now: "8 minutes ago". */
const MAX_AGE_MS = 60_000;
/** Maximum number of entries, 150 kB each. */
const MAX_ENTRIES = 100;
/** Maximum number of concurrent renderings. Further callers get null, as after a failure, and the browser fetches the content. */
const MAX_CONCURRENT_RENDERS = 4;

/** Creates a cache of values that are derived from the store, each valid until the store changes. */
export function createRenderCache<Value>(deps: PageCacheDeps): RenderCache<Value> {
  const cached = new Map<string, { readonly value: Value | null; readonly version: RenderVersion }>();
  const pending = new Map<string, Promise<Value | null>>();

  // If the store does not respond, callers that wait for a page get the shell.
  const lastEvent = () => withTimeout(deps.store.lastEventId());

  async function isCurrent({ web, event, elapsed }: RenderVersion): Promise<boolean> {
    const age = deps.elapsed() - elapsed;
    if (web !== deps.web() || age >= MAX_AGE_MS) return false;
    // If the store does not respond, an entry younger than a minute counts as current, as in any cache.
    return age < FRESH_MS || [event, null].includes(await lastEvent().catch(nullOnOutage));
  }
  async function renderAgain(key: string, render: (version: RenderVersion) => Promise<Value | null>): Promise<Value | null> {
    // Determined before any read: a change during the rendering makes the entry stale.
    const version = { web: deps.web(), event: await lastEvent(), at: deps.now(), elapsed: deps.elapsed() };
    const value = await render(version);
    cached.delete(key);
    cached.set(key, { value, version });
    for (const oldest of cached.keys()) if (cached.size > MAX_ENTRIES) cached.delete(oldest);
    return value;
  }

  return async (key, render) => {
    const found = cached.get(key);
    if (found !== undefined && (await isCurrent(found.version))) return found.value;
    const existing = pending.get(key);
    if (existing !== undefined) return existing;
    if (pending.size >= MAX_CONCURRENT_RENDERS) return null;
    const rendering = renderAgain(key, render)
      .catch((error: unknown) => {
        deps.log(`A ${key.startsWith('/elements') ? 'tag' : 'page'} could not be rendered.`, error);
        return null;
      })
      .finally(() => pending.delete(key));
    pending.set(key, rendering);
    return rendering;
  };
}
