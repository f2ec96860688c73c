import type { Post } from '../../../contract/post.ts';
import { postKey } from '../../data/model/post-key.ts';
import type { PostList } from '../../data/model/types.ts';

/** Posts of a stream that are drawn, and sent away, together; `start` is the place of the first one in the list. */
export interface Leaf {
  readonly id: number;
  readonly start: number;
  readonly posts: readonly Post[];
}

/** What a list is divided into, and which of it is away: far from the reader only an empty block of its height is left. */
export interface Leaves {
  /**
   * Divides the posts; one that was divided before stays in its leaf, whatever came or left around it, and a leaf in which
   * nothing changed stays the same object.
   */
  divide(posts: readonly Post[]): readonly Leaf[];
  /** Notes a leaf's box and what sends it away or draws it; gives what ends that. */
  stand(box: HTMLElement, id: number, send: (height: number | null) => void): () => void;
  /** The height in px of a leaf that is away, null of one that is drawn. A new one below the first waits until it is near. */
  height(leaf: Leaf): number | null;
  /** Sends a leaf away, or draws it (null). */
  send(box: HTMLElement | undefined, height: number | null): void;
  /** The box of the leaf that holds a post. */
  boxOf(key: string): HTMLElement | undefined;
  /** Calls `look` with every box, and again whenever its posts were drawn. */
  watch(look: (box: HTMLElement) => void): () => void;
  drawn(box: HTMLElement): void;
  /** What a post takes on average, px; 0 while nobody sends leaves away, so that all are drawn. */
  perPost: number;
}

const SIZE = 5;

/** Counts the leaves of all lists, so that none is taken for another where a page changes its list. */
let last = 0;

/** Whole posts, or a row for each. */
export type ListView = 'posts' | 'titles';

/** Each list's, so that Back finds the heights as they were. */
const known = new WeakMap<PostList, { readonly leaves: Leaves; readonly view: ListView }>();

/** Returns the leaves of a list. Another `view` has other heights, so the list is divided again. */
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

/** Where leaves begin, and the ids of those that there were. What came at an end is cut anew, what came between joins. */
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
