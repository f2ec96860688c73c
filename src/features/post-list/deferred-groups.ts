/*
 * Deferred groups: a page that is already visible as a prerendered page renders only the posts in and near the window at
 * first. The other groups are placeholders with the height that they have in the prerendered page
 * (src/app/inline/group-heights.ts). They are rendered one after the other when the browser is idle.
 */
import { startTransition, useEffect } from 'react';
import type { Post } from '../../../contract/post.ts';
import { postKey } from '../../data/model/post-key.ts';
import { whenIdle } from '../../lib/when-idle.ts';
import type { PostGroupData, PostGroups } from './post-groups.ts';

/** Set by the build; see build/app-bundle.mjs. */
declare const __APP__: boolean;

/**
 * Reads the groups of a prerendered page. Returns a function that returns the height of a deferred group, px; null for a group
 * that must be rendered at once. Call it in the order of the list.
 */
export function readDeferredHeights(root: ShadowRoot | null | undefined): (group: PostGroupData) => number | null {
  const articles = new Map(
    [...(root?.querySelectorAll<HTMLElement>('article') ?? [])].map((found) => [found.dataset.key, found]),
  );
  /** Sums over the groups of the prerendered page so far. */
  let [height, postCount] = [0, 0];
  return ({ posts }) => {
    const found = articles.get(postKey(posts[0] as Post))?.parentElement;
    const { height: measured, far } = found?.dataset ?? {};
    if (!found || measured === undefined) return postCount === 0 ? null : (height / postCount) * posts.length;
    height += Number(measured);
    postCount += found.childElementCount;
    if (far === undefined) return null;
    return found.childElementCount === posts.length ? Number(measured) : (height / postCount) * posts.length;
  };
}

/** Renders the deferred groups, one each time the browser is idle. */
function useIdleRendering(postGroups: PostGroups): void {
  useEffect(() => {
    let isStopped = false;
    const renderNext = async (): Promise<void> => {
      await whenIdle();
      const group = postGroups.nextDeferred();
      if (isStopped || group === undefined) return;
      startTransition(() => postGroups.setPlaceholderHeight(group, null));
      void renderNext();
    };
    void renderNext();
    return () => {
      isStopped = true;
    };
  }, [postGroups]);
}

/** Renders the deferred groups of a list of the app. Does nothing in a tag. */
export function useDeferredGroups(postGroups: PostGroups): void {
  const useRendering = __APP__ ? useIdleRendering : () => {};
  useRendering(postGroups);
}
