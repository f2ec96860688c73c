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
  fetch(how: RequestOptions): Promise<Value>;
}

/** A value of the server. `set` shows a change from another source, until the next refetch. */
export type DataQuery<Value> = WatchedSignal<Loadable<Value>> & Refetchable & Pick<WritableSignal<Loadable<Value>>, 'set'>;

/**
 * Creates a query for one value of the server. It shows the stored value first and then the response. Without a response, it
 * continues to show the value it has.
 */
export function createDataQuery<Value>(link: Connection, now: () => number, options: DataQueryOptions<Value>): DataQuery<Value> {
  const known = options.initialData ?? null;
  const cell = createSignal<Loadable<Value>>(
    known === null ? { type: 'loading' } : { type: 'loaded', value: known, cachedAt: null },
  );
  let begun = false;
  let stale = false;
  let at = now();
  let turn = 0;

  async function showHeld(): Promise<void> {
    const held = await options.readOffline();
    if (held === null || link.isClosed() || cell.get().type === 'loaded') return;
    at = held.at;
    cell.set({ type: 'loaded', value: held.value, cachedAt: at });
  }
  async function ask(fresh: boolean): Promise<void> {
    const mine = ++turn;
    stale = false;
    const showing = begun ? null : showHeld();
    begun = true;
    try {
      const value = await link.request(options.fetch, fresh);
      if (mine !== turn || link.isClosed()) return;
      at = now();
      cell.set({ type: 'loaded', value, cachedAt: null });
    } catch (thrown) {
      await showing;
      if (mine !== turn || link.isClosed()) return;
      const shown = cell.get();
      const { message, status } = toRequestFailure(thrown);
      cell.set(shown.type === 'loaded' ? { ...shown, cachedAt: at } : { type: 'failed', message, status });
    }
  }

  const readable = onFirstSubscriber(cell, () => {
    if (!begun || stale || cell.get().type === 'failed') void ask(stale);
  });
  return {
    ...readable,
    set: cell.set,
    async refetch() {
      if (readable.hasSubscribers()) await ask(true);
      else stale = true;
    },
  };
}
