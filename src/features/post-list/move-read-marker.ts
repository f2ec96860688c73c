import type { Channel } from '../../../contract/channel.ts';
import { MAX_KEPT_UNREAD } from '../../../contract/kept-unread.ts';
import type { Post } from '../../../contract/post.ts';
import type { Channels } from '../../data/model/client.ts';
import { keysOf } from '../../data/model/kept-unread.ts';
import { postKey } from '../../data/model/post-key.ts';
import type { PostList } from '../../data/model/types.ts';
import type { ReaderState } from '../../data/mutations/user-state.ts';
import type { GrowingList } from '../../data/queries/post-list/post-list.ts';
import type { UnreadCounts } from '../../data/queries/unread-counts.ts';
import { markedUnread } from './marked-unread.ts';
import { isUnread } from './read-progress.ts';

/** Read marker operations: the part of the data layer that they use. Without `inside`, no marker can move back. */
export interface MarkArea extends Pick<Channels, 'marks' | 'markRead' | 'lineup' | 'keptUnread'> {
  readonly inside?: {
    readonly state: Pick<ReaderState, 'setMark' | 'setKeptUnread' | 'marks' | 'keptUnread'>;
    readonly unread: Pick<UnreadCounts, 'read' | 'restore' | 'counts'> | undefined;
  };
}

type Id = Pick<Post, 'channelId' | 'id'>;

/** Returns true if a post counts as unread: it is beyond its channel's marker, or was marked as unread below it. */
export const countsAsUnread = ({ marks, keptUnread }: Pick<Channels, 'marks' | 'keptUnread'>, post: Id): boolean =>
  isUnread(post, marks.get()) || keptUnread.get().has(postKey(post));

/** Returns the keys of a channel's posts that were marked as unread, up to a post. */
const keptUpTo = ({ keptUnread }: MarkArea, { channelId, id }: Id): string[] =>
  keysOf(keptUnread.get(), channelId).filter((key) => Number(key.slice(channelId.length + 1)) <= id);

/**
 * Marks a single post as unread although its channel's marker has passed it. Returns an undo function; null if too many posts
 * are marked as unread.
 */
export function keepUnread(channels: Channels, list: PostList, post: Post): (() => void) | null {
  const { inside, keptUnread } = channels;
  if (inside === undefined || keptUnread.get().size >= MAX_KEPT_UNREAD) return null;
  const channel = inside.known.find(post.channelId);
  void inside.device.keepPosts({ items: [post], channels: channel === undefined ? [] : [channel] });
  setKept(channels, post.channelId, [postKey(post)], true);
  // A cached list of unread posts does not contain the post, so it is reloaded when it is shown again.
  // The cast is safe: only lists are cached under this query name.
  for (const { query, thing } of inside.things.all.values())
    if (query[0] === 'feed' && query[2] === 'unread' && thing !== list) void (thing as GrowingList).restart(() => true);
  return () => setKept(channels, post.channelId, [postKey(post)], false);
}

/** Marks a post as read that was marked as unread. Returns an undo function. */
export function markRead(channels: MarkArea, post: Id): () => void {
  setKept(channels, post.channelId, [postKey(post)], false);
  return () => setKept(channels, post.channelId, [postKey(post)], true);
}

/** Marks posts of a channel as unread, or removes that mark. The count is updated at once, until the server has counted. */
function setKept({ inside, keptUnread }: MarkArea, channelId: string, keys: readonly string[], kept: boolean): void {
  const changed = keys.filter((key) => keptUnread.get().has(key) !== kept);
  if (inside === undefined || changed.length === 0) return;
  for (const key of changed) inside.state.setKeptUnread(key, kept);
  const count = inside.unread?.counts.get().get(channelId) ?? 0;
  inside.unread?.restore(channelId, kept ? changed.length : -Math.min(count, changed.length));
  void inside.unread?.read([channelId], inside.state).catch(() => {});
}

/** Marks a channel as read up to a post. Returns an undo function. */
export function markUpTo(channels: MarkArea, list: PostList, { channelId, id }: Id): () => void {
  const takeBack = restoring(channels, list, channelId);
  const marked = markedUnread.get(list);
  for (const post of loadedOf(list, channelId)) if (post.id <= id) marked?.delete(postKey(post));
  setKept(channels, channelId, keptUpTo(channels, { channelId, id }), false);
  channels.markRead(channelId, id);
  return takeBack;
}

