import { type RefObject, startTransition, useEffect } from 'react';
import { compensateScroll, READING_LINE_PX } from './post-elements.ts';
import type { PostGroups } from './post-groups.ts';

/**
 * Distance from the window within which posts are rendered, px: several screens, so that they are mounted before a
 * fling reaches them.
 */
const MOUNT_MARGIN_PX = 3000;
/** Number of distant groups that stay mounted, the most recently near ones. */
const MAX_FAR_GROUPS = 6;
/** Number of groups that stay mounted because the reader clicked them, the most recently clicked ones. */
const MAX_CLICKED_GROUPS = 12;

const FOCUS_SELECTOR = ':focus-within';

/**
 * Virtual list of posts: keeps groups near the window mounted, and unmounts the others. A group in use stays mounted:
 * the one with the focus and its neighbours, one with an open dialog or playing media, and the last few that the reader
 * clicked, with what was opened or selected in them.
 */
export function useVirtualGroups(feed: RefObject<HTMLElement | null>, postGroups: PostGroups): void {
  useEffect(() => {
    if (feed.current === null) return;
    const virtualizer = new Virtualizer(feed.current, postGroups);
    return () => virtualizer.stop();
  }, [feed, postGroups]);
}

/** Mounts and unmounts the groups of one list. A group is represented by its element. */
class Virtualizer {
  readonly #feed: HTMLElement;
  readonly #postGroups: PostGroups;
  /** Groups within the margin around the window. */
  #near: ReadonlySet<HTMLElement> = new Set();
  /**
   * Observed elements: the near groups and their neighbours. Observing each group of a long list would cost time in
   * each frame.
   */
  #observed: Set<Element>;
  /** Mounted groups, the most recently near one last. */
  readonly #mounted = new Set<HTMLElement>();
  /** Groups that the reader clicked, the last one last. */
  readonly #clicked = new Set<HTMLElement>();
  /** Group that is being mounted, and the height of its empty block, px. */
  #mounting: { readonly group: HTMLElement; readonly previousHeight: number } | null = null;
  /** Sums over all measured groups: their heights, px, and their posts. */
  #measured = { height: 0, posts: 0 };
  readonly #observer: IntersectionObserver;
  readonly #unsubscribe: () => void;

