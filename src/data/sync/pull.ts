import type { Star } from '../../../contract/api.ts';
import type { Api } from '../../api/channels-api.ts';
import type { Link } from '../connection/connection.ts';
import { createOutbox, type Outbox } from '../mutations/outbox.ts';
import type { ReaderState } from '../mutations/user-state.ts';
import { createArrival } from './sign-in.ts';

const STARS_AT_ONCE = 100;

export interface SyncOptions {
  readonly api: Api;
  readonly link: Link;
  readonly outbox: Outbox;
  readonly state: ReaderState;
}

/**
 * Sync of a signed-in reader: creates a function that sends pending changes, then fetches the line-up, read markers, stars
 * and kept-unread posts from the server.
 */
function createSync({ api, link, outbox, state }: SyncOptions): () => Promise<void> {
  async function stars(): Promise<Star[]> {
    const found: Star[] = [];
    let before: string | undefined;
    do {
      const page = await link.call((how) => api.stars({ before, limit: STARS_AT_ONCE }, how), true);
      found.push(...page.items);
      before = page.next ?? undefined;
    } while (before !== undefined);
    return found;
  }
  return async function sync() {
    await state.loaded;
    await outbox.flush();
    const moves = outbox.moves();
    const [lineup, marks, starred] = await Promise.all([link.call(api.lineup, true), link.call(api.marks, true), stars()]);
    if (link.isClosed()) return;
    // A change was added or sent in the meantime: the response may be older than the change.
    if (moves !== outbox.moves()) return sync();
    state.take({ lineup, marks: marks.items, keptUnread: marks.keptUnread ?? [], stars: starred });
  };
}

/** Factories for a data layer with an account: sign-in, outbox and sync. */
export const ACCOUNT = { createArrival, createOutbox, createSync };
export type Account = typeof ACCOUNT;
