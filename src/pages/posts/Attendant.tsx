import { type RefObject, useRef } from 'react';
import type { MutedWords, PostList, PostListState } from '../../channels/types.ts';
import { useServices } from '../services.ts';
import { useFeedKeys } from './feed-keys.ts';
import type { Leaves } from './leaves.ts';
import { useReadingKeys } from './reading-keys.ts';
import { useAway } from './use-away.ts';
import { useSeen } from './use-seen.ts';
import { useStill } from './use-still.ts';
import type { ToastContent } from './use-toast.ts';

interface AttendantProps {
  readonly feed: RefObject<HTMLElement | null>;
  readonly list: PostList;
  readonly state: PostListState;
  readonly leaves: Leaves;
  /** Given where something else is drawn of the posts: what acts on a post does not act. */
  readonly draws: unknown;
  readonly reads: boolean;
  readonly hides: MutedWords | null;
  show(toast: ToastContent): void;
}

/**
 * Follows the reader: moves him from post to post, holds still what he looks at, sends away what is far from him, notes what
 * was seen. A chunk of its own, which comes when the first posts stand; shows nothing.
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
