import { useLayoutEffect } from 'react';
import type { PostList } from '../../data/model/types.ts';
import { articlesOf } from './post-elements.ts';

/** Number of visible posts recorded as anchors: some of them may be removed, and the first that remains keeps its position. */
const MAX_ANCHORS = 5;

interface AnchorSnapshot {
  /** Posts from the first visible one on, and the top of each, px. */
  readonly inSight: readonly (readonly [article: HTMLElement, top: number])[];
  /** Post that had the focus, and its index in the list. */
  readonly focused: readonly [article: HTMLElement, at: number] | null;
}

/**
 * Removal anchoring: when a post is removed, the posts after it keep their position, and the next one receives the focus if the
 * removed post had it.
 */
export function useRemovalAnchoring(feed: { readonly current: HTMLElement | null }, list: PostList): void {
  useLayoutEffect(() => {
    let before: AnchorSnapshot | null = null;
    let frame = 0;
    const settle = () => {
      if (before !== null) restoreSnapshot(before, articlesOf(feed.current));
      before = null;
    };
    // The subscriber runs before React renders the change, and the render completes before the next frame.
    const stop = list.subscribe(() => {
      before ??= takeSnapshot(articlesOf(feed.current));
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(settle);
    });
    return () => {
      stop();
      cancelAnimationFrame(frame);
    };
  }, [feed, list]);
}

function takeSnapshot(articles: readonly HTMLElement[]): AnchorSnapshot {
  const first = articles.findIndex((article) => article.getBoundingClientRect().bottom > 0);
  const at = articles.findIndex((article) => article.matches(':focus-within'));
  const focused = articles[at];
  return {
    inSight: articles.slice(first, first + MAX_ANCHORS).map((article) => [article, article.getBoundingClientRect().top]),
    focused: focused === undefined ? null : [focused, at],
  };
}

function restoreSnapshot({ inSight, focused }: AnchorSnapshot, articles: readonly HTMLElement[]): void {
  const [first] = inSight;
  const stays = inSight.find(([article]) => article.isConnected);
  if (first !== stays && stays !== undefined && window.scrollY > 0) {
    const [article, top] = stays;
    window.scrollBy({ top: article.getBoundingClientRect().top - top, behavior: 'instant' });
  }
  if (focused === null || focused[0].isConnected) return;
  (articles[focused[1]] ?? articles.at(-1))?.focus({ preventScroll: true });
}
