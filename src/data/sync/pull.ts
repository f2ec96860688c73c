// Account sync: sends pending changes, then fetches the state of a signed-in reader from the server.

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

/** Creates a function that sends pending changes, then fetches the line-up, read markers, stars and kept-unread posts. */
function createSync({ api, connection, outbox, userState }: SyncOptions): () => Promise<void> {
  async function fetchStars(): Promise<Star[]> {
    const stars: Star[] = [];
    let before: string | undefined;
    do {
      const page = await connection.request((options) => api.stars({ before, limit: PAGE_STARS }, options), true);
      stars.push(...page.items);
      before = page.next ?? undefined;
    } while (before !== undefined);
    return stars;
  }
  let startedCount = 0;
  let appliedNumber = 0;
  return async function sync() {
    await userState.loaded;
    await outbox.flush();
    const number = ++startedCount;
    const revision = outbox.revision();
    const [lineup, marks, stars] = await Promise.all([
      connection.request(api.lineup, true),
      connection.request(api.readMarkers, true),
      fetchStars(),
    ]);
    // The response to a later request, which came first, is newer.
    if (connection.isClosed() || number < appliedNumber) return;
    // A change was added or sent in the meantime: the response may be older than the change.
    if (revision !== outbox.revision()) return sync();
    appliedNumber = number;
    userState.applyServerState({ lineup, marks: marks.items, keptUnread: marks.keptUnread ?? [], stars });
  };
}

/** Factories for a data layer with an account: sign-in, outbox and sync. */
export const accountSupport = { createSignInSync, createOutbox, createSync };
export type AccountSupport = typeof accountSupport;
