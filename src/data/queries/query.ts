// Query: an observable value of the server, with its stored copy and revalidation.

import type { RequestOptions } from '../../api/channels-api.ts';
import { createSignal, type WritableSignal } from '../../lib/signal.ts';
import { onFirstSubscriber, type WatchedSignal } from '../../lib/watched-signal.ts';
import { type Connection, toRequestFailure } from '../connection/connection.ts';
import type { Loadable } from '../model/types.ts';
import type { Cached } from '../offline/offline-store.ts';

/** A value that can be refetched. The data layer stores all of them in the query cache. */
export interface Refetchable {
  /** Refetches if it is displayed, else when it is displayed next. */
  refetch(): Promise<void>;
}

export interface DataQueryOptions<Value> {
  /** Value that is already in memory, shown as it is. If the server then does not respond, it counts as a stored value. */
  readonly initialData?: Value | null;
  readOffline(): Promise<Cached<Value> | null>;
  fetch(options: RequestOptions): Promise<Value>;
}

/** A value of the server. `set` shows a change from another source, until the next refetch. */
export type DataQuery<Value> = WatchedSignal<Loadable<Value>> & Refetchable & Pick<WritableSignal<Loadable<Value>>, 'set'>;

/**
 * Creates a query for one value of the server. It shows the stored value first and then the response. Without a response, it
 * continues to show the value it has.
 */
export function createDataQuery<Value>(
  connection: Connection,
  now: () => number,
  options: DataQueryOptions<Value>,
): DataQuery<Value> {
  const initialValue = options.initialData ?? null;
  const state = createSignal<Loadable<Value>>(
    initialValue === null ? { type: 'loading' } : { type: 'loaded', value: initialValue, cachedAt: null },
  );
  let isStarted = false;
  let isStale = false;
  let loadedAt = now();
  /** Counts the loads: only the response of the latest one is used. */
  let sequence = 0;

  async function showStored(): Promise<void> {
    const stored = await options.readOffline();
    if (stored === null || connection.isClosed() || state.get().type === 'loaded') return;
    loadedAt = stored.at;
    state.set({ type: 'loaded', value: stored.value, cachedAt: loadedAt });
  }
  async function load(fresh: boolean): Promise<void> {
    const current = ++sequence;
    isStale = false;
    const showingStored = isStarted ? null : showStored();
    isStarted = true;
    try {
      const value = await connection.request(options.fetch, fresh);
      if (current !== sequence || connection.isClosed()) return;
      loadedAt = now();
      state.set({ type: 'loaded', value, cachedAt: null });
    } catch (thrown) {
      await showingStored;
      if (current !== sequence || connection.isClosed()) return;
      const shown = state.get();
      const { message, status } = toRequestFailure(thrown);
      state.set(shown.type === 'loaded' ? { ...shown, cachedAt: loadedAt } : { type: 'failed', message, status });
    }
  }

  const signal = onFirstSubscriber(state, () => {
    if (!isStarted || isStale || state.get().type === 'failed') void load(isStale);
  });
  return {
    ...signal,
    set: state.set,
    async refetch() {
      if (signal.hasSubscribers()) await load(true);
      else isStale = true;
    },
  };
}