/** Moves the read marker to just before a post. Returns an undo function; null if the marker cannot move back. */
export function markFrom(channels: MarkArea, list: PostList, post: Post): (() => void) | null {
  if (channels.inside === undefined) return null;
  const takeBack = restoring(channels, list, post.channelId);
  markedUnread.set(list, (markedUnread.get(list) ?? new Set()).add(postKey(post)));
  setBack(channels, list, post.channelId, post.id - 1);
  return takeBack;
}

/** Returns a function that restores the current marker and the posts marked as unread. */
function restoring(channels: MarkArea, list: PostList, channelId: string): () => void {
  const from = channels.marks.get().get(channelId) ?? 0;
  const marked = new Set(markedUnread.get(list));
  const kept = keysOf(channels.keptUnread.get(), channelId);
  return () => {
    markedUnread.set(list, marked);
    setKept(channels, channelId, kept, true);
    const now = channels.marks.get().get(channelId) ?? 0;
    if (now < from) channels.markRead(channelId, from);
    else if (now > from) setBack(channels, list, channelId, from);
  };
}

/** Moves the marker back. The count grows by the loaded posts, until the server has counted. */
function setBack({ inside, marks }: MarkArea, list: PostList, channelId: string, to: number): void {
  if (inside === undefined) return;
  const before = marks.get();
  inside.state.setMark(channelId, to, true);
  const passed = loadedOf(list, channelId).filter((post) => isUnread(post, marks.get()) && !isUnread(post, before));
  inside.unread?.restore(channelId, passed.length);
  void inside.unread?.read([channelId], inside.state).catch(() => {});
}

function loadedOf(list: PostList, channelId: string): readonly Post[] {
  const state = list.get();
  return state.type === 'loaded' ? state.posts.filter((post) => post.channelId === channelId) : [];
}

/** Plan of "mark all above" or "mark all below" as read. */
export interface MarkPlan {
  /** Newest message to mark as read, by channel. */
  readonly upTo: ReadonlyMap<string, number>;
  /** True if unread posts on the other side become read too: a channel has one marker, and all posts before it are read. */
  readonly takesOlder: boolean;
}

/**
 * Plans which posts above or below a post in a list (newest first) become read. `among` are the channels of the list: "below"
 * includes posts that are not loaded yet. Null if nothing would change.
 */
export function planMark(
  channels: MarkArea,
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
  const { marks, lineup } = channels;
  const isCounted = (one: Id): boolean => countsAsUnread(channels, one);
  const hasUnread = ([channelId, id]: readonly [string, number]): boolean =>
    isUnread({ channelId, id }, marks.get()) ||
    (side === 'below'
      ? keptUpTo(channels, { channelId, id }).length > 0
      : above.some((one) => one.channelId === channelId && isCounted(one)));
  const upTo = new Map([...newest].filter(hasUnread));
  if (upTo.size === 0) return null;
  const isTaken = (one: Post): boolean => upTo.has(one.channelId) && isCounted(one);
  const takesOlder =
    side === 'above' &&
    ([post, ...below].some(isTaken) || (state.older !== 'end' && countsMore(lineup, upTo, above.filter(isTaken))));
  return { upTo, takesOlder };
}

/** Returns true if the channels have more unread posts than these. */
function countsMore(lineup: MarkArea['lineup'], upTo: MarkPlan['upTo'], unread: readonly Post[]): boolean {
  const rows = lineup.get();
  if (rows.type !== 'loaded') return false;
  return rows.value.some(
    (row) =>
      upTo.has(row.channel.id) && (row.unread ?? 0) > unread.filter(({ channelId }) => channelId === row.channel.id).length,
  );
}

/** Returns the newest message of a channel below a post, if the list has not loaded a post of that channel there yet. */
function newestUnloaded({ id, latest }: Pick<Channel, 'id' | 'latest'>, from: readonly Post[], date: number): number | undefined {
  const own = from.filter((post) => post.channelId === id).map((post) => post.id);
  if (own.length > 0) return Math.min(...own) - 1;
  return latest !== undefined && latest.date <= date ? latest.id : undefined;
}

/** Marks the planned posts as read. Returns an undo function. */
export function markPlanned(channels: MarkArea, list: PostList, { upTo }: MarkPlan): () => void {
  const backs = [...upTo].map(([channelId, id]) => markUpTo(channels, list, { channelId, id }));
  const { inside } = channels;
  void inside?.unread?.read([...upTo.keys()], inside.state).catch(() => {});
  return () => {
    // Each undo restores the state before its own action, so the last action is undone first.
    for (const takeBack of backs.toReversed()) takeBack();
  };
}
