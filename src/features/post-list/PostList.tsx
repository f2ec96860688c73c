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
import { leavesFocusTo } from '../../components/focus/focus-successor.ts';
import { Part } from '../../components/lazy-chunks/lazy-chunks.tsx';
import { Post } from '../../components/post/Post.tsx';
import type { PostActs } from '../../components/post/types.ts';
import type { Find } from '../../components/rich-text/highlight.ts';
import { Failure, PostSkeletons } from '../../components/States.tsx';
import { useServices } from '../../context/services.ts';
import { postKey } from '../../data/model/post-key.ts';
import type { MutedWords, PostList, PostListState } from '../../data/model/types.ts';
import { useLazy } from '../../hooks/use-lazy-component.ts';
import { useNow } from '../../hooks/use-now.ts';
import { useReadable } from '../../hooks/use-signal-value.ts';
import type { ToastContent } from '../../hooks/use-toast.ts';
import { isSameDay } from '../../i18n/format.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { createCell } from '../../lib/signal.ts';
import { PostMenu, PostRow, RowStyle, Viewer } from './lazy-components.tsx';
import { DrawPosts, Leaf } from './PostGroup.tsx';
import { createLeaves, type Leaf as LeafData, type Leaves, type ListView, leavesOf } from './post-groups.ts';
import { type Arrival, dividerIndex, isUnread } from './read-progress.ts';
import { useEdge } from './use-load-more.ts';
import { useActs } from './use-post-actions.ts';
import { findReturn, type Return, useNote, usePlace } from './use-scroll-restoration.ts';

/** Set by the build: false in the bundle of the tags, whose lists have no compact rows and whose posts no menu. */
declare const __APP__: boolean;

const loadAttendant = () => import('./PostListEffects.tsx').then((part) => part.Attendant);

const NOT_FOLLOWED = createCell(null);
const WHOLE = createCell<ListView>('posts');

interface PostStreamProps {
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
  readonly arrival: Arrival | null;
  /** Returns the ranges of a text to highlight. */
  readonly find?: Find | undefined;
  /** Key of the post that the URL names. */
  readonly named?: string | undefined;
  /** True if visible posts count as read. */
  readonly reads: boolean;
  /**
   * Matches the posts that the reader's muted words hide. They are not in the list, do not count as new, and do not stop the
   * read marker.
   */
  readonly hides?: MutedWords | null | undefined;
  /** True if the posts are consecutive, so that a gap between two of them is shown. */
  readonly gaps?: boolean | undefined;
  /** True if the posts are in order of date: a heading is shown where the day changes. */
  readonly days?: boolean | undefined;
  /** Renders another view of the posts in place of the feed. */
  readonly draws?: ((drawn: DrawnPosts) => ReactNode) | undefined;
  show(toast: ToastContent): void;
}

