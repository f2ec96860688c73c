// Unread counts of channels: counted by the server, decreased locally when a read marker moves.

import * as parse from '../../../contract/parse.ts';
import type { Post } from '../../../contract/post.ts';
import { list } from '../../../contract/shape.ts';
import type { ChannelsApi } from '../../api/channels-api.ts';
import { createSignal, type Signal } from '../../lib/signal.ts';
import type { Connection } from '../connection/connection.ts';
import { postKeysOfChannel } from '../model/kept-unread.ts';
import type { UserState } from '../mutations/user-state.ts';
import { UNREAD_KEY } from '../offline/keys.ts';
import type { OfflineStore } from '../offline/offline-store.ts';

/** Upper limit of the server's counts; shown as "99+". */
const MAX_UNREAD = 100;

/**
 * Number of posts per channel that are newer than its read marker, or kept unread. The server counts them; a marker that
 * moves decreases the count at once.
 */
export interface UnreadCounts {
  readonly counts: Signal<ReadonlyMap<string, number>>;
  /** Records displayed posts, so that a marker that passes them decreases the count. */
  addPosts(posts: readonly Post[]): void;
  /** Called when a marker moved forward; `keptCount` of the passed posts remain unread. */
  markMoved(channelId: string, from: number, to: number, latest: number | undefined, keptCount: number): void;
  set(counts: ReadonlyMap<string, number>): void;
  /**
   * Adds `count` posts, which are unread again, to the current count. A negative `count` is a number of posts that were read.
   */
  adjustCount(channelId: string, count: number): void;
  /** Shows the stored counts if none are known yet. */
  loadCached(): Promise<void>;
  /** Fetches the counts of these channels. */
  refetch(channelIds: readonly string[], state: Pick<UserState, 'readMarkers' | 'keptUnread'>): Promise<void>;
}

export function createUnreadCounts(api: ChannelsApi, connection: Connection, offline: OfflineStore): UnreadCounts {
  const counts = createSignal<ReadonlyMap<string, number>>(new Map());
  /** Ids of the posts that were displayed, by channel id. */
  const knownIds = new Map<string, Set<number>>();
  /** Counts the changes by the reader: a response that was requested before one of them is outdated. */
  let moveCount = 0;

  return {
    counts,
    set: counts.set,
    addPosts(posts) {
      for (const { channelId, id } of posts) knownIds.set(channelId, (knownIds.get(channelId) ?? new Set()).add(id));
    },
    markMoved(channelId, from, to, latest, keptCount) {
      moveCount++;
      const before = counts.get().get(channelId);
      if (before === undefined || before === 0) return;
      const readCount = [...(knownIds.get(channelId) ?? [])].filter((id) => id > from && id <= to).length;
      const isAllRead = latest !== undefined && to >= latest;
      // At the upper limit, the real count is unknown.
      const decreased = before === MAX_UNREAD ? MAX_UNREAD : before - readCount;
      const remaining = isAllRead ? Math.min(MAX_UNREAD, keptCount) : Math.max(decreased, 1);
      counts.set(new Map(counts.get()).set(channelId, remaining));
    },
    adjustCount(channelId, count) {
      moveCount++;
      const current = counts.get().get(channelId) ?? 0;
      counts.set(new Map(counts.get()).set(channelId, Math.min(MAX_UNREAD, count + current)));
    },
    async loadCached() {
      const stored = await offline.read(UNREAD_KEY, list(parse.unread));
      if (stored === null || counts.get().size > 0 || connection.isClosed()) return;
      counts.set(new Map(stored.value.map(({ channelId, count }) => [channelId, count])));
    },
    async refetch(channelIds, { readMarkers, keptUnread }) {
      if (channelIds.length === 0) return;
      const request = channelIds.map((channelId) => ({
        channelId,
        messageId: readMarkers.get().get(channelId) ?? 0,
        keptUnread: postKeysOfChannel(keptUnread.get(), channelId).map((key) => key.slice(channelId.length + 1)),
      }));
      const previousMoves = moveCount;
      const response = await connection.request((options) => api.unread(request, options), true);
      // A marker moved in the meantime: the displayed count is more accurate than the response.
      if (moveCount !== previousMoves || connection.isClosed()) return;
      counts.set(new Map([...counts.get(), ...response.map(({ channelId, count }) => [channelId, count] as const)]));
      await offline.write(UNREAD_KEY, response, null);
    },
  };
}
