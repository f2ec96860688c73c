import { type ReactNode, useMemo, useRef, useState } from 'react';
import type { Channel } from '../../../contract/channel.ts';
import type { Preset } from '../../../contract/lineup.ts';
import { useContentReport } from '../../components/content-status.ts';
import { Icon } from '../../components/icons/Icon.tsx';
import { Notice, PostSkeletons } from '../../components/States.tsx';
import { Toast } from '../../components/Toast.tsx';
import { useServices } from '../../context/services.ts';
import { countUnread } from '../../data/lineup/count-unread.ts';
import type { FeedFilter, MutedWordsFilter, PostListState } from '../../data/model/types.ts';
import { useLazyComponent } from '../../hooks/use-lazy-component.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { useToast } from '../../hooks/use-toast.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { OfflineNotice } from '../post-list/OfflineNotice.tsx';
import { PostListView } from '../post-list/PostList.tsx';
import { hasNewPosts } from '../post-list/read-progress.ts';
import { useCompletePosts } from '../post-list/use-complete-posts.ts';
import { useVisitMarks } from '../post-list/use-visit-marks.ts';
import { FeedFilters } from './FeedFilters.tsx';
import { parseChannelList, parseFeedFilterName } from './feed-params.ts';

/** Set by the build: false in the bundle of the tags, which have no filter bar. */
declare const __APP__: boolean;

interface FeedPageProps {
  /** Ids or usernames separated by commas; absent for the channels that the reader follows. */
  readonly channels?: string;
  /** Posts per page. */
  readonly limit?: number;
  readonly params?: Readonly<Record<string, string>>;
}

const loadEmptyFeed = () => import('./EmptyFeed.tsx').then((module) => module.EmptyFeed);
const loadFeedSearch = () => import('../search/FeedSearch.tsx').then((module) => module.FeedSearch);
const loadPresetChips = () => import('../presets/PresetChips.tsx').then((module) => module.PresetChips);
const loadMutedPostsNotice = () => import('./MutedPostsNotice.tsx').then((module) => module.MutedPostsNotice);
const loadResumeButton = () => import('./ResumeButton.tsx').then((module) => module.ResumeButton);

/**
 * Feed page: one chronological feed over the reader's line-up, or over the channels that the tag names. Shows the
 * search page instead if the URL has a search.
 */
export function FeedPage(props: FeedPageProps) {
  // Only the app passes parameters: a tag on a third-party page never loads the search.
  return props.params === undefined ? <Feed {...props} /> : <FeedOrSearch {...props} params={props.params} />;
}

function FeedOrSearch(props: FeedPageProps & Required<Pick<FeedPageProps, 'params'>>) {
  const { params } = props;
  const isSearch = params.search !== undefined;
  const Search = useLazyComponent(loadFeedSearch, isSearch);
  const presets = useSignalValue(useServices().dataClient.presets);
  const Presets = useLazyComponent(loadPresetChips, presets.length > 0);
  return (
    <>
      {!isSearch && (
        <Feed {...props} preset={presets.find(({ id }) => id === params.preset)}>
          {Presets !== null && <Presets {...{ presets, params }} />}
        </Feed>
      )}
      {Search === null ? isSearch && <PostSkeletons /> : <Search params={props.params} />}
    </>
  );
}

interface FeedProps extends FeedPageProps {
  /** Preset that limits the feed to its followed channels. */
  readonly preset?: Preset | undefined;
  /** Further chips of the filter bar. */
  readonly children?: ReactNode;
}

