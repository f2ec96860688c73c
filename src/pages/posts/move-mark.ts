import type { Channel } from '../../../contract/channel.ts';
import type { Post } from '../../../contract/post.ts';
import { type Channels, type PostList, postKey } from '../../channels/channels.ts';
import type { ReaderState } from '../../channels/reader-state.ts';
import type { UnreadCounts } from '../../channels/unread.ts';
import { isUnread } from './reading.ts';

/** The read markers of a data area. One without `inside` moves none back. */
export interface MarkArea extends Pick<Channels, 'marks' | 'markRead' | 'lineup'> {
  readonly inside?: {
    readonly state: Pick<ReaderState, 'setMark'>;
    readonly unread: Pick<UnreadCounts, 'read' | 'restore'> | undefined;
  };
}

/** The posts of each list that its reader marked unread: they are not read again by being seen. */
const keptUnread = new WeakMap<PostList, Set<string>>();

export const isKeptUnread = (list: PostList, post: Pick<Post, 'channelId' | 'id'>): boolean =>
  keptUnread.get(list)?.has(postKey(post)) === true;

/** Marks a channel as read up to a post. Returns what takes it back. */
export function markUpTo(channels: MarkArea, list: PostList, { channelId, id }: Pick<Post, 'channelId' | 'id'>): () => void {
  const takeBack = restoring(channels, list, channelId);
  const kept = keptUnread.get(list);
  for (const post of loadedOf(list, channelId)) if (post.id <= id) kept?.delete(postKey(post));
  channels.markRead(channelId, id);
  return takeBack;
}

/** Moves the read marker to just before a post. Returns what takes it back, null where the marker cannot go back. */
export function markFrom(channels: MarkArea, list: PostList, post: Post): (() => void) | null {
  if (channels.inside === undefined) return null;
  const takeBack = restoring(channels, list, post.channelId);
  keptUnread.set(list, (keptUnread.get(list) ?? new Set()).add(postKey(post)));
  setBack(channels, list, post.channelId, post.id - 1);
  return takeBack;
}

/** Returns what moves the marker, and the posts that are kept unread, to where they are now. */
function restoring(channels: MarkArea, list: PostList, channelId: string): () => void {
  const from = channels.marks.get().get(channelId) ?? 0;
  const kept = new Set(keptUnread.get(list));
  return () => {
    keptUnread.set(list, kept);
    const now = channels.marks.get().get(channelId) ?? 0;
    if (now < from) channels.markRead(channelId, from);
    else setBack(channels, list, channelId, from);
  };
}

/** Moves the marker back. The count grows by the posts that are loaded, until the server has counted. */
function setBack({ inside, marks }: MarkArea, list: PostList, channelId: string, to: number): void {
  if (inside === undefined) return;
  const before = marks.get();
  inside.state.setMark(channelId, to, true);
  const passed = loadedOf(list, channelId).filter((post) => isUnread(post, marks.get()) && !isUnread(post, before));
  inside.unread?.restore(channelId, passed.length);
  void inside.unread?.read([channelId], marks.get()).catch(() => {});
}

function loadedOf(list: PostList, channelId: string): readonly Post[] {
  const state = list.get();
  return state.type === 'loaded' ? state.posts.filter((post) => post.channelId === channelId) : [];
}

/** Result of "all above" or "all below" a post. */
export interface MarkPlan {
  /** The newest message to be read, by channel. */
  readonly upTo: ReadonlyMap<string, number>;
  /** True where unread posts on the other side become read too: a channel has one marker, and all older posts are read. */
  readonly takesOlder: boolean;
}

/**
 * Plans to mark as read what stands above or below a post in a list, newest first. `among` are the channels of the list: below
 * is also what it has not loaded yet. Null where nothing would change.
 */
export function planMark(
  { marks, lineup }: MarkArea,
  list: PostList,
  post: Post,
  side: 'above' | 'below',
  among: readonly Pick<Channel, 'id' | 'latest'>[],
): MarkPlan | null {
  const state = list.get();
  if (state.type !== 'loaded') return null;
  const at = state.posts.findIndex((one) => postKey(one) === postKey(post));
  if (at === -1) return null;
  const [above, below] = [state.posts.slice(0, at), state.posts.slice(at + 1)];
  const newest = new Map<string, number>();
  for (const { channelId, id } of side === 'above' ? above : below)
    newest.set(channelId, Math.max(id, newest.get(channelId) ?? 0));
  if (side === 'below' && state.older !== 'end')
    for (const channel of among) {
      const id = newest.has(channel.id) ? undefined : newestUnloaded(channel, [...above, post], post.date);
      if (id !== undefined) newest.set(channel.id, id);
    }
  const upTo = new Map([...newest].filter(([channelId, id]) => isUnread({ channelId, id }, marks.get())));
  if (upTo.size === 0) return null;
  const isTaken = (one: Post): boolean => upTo.has(one.channelId) && isUnread(one, marks.get());
  const takesOlder =
    side === 'above' &&
    ([post, ...below].some(isTaken) || (state.older !== 'end' && countsMore(lineup, upTo, above.filter(isTaken))));
  return { upTo, takesOlder };
}

/** Returns whether channels have more unread posts than these. */
function countsMore(lineup: MarkArea['lineup'], upTo: MarkPlan['upTo'], unread: readonly Post[]): boolean {
  const rows = lineup.get();
  if (rows.type !== 'loaded') return false;
  return rows.value.some(
    (row) =>
      upTo.has(row.channel.id) && (row.unread ?? 0) > unread.filter(({ channelId }) => channelId === row.channel.id).length,
  );
}

/** Returns the newest message of a channel below a post, where the list holds none of that channel there yet. */
function newestUnloaded({ id, latest }: Pick<Channel, 'id' | 'latest'>, from: readonly Post[], date: number): number | undefined {
  const own = from.filter((post) => post.channelId === id).map((post) => post.id);
  if (own.length > 0) return Math.min(...own) - 1;
  return latest !== undefined && latest.date <= date ? latest.id : undefined;
}

/** Marks as read what was planned. Returns what takes it back. */
export function markPlanned(channels: MarkArea, list: PostList, { upTo }: MarkPlan): () => void {
  const backs = [...upTo].map(([channelId, id]) => markUpTo(channels, list, { channelId, id }));
  void channels.inside?.unread?.read([...upTo.keys()], channels.marks.get()).catch(() => {});
  return () => {
    // Each gives back what its own act found: the last act goes first.
    for (const takeBack of backs.toReversed()) takeBack();
  };
}
