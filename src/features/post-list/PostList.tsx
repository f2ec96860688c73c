import { type ReactNode, type RefObject, Suspense, useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import type { Channel } from '../../../contract/channel.ts';
import type { Post as PostData } from '../../../contract/post.ts';
import type { PostActionHandlers } from '../../components/post/types.ts';
import { ErrorState, PostSkeletons } from '../../components/States.tsx';
import { useServices } from '../../context/services.ts';
import type { MutedWordsFilter, PostList, PostListState } from '../../data/model/types.ts';
import { useFirstContentInSlices } from '../../hooks/use-first-content-in-slices.ts';
import { useLazyComponent } from '../../hooks/use-lazy-component.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import type { ToastContent } from '../../hooks/use-toast.ts';
import { createSignal } from '../../lib/signal.ts';
import { readDeferredHeights, useDeferredGroups } from './deferred-groups.ts';
import { ListEdge } from './ListEdge.tsx';
import { LazyMediaViewer, LazyPostMenu, LazyRowStyle } from './lazy-components.tsx';
import { PostGroup, RenderGroupContext } from './PostGroup.tsx';
import { createPostGroups, groupsOf, type ListView, type PostGroupData, type PostGroups } from './post-groups.ts';
import { usePostActions } from './use-post-actions.ts';
import { channelOfPost, type PostAppearance, useRenderPost } from './use-render-post.tsx';
import { initScrollRestoration, type ScrollRestoration, useSaveScroll, useScrollRestoration } from './use-scroll-restoration.ts';

/** Set by the build: false in the bundle of the tags, whose lists have no compact rows and whose posts no menu. */
declare const __APP__: boolean;

const loadPostListEffects = () => import('./PostListEffects.tsx').then((module) => module.PostListEffects);

const NO_NEW_POSTS = createSignal(null);
const FULL_POSTS = createSignal<ListView>('posts');

interface PostListViewProps extends PostAppearance {
  readonly list: PostList;
  readonly state: PostListState;
  readonly label: string;
  /** Shown if the list has no posts. */
  readonly empty: ReactNode;
  /** Shown above the posts; hidden while they load. */
  readonly notices?: ReactNode;
  /** True if this list shows only titles to readers who chose titles. */
  readonly compact?: boolean | undefined;
  /**
   * Channels of the list, if it contains all their posts; otherwise the channels that the responses contain are used.
   */
  readonly among?: readonly Channel[] | null | undefined;
  /** True if visible posts count as read. */
  readonly tracksReading: boolean;
  /**
   * Matches the posts that the reader's muted words hide. They are not in the list, do not count as new, and do not
   * stop the read marker.
   */
  readonly isMuted?: MutedWordsFilter | null | undefined;
  /** True if the posts are in order of date: a heading is shown where the day changes. */
  readonly showDays?: boolean | undefined;
  /** Renders another view of the posts in place of the feed. */
  readonly renderPosts?: ((props: RenderPostsProps) => ReactNode) | undefined;
  show(toast: ToastContent): void;
}

/**
 * Post list: posts as an ARIA feed that loads more at its ends, keeps its scroll position and moves the read markers.
 */
export function PostListView(props: PostListViewProps) {
  const { list, compact } = props;
  const { environment } = useServices();
  const state = useFirstContentInSlices(props.state);
  const view = useSignalValue((__APP__ && compact && environment.appearance?.listView) || FULL_POSTS);
  const restoration = useMemo<ScrollRestoration>(() => ({ list, anchor: undefined }), [list]);
  // Runs before the list is requested, because the list starts at the reader's last position.
  useLayoutEffect(() => initScrollRestoration(restoration, !environment.embedded), [restoration, environment]);
  switch (state.type) {
    case 'loading':
      return <PostSkeletons withoutHeader={props.head === 'plain'} />;
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
  if (!__APP__ || view === 'posts') return content;
  return <Suspense fallback={<PostSkeletons withoutHeader={props.head === 'plain'} />}>{content}</Suspense>;
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

interface LoadedPostListProps extends PostListViewProps {
  readonly state: LoadedState;
  readonly restoration: ScrollRestoration;
  readonly view: ListView;
}

function LoadedPostList(props: LoadedPostListProps) {
  const { list, restoration, state, label, notices, tracksReading, isMuted = null, showDays, renderPosts, view, show } = props;
  const { dataClient, environment } = useServices();
  const feed = useRef<HTMLElement>(null);
  const newPosts = useSignalValue(dataClient.newPosts ?? NO_NEW_POSTS);
  const postGroups = useMemo(
    () =>
      __APP__ && !environment.embedded
        ? groupsOf(list, view, readDeferredHeights(environment.prerenderedRoot?.()))
        : createPostGroups(),
    [environment, list, view],
  );
  const { actions, ...overlays } = usePostActions(useChannelOf(state), show, postGroups);
  const groups = useMemo(() => postGroups.divide(state.posts), [postGroups, state.posts]);
  useDeferredGroups(postGroups);
  useScrollRestoration(feed, restoration, state, postGroups, !environment.embedded);
  useSaveScroll(feed, restoration, !environment.embedded);
  const Effects = useLazyComponent(loadPostListEffects, true);
  const isCompact = __APP__ && view === 'titles';
  const hasDays = showDays && !environment.embedded;
  const renderPost = useRenderPost({ ...props, actions, isCompact, hasDays });
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
      <PostOverlays {...props} {...overlays} />
    </>
  );
}

/** Returns a function that looks up a post's channel in the latest state. Every render returns the same function. */
function useChannelOf({ channels }: LoadedState): (post: PostData) => Channel {
  const latest = useRef(channels);
  useEffect(() => {
    latest.current = channels;
  });
  return useCallback((post: PostData) => channelOfPost(latest.current, post), []);
}

type PostOverlaysProps = LoadedPostListProps & Omit<ReturnType<typeof usePostActions>, 'actions'>;

/** Overlays of a list: the menu of a post, and the viewer of its media. */
function PostOverlays(props: PostOverlaysProps) {
  const { list, state, among, tracksReading, renderPosts, show, viewed, closeViewer, menu, closeMenu } = props;
  return (
    <>
      {__APP__ && menu !== null && (
        <Suspense>
          <LazyPostMenu
            {...menu}
            {...{ list, show }}
            channel={channelOfPost(state.channels, menu.post)}
            channels={among ?? [...state.channels.values()]}
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
