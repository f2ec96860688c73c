import { type RefObject, useEffect, useState } from 'react';
import { AnyIcon } from '../../components/icons/AnyIcon.tsx';
import { postKey } from '../../data/model/post-key.ts';
import type { PostList, PostListState } from '../../data/model/types.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { articleOf, mountGroup } from '../post-list/post-elements.ts';
import { groupsOf } from '../post-list/post-groups.ts';
import { dividerIndex, isUnread, type VisitReadMarkers } from '../post-list/read-progress.ts';

interface ResumeButtonProps {
  readonly page: RefObject<HTMLElement | null>;
  readonly list: PostList;
  readonly state: PostListState;
  readonly visitMarks: VisitReadMarkers | null;
}

/** Maximum number of pages to load to reach the last-read position: some thousand posts. */
const MAX_PAGES = 50;
/** Distance from the top of the window to the divider beyond which the button is shown, in window heights. */
const FAR_SCREENS = 1.2;
/** Extends the observed area above the window without a practical limit, px. */
const TOP_MARGIN_PX = 1_000_000;

/**
 * Resume button: scrolls to the divider below the new posts. It is shown while the divider is more than a screen below.
 */
export function ResumeButton({ page, list, state, visitMarks }: ResumeButtonProps) {
  const { msg } = useMsg();
  const posts = state.type === 'loaded' ? state.posts : [];
  const atEnd = state.type === 'loaded' && state.older === 'end';
  const divider = visitMarks === null ? null : dividerIndex(posts, visitMarks, atEnd);
  // The index of the divider is not known yet: it is below the loaded posts.
  const isPending = visitMarks !== null && divider === null && posts.some((post) => isUnread(post, visitMarks.readMarkers));
  const postBelow = divider === null ? undefined : posts[divider];
  const isFar = useIsFarBelow(list, postBelow === undefined ? null : postKey(postBelow), isPending);
  const [busy, setBusy] = useState(false);
  if (!isFar) return null;
  const jump = async () => {
    setBusy(true);
    if (visitMarks !== null) await loadUntilDivider(list, visitMarks);
    setBusy(false);
    requestAnimationFrame(() => visitMarks !== null && goToDivider(list, visitMarks, page.current));
  };
  return (
    <div className="float">
      <button type="button" className="pill" disabled={busy} onClick={() => void jump()}>
        {msg('Continue where you left off')}
        <AnyIcon name="down" small />
      </button>
    </div>
  );
}

async function loadUntilDivider(list: PostList, visitMarks: VisitReadMarkers): Promise<void> {
  for (let page = 0; page < MAX_PAGES; page++) {
    const state = list.get();
    if (state.type !== 'loaded' || state.older === 'end' || state.older === 'failed') return;
    if (dividerIndex(state.posts, visitMarks, false) !== null) return;
    await list.loadOlder();
  }
}

/** Focuses the last new post. The groups around the divider are rendered first, so that both are in view. */
function goToDivider(list: PostList, visitMarks: VisitReadMarkers, page: HTMLElement | null): void {
  const state = list.get();
  if (state.type !== 'loaded') return;
  const index = dividerIndex(state.posts, visitMarks, state.older === 'end');
  if (index === null) return;
  const postGroups = groupsOf(list);
  for (const post of state.posts.slice(index - 1, index + 1)) mountGroup(postGroups, postGroups.elementOf(postKey(post)));
  page?.querySelector('.divider')?.scrollIntoView({ block: 'center' });
  const lastNewPost = state.posts[index - 1];
  if (lastNewPost !== undefined) articleOf(page, postKey(lastNewPost))?.focus({ preventScroll: true });
}

/**
 * Returns true if the divider is below the window by more than the limit. `keyBelow` is the key of the post below the
 * divider; null if there is no such post, and then the result is `isPending`.
 */
function useIsFarBelow(list: PostList, keyBelow: string | null, isPending: boolean): boolean {
  const [isFar, setFar] = useState(false);
  useEffect(() => {
    if (keyBelow === null) return setFar(isPending);
    const postGroups = groupsOf(list);
    const observer = new IntersectionObserver(
      ([entry]) => entry !== undefined && setFar(!entry.isIntersecting && entry.boundingClientRect.top > 0),
      { rootMargin: `${TOP_MARGIN_PX}px 0px ${(FAR_SCREENS - 1) * 100}% 0px` },
    );
    const unsubscribe = postGroups.onRender((element) => {
      if (element !== postGroups.elementOf(keyBelow)) return;
      observer.disconnect();
      observer.observe(element.querySelector('.divider') ?? element);
    });
    return () => {
      unsubscribe();
      observer.disconnect();
    };
  }, [list, keyBelow, isPending]);
  return isFar;
}