  constructor(feed: HTMLElement, postGroups: PostGroups) {
    this.#feed = feed;
    this.#postGroups = postGroups;
    this.#observed = new Set<Element>([feed]);
    // Uses the document as root: inside another site's frame, a margin around the screen has no effect.
    const options = { root: document, rootMargin: `${MOUNT_MARGIN_PX}px 0px` };
    this.#observer = new IntersectionObserver(() => this.#update(), options);
    this.#observer.observe(feed);
    this.#unsubscribe = postGroups.onRender((group) => this.#onRender(group));
    document.addEventListener('click', this.#onClick, true);
  }

  stop(): void {
    document.removeEventListener('click', this.#onClick, true);
    this.#postGroups.heightPerPost = 0;
    this.#unsubscribe();
    this.#observer.disconnect();
  }

  #update(): void {
    this.#near = findNearGroups(this.#feed);
    for (const group of this.#near) if (!isUnmounted(group)) moveToEnd(this.#mounted, group);
    const nextObserved = new Set([this.#feed, ...[...this.#near].flatMap(withNeighbours)]);
    for (const group of this.#observed) if (!nextObserved.has(group)) this.#observer.unobserve(group);
    for (const group of nextObserved) if (!this.#observed.has(group)) this.#observer.observe(group);
    this.#observed = nextObserved;
    this.#mountNearest();
    this.#unmountFar();
  }

  /** Mounts one group at a time, the nearest first, so that no frame renders more than necessary. */
  #mountNearest(): void {
    if (this.#mounting?.group.isConnected) return;
    const middle = window.innerHeight / 2;
    const distances = [...this.#near].filter(isUnmounted).map((group) => {
      const { top, bottom, height } = group.getBoundingClientRect();
      return { group, height, distance: Math.max(top - middle, middle - bottom) };
    });
    const [nearest] = distances.sort((a, b) => a.distance - b.distance);
    if (nearest === undefined) return;
    this.#mounting = { group: nearest.group, previousHeight: nearest.height };
    startTransition(() => this.#postGroups.setPlaceholderHeight(nearest.group, null));
  }

  /** Unmounts the groups that were near longest ago, except those in use. */
  #unmountFar(): void {
    let excess = this.#mounted.size - this.#near.size - MAX_FAR_GROUPS;
    const unmounting: (readonly [HTMLElement, number])[] = [];
    for (const group of this.#mounted) {
      if (excess <= 0) break;
      if (this.#near.has(group) || this.#clicked.has(group) || isInUse(group)) continue;
      this.#mounted.delete(group);
      excess--;
      if (group.isConnected) unmounting.push([group, this.#measure(group)]);
    }
    startTransition(() => {
      for (const [group, height] of unmounting) this.#postGroups.setPlaceholderHeight(group, height);
    });
  }

  /** Returns the height of a group, px, and includes it in the average height of a post. */
  #measure(group: HTMLElement): number {
    const { height } = group.getBoundingClientRect();
    this.#measured = { height: this.#measured.height + height, posts: this.#measured.posts + group.childElementCount };
    this.#postGroups.heightPerPost = this.#measured.height / this.#measured.posts;
    return height;
  }

  #onRender(group: HTMLElement): void {
    if (!this.#observed.has(group) && withNeighbours(group).some((element) => this.#observed.has(element))) {
      this.#observed.add(group);
      this.#observer.observe(group);
    }
    const previousHeight = this.#mounting?.group === group ? this.#mounting.previousHeight : null;
    if (previousHeight !== null) this.#mounting = null;
    // A group may be unmounted at the moment when the reader scrolls back to it.
    if (previousHeight !== null || (isUnmounted(group) && this.#near.has(group))) queueMicrotask(() => this.#mountNearest());
    if (isUnmounted(group)) {
      this.#mounted.delete(group);
      return;
    }
    this.#mounted.add(group);
    if (this.#postGroups.heightPerPost === 0) this.#measure(group);
    if (previousHeight === null) return;
    const { top, height } = group.getBoundingClientRect();
    // A group that grew above the reading line must not move the posts below it.
    if (top + previousHeight <= READING_LINE_PX) compensateScroll(height - previousHeight);
  }

  readonly #onClick = (event: Event): void => {
    const path = event.composedPath();
    for (const group of this.#mounted) if (path.includes(group)) moveToEnd(this.#clicked, group);
    const [oldest] = this.#clicked;
    if (this.#clicked.size > MAX_CLICKED_GROUPS && oldest !== undefined) this.#clicked.delete(oldest);
  };
}

const isUnmounted = (group: HTMLElement): boolean => group.childElementCount === 0;

/** Returns true if a group or a neighbour has the focus, or if it has an open dialog or playing media. */
const isInUse = (group: HTMLElement): boolean =>
  withNeighbours(group).some((element) => element.matches(FOCUS_SELECTOR)) ||
  group.querySelector('dialog[open]') !== null ||
  [...group.querySelectorAll<HTMLMediaElement>('video, audio')].some(({ paused }) => !paused);

function moveToEnd<T>(set: Set<T>, item: T): void {
  set.delete(item);
  set.add(item);
}

const withNeighbours = (group: Element): Element[] =>
  [group.previousElementSibling, group, group.nextElementSibling].filter((element) => element !== null);

/** Returns the groups near the window by binary search over the vertical order, without measuring each. */
function findNearGroups({ children }: Element): Set<HTMLElement> {
  const groups = [...children].filter((group) => group instanceof HTMLElement);
  const from = findFirstIndex(groups, (group) => group.getBoundingClientRect().bottom >= -MOUNT_MARGIN_PX);
  const to = findFirstIndex(groups, (group) => group.getBoundingClientRect().top > window.innerHeight + MOUNT_MARGIN_PX);
  return new Set(groups.slice(from, to));
}

/**
 * Returns the first index for which `matches` is true, if it is also true for all after it; the length if there is
 * none.
 */
function findFirstIndex<T>(items: readonly T[], matches: (item: T) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && matches(item)) high = middle;
    else low = middle + 1;
  }
  return low;
}
