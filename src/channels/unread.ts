import * as parse from '../../contract/parse.ts';
import type { Post } from '../../contract/post.ts';
import { list } from '../../contract/shape.ts';
import type { Api } from '../api/api.ts';
import { createCell, type Readable } from '../readable.ts';
import type { Device } from './device.ts';
import type { Link } from './link.ts';

/** The server counts no further; shown as "99+". */
const MOST = 100;
const SLOT = 'unread';

/** How many posts are newer than each channel's mark: the server counts, and a mark that moves counts down at once. */
export interface UnreadCounts {
  readonly counts: Readable<ReadonlyMap<string, number>>;
  /** Notes posts that were shown, so that a mark that passes them counts down. */
  learn(posts: readonly Post[]): void;
  moved(channelId: string, from: number, to: number, latest: number | undefined): void;
  set(counts: ReadonlyMap<string, number>): void;
  /** A mark that had passed so many posts went back: they are unread again, beside those that came since. */
  restore(channelId: string, passed: number): void;
  /** Shows what the device holds, where nothing is known yet. */
  load(): Promise<void>;
  /** Asks the server about these channels. */
  read(channelIds: readonly string[], marks: ReadonlyMap<string, number>): Promise<void>;
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
    moved(channelId, from, to, latest) {
      moves++;
      const before = counts.get().get(channelId);
      if (before === undefined || before === 0) return;
      const passed = [...(known.get(channelId) ?? [])].filter((id) => id > from && id <= to).length;
      const rest = latest !== undefined && to >= latest ? 0 : Math.max(before === MOST ? MOST : before - passed, 1);
      counts.set(new Map(counts.get()).set(channelId, rest));
    },
    restore(channelId, passed) {
      moves++;
      const since = counts.get().get(channelId) ?? 0;
      counts.set(new Map(counts.get()).set(channelId, Math.min(MOST, passed + since)));
    },
    async load() {
      const held = await device.answer(SLOT, list(parse.unread));
      if (held === null || counts.get().size > 0 || link.isClosed()) return;
      counts.set(new Map(held.value.map((one) => [one.channelId, one.count])));
    },
    async read(channelIds, marks) {
      if (channelIds.length === 0) return;
      const asked = channelIds.map((channelId) => ({ channelId, messageId: marks.get(channelId) ?? 0 }));
      const former = moves;
      const answer = await link.call((how) => api.unread(asked, how), true);
      // A mark moved meanwhile: what is shown is nearer to the truth.
      if (moves !== former || link.isClosed()) return;
      counts.set(new Map([...counts.get(), ...answer.map((one) => [one.channelId, one.count] as const)]));
      await device.keep(SLOT, answer, null);
    },
  };
}
