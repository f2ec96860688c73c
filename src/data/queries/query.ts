import type { Read } from '../../api/channels-api.ts';
import { type Cell, createCell } from '../../lib/signal.ts';
import { type Watched, watched } from '../../lib/watched-signal.ts';
import { failureOf, type Link } from '../connection/connection.ts';
import type { Loadable } from '../model/types.ts';
import type { Held } from '../offline/offline-store.ts';

/** What can be read anew; kept in one set by the area. */
export interface Refreshable {
  /** Reads anew if it is shown, else when it is shown next. */
  renew(): Promise<void>;
}

export interface ResourceOptions<Value> {
  /** What memory holds already: shown as it is; if the server then does not answer, it becomes what is kept. */
  readonly known?: Value | null;
  held(): Promise<Held<Value> | null>;
  fetch(how: Read): Promise<Value>;
}

/** A thing of the server; setting it shows what was learnt elsewhere, until it is read anew. */
export type Resource<Value> = Watched<Loadable<Value>> & Refreshable & Pick<Cell<Loadable<Value>>, 'set'>;

/** One thing of the server: shows what is kept first, the answer after, and what it had when there is none. */
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
