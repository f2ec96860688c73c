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
  register(box: HTMLElement, id: number, send: (height: number | null) => void): () => void;
  /**
   * Returns the height in px of an unmounted chunk, null for a rendered one. A new chunk below the first stays unmounted until
   * it is near.
   */
  placeholderHeightOf(leaf: PostGroupData): number | null;
  /** Unmounts a chunk with this height, or renders it (null). */
  setPlaceholderHeight(box: HTMLElement | undefined, height: number | null): void;
  /** Returns the element of the chunk that holds a post. */
  boxOf(key: string): HTMLElement | undefined;
  /** Calls `look` with every chunk element, and again each time its posts were rendered. Returns a function that unsubscribes. */
  onRender(look: (box: HTMLElement) => void): () => void;
  notifyRendered(box: HTMLElement): void;
  /** Average height of a post, px; 0 while virtualization is inactive, so that all chunks are rendered. */
  heightPerPost: number;
}

const GROUP_SIZE = 5;

/** Last chunk id. Ids are unique over all lists, so that chunks are not confused if a page changes its list. */
let lastGroupId = 0;

/** Complete posts, or one row per post. */
export type ListView = 'posts' | 'titles';

/** Chunks by list, so that Back finds the heights unchanged. */
const groupsByList = new WeakMap<PostList, { readonly leaves: PostGroups; readonly view: ListView }>();

/** Returns the chunks of a list. Another `view` has other heights, so the list is divided again. */
export function groupsOf(list: PostList, view?: ListView): PostGroups {
  const held = groupsByList.get(list);
  if (held !== undefined && (view === undefined || view === held.view)) return held.leaves;
  const leaves = createPostGroups();
  groupsByList.set(list, { leaves, view: view ?? 'posts' });
  return leaves;
}

export function createPostGroups(): PostGroups {
  let ids = new Map<string, number>();
  let former = new Map<number, PostGroupData>();
  const away = new Map<number, number>();
  const standing = new Map<HTMLElement, { readonly id: number; readonly send: (height: number | null) => void }>();
  const watchers = new Set<(box: HTMLElement) => void>();
  const boxOf = (key: string) => [...standing].find(([, { id }]) => id === ids.get(key))?.[0];
  const leaves: PostGroups = {
    heightPerPost: 0,
    boxOf,
    divide(posts) {
      const keys = posts.map(postKey);
      const starts = groupStarts(keys, ids);
      ids = new Map();
      const divided = starts.map(([start, found], index) => {
        const id = found ?? ++lastGroupId;
        const end = starts[index + 1]?.[0] ?? posts.length;
        for (const key of keys.slice(start, end)) ids.set(key, id);
        const leaf = former.get(id);
        const isSame =
          leaf?.start === start &&
          leaf.posts.length === end - start &&
          leaf.posts.every((post, at) => post === posts[start + at]);
        return isSame ? leaf : { id, start, posts: posts.slice(start, end) };
      });
      former = new Map(divided.map((leaf) => [leaf.id, leaf]));
      return divided;
    },
    register(box, id, send) {
      standing.set(box, { id, send });
      return () => standing.delete(box);
    },
    placeholderHeightOf({ id, start, posts }) {
      if (!away.has(id) && leaves.heightPerPost > 0 && start > 0) away.set(id, leaves.heightPerPost * posts.length);
      return away.get(id) ?? null;
    },
    setPlaceholderHeight(box, height) {
      const leaf = box && standing.get(box);
      if (leaf === undefined) return;
      if (height === null) away.delete(leaf.id);
      else away.set(leaf.id, height);
      leaf.send(height);
    },
    onRender(look) {
      for (const box of standing.keys()) look(box);
      watchers.add(look);
      return () => watchers.delete(look);
    },
    notifyRendered(box) {
      for (const look of watchers) look(box);
    },
  };
  return leaves;
}

/**
 * Returns the start of each chunk, with the ids of existing ones. Posts added at an end are divided into new chunks; posts
 * added in between join an existing chunk.
 */
function groupStarts(
  keys: readonly string[],
  ids: ReadonlyMap<string, number>,
): (readonly [start: number, id?: number | undefined])[] {
  const first = keys.findIndex((key) => ids.has(key));
  if (first === -1) return cutIntoGroups(0, keys.length);
  const former = new Map<number, number>();
  let end = first;
  for (const [at, key] of keys.entries()) {
    const id = ids.get(key);
    if (id === undefined) continue;
    if (!former.has(id)) former.set(id, at);
    end = at + 1;
  }
  const [, ...others] = [...former].map(([id, start]) => [start, id] as const);
  const own = ids.get(keys[first] ?? '');
  const joins = (others[0]?.[0] ?? end) <= GROUP_SIZE;
  return [...(joins ? [] : cutIntoGroups(0, first)), [joins ? 0 : first, own], ...others, ...cutIntoGroups(end, keys.length)];
}

function cutIntoGroups(from: number, to: number): (readonly [start: number])[] {
  return Array.from({ length: Math.ceil((to - from) / GROUP_SIZE) }, (_, at) => [from + at * GROUP_SIZE]);
}