function Feed({ channels: channelNames, limit, params, preset, children }: FeedProps) {
  const { msg } = useMsg();
  const { dataClient, environment } = useServices();
  const filterName = parseFeedFilterName(params?.show);
  const feedChannels = useFeedChannels(preset);
  // A string, because a filter with the same channels must not create the list again.
  const channelList = preset === undefined ? channelNames : (feedChannels.channels ?? []).map(({ id }) => id).join();
  const list = useMemo(
    () => dataClient.feed(toFilter(channelList, filterName, limit)),
    [dataClient, channelList, filterName, limit],
  );
  const completeState = useCompletePosts(list);
  const mutedWords = useSignalValue(dataClient.mutedWords);
  const [revealed, reveal] = useState(false);
  // Starred posts are always shown, even if they contain a muted word.
  const isMuted = revealed || filterName === 'starred' ? null : mutedWords;
  const state = useMemo(
    () => (isMuted === null ? completeState : withoutMutedPosts(completeState, isMuted)),
    [completeState, isMuted],
  );
  const MutedPosts = useLazyComponent(loadMutedPostsNotice, mutedWords !== null && filterName !== 'starred');
  const { toast, show: showToast, hold } = useToast();
  const page = useRef<HTMLDivElement>(null);
  const isOwnFeed = channelNames === undefined && !environment.embedded;
  const visitMarks = useVisitMarks(list, isOwnFeed && filterName === 'all' ? feedChannels.channels : null);
  const isEmpty = state.type === 'loaded' && state.posts.length === 0;
  const FeedEmpty = useLazyComponent(loadEmptyFeed, isEmpty);
  useContentReport(isEmpty && FeedEmpty === null ? 'loading' : null);
  const ContinueButton = useLazyComponent(loadResumeButton, visitMarks !== null && hasNewPosts(visitMarks));
  const markAllRead = () => {
    const undoMarkAllRead = dataClient.markAllRead((feedChannels.channels ?? []).map(({ id }) => id));
    const undo = () => {
      undoMarkAllRead();
      showToast(null);
    };
    const text = preset ? msg(str`All posts of ${preset.name} are marked as read`) : msg('All posts are marked as read');
    showToast({ text, action: { label: msg('Undo'), run: undo } });
  };
  return (
    <div className="page feed-page" ref={page}>
      {__APP__ && isOwnFeed && (
        <FeedFilters
          show={preset !== undefined && filterName === 'all' ? null : filterName}
          presetId={preset?.id}
          unread={feedChannels.unread}
          onMarkAllRead={markAllRead}
        >
          {children}
        </FeedFilters>
      )}
      <div className="column">
        <PostListView
          {...{ list, state, visitMarks, isMuted }}
          label={msg('Posts')}
          head="channel"
          empty={FeedEmpty !== null && <FeedEmpty show={filterName} />}
          notices={
            <>
              <OfflineNotice state={state} onRetry={() => void list.refresh()} />
              {MutedPosts !== null && mutedWords !== null && filterName !== 'starred' && (
                <MutedPosts {...{ list, isMuted: mutedWords, revealed, reveal }} />
              )}
              {filterName === 'all' && state.type === 'loaded' && <DemoNotice channels={state.channels} />}
            </>
          }
          compact={filterName !== 'media'}
          showDays={filterName !== 'starred'}
          among={feedChannels.channels}
          tracksReading={isOwnFeed && (filterName === 'all' || filterName === 'unread')}
          show={showToast}
        />
        {ContinueButton !== null && <ContinueButton {...{ page, list, state, visitMarks }} />}
      </div>
      <Toast toast={toast} hold={hold} />
    </div>
  );
}

/** Returns the list without the posts that contain a muted word. */
const withoutMutedPosts = (state: PostListState, isMuted: MutedWordsFilter): PostListState =>
  state.type === 'loaded' ? { ...state, posts: state.posts.filter((post) => !isMuted(post)) } : state;

/**
 * Returns the filter of the feed. An empty list of channels stays empty; undefined means the channels of the line-up.
 */
function toFilter(channelList: string | undefined, show: NonNullable<FeedFilter['show']>, limit: number | undefined): FeedFilter {
  const channelIds = channelList === '' ? [] : parseChannelList(channelList);
  return { show, ...(channelIds !== undefined && { channelIds }), ...(limit !== undefined && { limit }) };
}

/**
 * Returns the channels of the feed (followed and not muted), and their number of unread posts; null while the line-up
 * loads.
 */
function useFeedChannels(preset: Preset | undefined): {
  readonly channels: readonly Channel[] | null;
  readonly unread: number | null;
} {
  const lineup = useSignalValue(useServices().dataClient.lineup);
  return useMemo(() => {
    if (lineup.type !== 'loaded') return { channels: null, unread: null };
    const rows = lineup.value.filter(
      (row) => row.followed && !row.muted && (preset?.channelIds.includes(row.channel.id) ?? true),
    );
    return { channels: rows.map((row) => row.channel), unread: countUnread(rows) };
  }, [lineup, preset]);
}

/**
 * Notice that demo channels are fictional. Decided by the posts that load first, so that it never appears after them.
 */
function DemoNotice({ channels }: { readonly channels: ReadonlyMap<string, Channel> }) {
  const { msg } = useMsg();
  const [hasDemoChannel] = useState(() => [...channels.values()].some((channel) => channel.demo));
  if (!hasDemoChannel) return null;
  return (
    <Notice icon={<Icon name="info" small />}>{msg('This is a demo network: its channels and their posts are made up.')}</Notice>
  );
}
