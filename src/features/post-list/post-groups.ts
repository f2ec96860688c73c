import type { Post } from '../../../contract/post.ts';
import { postKey } from '../../data/model/post-key.ts';
import type { PostList } from '../../data/model/types.ts';

/**
 * Chunk of posts in a virtual list, which are mounted and unmounted together; `start` is the index of the first one in the
 * list.
 */
export interface Leaf {
  readonly id: number;
  readonly start: number;
  readonly posts: readonly Post[];
}

/**
 * Post groups: the chunks of a virtual list. A chunk far from the window is unmounted, and only an empty block of its height is
 * left.
 */
export interface Leaves {
  /**
   * Divides the posts into chunks. A post stays in its chunk, whatever is added or removed around it, and an unchanged chunk
   * stays the same object.
   */
  divide(posts: readonly Post[]): readonly Leaf[];
  /** Registers a chunk's element, and the function that unmounts or renders it; returns a function that unregisters it. */
  stand(box: HTMLElement, id: number, send: (height: number | null) => void): () => void;
  /**
   * Returns the height in px of an unmounted chunk, null for a rendered one. A new chunk below the first stays unmounted until
   * it is near.
   */
  height(leaf: Leaf): number | null;
  /** Unmounts a chunk with this height, or renders it (null). */
  send(box: HTMLElement | undefined, height: number | null): void;
  /** Returns the element of the chunk that holds a post. */
  boxOf(key: string): HTMLElement | undefined;
  /** Calls `look` with every chunk element, and again each time its posts were rendered. Returns a function that unsubscribes. */
  watch(look: (box: HTMLElement) => void): () => void;
  drawn(box: HTMLElement): void;
  /** Average height of a post, px; 0 while virtualization is inactive, so that all chunks are rendered. */
  perPost: number;
}

const SIZE = 5;

/** Last chunk id. Ids are unique over all lists, so that chunks are not confused if a page changes its list. */
let last = 0;

/** Complete posts, or one row per post. */
export type ListView = 'posts' | 'titles';

/** Chunks by list, so that Back finds the heights unchanged. */
const known = new WeakMap<PostList, { readonly leaves: Leaves; readonly view: ListView }>();

/** Returns the chunks of a list. Another `view` has other heights, so the list is divided again. */
export function leavesOf(list: PostList, view?: ListView): Leaves {
  const held = known.get(list);
  if (held !== undefined && (view === undefined || view === held.view)) return held.leaves;
  const leaves = createLeaves();
  known.set(list, { leaves, view: view ?? 'posts' });
  return leaves;
}

export function createLeaves(): Leaves {
  let ids = new Map<string, number>();
  let former = new Map<number, Leaf>();
  const away = new Map<number, number>();
  const standing = new Map<HTMLElement, { readonly id: number; readonly send: (height: number | null) => void }>();
  const watchers = new Set<(box: HTMLElement) => void>();
  const boxOf = (key: string) => [...standing].find(([, { id }]) => id === ids.get(key))?.[0];
  const leaves: Leaves = {
    perPost: 0,
    boxOf,
    divide(posts) {
      const keys = posts.map(postKey);
      const starts = startsOf(keys, ids);
      ids = new Map();
      const divided = starts.map(([start, found], index) => {
        const id = found ?? ++last;
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
    stand(box, id, send) {
      standing.set(box, { id, send });
      return () => standing.delete(box);
    },
    height({ id, start, posts }) {
      if (!away.has(id) && leaves.perPost > 0 && start > 0) away.set(id, leaves.perPost * posts.length);
      return away.get(id) ?? null;
    },
    send(box, height) {
      const leaf = box && standing.get(box);
      if (leaf === undefined) return;
      if (height === null) away.delete(leaf.id);
      else away.set(leaf.id, height);
      leaf.send(height);
    },
    watch(look) {
      for (const box of standing.keys()) look(box);
      watchers.add(look);
      return () => watchers.delete(look);
    },
    drawn(box) {
      for (const look of watchers) look(box);
    },
  };
  return leaves;
}

/**
 * Returns the start of each chunk, with the ids of existing ones. Posts added at an end are divided into new chunks; posts
 * added in between join an existing chunk.
 */
function startsOf(
  keys: readonly string[],
  ids: ReadonlyMap<string, number>,
): (readonly [start: number, id?: number | undefined])[] {
  const first = keys.findIndex((key) => ids.has(key));
  if (first === -1) return cut(0, keys.length);
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
  const joins = (others[0]?.[0] ?? end) <= SIZE;
  return [...(joins ? [] : cut(0, first)), [joins ? 0 : first, own], ...others, ...cut(end, keys.length)];
}

function cut(from: number, to: number): (readonly [start: number])[] {
  return Array.from({ length: Math.ceil((to - from) / SIZE) }, (_, at) => [from + at * SIZE]);
}
