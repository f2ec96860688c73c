import type { Star } from '../../../contract/api.ts';
import type { ChannelsApi } from '../../api/channels-api.ts';
import type { Connection } from '../connection/connection.ts';
import { createOutbox, type Outbox } from '../mutations/outbox.ts';
import type { UserState } from '../mutations/user-state.ts';
import { createSignInSync } from './sign-in.ts';

const PAGE_STARS = 100;

export interface SyncOptions {
  readonly api: ChannelsApi;
  readonly connection: Connection;
  readonly outbox: Outbox;
  readonly userState: UserState;
}

/**
 * Sync of a signed-in reader: creates a function that sends pending changes, then fetches the line-up, read markers, stars
 * and kept-unread posts from the server.
 */
function createSync({ api, connection: link, outbox, userState: state }: SyncOptions): () => Promise<void> {
  async function stars(): Promise<Star[]> {
    const found: Star[] = [];
    let before: string | undefined;
    do {
      const page = await link.request((how) => api.stars({ before, limit: PAGE_STARS }, how), true);
      found.push(...page.items);
      before = page.next ?? undefined;
    } while (before !== undefined);
    return found;
  }
  return async function sync() {
    await state.loaded;
    await outbox.flush();
    const moves = outbox.revision();
    const [lineup, marks, starred] = await Promise.all([link.request(api.lineup, true), link.request(api.marks, true), stars()]);
    if (link.isClosed()) return;
    // A change was added or sent in the meantime: the response may be older than the change.
    if (moves !== outbox.revision()) return sync();
    state.applyServerState({ lineup, marks: marks.items, keptUnread: marks.keptUnread ?? [], stars: starred });
  };
}

/** Factories for a data layer with an account: sign-in, outbox and sync. */
export const accountSupport = { createSignInSync, createOutbox, createSync };
export type AccountSupport = typeof accountSupport;
