import type { Post } from '../../../contract/post.ts';
import { postKey } from '../../data/model/post-key.ts';
import type { PostList } from '../../data/model/types.ts';

/** Set by the build; see build/app-bundle.mjs. */
declare const __APP__: boolean;

/**
 * Post group: posts of a virtual list that are mounted and unmounted together. A new group has up to GROUP_SIZE posts;
 * more may join it later.
 */
export interface PostGroupData {
  readonly id: number;
  /** Index of its first post in the list. */
  readonly start: number;
  readonly posts: readonly Post[];
}

/**
 * Groups of one virtual list. A group far from the window is unmounted, and only an empty block of its height (the
 * placeholder) is left.
 */
export interface PostGroups {
  /**
   * Divides the posts into groups. A post stays in its group, whatever is added or removed around it, and an unchanged
   * group stays the same object.
   */
  divide(posts: readonly Post[]): readonly PostGroupData[];
  /**
   * Registers a group's element, and the function that unmounts or renders it; returns a function that unregisters it.
   */
  register(element: HTMLElement, id: number, setHeight: (height: number | null) => void): () => void;
  /**
   * Returns the height in px of an unmounted group, null for a rendered one. A new group below the first stays
   * unmounted until it is near.
   */
  placeholderHeightOf(group: PostGroupData): number | null;
  /** Unmounts a group and leaves a placeholder of this height, px; renders the group if the height is null. */
  setPlaceholderHeight(element: HTMLElement | undefined, height: number | null): void;
  /** Returns the element of the group that contains a post. */
  elementOf(key: string): HTMLElement | undefined;
  /**
   * Calls `listener` with the element of every group, and again each time its posts were rendered. Returns a function
   * that unsubscribes.
   */
  onRender(listener: (element: HTMLElement) => void): () => void;
  /**
   * Returns the element of a deferred group below the top of the window. Another height of a group above would move the posts
   * in the window; the virtual list renders those when they are near, and compensates for it.
   */
  nextDeferred(): HTMLElement | undefined;
  /** Calls the listeners of `onRender`. */
  notifyRendered(element: HTMLElement): void;
  /** Average height of a post, px; 0 while virtualization is inactive, so that all groups are rendered. */
  heightPerPost: number;
}

/** Number of posts in a new group. */
const GROUP_SIZE = 5;

/** Last group id. Ids are unique over all lists, so that groups are not confused if a page changes its list. */
let lastGroupId = 0;

/** Complete posts, or one row per post. */
export type ListView = 'posts' | 'titles';

/** Groups by list, so that a list which Back restores has the same heights as before. */
const groupsByList = new WeakMap<PostList, { readonly postGroups: PostGroups; readonly view: ListView }>();

/** Returns the groups of a list. Another `view` has other heights, so the list is divided again. */
export function groupsOf(
  list: PostList,
  view?: ListView,
  deferredHeightOf?: (group: PostGroupData) => number | null,
): PostGroups {
  const existing = groupsByList.get(list);
  if (existing !== undefined && (view === undefined || view === existing.view)) return existing.postGroups;
  const postGroups = createPostGroups(deferredHeightOf);
  groupsByList.set(list, { postGroups, view: view ?? 'posts' });
  return postGroups;
}

