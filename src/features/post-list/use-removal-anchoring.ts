import { useLayoutEffect } from 'react';
import type { PostList } from '../../data/model/types.ts';
import { articlesOf } from './post-elements.ts';

/** Number of visible posts recorded as anchors: some may be removed, and the first that remains keeps its position. */
const MAX_ANCHORS = 5;

interface AnchorSnapshot {
  /** Posts from the first visible one on, and the top of each, px. */
  readonly anchors: readonly (readonly [article: HTMLElement, top: number])[];
  /** Post that had the focus, and its index in the list. */
  readonly focused: readonly [article: HTMLElement, index: number] | null;
}

/**
 * Removal anchoring: when a post is removed, the posts after it keep their position, and the next one receives the
 * focus if the removed post had it.
 */
export function useRemovalAnchoring(feed: { readonly current: HTMLElement | null }, list: PostList): void {
  useLayoutEffect(() => {
    let snapshot: AnchorSnapshot | null = null;
    let frame = 0;
    const restore = () => {
      if (snapshot !== null) restoreSnapshot(snapshot, articlesOf(feed.current));
      snapshot = null;
    };
    // The subscriber runs before React renders the change, and the render completes before the next frame.
    const unsubscribe = list.subscribe(() => {
      snapshot ??= takeSnapshot(articlesOf(feed.current));
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(restore);
    });
    return () => {
      unsubscribe();
      cancelAnimationFrame(frame);
    };
  }, [feed, list]);
}

function takeSnapshot(articles: readonly HTMLElement[]): AnchorSnapshot {
  const firstVisible = articles.findIndex((article) => article.getBoundingClientRect().bottom > 0);
  const focusedIndex = articles.findIndex((article) => article.matches(':focus-within'));
  const focused = articles[focusedIndex];
  return {
    anchors: articles
      .slice(firstVisible, firstVisible + MAX_ANCHORS)
      .map((article) => [article, article.getBoundingClientRect().top]),
    focused: focused === undefined ? null : [focused, focusedIndex],
  };
}

function restoreSnapshot({ anchors, focused }: AnchorSnapshot, articles: readonly HTMLElement[]): void {
  const [firstAnchor] = anchors;
  const anchor = anchors.find(([article]) => article.isConnected);
  if (firstAnchor !== anchor && anchor !== undefined && window.scrollY > 0) {
    const [article, top] = anchor;
    window.scrollBy({ top: article.getBoundingClientRect().top - top, behavior: 'instant' });
  }
  if (focused === null) return;
  const [focusedArticle, focusedIndex] = focused;
  if (!focusedArticle.isConnected) (articles[focusedIndex] ?? articles.at(-1))?.focus({ preventScroll: true });
}
