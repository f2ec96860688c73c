import { useEffect, useMemo, useRef } from 'react';
import type { Channel } from '../../../contract/channel.ts';
import { Icon, type IconName } from '../../components/icons/Icon.tsx';
import { PageLink } from '../../components/Link.tsx';
import { EmptyState, Notice } from '../../components/States.tsx';
import { useServices } from '../../context/services.ts';
import { postKey } from '../../data/model/post-key.ts';
import type { ChannelPostsQuery, PostList, PostListState } from '../../data/model/types.ts';
import { useLazyComponent } from '../../hooks/use-lazy-component.ts';
import type { ToastContent } from '../../hooks/use-toast.ts';
import { type Messages, str, useMsg } from '../../i18n/i18n.ts';
import { channelPath } from '../../lib/links.ts';
import { OfflineNotice } from '../post-list/OfflineNotice.tsx';
import { PostListView } from '../post-list/PostList.tsx';
import { mountGroup } from '../post-list/post-elements.ts';
import { groupsOf } from '../post-list/post-groups.ts';
import { useCompletePosts } from '../post-list/use-complete-posts.ts';
import { useVisitMarks } from '../post-list/use-visit-marks.ts';
import { isMediaOnly, startOfDay } from '../search/search-params.ts';
import { type ChannelView, DEFAULT_VIEW } from './channel-params.ts';

const loadMediaGrid = () => import('./media-grid/MediaGrid.tsx').then((module) => module.MediaGrid);
const LOADING: PostListState = { type: 'loading' };

interface ChannelPostsProps {
  readonly idOrUsername: string;
  readonly channel: Channel;
  readonly view: ChannelView;
  readonly limit: number | undefined;
  onView(view: ChannelView): void;
  show(toast: ToastContent): void;
}

/** Channel posts: the newest, those with files, or those around the post that the URL names. */
export function ChannelPosts({ idOrUsername, channel, view, limit, onView, show }: ChannelPostsProps) {
  const { msg } = useMsg();
  const { dataClient, environment } = useServices();
  const { postId, date } = view;
  /** Last second of the chosen day, unix seconds. */
  const dayEnd = date === '' ? undefined : startOfDay(date, 1) - 1;
  const media = isMediaOnly(view.kinds);
  const isJump = postId !== null || dayEnd !== undefined;
  const list = useMemo(
    () => dataClient.posts(idOrUsername, toChannelPostsQuery(media, postId, dayEnd, limit)),
    [dataClient, idOrUsername, media, postId, dayEnd, limit],
  );
  const Grid = useLazyComponent(loadMediaGrid, view.grid);
  const completeState = useCompletePosts(list, isJump);
  const state = view.grid && Grid === null ? LOADING : completeState;
  const targetPostKey = namedKey(state, postId);
  const channelList = useMemo(() => [channel], [channel]);
  const visitMarks = useVisitMarks(list, !media && !isJump && !environment.embedded ? channelList : null);
  const container = useRef<HTMLDivElement>(null);
  const keys = useMemo(
    () => (targetPostKey === undefined ? keysAt(state, dayEnd) : [targetPostKey]),
    [targetPostKey, state, dayEnd],
  );
  useScrollTo(container, keys, list);
  const label = msg(str`Posts of ${channel.title}`);
  const showAll = () => onView(DEFAULT_VIEW);
  if (postId !== null && state.type === 'failed' && state.status === 404) return <PostNotFound onAll={showAll} />;
  return (
    <div ref={container}>
      <PostListView
        {...{ list, state, visitMarks, show, targetPostKey }}
        label={label}
        head="plain"
        tracksReading={!media && !environment.embedded}
        compact={!media && postId === null}
        showGaps={!media}
        showDays
        renderPosts={
          view.grid && Grid
            ? (props) => <Grid {...props} {...{ label }} onList={() => onView({ ...view, grid: false })} />
            : undefined
        }
        empty={<NoPosts media={media} onAll={showAll} />}
        notices={
          <>
            <OfflineNotice state={state} onRetry={() => void list.refresh()} />
            {postId !== null && state.type === 'loaded' && targetPostKey === undefined && (
              <Notice icon={<Icon name="info" small />}>
                {msg('This post is no longer here. Showing the posts around it.')}
              </Notice>
            )}
          </>
        }
      />
      {isJump && state.type === 'loaded' && state.newer !== 'end' && (
        <div className="float">
          <PageLink className="pill" linkContext={environment} path={channelPath(channel)}>
            {msg('Newest posts')}
            <Icon name="up" small />
          </PageLink>
        </div>
      )}
    </div>
  );
}

