/** Newest page cache: keeps the newest page of the feed of all channels for anonymous callers, who request it most. */
import type { PagedPosts } from '../../contract/api.ts';
import { SHARED_CACHE_SECONDS } from '../../contract/limits.ts';
import type { AccessScope } from '../domain/model.ts';
import type { Store } from '../storage/ports/store.ts';

/** Services that this module uses. */
export type NewestPageDeps = {
  readonly store: Pick<Store, 'lastEventId'>;
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
};

/** Loads the page. The permissions are those of anonymous callers, which are always the same. */
export type LoadNewestPage = (accessScope: AccessScope) => Promise<PagedPosts>;

/**
 * Maximum age of a page, ms. Every change of a post appends an event. A few changes of a channel do not, for example the
 * loss of a username to another channel: shared caches keep a response for the same time.
 */
const MAX_AGE_MS = SHARED_CACHE_SECONDS * 1000;

/**
 * Returns a function that loads the page with `load`, and returns the loaded page again until the store has another event.
 * The check takes one statement, so that a change of another process counts too. Concurrent callers share one load.
 */
export function cacheNewestPage(load: LoadNewestPage, { store, elapsed }: NewestPageDeps): LoadNewestPage {
  let cached: { readonly page: Promise<PagedPosts>; readonly lastEventId: number; readonly loadedAt: number } | null = null;
  return async (accessScope) => {
    // The id is read before the page: a change during the load makes the page stale.
    const lastEventId = await store.lastEventId();
    if (cached?.lastEventId === lastEventId && elapsed() - cached.loadedAt < MAX_AGE_MS) return cached.page;
    const entry = { page: load(accessScope), lastEventId, loadedAt: elapsed() };
    cached = entry;
    entry.page.catch(() => {
      if (cached === entry) cached = null;
    });
    return entry.page;
  };
}