/** Post list: posts as an ARIA feed that loads more at its ends, keeps its scroll position and moves the read markers. */
export function PostStream(props: PostStreamProps) {
  const { list, state, compact } = props;
  const { site } = useServices();
  const view = useReadable((__APP__ && compact && site.appearance?.list) || WHOLE);
  const back = useMemo<Return>(() => ({ list, place: undefined }), [list]);
  // Before the list is requested: it starts at the reader's last position.
  useLayoutEffect(() => findReturn(back, !site.embedded), [back, site]);
  switch (state.type) {
    case 'loading':
      return <PostSkeletons plain={props.head === 'plain'} />;
    case 'failed':
      return <Failure failed={state} onRetry={() => void list.refresh()} />;
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
  const stream = <LoadedStream key={view} {...props} {...{ state, back, view }} />;
  if (view === 'posts') return stream;
  return <Suspense fallback={<PostSkeletons plain={props.head === 'plain'} />}>{stream}</Suspense>;
}

type Loaded = Extract<PostListState, { type: 'loaded' }>;

/** Properties of another view of the posts. Each child of `feed` names its post by `data-key`. */
export interface DrawnPosts {
  readonly feed: RefObject<HTMLElement | null>;
  readonly state: Loaded;
  readonly leaves: Leaves;
  readonly divided: readonly LeafData[];
  readonly acts: PostActs;
}

function LoadedStream({
  list,
  back,
  state,
  label,
  head,
  notices,
  among,
  arrival,
  find,
  named,
  reads,
  hides = null,
  gaps,
  days,
  draws,
  view,
  show,
}: PostStreamProps & { readonly state: Loaded; readonly back: Return; readonly view: ListView }) {
  const { channels, site } = useServices();
  const m = useMsg();
  const { msg } = m;
  const now = useNow();
  const feed = useRef<HTMLElement>(null);
  const marks = useReadable(channels.marks);
  const stars = useReadable(channels.stars);
  const keptUnread = useReadable(channels.keptUnread);
  const fresh = useReadable(channels.fresh ?? NOT_FOLLOWED);
  const numbers = useNumbers();
  const known = useRef(state.channels);
  useEffect(() => {
    known.current = state.channels;
  });
  const leaves = useMemo(() => (site.embedded ? createLeaves() : leavesOf(list, view)), [site, list, view]);
  const { acts, viewed, closeViewer, menu, closeMenu } = useActs(
    useCallback((post: PostData) => channelIn(known.current, post), []),
    show,
    leaves,
  );
  const divided = useMemo(() => leaves.divide(state.posts), [leaves, state.posts]);
  usePlace(feed, back, state, leaves, !site.embedded);
  useNote(feed, back, !site.embedded);
  const Attendant = useLazy(loadAttendant, true);
  const divider = arrival === null ? null : dividerIndex(state.posts, arrival, state.older === 'end');
  const size = state.older === 'end' && state.newer === 'end' ? state.posts.length : -1;
  const isCompact = __APP__ && view === 'titles';
  const Shown = isCompact ? PostRow : Post;
  const hasDays = days && !site.embedded;
  const draw = (post: PostData, index: number) => {
    const key = postKey(post);
    const startsDay = hasDays && !isSameDay(state.posts[index - 1]?.date, post.date);
    return (
      <Fragment key={key}>
        {index === divider && <p className="divider">{msg('You left off here')}</p>}
        <Shown
          {...{ post, now, acts, find, size }}
          channel={channelIn(state.channels, post)}
          head={key === named ? 'channel' : head}
          place={site}
          number={site.embedded ? null : (numbers.get(post.channelId) ?? null)}
          unread={isUnread(post, marks) || keptUnread.has(key)}
          starred={stars.has(key)}
          position={index + 1}
          named={key === named}
          day={startsDay && m.day(post.date, now)}
        />
        {gaps && post.gap !== undefined && <Part otherwise={false}>{(parts) => <parts.Gap count={post.gap} />}</Part>}
      </Fragment>
    );
  };
  return (
    <>
      {isCompact && <RowStyle />}
      {notices}
      {fresh !== null && <fresh.View {...{ fresh, list, feed, hides }} />}
      <Edge end="newer" list={list} state={state} waits={Attendant === null} />
      {__APP__ && draws ? (
        draws({ feed, state, leaves, divided, acts })
      ) : (
        <div
          ref={feed as RefObject<HTMLDivElement | null>}
          className="stream"
          role="feed"
          aria-label={label}
          data-days={hasDays || undefined}
          aria-busy={state.older === 'loading' || state.newer === 'loading'}
        >
          <DrawPosts value={(leaf: LeafData) => leaf.posts.map((post, at) => draw(post, leaf.start + at))}>
            {divided.map((leaf) => (
              <Leaf key={leaf.id} {...{ leaf, leaves }} />
            ))}
          </DrawPosts>
        </div>
      )}
      <Edge end="older" list={list} state={state} />
      {Attendant !== null && (
        <Attendant {...{ feed, list, state, leaves, hides, show }} draws={draws} reads={reads && !isCompact} />
      )}
      {__APP__ && menu !== null && (
        <Suspense>
          <PostMenu
            {...menu}
            {...{ list, show }}
            channel={channelIn(state.channels, menu.post)}
            among={among ?? [...state.channels.values()]}
            whole={reads}
            onClose={closeMenu}
          />
        </Suspense>
      )}
      {viewed !== null && (
        <Suspense>
          <Viewer viewed={viewed} apart={draws} onClose={closeViewer} />
        </Suspense>
      )}
    </>
  );
}

interface EdgeProps {
  readonly end: 'older' | 'newer';
  readonly list: PostList;
  readonly state: Loaded;
  /** True until the code that anchors the scroll position is loaded: posts that load above must not move the visible ones. */
  readonly waits?: boolean;
}

const toFirst = leavesFocusTo(['.stream article']);
const toLast = leavesFocusTo(['.leaf:last-child > article:last-of-type']);

/** End of the list: loads more posts when it is near the window, and shows a button if that fails. */
function Edge({ end, list, state, waits }: EdgeProps) {
  const { msg } = useMsg();
  const isOnline = useReadable(useServices().channels.connection) === 'online';
  const edge = useRef<HTMLDivElement>(null);
  const grow = useCallback(() => (end === 'older' ? list.older() : list.newer()), [end, list]);
  const standing = state[end];
  useEdge(edge, waits ? 'loading' : standing, state.posts.length, grow);
  if (standing === 'end')
    return end === 'older' && state.posts.length > 8 ? <p className="edge">{msg('That is all there is.')}</p> : null;
  return (
    <div ref={edge} className="edge">
      {standing === 'failed' ? (
        <button ref={end === 'older' ? toLast : toFirst} type="button" className="button quiet" onClick={() => void grow()}>
          {isOnline ? msg('Could not load more. Try again') : msg('No more posts on this device. Try again')}
        </button>
      ) : (
        <span className="bone" aria-hidden="true" />
      )}
    </div>
  );
}

/** Returns the numbers on the dial by channel id. */
function useNumbers(): ReadonlyMap<string, number | null> {
  const lineup = useReadable(useServices().channels.lineup);
  return useMemo(
    () => new Map(lineup.type === 'loaded' ? lineup.value.map((row) => [row.channel.id, row.number] as const) : []),
    [lineup],
  );
}

/** Returns a post's channel; a placeholder if no response contained it. */
const channelIn = (channels: Loaded['channels'], { channelId: id }: PostData): Channel =>
  channels.get(id) ?? { id, title: id, source: 'export', state: 'live', private: false, demo: false };