function toChannelPostsQuery(
  media: boolean,
  post: number | null,
  date: number | undefined,
  limit: number | undefined,
): ChannelPostsQuery {
  return {
    ...(media && { media }),
    ...(post !== null && { around: post }),
    ...(date !== undefined && { date }),
    ...(limit !== undefined && { limit }),
  };
}

/** Returns the key of the post that contains a message: the post itself, or the album of the message. */
function namedKey(state: PostListState, id: number | null): string | undefined {
  if (id === null || state.type !== 'loaded') return undefined;
  const namedPost = state.posts.find((post) => post.id === id || post.media.some((item) => item.messageId === id));
  return namedPost && postKey(namedPost);
}

/** Returns the keys of the posts at or before `time` (unix seconds), newest first, then of the posts after it, oldest first. */
function keysAt(state: PostListState, time: number | undefined): readonly string[] {
  if (time === undefined || state.type !== 'loaded') return [];
  return [...state.posts.filter(({ date }) => date <= time), ...state.posts.toReversed()].map(postKey);
}

/**
 * Scrolls to the first of these posts that is rendered, once, before the next paint. On Back the list restores its scroll
 * position itself.
 */
function useScrollTo(container: React.RefObject<HTMLElement | null>, keys: readonly string[], list: PostList): void {
  const scrolledList = useRef<object | null>(null);
  useEffect(() => {
    if (keys.length === 0 || scrolledList.current === list) return;
    scrolledList.current = list;
    if (window.scrollY !== 0) return;
    const postGroups = groupsOf(list);
    for (const key of keys) {
      mountGroup(postGroups, postGroups.elementOf(key));
      const article = container.current?.querySelector(`[data-key="${CSS.escape(key)}"]`);
      if (!article) continue;
      // In some browsers `scrollIntoView` returns a promise, which an effect must not return.
      article.scrollIntoView({ block: 'start', behavior: 'instant' });
      return;
    }
  }, [container, keys, list]);
}

/** Empty state for a URL that names a post that was never imported or was deleted, with a button to all posts. */
function PostNotFound({ onAll }: { onAll(): void }) {
  const { msg } = useMsg();
  return (
    <EmptyState
      icon={<Icon name="info" />}
      title={msg('Post not found')}
      text={msg('It may have been removed, or it was never imported.')}
    >
      <button type="button" className="button quiet" onClick={onAll}>
        {msg('Show all posts')}
      </button>
    </EmptyState>
  );
}

function NoPosts({ media, onAll }: { readonly media: boolean; onAll(): void }) {
  const { msg } = useMsg();
  const [icon, title, text] = emptyReason(media, msg);
  return (
    <EmptyState icon={<Icon name={icon} />} title={title} text={text}>
      {media && (
        <button type="button" className="button quiet" onClick={onAll}>
          {msg('Show all posts')}
        </button>
      )}
    </EmptyState>
  );
}

function emptyReason(media: boolean, msg: Messages['msg']): [IconName, string, string] {
  if (media) return ['photo', msg('No pictures or files yet'), msg('Posts with photos, videos and files appear here.')];
  return ['feed', msg('No posts yet'), msg('This channel has not posted anything.')];
}
