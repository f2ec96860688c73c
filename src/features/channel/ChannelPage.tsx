import { useEffect, useMemo, useRef, useState } from 'react';
import type { Channel } from '../../../contract/channel.ts';
import { useContentReport } from '../../components/content-status.ts';
import { ErrorState, PostSkeletons } from '../../components/States.tsx';
import { Toast } from '../../components/Toast.tsx';
import { type Environment, ServicesContext, useServices } from '../../context/services.ts';
import { useLazyComponent } from '../../hooks/use-lazy-component.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { useToast } from '../../hooks/use-toast.ts';
import { channelPath } from '../../lib/links.ts';
import { useSearchDrafts } from '../search/use-search-draft.ts';
import { BackLink, ChannelBar } from './ChannelBar.tsx';
import { ChannelHeader } from './ChannelHeader.tsx';
import { ChannelPosts } from './ChannelPosts.tsx';
import { ChannelToolbar } from './ChannelToolbar.tsx';
import { type ChannelView, channelViewQuery, isSearch, parseChannelView } from './channel-params.ts';
import { PinnedLine } from './PinnedLine.tsx';

interface ChannelPageProps {
  /** Id or username of the channel. */
  readonly channelId?: string;
  /** Posts per page. */
  readonly limit?: number;
  readonly params?: Readonly<Record<string, string>>;
}

const loadChannelSearch = () => import('../search/ChannelSearch.tsx').then((module) => module.ChannelSearch);
const loadChannelNotFound = () => import('./ChannelNotFound.tsx').then((module) => module.ChannelNotFound);
const NO_PARAMS: Readonly<Record<string, string>> = {};

/** Channel page: header, posts, search in the channel, and the post that the URL names. */
export function ChannelPage({ channelId, limit, params = NO_PARAMS }: ChannelPageProps) {
  const idOrUsername = channelId ?? params.id ?? '';
  const services = useServices();
  const channelServices = useMemo(
    () => ({ ...services, environment: { ...services.environment, scopedHashtags: true } }),
    [services],
  );
  return (
    <ServicesContext value={channelServices}>
      <div className="page channel-page">
        <div className="column">
          {idOrUsername === '' ? <NotFound /> : <ChannelByName key={idOrUsername} {...{ idOrUsername, limit, params }} />}
        </div>
      </div>
    </ServicesContext>
  );
}

interface ChannelByNameProps {
  readonly idOrUsername: string;
  readonly limit: number | undefined;
  readonly params: Readonly<Record<string, string>>;
}

function ChannelByName({ idOrUsername, limit, params }: ChannelByNameProps) {
  const { dataClient, environment } = useServices();
  const { toast, show, hold } = useToast();
  const found = useSignalValue(dataClient.channel(idOrUsername));
  const channel = found.type === 'loaded' ? found.value : null;
  const [view, setView] = useChannelView(environment, params, channel);
  const drafts = useSearchDrafts(view, (next, replace) => setView({ ...view, ...next, postId: null }, replace), false);
  const searching = isSearch(view);
  const ChannelSearch = useLazyComponent(loadChannelSearch, searching);
  usePageTitle(environment, channel);
  const head = useRef<HTMLElement>(null);
  const field = useRef<HTMLInputElement>(null);
  if (found.type === 'failed') {
    return found.status === 404 ? (
      <NotFound />
    ) : (
      <ErrorState failure={found} isPageHeading onRetry={() => void dataClient.refresh()} />
    );
  }
  if (channel === null) return <ChannelSkeleton />;
  return (
    <>
      {!environment.embedded && <ChannelBar channel={channel} head={head} onSearch={() => field.current?.focus()} />}
      <ChannelHeader channel={channel} show={show} head={head} />
      {!searching && <PinnedLine channel={channel} urlPostId={view.postId} />}
      <ChannelToolbar view={view} drafts={drafts} field={field} onView={setView} />
      {!searching && <ChannelPosts key={String(view.grid)} {...{ idOrUsername, channel, view, limit, show }} onView={setView} />}
      {searching &&
        (ChannelSearch === null ? <PostSkeletons withoutHeader /> : <ChannelSearch {...{ channel, view, drafts, limit }} />)}
      <Toast toast={toast} hold={hold} />
    </>
  );
}

function NotFound() {
  const NoChannel = useLazyComponent(loadChannelNotFound, true);
  useContentReport(NoChannel === null ? 'loading' : null);
  return NoChannel && <NoChannel />;
}

function ChannelSkeleton() {
  return (
    <>
      <div className="channel-head bones">
        <BackLink />
        <span className="bone avatar l" />
        <span className="bone" />
      </div>
      <PostSkeletons withoutHeader />
    </>
  );
}

/**
 * Returns the view of the channel, and a function that changes it. In the app, the view is stored in the URL. A tag on a
 * third-party page stores it in its own state, because the URL belongs to that page.
 */
function useChannelView(
  environment: Environment,
  params: Readonly<Record<string, string>>,
  channel: Channel | null,
): [ChannelView, (view: ChannelView, replace?: boolean) => void] {
  const [localView, setLocalView] = useState<ChannelView | null>(null);
  const urlView = useMemo(() => parseChannelView(params), [params]);
  if (environment.embedded) return [localView ?? urlView, setLocalView];
  return [
    urlView,
    (next, replace = false) => {
      if (channel === null) return;
      const query = channelViewQuery(next);
      environment.navigate(channelPath(channel) + (query && `?${query}`), { replace });
    },
  ];
}

function usePageTitle(environment: Environment, channel: Channel | null): void {
  const title = channel?.title;
  useEffect(() => {
    if (title !== undefined) environment.setTitle?.(title);
  }, [environment, title]);
}
