import { Fragment, lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef } from 'react';
import type { Channel } from '../../../contract/channel.ts';
import type { Post as PostData } from '../../../contract/post.ts';
import { type PostList, type PostListState, postKey } from '../../channels/channels.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { createCell } from '../../readable.ts';
import { Post } from '../../ui/Post.tsx';
import { Part } from '../../ui/parts.tsx';
import { Failure, PostSkeletons } from '../../ui/States.tsx';
import type { Find } from '../../ui/text/hits.ts';
import { useServices } from '../services.ts';
import { useReadable } from '../use-readable.ts';
import { moveBetweenPosts } from './feed-keys.ts';
import { type Arrival, dividerIndex, isUnread } from './reading.ts';
import { useActs } from './use-acts.ts';
import { useEdge } from './use-edges.ts';
import { useNow } from './use-now.ts';
import { usePlace } from './use-place.ts';
import { useSeen } from './use-seen.ts';
import type { ToastContent } from './use-toast.ts';

const Viewer = lazy(() => import('../../ui/media/Viewer.tsx').then(({ Viewer }) => ({ default: Viewer })));

const NOT_FOLLOWED = createCell(null);

interface PostStreamProps {
  readonly list: PostList;
  readonly state: PostListState;
  readonly label: string;
  readonly head: 'channel' | 'plain';
  /** Shown where the list has no posts. */
  readonly empty: ReactNode;
  /** Above the posts, and gone while they load. */
  readonly notices?: ReactNode;
  /** What was read when the reader came, for the divider; null where none stands. */
  readonly arrival: Arrival | null;
  /** Finds what to highlight in a text. */
  readonly find?: Find | undefined;
  /** The key of the post that the address names. */
  readonly named?: string | undefined;
  /** Whether what is seen counts as read. */
  readonly reads: boolean;
  /** Whether the posts follow one another, so that a gap between two of them is told. */
  readonly gaps?: boolean | undefined;
  show(toast: ToastContent): void;
}

/** Posts as an ARIA feed that grows at its ends, keeps its place and moves the read marks. */
export function PostStream(props: PostStreamProps) {
  const { list, state } = props;
  switch (state.type) {
    case 'loading':
      return <PostSkeletons plain={props.head === 'plain'} />;
    case 'failed':
      return <Failure failed={state} onRetry={() => void list.refresh()} />;
    case 'loaded':
      return state.posts.length === 0 && state.older !== 'loading' ? (
        <>
          {props.notices}
          {props.empty}
        </>
      ) : (
        <LoadedStream {...props} state={state} />
      );
  }
}

type Loaded = Extract<PostListState, { type: 'loaded' }>;

function LoadedStream({
  list,
  state,
  label,
  head,
  notices,
  arrival,
  find,
  named,
  reads,
  gaps,
  show,
}: PostStreamProps & { readonly state: Loaded }) {
  const { channels, site, host } = useServices();
  const { msg } = useMsg();
  const now = useNow();
  const feed = useRef<HTMLDivElement>(null);
  const marks = useReadable(channels.marks);
  const stars = useReadable(channels.stars);
  const fresh = useReadable(channels.fresh ?? NOT_FOLLOWED);
  const numbers = useNumbers();
  const known = useRef(state.channels);
  useEffect(() => {
    known.current = state.channels;
  });
  const { acts, viewed, closeViewer } = useActs(
    useCallback((post: PostData) => known.current.get(post.channelId) ?? unknownChannel(post.channelId), []),
    show,
  );
  usePlace(feed, list, state);
  useSeen(feed, list, state, channels, reads);
  const divider = arrival === null ? null : dividerIndex(state.posts, arrival, state.older === 'end');
  const size = state.older === 'end' && state.newer === 'end' ? state.posts.length : -1;
  return (
    <>
      {notices}
      {fresh !== null && <fresh.View {...{ fresh, list, feed }} />}
      <Edge end="newer" list={list} state={state} />
      <div
        ref={feed}
        className="stream"
        role="feed"
        aria-label={label}
        aria-busy={state.older === 'loading' || state.newer === 'loading'}
        onKeyDown={moveBetweenPosts}
      >
        {state.posts.map((post, index) => {
          const key = postKey(post);
          const channel = state.channels.get(post.channelId) ?? unknownChannel(post.channelId);
          return (
            <Fragment key={key}>
              {index === divider && <p className="divider">{msg('You left off here')}</p>}
              <Post
                {...{ post, channel, now, acts, find, size }}
                head={key === named ? 'channel' : head}
                place={site}
                number={site.embedded ? null : (numbers.get(post.channelId) ?? null)}
                unread={!site.embedded && isUnread(post, marks)}
                starred={stars.has(key)}
                position={index + 1}
                named={key === named}
              />
              {gaps && post.gap !== undefined && <Part otherwise={false}>{(parts) => <parts.Gap count={post.gap} />}</Part>}
            </Fragment>
          );
        })}
      </div>
      <Edge end="older" list={list} state={state} />
      {viewed !== null && (
        <Suspense>
          <Viewer {...viewed} base={site.base} onClose={closeViewer} onShown={() => host.showBackButton(closeViewer)} />
        </Suspense>
      )}
    </>
  );
}

/** Where the list goes on: loads by itself when it comes near, and says when it cannot. */
function Edge({ end, list, state }: { readonly end: 'older' | 'newer'; readonly list: PostList; readonly state: Loaded }) {
  const { msg } = useMsg();
  const edge = useRef<HTMLDivElement>(null);
  const grow = useCallback(() => (end === 'older' ? list.older() : list.newer()), [end, list]);
  useEdge(edge, state, end, grow);
  const standing = state[end];
  if (standing === 'end')
    return end === 'older' && state.posts.length > 8 ? <p className="edge">{msg('That is all there is.')}</p> : null;
  return (
    <div ref={edge} className="edge">
      {standing === 'failed' ? (
        <button type="button" className="button quiet" onClick={() => void grow()}>
          {msg('Could not load more. Try again')}
        </button>
      ) : (
        <span className="bone" aria-hidden="true" />
      )}
    </div>
  );
}

/** Numbers on the dial by channel. */
function useNumbers(): ReadonlyMap<string, number | null> {
  const lineup = useReadable(useServices().channels.lineup);
  return useMemo(
    () => new Map(lineup.type === 'loaded' ? lineup.value.map((row) => [row.channel.id, row.number] as const) : []),
    [lineup],
  );
}

/** Stands in for a channel that no answer named. */
const unknownChannel = (id: string): Channel => ({ id, title: id, source: 'export', state: 'live', private: false, demo: false });
