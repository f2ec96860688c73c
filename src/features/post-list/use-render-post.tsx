import { Fragment, type ReactNode, useMemo } from 'react';
import type { Channel } from '../../../contract/channel.ts';
import type { Post as PostData } from '../../../contract/post.ts';
import { CommonChunk } from '../../components/lazy-chunks/lazy-chunks.tsx';
import { Post } from '../../components/post/Post.tsx';
import type { PostActionHandlers } from '../../components/post/types.ts';
import type { HighlightFinder } from '../../components/rich-text/highlight.ts';
import { useServices } from '../../context/services.ts';
import { postKey } from '../../data/model/post-key.ts';
import type { PostListState } from '../../data/model/types.ts';
import { useNow } from '../../hooks/use-now.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { isSameDay } from '../../i18n/format.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { LazyPostRow } from './lazy-components.tsx';
import { dividerIndex, isUnread, type VisitReadMarkers } from './read-progress.ts';

type LoadedState = Extract<PostListState, { type: 'loaded' }>;

/** Appearance of the posts of a list. */
export interface PostAppearance {
  readonly head: 'channel' | 'plain';
  /** Read markers at the reader's arrival, for the divider; null for a list without a divider. */
  readonly visitMarks: VisitReadMarkers | null;
  /** Returns the ranges of a text to highlight. */
  readonly findHighlights?: HighlightFinder | undefined;
  /** Key of the post that the URL names. */
  readonly targetPostKey?: string | undefined;
  /** True if the posts are consecutive, so that a gap between two of them is shown. */
  readonly showGaps?: boolean | undefined;
}

interface RenderPostOptions extends PostAppearance {
  readonly state: LoadedState;
  readonly actions: PostActionHandlers;
  /** True if only the titles are shown. */
  readonly isCompact: boolean;
  /** True if a heading is shown where the day changes. */
  readonly hasDays: boolean | undefined;
}

/** Returns the function that renders the post at an index of a list, with the divider above it and the gap below it. */
export function useRenderPost({
  head,
  visitMarks,
  findHighlights,
  targetPostKey,
  showGaps,
  state,
  actions,
  isCompact,
  hasDays,
}: RenderPostOptions): (post: PostData, index: number) => ReactNode {
  const { dataClient, environment } = useServices();
  const m = useMsg();
  const now = useNow();
  const readMarkers = useSignalValue(dataClient.readMarkers);
  const stars = useSignalValue(dataClient.stars);
  const keptUnread = useSignalValue(dataClient.keptUnread);
  const dialNumbers = useDialNumbers();
  const dividerPosition = visitMarks === null ? null : dividerIndex(state.posts, visitMarks, state.older === 'end');
  const listLength = state.older === 'end' && state.newer === 'end' ? state.posts.length : -1;
  const PostComponent = isCompact ? LazyPostRow : Post;
  return (post, index) => {
    const key = postKey(post);
    const startsDay = hasDays && !isSameDay(state.posts[index - 1]?.date, post.date);
    return (
      <Fragment key={key}>
        {index === dividerPosition && <p className="divider">{m.msg('You left off here')}</p>}
        <PostComponent
          {...{ post, now, actions, findHighlights, listLength }}
          channel={channelOfPost(state.channels, post)}
          headerStyle={key === targetPostKey ? 'channel' : head}
          linkContext={environment}
          number={environment.embedded ? null : (dialNumbers.get(post.channelId) ?? null)}
          unread={isUnread(post, readMarkers) || keptUnread.has(key)}
          starred={stars.has(key)}
          position={index + 1}
          isUrlTarget={key === targetPostKey}
          day={startsDay && m.dayName(post.date, now)}
        />
        {showGaps && post.gap !== undefined && (
          <CommonChunk fallback={false}>{(chunk) => <chunk.MissingPosts count={post.gap} />}</CommonChunk>
        )}
      </Fragment>
    );
  };
}

/** Returns the numbers on the dial by channel id. */
function useDialNumbers(): ReadonlyMap<string, number | null> {
  const lineup = useSignalValue(useServices().dataClient.lineup);
  return useMemo(
    () => new Map(lineup.type === 'loaded' ? lineup.value.map((row) => [row.channel.id, row.number] as const) : []),
    [lineup],
  );
}

/** Returns a post's channel; a placeholder if no response contained it. */
export const channelOfPost = (channels: LoadedState['channels'], { channelId: id }: PostData): Channel =>
  channels.get(id) ?? { id, title: id, source: 'export', state: 'live', private: false, demo: false };
