import type { Post } from '../../../contract/post.ts';
import { postKey } from '../../data/model/post-key.ts';
import type { PostList } from '../../data/model/types.ts';

/**
 * Chunk of posts in a virtual list, which are mounted and unmounted together; `start` is the index of the first one in the
 * list.
 */
export interface PostGroupData {
  readonly id: number;
  readonly start: number;
  readonly posts: readonly Post[];
}

/**
 * Post groups: the chunks of a virtual list. A chunk far from the window is unmounted, and only an empty block of its height is
 * left.
 */
export interface PostGroups {
  /**
   * Divides the posts into chunks. A post stays in its chunk, whatever is added or removed around it, and an unchanged chunk
   * stays the same object.
   */
  divide(posts: readonly Post[]): readonly PostGroupData[];
  /** Registers a chunk's element, and the function that unmounts or renders it; returns a function that unregisters it. */
  register(element: HTMLElement, id: number, setHeight: (height: number | null) => void): () => void;
  /**
   * Returns the height in px of an unmounted chunk, null for a rendered one. A new chunk below the first stays unmounted until
   * it is near.
   */
  placeholderHeightOf(group: PostGroupData): number | null;
  /** Unmounts a chunk with this height, or renders it (null). */
  setPlaceholderHeight(element: HTMLElement | undefined, height: number | null): void;
  /** Returns the element of the chunk that holds a post. */
  elementOf(key: string): HTMLElement | undefined;
  /** Calls `listener` with every chunk element, and again each time its posts were rendered. Returns a function that unsubscribes. */
  onRender(listener: (element: HTMLElement) => void): () => void;
  notifyRendered(element: HTMLElement): void;
  /** Average height of a post, px; 0 while virtualization is inactive, so that all chunks are rendered. */
  heightPerPost: number;
}

const GROUP_SIZE = 5;

/** Last chunk id. Ids are unique over all lists, so that chunks are not confused if a page changes its list. */
let lastGroupId = 0;

/** Complete posts, or one row per post. */
export type ListView = 'posts' | 'titles';

/** Chunks by list, so that Back finds the heights unchanged. */
const groupsByList = new WeakMap<PostList, { readonly postGroups: PostGroups; readonly view: ListView }>();

/** Returns the chunks of a list. Another `view` has other heights, so the list is divided again. */
export function groupsOf(list: PostList, view?: ListView): PostGroups {
  const existing = groupsByList.get(list);
  if (existing !== undefined && (view === undefined || view === existing.view)) return existing.postGroups;
  const postGroups = createPostGroups();
  groupsByList.set(list, { postGroups, view: view ?? 'posts' });
  return postGroups;
}

export function createPostGroups(): PostGroups {
  let groupIds = new Map<string, number>();
  let previousGroups = new Map<number, PostGroupData>();
  const placeholderHeights = new Map<number, number>();
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
          group.posts.every((post, index) => post === posts[start + index]);
        return isSame ? group : { id, start, posts: posts.slice(start, end) };
      });
      previousGroups = new Map(divided.map((group) => [group.id, group]));
      return divided;
    },
    register(element, id, setHeight) {
      mountedGroups.set(element, { id, setHeight });
      return () => mountedGroups.delete(element);
    },
    placeholderHeightOf({ id, start, posts }) {
      if (!placeholderHeights.has(id) && postGroups.heightPerPost > 0 && start > 0)
        placeholderHeights.set(id, postGroups.heightPerPost * posts.length);
      return placeholderHeights.get(id) ?? null;
    },
    setPlaceholderHeight(element, height) {
      const group = element && mountedGroups.get(element);
      if (group === undefined) return;
      if (height === null) placeholderHeights.delete(group.id);
      else placeholderHeights.set(group.id, height);
      group.setHeight(height);
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
 * Returns the start of each chunk, with the ids of existing ones. Posts added at an end are divided into new chunks; posts
 * added in between join an existing chunk.
 */
function groupStarts(
  keys: readonly string[],
  groupIds: ReadonlyMap<string, number>,
): (readonly [start: number, id?: number | undefined])[] {
  const first = keys.findIndex((key) => groupIds.has(key));
  if (first === -1) return cutIntoGroups(0, keys.length);
  const firstIndexes = new Map<number, number>();
  let end = first;
  for (const [index, key] of keys.entries()) {
    const id = groupIds.get(key);
    if (id === undefined) continue;
    if (!firstIndexes.has(id)) firstIndexes.set(id, index);
    end = index + 1;
  }
  const [, ...laterGroups] = [...firstIndexes].map(([id, start]) => [start, id] as const);
  const firstGroupId = groupIds.get(keys[first] ?? '');
  const joinsFirstGroup = (laterGroups[0]?.[0] ?? end) <= GROUP_SIZE;
  return [
    ...(joinsFirstGroup ? [] : cutIntoGroups(0, first)),
    [joinsFirstGroup ? 0 : first, firstGroupId],
    ...laterGroups,
    ...cutIntoGroups(end, keys.length),
  ];
}

function cutIntoGroups(from: number, to: number): (readonly [start: number])[] {
  return Array.from({ length: Math.ceil((to - from) / GROUP_SIZE) }, (_, index) => [from + index * GROUP_SIZE]);
}
