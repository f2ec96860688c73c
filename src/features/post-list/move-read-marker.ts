/* Read marker actions: mark posts as read or unread; each returns a function that undoes it. */
import type { Channel } from '../../../contract/channel.ts';
import { MAX_KEPT_UNREAD } from '../../../contract/kept-unread.ts';
import type { Post } from '../../../contract/post.ts';
import type { DataClient } from '../../data/model/client.ts';
import { postKeysOfChannel } from '../../data/model/kept-unread.ts';
import { postKey } from '../../data/model/post-key.ts';
import type { PostList } from '../../data/model/types.ts';
import type { UserState } from '../../data/mutations/user-state.ts';
import type { UnreadCounts } from '../../data/queries/unread-counts.ts';
import { markedUnread } from './marked-unread.ts';
import { isUnread } from './read-progress.ts';

/** Part of the data layer that the read marker actions use. Without `context`, no marker can move back. */
export interface ReadMarkerClient extends Pick<DataClient, 'readMarkers' | 'markRead' | 'lineup' | 'keptUnread'> {
  readonly context?: {
    readonly userState: Pick<UserState, 'setReadMarker' | 'setKeptUnread' | 'readMarkers' | 'keptUnread'>;
    readonly unreadCounts: Pick<UnreadCounts, 'refetch' | 'adjustCount' | 'counts'> | undefined;
  };
}

type PostRef = Pick<Post, 'channelId' | 'id'>;

/** Returns true if a post counts as unread: it is beyond its channel's marker, or was marked as unread below it. */
export const countsAsUnread = (
  { readMarkers, keptUnread }: Pick<DataClient, 'readMarkers' | 'keptUnread'>,
  post: PostRef,
): boolean => isUnread(post, readMarkers.get()) || keptUnread.get().has(postKey(post));

/** Returns the keys of a channel's posts that were marked as unread, up to a post. */
const keptUnreadUpTo = ({ keptUnread }: ReadMarkerClient, { channelId, id }: PostRef): string[] =>
  postKeysOfChannel(keptUnread.get(), channelId).filter((key) => Number(key.slice(channelId.length + 1)) <= id);

/**
 * Marks a single post as unread although its channel's marker has passed it. Returns an undo function; null if too many
 * posts are marked as unread.
 */
export function markPostUnread(client: DataClient, list: PostList, post: Post): (() => void) | null {
  const { context, keptUnread } = client;
  if (context === undefined || keptUnread.get().size >= MAX_KEPT_UNREAD) return null;
  const channel = context.channelIndex.get(post.channelId);
  void context.offline.writePosts({ items: [post], channels: channel === undefined ? [] : [channel] });
  changeKeptUnread(client, post.channelId, [postKey(post)], true);
  // A cached list of unread posts does not contain the post, so it is reloaded when it is shown again.
  for (const { parameters, value } of context.cache.all('feed'))
    if (parameters.show === 'unread' && value !== list) void value.reset(() => true);
  return () => changeKeptUnread(client, post.channelId, [postKey(post)], false);
}

/** Marks a post as read that was marked as unread. Returns an undo function. */
export function markPostRead(client: ReadMarkerClient, post: PostRef): () => void {
  changeKeptUnread(client, post.channelId, [postKey(post)], false);
  return () => changeKeptUnread(client, post.channelId, [postKey(post)], true);
}

/**
 * Marks posts of a channel as unread, or removes that mark. The count changes at once, until the server has counted.
 */
function changeKeptUnread(
  { context, keptUnread }: ReadMarkerClient,
  channelId: string,
  keys: readonly string[],
  unread: boolean,
): void {
  const changed = keys.filter((key) => keptUnread.get().has(key) !== unread);
  if (context === undefined || changed.length === 0) return;
  for (const key of changed) context.userState.setKeptUnread(key, unread);
  const count = context.unreadCounts?.counts.get().get(channelId) ?? 0;
  context.unreadCounts?.adjustCount(channelId, unread ? changed.length : -Math.min(count, changed.length));
  void context.unreadCounts?.refetch([channelId], context.userState).catch(() => {});
}

/** Marks a channel as read up to a post. Returns an undo function. */
export function markReadUpTo(client: ReadMarkerClient, list: PostList, { channelId, id }: PostRef): () => void {
  const undo = createRestore(client, list, channelId);
  const markedPosts = markedUnread.get(list);
  for (const post of loadedPostsOf(list, channelId)) if (post.id <= id) markedPosts?.delete(postKey(post));
  changeKeptUnread(client, channelId, keptUnreadUpTo(client, { channelId, id }), false);
  client.markRead(channelId, id);
  return undo;
}

/** Moves the read marker to just before a post. Returns an undo function; null if the marker cannot move back. */
export function markUnreadFrom(client: ReadMarkerClient, list: PostList, post: Post): (() => void) | null {
  if (client.context === undefined) return null;
  const undo = createRestore(client, list, post.channelId);
  markedUnread.set(list, (markedUnread.get(list) ?? new Set()).add(postKey(post)));
  moveMarkerBack(client, list, post.channelId, post.id - 1);
  return undo;
}

