import { type RefObject, useLayoutEffect } from 'react';
import type { PostList, PostListState } from '../../channels/types.ts';
import type { Leaves } from './leaves.ts';
import { address, readPlace, takeReturn } from './returned.ts';

/** Put in place by the build; see build/web.mjs. */
declare const __APP__: boolean;
declare const __EMBEDDED__: boolean;

type Place = NonNullable<PostList['place']>;

export const articlesOf = (feed: HTMLElement | null): readonly HTMLElement[] => [
  ...(feed?.querySelectorAll<HTMLElement>('[data-key]') ?? []),
];

export const articleOf = (feed: HTMLElement | null, key: string): HTMLElement | null =>
  feed?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`) ?? null;

/** How far a post stands from where it stood, px; null when it is not drawn. */
export function distanceFrom({ key, offset }: Place, feed: HTMLElement | null): number | null {
  const article = articleOf(feed, key);
  return article && article.getBoundingClientRect().top - offset;
}

/** Scrolls along with what moved by so many px, at once. */
export function scrollAlong(px: number): void {
  if (Math.abs(px) >= 0.5) window.scrollBy({ top: px, behavior: 'instant' });
}

/** Brings a post back to where it stood; false when it is not drawn. */
export function restore(feed: HTMLElement | null, place: Place): boolean {
  const distance = distanceFrom(place, feed);
  if (distance !== null) scrollAlong(distance);
  return distance !== null;
}

/** A list that is shown, and where its reader was when he left it; undefined until that is known. */
export interface Return {
  readonly list: PostList;
  place: Place | null | undefined;
  /** The address where the list is shown: it is still there for a moment when the history has gone on. */
  at?: string;
}

/** Finds out, once, where the reader returns to; `own` says that the history is ours, and not a foreign page's. */
export function findReturn(back: Return, own: boolean): void {
  if (back.place !== undefined) return;
  const { list } = back;
  back.at = address();
  if (__APP__ && own) list.place = readPlace();
  back.place = own || (__EMBEDDED__ && takeReturn()) ? list.place : null;
}

/** Brings the reader back to where he was, before anything is painted. */
export function usePlace(
  feed: RefObject<HTMLElement | null>,
  back: Return,
  state: PostListState,
  leaves: Leaves,
  own: boolean,
): void {
  const posts = state.type === 'loaded' ? state.posts : null;
  // What is kept on the device may not reach so far as the answer that is on its way, nor the posts that can be drawn already.
  const isAll = state.type === 'loaded' && state.kept === null && state.older !== 'loading';

  useLayoutEffect(() => {
    findReturn(back, own);
    const { place } = back;
    if (!place || posts === null) return;
    const box = leaves.boxOf(place.key);
    if (box !== undefined || isAll) back.place = null;
    if (box === undefined) return;
    const bring = () => restore(feed.current, place);
    if (!bring()) leaves.send(box, null);
    queueMicrotask(bring);
  }, [feed, posts, back, leaves, isAll, own]);
}
