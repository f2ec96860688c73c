// Query: an observable value of the server, with its stored copy and revalidation.

import type { Read } from '../../api/channels-api.ts';
import { type Cell, createCell } from '../../lib/signal.ts';
import { type Watched, watched } from '../../lib/watched-signal.ts';
import { failureOf, type Link } from '../connection/connection.ts';
import type { Loadable } from '../model/types.ts';
import type { Held } from '../offline/offline-store.ts';

/** A value that can be refetched. The data layer stores all of them in the query cache. */
export interface Refreshable {
  /** Refetches if it is displayed, else when it is displayed next. */
  renew(): Promise<void>;
}

export interface ResourceOptions<Value> {
  /** Value that is already in memory, shown as it is. If the server then does not respond, it counts as a stored value. */
  readonly known?: Value | null;
  held(): Promise<Held<Value> | null>;
  fetch(how: Read): Promise<Value>;
}

/** A value of the server. `set` shows a change from another source, until the next refetch. */
export type Resource<Value> = Watched<Loadable<Value>> & Refreshable & Pick<Cell<Loadable<Value>>, 'set'>;

/**
 * Creates a query for one value of the server. It shows the stored value first and then the response. Without a response, it
 * continues to show the value it has.
 */
export function createResource<Value>(link: Link, now: () => number, options: ResourceOptions<Value>): Resource<Value> {
  const known = options.known ?? null;
  const cell = createCell<Loadable<Value>>(known === null ? { type: 'loading' } : { type: 'loaded', value: known, kept: null });
  let begun = false;
  let stale = false;
  let at = now();
  let turn = 0;

  async function showHeld(): Promise<void> {
    const held = await options.held();
    if (held === null || link.isClosed() || cell.get().type === 'loaded') return;
    at = held.at;
    cell.set({ type: 'loaded', value: held.value, kept: at });
  }
  async function ask(fresh: boolean): Promise<void> {
    const mine = ++turn;
    stale = false;
    const showing = begun ? null : showHeld();
    begun = true;
    try {
      const value = await link.call(options.fetch, fresh);
      if (mine !== turn || link.isClosed()) return;
      at = now();
      cell.set({ type: 'loaded', value, kept: null });
    } catch (thrown) {
      await showing;
      if (mine !== turn || link.isClosed()) return;
      const shown = cell.get();
      const { message, status } = failureOf(thrown);
      cell.set(shown.type === 'loaded' ? { ...shown, kept: at } : { type: 'failed', message, status });
    }
  }

  const readable = watched(cell, () => {
    if (!begun || stale || cell.get().type === 'failed') void ask(stale);
  });
  return {
    ...readable,
    set: cell.set,
    async renew() {
      if (readable.isWatched()) await ask(true);
      else stale = true;
    },
  };
}
