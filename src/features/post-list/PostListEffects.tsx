import { type RefObject, useRef } from 'react';
import { useServices } from '../../context/services.ts';
import type { MutedWordsFilter, PostList, PostListState } from '../../data/model/types.ts';
import type { ToastContent } from '../../hooks/use-toast.ts';
import type { PostGroups } from './post-groups.ts';
import { useReadingShortcuts } from './reading-shortcuts.ts';
import { useFeedKeyboard } from './use-feed-keyboard.ts';
import { useReadTracking } from './use-read-tracking.ts';
import { useScrollAnchoring } from './use-scroll-anchoring.ts';
import { useVirtualGroups } from './use-virtual-groups.ts';

interface PostListEffectsProps {
  readonly feed: RefObject<HTMLElement | null>;
  readonly list: PostList;
  readonly state: PostListState;
  readonly postGroups: PostGroups;
  /** Set if another view of the posts is rendered: the keys and the virtualization of posts are then inactive. */
  readonly renderPosts: unknown;
  readonly tracksReading: boolean;
  readonly isMuted: MutedWordsFilter | null;
  show(toast: ToastContent): void;
}

/**
 * Post list effects: moves the reader from post to post by keys, anchors the scroll position, unmounts distant groups,
 * and tracks read posts. A separate JavaScript chunk, which loads after the first posts are mounted; renders nothing.
 */
export function PostListEffects({
  feed,
  list,
  state,
  postGroups,
  renderPosts,
  tracksReading,
  isMuted,
  show,
}: PostListEffectsProps) {
  const { environment } = useServices();
  const noFeed = useRef<HTMLElement>(null);
  const postFeed = renderPosts === undefined ? feed : noFeed;
  useFeedKeyboard(postFeed, postGroups, !environment.embedded);
  useReadingShortcuts({ feed: postFeed, list, state, postGroups, show });
  useScrollAnchoring(feed, list, state, !environment.embedded);
  useVirtualGroups(postFeed, postGroups);
  useReadTracking(list, postGroups, tracksReading, isMuted);
  return null;
}