/** Returns a function that restores the current marker and the posts marked as unread. */
function createRestore(client: ReadMarkerClient, list: PostList, channelId: string): () => void {
  const previous = client.readMarkers.get().get(channelId) ?? 0;
  const markedPosts = new Set(markedUnread.get(list));
  const keptUnreadKeys = postKeysOfChannel(client.keptUnread.get(), channelId);
  return () => {
    markedUnread.set(list, markedPosts);
    changeKeptUnread(client, channelId, keptUnreadKeys, true);
    const current = client.readMarkers.get().get(channelId) ?? 0;
    if (current < previous) client.markRead(channelId, previous);
    else if (current > previous) moveMarkerBack(client, list, channelId, previous);
  };
}

/** Moves the marker back. The count grows by the loaded posts, until the server has counted. */
function moveMarkerBack({ context, readMarkers }: ReadMarkerClient, list: PostList, channelId: string, to: number): void {
  if (context === undefined) return;
  const previousMarkers = readMarkers.get();
  context.userState.setReadMarker(channelId, to, true);
  const becameUnread = loadedPostsOf(list, channelId).filter(
    (post) => isUnread(post, readMarkers.get()) && !isUnread(post, previousMarkers),
  );
  context.unreadCounts?.adjustCount(channelId, becameUnread.length);
  void context.unreadCounts?.refetch([channelId], context.userState).catch(() => {});
}

function loadedPostsOf(list: PostList, channelId: string): readonly Post[] {
  const state = list.get();
  return state.type === 'loaded' ? state.posts.filter((post) => post.channelId === channelId) : [];
}

/** Plan of "mark all above" or "mark all below" as read. */
export interface MarkPlan {
  /** Id of the newest message to mark as read, by channel id. */
  readonly upTo: ReadonlyMap<string, number>;
  /**
   * True if unread posts on the other side become read too: a channel has one marker, and all posts before it are read.
   */
  readonly marksOlder: boolean;
}

/**
 * Plans which posts above or below a post in a list (newest first) become read. `among` are the channels of the list:
 * "below" includes posts that are not loaded yet. Null if nothing would change.
 */
export function planMarkRead(
  client: ReadMarkerClient,
  list: PostList,
  post: Post,
  side: 'above' | 'below',
  among: readonly Pick<Channel, 'id' | 'latest'>[],
): MarkPlan | null {
  const state = list.get();
  if (state.type !== 'loaded') return null;
  const index = state.posts.findIndex((other) => postKey(other) === postKey(post));
  if (index === -1) return null;
  const [above, below] = [state.posts.slice(0, index), state.posts.slice(index + 1)];
  /** Id of the newest message on that side, by channel id. */
  const newest = new Map<string, number>();
  for (const { channelId, id } of side === 'above' ? above : below)
    newest.set(channelId, Math.max(id, newest.get(channelId) ?? 0));
  if (side === 'below' && state.older !== 'end')
    for (const channel of among) {
      const id = newest.has(channel.id) ? undefined : newestUnloadedId(channel, [...above, post], post.date);
      if (id !== undefined) newest.set(channel.id, id);
    }
  const { readMarkers, lineup } = client;
  const isUnreadPost = (other: PostRef): boolean => countsAsUnread(client, other);
  const hasUnread = ([channelId, id]: readonly [string, number]): boolean =>
    isUnread({ channelId, id }, readMarkers.get()) ||
    (side === 'below'
      ? keptUnreadUpTo(client, { channelId, id }).length > 0
      : above.some((other) => other.channelId === channelId && isUnreadPost(other)));
  const upTo = new Map([...newest].filter(hasUnread));
  if (upTo.size === 0) return null;
  const becomesRead = (other: Post): boolean => upTo.has(other.channelId) && isUnreadPost(other);
  const marksOlder =
    side === 'above' &&
    ([post, ...below].some(becomesRead) || (state.older !== 'end' && hasMoreUnread(lineup, upTo, above.filter(becomesRead))));
  return { upTo, marksOlder };
}

/** Returns true if the channels have more unread posts than these. */
function hasMoreUnread(lineup: ReadMarkerClient['lineup'], upTo: MarkPlan['upTo'], unread: readonly Post[]): boolean {
  const rows = lineup.get();
  if (rows.type !== 'loaded') return false;
  return rows.value.some(
    (row) =>
      upTo.has(row.channel.id) && (row.unread ?? 0) > unread.filter(({ channelId }) => channelId === row.channel.id).length,
  );
}

/**
 * Returns the highest id that a message of a channel below the loaded `posts` can have; undefined if the channel's
 * newest message is newer than `date`, the date of the last of these posts.
 */
function newestUnloadedId(
  { id, latest }: Pick<Channel, 'id' | 'latest'>,
  posts: readonly Post[],
  date: number,
): number | undefined {
  const ids = posts.filter((post) => post.channelId === id).map((post) => post.id);
  if (ids.length > 0) return Math.min(...ids) - 1;
  return latest !== undefined && latest.date <= date ? latest.id : undefined;
}

/** Marks the planned posts as read. Returns an undo function. */
export function applyMarkPlan(client: ReadMarkerClient, list: PostList, { upTo }: MarkPlan): () => void {
  const undoFunctions = [...upTo].map(([channelId, id]) => markReadUpTo(client, list, { channelId, id }));
  const { context } = client;
  void context?.unreadCounts?.refetch([...upTo.keys()], context.userState).catch(() => {});
  return () => {
    // Each undo restores the state before its own action, so the last action is undone first.
    for (const undo of undoFunctions.toReversed()) undo();
  };
}
