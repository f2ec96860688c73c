// Unread refresh: decides when the unread counts of the line-up are fetched again.

import { onFirstSubscriber } from '../../lib/watched-signal.ts';
import type { UserState } from '../mutations/user-state.ts';
import type { LineupRows } from './lineup-rows.ts';
import type { UnreadCounts } from './unread-counts.ts';

export interface UnreadRefresh {
  /** The rows. Their first subscriber starts the unread counts. */
  readonly lineup: LineupRows;
  /** Marks the counts as outdated. The next update fetches them. */
  invalidate(): void;
  /** Fetches the counts if they are outdated, or if the line-up has other channels now. */
  update(): void;
  /** Delays updates. Returns a function that ends the delay. */
  pause(): () => void;
}

/** Creates the refresh. Without `unreadCounts`, as on a third-party page, it does nothing. */
export function createUnreadRefresh(
  rows: LineupRows,
  unreadCounts: UnreadCounts | undefined,
  userState: Pick<UserState, 'readMarkers' | 'keptUnread'>,
): UnreadRefresh {
  /** False until a line-up is shown. */
  let isActive = false;
  /** Ids of the channels whose posts were counted last; null if the counts are outdated. */
  let countedIds: string | null = null;
  let pauses = 0;

  const invalidate = (): void => {
    countedIds = null;
  };
  function update(): void {
    if (!isActive || pauses > 0) return;
    const state = rows.get();
    if (state.type !== 'loaded' || state.cachedAt !== null) return;
    const ids = state.value.flatMap((row) => (row.followed ? row.channel.id : []));
    if (ids.join() === countedIds) return;
    countedIds = ids.join();
    unreadCounts?.refetch(ids, userState).catch(invalidate);
  }
  const lineup = onFirstSubscriber(rows, () => {
    if (isActive || unreadCounts === undefined) return;
    isActive = true;
    void unreadCounts.loadCached();
    rows.subscribe(update);
    update();
  });

  return {
    lineup,
    invalidate,
    update,
    pause() {
      pauses++;
      return () => pauses--;
    },
  };
}
