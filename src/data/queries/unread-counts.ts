// Unread counts of channels: counted by the server, decreased locally when a read marker moves.

import * as parse from '../../../contract/parse.ts';
import type { Post } from '../../../contract/post.ts';
import { list } from '../../../contract/shape.ts';
import type { Api } from '../../api/channels-api.ts';
import { createCell, type Readable } from '../../lib/signal.ts';
import type { Link } from '../connection/connection.ts';
import { keysOf } from '../model/kept-unread.ts';
import type { ReaderState } from '../mutations/user-state.ts';
import type { Device } from '../offline/offline-store.ts';

/** Upper limit of the server's counts; shown as "99+". */
const MAX_UNREAD = 100;
const SLOT = 'unread';

/**
 * Number of posts per channel that are newer than its read marker, or kept unread. The server counts them; a marker that
 * moves decreases the count at once.
 */
export interface UnreadCounts {
  readonly counts: Readable<ReadonlyMap<string, number>>;
  /** Records displayed posts, so that a marker that passes them decreases the count. */
  learn(posts: readonly Post[]): void;
  /** Called when a marker moved forward; `kept` of the passed posts remain unread. */
  moved(channelId: string, from: number, to: number, latest: number | undefined, kept: number): void;
  set(counts: ReadonlyMap<string, number>): void;
  /**
   * Adds `count` posts, which are unread again, to the current count. A negative `count` is a number of posts that were read.
   */
  restore(channelId: string, count: number): void;
  /** Shows the stored counts, where none are known yet. */
  load(): Promise<void>;
  /** Fetches the counts of these channels. */
  read(channelIds: readonly string[], state: Pick<ReaderState, 'marks' | 'keptUnread'>): Promise<void>;
}

export function createUnread(api: Api, link: Link, device: Device): UnreadCounts {
  const counts = createCell<ReadonlyMap<string, number>>(new Map());
  const known = new Map<string, Set<number>>();
  let moves = 0;

  return {
    counts,
    set: counts.set,
    learn(posts) {
      for (const { channelId, id } of posts) known.set(channelId, (known.get(channelId) ?? new Set()).add(id));
    },
    moved(channelId, from, to, latest, kept) {
      moves++;
      const before = counts.get().get(channelId);
      if (before === undefined || before === 0) return;
      const passed = [...(known.get(channelId) ?? [])].filter((id) => id > from && id <= to).length;
      const rest =
        latest !== undefined && to >= latest
          ? Math.min(MAX_UNREAD, kept)
          : Math.max(before === MAX_UNREAD ? MAX_UNREAD : before - passed, 1);
      counts.set(new Map(counts.get()).set(channelId, rest));
    },
    restore(channelId, count) {
      moves++;
      const since = counts.get().get(channelId) ?? 0;
      counts.set(new Map(counts.get()).set(channelId, Math.min(MAX_UNREAD, count + since)));
    },
    async load() {
      const held = await device.answer(SLOT, list(parse.unread));
      if (held === null || counts.get().size > 0 || link.isClosed()) return;
      counts.set(new Map(held.value.map((one) => [one.channelId, one.count])));
    },
    async read(channelIds, { marks, keptUnread }) {
      if (channelIds.length === 0) return;
      const asked = channelIds.map((channelId) => ({
        channelId,
        messageId: marks.get().get(channelId) ?? 0,
        keptUnread: keysOf(keptUnread.get(), channelId).map((key) => key.slice(channelId.length + 1)),
      }));
      const former = moves;
      const answer = await link.call((how) => api.unread(asked, how), true);
      // A marker moved in the meantime: the displayed count is more accurate than the response.
      if (moves !== former || link.isClosed()) return;
      counts.set(new Map([...counts.get(), ...answer.map((one) => [one.channelId, one.count] as const)]));
      await device.keep(SLOT, answer, null);
    },
  };
}
