import { useEffect, useMemo, useRef } from 'react';
import type { Channel } from '../../../contract/channel.ts';
import { Icon, type IconName } from '../../components/icons/Icon.tsx';
import { To } from '../../components/Link.tsx';
import { Empty, Notice } from '../../components/States.tsx';
import { useServices } from '../../context/services.ts';
import { postKey } from '../../data/model/post-key.ts';
import type { ChannelPostsQuery, PostList, PostListState } from '../../data/model/types.ts';
import { useLazy } from '../../hooks/use-lazy-component.ts';
import type { ToastContent } from '../../hooks/use-toast.ts';
import { type Messages, str, useMsg } from '../../i18n/i18n.ts';
import { channelPath } from '../../lib/links.ts';
import { KeptNotice } from '../post-list/OfflineNotice.tsx';
import { PostStream } from '../post-list/PostList.tsx';
import { reveal } from '../post-list/post-elements.ts';
import { leavesOf } from '../post-list/post-groups.ts';
import { useWhole } from '../post-list/use-complete-posts.ts';
import { useArrival } from '../post-list/use-visit-marks.ts';
import { isMedia, startOf } from '../search/search-params.ts';
import { PLAIN, type View } from './channel-params.ts';

const loadGrid = () => import('./media-grid/MediaGrid.tsx').then((part) => part.MediaGrid);
const LOADING: PostListState = { type: 'loading' };

interface ChannelStreamProps {
  readonly idOrUsername: string;
  readonly channel: Channel;
  readonly view: View;
  readonly limit: number | undefined;
  onView(view: View): void;
  show(toast: ToastContent): void;
}

/** Channel posts: the newest, those with files, or those around the post that the URL names. */
export function ChannelStream({ idOrUsername, channel, view, limit, onView, show }: ChannelStreamProps) {
  const { msg } = useMsg();
  const { channels, site } = useServices();
  const { post, date } = view;
  const moment = date === '' ? undefined : startOf(date, 1) - 1;
  const media = isMedia(view.kinds);
  const isJump = post !== null || moment !== undefined;
  const list = useMemo(
    () => channels.posts(idOrUsername, toQuery(media, post, moment, limit)),
    [channels, idOrUsername, media, post, moment, limit],
  );
  const Grid = useLazy(loadGrid, view.grid);
  const whole = useWhole(list, isJump);
  const state = view.grid && Grid === null ? LOADING : whole;
  const named = namedKey(state, post);
  const alone = useMemo(() => [channel], [channel]);
  const arrival = useArrival(list, !media && !isJump && !site.embedded ? alone : null);
  const box = useRef<HTMLDivElement>(null);
  const keys = useMemo(() => (named === undefined ? keysAt(state, moment) : [named]), [named, state, moment]);
  useScrollTo(box, keys, list);
  const label = msg(str`Posts of ${channel.title}`);
  const toAll = () => onView(PLAIN);
  if (post !== null && state.type === 'failed' && state.status === 404) return <GonePost onAll={toAll} />;
  return (
    <div ref={box}>
      <PostStream
        {...{ list, state, arrival, show, named }}
        label={label}
        head="plain"
        reads={!media && !site.embedded}
        compact={!media && post === null}
        gaps={!media}
        days
        draws={
          view.grid && Grid
            ? (drawn) => <Grid {...drawn} {...{ label }} onList={() => onView({ ...view, grid: false })} />
            : undefined
        }
        empty={<NoPosts media={media} onAll={toAll} />}
        notices={
          <>
            <KeptNotice state={state} onRetry={() => void list.refresh()} />
            {post !== null && state.type === 'loaded' && named === undefined && (
              <Notice icon={<Icon name="info" small />}>
                {msg('That post is not here any more; these are the posts around it.')}
              </Notice>
            )}
          </>
        }
      />
      {isJump && state.type === 'loaded' && state.newer !== 'end' && (
        <div className="float">
          <To className="pill" place={site} path={channelPath(channel)}>
            {msg('Newest posts')}
            <Icon name="up" small />
          </To>
        </div>
      )}
    </div>
  );
}

function toQuery(media: boolean, post: number | null, date: number | undefined, limit: number | undefined): ChannelPostsQuery {
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
  const found = state.posts.find((post) => post.id === id || post.media.some((item) => item.messageId === id));
  return found && postKey(found);
}

/** Returns the keys of the posts at or before a time, newest first, then of the posts after it, oldest first. */
function keysAt(state: PostListState, moment: number | undefined): readonly string[] {
  if (moment === undefined || state.type !== 'loaded') return [];
  return [...state.posts.filter(({ date }) => date <= moment), ...state.posts.toReversed()].map(postKey);
}

/**
 * Scrolls to the first of these posts that is rendered, once, before the next paint. On Back the list restores its scroll
 * position itself.
 */
function useScrollTo(box: React.RefObject<HTMLElement | null>, keys: readonly string[], list: PostList): void {
  const done = useRef<object | null>(null);
  useEffect(() => {
    if (keys.length === 0 || done.current === list) return;
    done.current = list;
    if (window.scrollY !== 0) return;
    const leaves = leavesOf(list);
    for (const key of keys) {
      reveal(leaves, leaves.boxOf(key));
      const drawn = box.current?.querySelector(`[data-key="${CSS.escape(key)}"]`);
      if (!drawn) continue;
      // In some browsers `scrollIntoView` returns a promise, which an effect must not return.
      drawn.scrollIntoView({ block: 'start', behavior: 'instant' });
      return;
    }
  }, [box, keys, list]);
}

/** Empty state for a URL that names a post that was never imported or was deleted, with a button to all posts. */
function GonePost({ onAll }: { onAll(): void }) {
  const { msg } = useMsg();
  return (
    <Empty
      icon={<Icon name="info" />}
      title={msg('This post is not here')}
      text={msg('It may have been removed, or it was never brought here.')}
    >
      <button type="button" className="button quiet" onClick={onAll}>
        {msg('Show all posts')}
      </button>
    </Empty>
  );
}

function NoPosts({ media, onAll }: { readonly media: boolean; onAll(): void }) {
  const { msg } = useMsg();
  const [icon, title, text] = reason(media, msg);
  return (
    <Empty icon={<Icon name={icon} />} title={title} text={text}>
      {media && (
        <button type="button" className="button quiet" onClick={onAll}>
          {msg('Show all posts')}
        </button>
      )}
    </Empty>
  );
}

function reason(media: boolean, msg: Messages['msg']): [IconName, string, string] {
  if (media) return ['photo', msg('No pictures or files yet'), msg('Posts with photos, videos and files appear here.')];
  return ['feed', msg('No posts yet'), msg('This channel has not posted anything.')];
}
