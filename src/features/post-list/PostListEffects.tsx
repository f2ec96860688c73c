import { type RefObject, useRef } from 'react';
import { useServices } from '../../context/services.ts';
import type { MutedWords, PostList, PostListState } from '../../data/model/types.ts';
import type { ToastContent } from '../../hooks/use-toast.ts';
import type { Leaves } from './post-groups.ts';
import { useReadingKeys } from './reading-shortcuts.ts';
import { useFeedKeys } from './use-feed-keyboard.ts';
import { useSeen } from './use-read-tracking.ts';
import { useStill } from './use-scroll-anchoring.ts';
import { useAway } from './use-virtual-groups.ts';

interface AttendantProps {
  readonly feed: RefObject<HTMLElement | null>;
  readonly list: PostList;
  readonly state: PostListState;
  readonly leaves: Leaves;
  /** Set if another view of the posts is rendered: the keys and the virtualization of posts are then inactive. */
  readonly draws: unknown;
  readonly reads: boolean;
  readonly hides: MutedWords | null;
  show(toast: ToastContent): void;
}

/**
 * Post list effects: moves the reader from post to post by keys, anchors the scroll position, unmounts distant chunks, and
 * tracks read posts. A separate chunk, which loads after the first posts are mounted; renders nothing.
 */
export function Attendant({ feed, list, state, leaves, draws, reads, hides, show }: AttendantProps) {
  const { site } = useServices();
  const none = useRef<HTMLElement>(null);
  const stream = draws === undefined ? feed : none;
  useFeedKeys(stream, leaves, !site.embedded);
  useReadingKeys({ feed: stream, list, state, leaves, show });
  useStill(feed, list, state, !site.embedded);
  useAway(stream, leaves);
  useSeen(list, leaves, reads, hides);
  return null;
}
