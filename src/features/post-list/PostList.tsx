import {
  Fragment,
  type ReactNode,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import type { Channel } from '../../../contract/channel.ts';
import type { Post as PostData } from '../../../contract/post.ts';
import { focusSuccessor } from '../../components/focus/focus-successor.ts';
import { CommonChunk } from '../../components/lazy-chunks/lazy-chunks.tsx';
import { Post } from '../../components/post/Post.tsx';
import type { PostActionHandlers } from '../../components/post/types.ts';
import type { HighlightFinder } from '../../components/rich-text/highlight.ts';
import { ErrorState, PostSkeletons } from '../../components/States.tsx';
import { useServices } from '../../context/services.ts';
import { postKey } from '../../data/model/post-key.ts';
import type { MutedWordsFilter, PostList, PostListState } from '../../data/model/types.ts';
import { useLazyComponent } from '../../hooks/use-lazy-component.ts';
import { useNow } from '../../hooks/use-now.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import type { ToastContent } from '../../hooks/use-toast.ts';
import { isSameDay } from '../../i18n/format.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { createSignal } from '../../lib/signal.ts';
import { LazyMediaViewer, LazyPostMenu, LazyPostRow, LazyRowStyle } from './lazy-components.tsx';
import { PostGroup, RenderGroupContext } from './PostGroup.tsx';
import { createPostGroups, groupsOf, type ListView, type PostGroupData, type PostGroups } from './post-groups.ts';
import { dividerIndex, isUnread, type VisitMarks } from './read-progress.ts';
import { useLoadMore } from './use-load-more.ts';
import { usePostActions } from './use-post-actions.ts';
import { initScrollRestoration, type ScrollRestoration, useSaveScroll, useScrollRestoration } from './use-scroll-restoration.ts';

/** Set by the build: false in the bundle of the tags, whose lists have no compact rows and whose posts no menu. */
declare const __APP__: boolean;

const loadPostListEffects = () => import('./PostListEffects.tsx').then((module) => module.PostListEffects);

const NO_NEW_POSTS = createSignal(null);
const FULL_POSTS = createSignal<ListView>('posts');

interface PostListViewProps {
  readonly list: PostList;
  readonly state: PostListState;
  readonly label: string;
  readonly head: 'channel' | 'plain';
  /** Shown if the list has no posts. */
  readonly empty: ReactNode;
  /** Shown above the posts; hidden while they load. */
  readonly notices?: ReactNode;
  /** True if readers who chose titles see only the titles in this list. */
  readonly compact?: boolean | undefined;
  /** Channels of the list, if it holds all their posts; otherwise the channels that the responses contain are used. */
  readonly among?: readonly Channel[] | null | undefined;
  /** Read markers at the reader's arrival, for the divider; null for a list without a divider. */
  readonly visitMarks: VisitMarks | null;
  /** Returns the ranges of a text to highlight. */
  readonly findHighlights?: HighlightFinder | undefined;
  /** Key of the post that the URL names. */
  readonly named?: string | undefined;
  /** True if visible posts count as read. */
  readonly tracksReading: boolean;
  /**
   * Matches the posts that the reader's muted words hide. They are not in the list, do not count as new, and do not stop the
   * read marker.
   */
  readonly isMuted?: MutedWordsFilter | null | undefined;
  /** True if the posts are consecutive, so that a gap between two of them is shown. */
  readonly showGaps?: boolean | undefined;
  /** True if the posts are in order of date: a heading is shown where the day changes. */
  readonly showDays?: boolean | undefined;
  /** Renders another view of the posts in place of the feed. */
  readonly renderPosts?: ((props: RenderPostsProps) => ReactNode) | undefined;
  show(toast: ToastContent): void;
}

/** Post list: posts as an ARIA feed that loads more at its ends, keeps its scroll position and moves the read markers. */
export function PostListView(props: PostListViewProps) {
  const { list, state, compact } = props;
  const { environment } = useServices();
  const view = useSignalValue((__APP__ && compact && environment.appearance?.listView) || FULL_POSTS);
  const restoration = useMemo<ScrollRestoration>(() => ({ list, anchor: undefined }), [list]);
  // Before the list is requested: it starts at the reader's last position.
  useLayoutEffect(() => initScrollRestoration(restoration, !environment.embedded), [restoration, environment]);
  switch (state.type) {
    case 'loading':
      return <PostSkeletons plain={props.head === 'plain'} />;
    case 'failed':
      return <ErrorState failure={state} onRetry={() => void list.refresh()} />;
    case 'loaded':
      break;
  }
  if (state.posts.length === 0 && state.older !== 'loading')
    return (
      <>
        {props.notices}
        {props.empty}
      </>
    );
  const content = <LoadedPostList key={view} {...props} {...{ state, restoration, view }} />;
  if (view === 'posts') return content;
  return <Suspense fallback={<PostSkeletons plain={props.head === 'plain'} />}>{content}</Suspense>;
}

type LoadedState = Extract<PostListState, { type: 'loaded' }>;

/** Properties of another view of the posts. Each child of `feed` names its post by `data-key`. */
export interface RenderPostsProps {
  readonly feed: RefObject<HTMLElement | null>;
  readonly state: LoadedState;
  readonly postGroups: PostGroups;
  readonly groups: readonly PostGroupData[];
  readonly actions: PostActionHandlers;
}

function LoadedPostList({
  list,
  restoration,
  state,
  label,
  head,
  notices,
  among,
  visitMarks,
  findHighlights,
  named,
  tracksReading,
  isMuted = null,
  showGaps,
  showDays,
  renderPosts,
  view,
  show,
}: PostListViewProps & { readonly state: LoadedState; readonly restoration: ScrollRestoration; readonly view: ListView }) {
  const { dataClient, environment } = useServices();
  const m = useMsg();
  const { msg } = m;
  const now = useNow();
  const feed = useRef<HTMLElement>(null);
  const readMarkers = useSignalValue(dataClient.readMarkers);
  const stars = useSignalValue(dataClient.stars);
  const keptUnread = useSignalValue(dataClient.keptUnread);
  const newPosts = useSignalValue(dataClient.newPosts ?? NO_NEW_POSTS);
  const numbers = useDialNumbers();
  const channelsRef = useRef(state.channels);
  useEffect(() => {
    channelsRef.current = state.channels;
  });
  const postGroups = useMemo(() => (environment.embedded ? createPostGroups() : groupsOf(list, view)), [environment, list, view]);
  const { actions, viewed, closeViewer, menu, closeMenu } = usePostActions(
    useCallback((post: PostData) => channelOfPost(channelsRef.current, post), []),
    show,
    postGroups,
  );
  const groups = useMemo(() => postGroups.divide(state.posts), [postGroups, state.posts]);
  useScrollRestoration(feed, restoration, state, postGroups, !environment.embedded);
  useSaveScroll(feed, restoration, !environment.embedded);
  const Effects = useLazyComponent(loadPostListEffects, true);
  const dividerPosition = visitMarks === null ? null : dividerIndex(state.posts, visitMarks, state.older === 'end');
  const size = state.older === 'end' && state.newer === 'end' ? state.posts.length : -1;
  const isCompact = __APP__ && view === 'titles';
  const PostComponent = isCompact ? LazyPostRow : Post;
  const hasDays = showDays && !environment.embedded;
  const renderPost = (post: PostData, index: number) => {
    const key = postKey(post);
    const startsDay = hasDays && !isSameDay(state.posts[index - 1]?.date, post.date);
    return (
      <Fragment key={key}>
        {index === dividerPosition && <p className="divider">{msg('You left off here')}</p>}
        <PostComponent
          {...{ post, now, actions, findHighlights, size }}
          channel={channelOfPost(state.channels, post)}
          head={key === named ? 'channel' : head}
          linkContext={environment}
          number={environment.embedded ? null : (numbers.get(post.channelId) ?? null)}
          unread={isUnread(post, readMarkers) || keptUnread.has(key)}
          starred={stars.has(key)}
          position={index + 1}
          named={key === named}
          day={startsDay && m.dayName(post.date, now)}
        />
        {showGaps && post.gap !== undefined && (
          <CommonChunk fallback={false}>{(chunk) => <chunk.MissingPosts count={post.gap} />}</CommonChunk>
        )}
      </Fragment>
    );
  };
  return (
    <>
      {isCompact && <LazyRowStyle />}
      {notices}
      {newPosts !== null && <newPosts.View {...{ fresh: newPosts, list, feed, hides: isMuted }} />}
      <ListEdge end="newer" list={list} state={state} isBlocked={Effects === null} />
      {__APP__ && renderPosts ? (
        renderPosts({ feed, state, postGroups, groups, actions })
      ) : (
        <div
          ref={feed as RefObject<HTMLDivElement | null>}
          className="stream"
          role="feed"
          aria-label={label}
          data-days={hasDays || undefined}
          aria-busy={state.older === 'loading' || state.newer === 'loading'}
        >
          <RenderGroupContext
            value={(group: PostGroupData) => group.posts.map((post, index) => renderPost(post, group.start + index))}
          >
            {groups.map((group) => (
              <PostGroup key={group.id} {...{ group, postGroups }} />
            ))}
          </RenderGroupContext>
        </div>
      )}
      <ListEdge end="older" list={list} state={state} />
      {Effects !== null && (
        <Effects
          {...{ feed, list, state, postGroups, isMuted, show }}
          renderPosts={renderPosts}
          tracksReading={tracksReading && !isCompact}
        />
      )}
      {__APP__ && menu !== null && (
        <Suspense>
          <LazyPostMenu
            {...menu}
            {...{ list, show }}
            channel={channelOfPost(state.channels, menu.post)}
            among={among ?? [...state.channels.values()]}
            hasAllPosts={tracksReading}
            onClose={closeMenu}
          />
        </Suspense>
      )}
      {viewed !== null && (
        <Suspense>
          <LazyMediaViewer viewed={viewed} withPostLink={renderPosts} onClose={closeViewer} />
        </Suspense>
      )}
    </>
  );
}

interface ListEdgeProps {
  readonly end: 'older' | 'newer';
  readonly list: PostList;
  readonly state: LoadedState;
  /** True until the code that anchors the scroll position is loaded: posts that load above must not move the visible ones. */
  readonly isBlocked?: boolean;
}

const firstPostFocusSuccessor = focusSuccessor(['.stream article']);
const lastPostFocusSuccessor = focusSuccessor(['.leaf:last-child > article:last-of-type']);

/** End of the list: loads more posts when it is near the window, and shows a button if that fails. */
function ListEdge({ end, list, state, isBlocked }: ListEdgeProps) {
  const { msg } = useMsg();
  const isOnline = useSignalValue(useServices().dataClient.connectivity) === 'online';
  const edge = useRef<HTMLDivElement>(null);
  const loadMore = useCallback(() => (end === 'older' ? list.loadOlder() : list.loadNewer()), [end, list]);
  const status = state[end];
  useLoadMore(edge, isBlocked ? 'loading' : status, state.posts.length, loadMore);
  if (status === 'end')
    return end === 'older' && state.posts.length > 8 ? <p className="edge">{msg('That is all there is.')}</p> : null;
  return (
    <div ref={edge} className="edge">
      {status === 'failed' ? (
        <button
          ref={end === 'older' ? lastPostFocusSuccessor : firstPostFocusSuccessor}
          type="button"
          className="button quiet"
          onClick={() => void loadMore()}
        >
          {isOnline ? msg('Could not load more. Try again') : msg('No more posts on this device. Try again')}
        </button>
      ) : (
        <span className="bone" aria-hidden="true" />
      )}
    </div>
  );
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
const channelOfPost = (channels: LoadedState['channels'], { channelId: id }: PostData): Channel =>
  channels.get(id) ?? { id, title: id, source: 'export', state: 'live', private: false, demo: false };