/** Creates the groups of one virtual list. `deferredHeightOf` returns the initial height of each group that is deferred, px. */
export function createPostGroups(deferredHeightOf?: (group: PostGroupData) => number | null): PostGroups {
  /** Group id of each post, by post key. */
  let groupIds = new Map<string, number>();
  /** Result of the last `divide`, by group id. */
  let previousGroups = new Map<number, PostGroupData>();
  const placeholderHeights = new Map<number, number>();
  const deferredIds = new Set<number>();
  const mountedGroups = new Map<HTMLElement, { readonly id: number; readonly setHeight: (height: number | null) => void }>();
  const listeners = new Set<(element: HTMLElement) => void>();
  const elementOf = (key: string) => [...mountedGroups].find(([, { id }]) => id === groupIds.get(key))?.[0];
  const postGroups: PostGroups = {
    heightPerPost: 0,
    elementOf,
    divide(posts) {
      const keys = posts.map(postKey);
      const starts = groupStarts(keys, groupIds);
      groupIds = new Map();
      const divided = starts.map(([start, existingId], index) => {
        const id = existingId ?? ++lastGroupId;
        const end = starts[index + 1]?.[0] ?? posts.length;
        for (const key of keys.slice(start, end)) groupIds.set(key, id);
        const group = previousGroups.get(id);
        const isSame =
          group?.start === start &&
          group.posts.length === end - start &&
          group.posts.every((post, offset) => post === posts[start + offset]);
        return isSame ? group : { id, start, posts: posts.slice(start, end) };
      });
      previousGroups = new Map(divided.map((group) => [group.id, group]));
      return divided;
    },
    register(element, id, setHeight) {
      mountedGroups.set(element, { id, setHeight });
      return () => mountedGroups.delete(element);
    },
    placeholderHeightOf(group) {
      const { id, start, posts } = group;
      const deferredHeight = __APP__ && !placeholderHeights.has(id) ? deferredHeightOf?.(group) : null;
      if (deferredHeight != null) {
        placeholderHeights.set(id, deferredHeight);
        deferredIds.add(id);
      }
      if (!placeholderHeights.has(id) && postGroups.heightPerPost > 0 && start > 0)
        placeholderHeights.set(id, postGroups.heightPerPost * posts.length);
      return placeholderHeights.get(id) ?? null;
    },
    setPlaceholderHeight(element, height) {
      const group = element && mountedGroups.get(element);
      if (group === undefined) return;
      if (__APP__) deferredIds.delete(group.id);
      if (height === null) placeholderHeights.delete(group.id);
      else placeholderHeights.set(group.id, height);
      group.setHeight(height);
    },
    nextDeferred() {
      const isNext = (element: HTMLElement, id: number) => deferredIds.has(id) && element.getBoundingClientRect().top > 0;
      return __APP__ ? [...mountedGroups].find(([element, { id }]) => isNext(element, id))?.[0] : undefined;
    },
    onRender(listener) {
      for (const element of mountedGroups.keys()) listener(element);
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    notifyRendered(element) {
      for (const listener of listeners) listener(element);
    },
  };
  return postGroups;
}

/**
 * Returns the index at which each group starts, and the id of an existing group. Posts added at an end are divided into
 * new groups. Posts added in between join the existing group above them. Posts added at the start join the first group
 * if it then has at most GROUP_SIZE posts.
 */
function groupStarts(
  keys: readonly string[],
  groupIds: ReadonlyMap<string, number>,
): (readonly [start: number, id?: number | undefined])[] {
  const firstKnown = keys.findIndex((key) => groupIds.has(key));
  if (firstKnown === -1) return cutIntoGroups(0, keys.length);
  const firstIndexes = new Map<number, number>();
  let knownEnd = firstKnown;
  for (const [index, key] of keys.entries()) {
    const id = groupIds.get(key);
    if (id === undefined) continue;
    if (!firstIndexes.has(id)) firstIndexes.set(id, index);
    knownEnd = index + 1;
  }
  const [, ...laterGroups] = [...firstIndexes].map(([id, start]) => [start, id] as const);
  const firstGroupId = groupIds.get(keys[firstKnown] ?? '');
  const joinsFirstGroup = (laterGroups[0]?.[0] ?? knownEnd) <= GROUP_SIZE;
  return [
    ...(joinsFirstGroup ? [] : cutIntoGroups(0, firstKnown)),
    [joinsFirstGroup ? 0 : firstKnown, firstGroupId],
    ...laterGroups,
    ...cutIntoGroups(knownEnd, keys.length),
  ];
}

/** Returns the starts of new groups for the posts from one index up to another, which is not included. */
function cutIntoGroups(from: number, to: number): (readonly [start: number])[] {
  return Array.from({ length: Math.ceil((to - from) / GROUP_SIZE) }, (_, index) => [from + index * GROUP_SIZE]);
}
