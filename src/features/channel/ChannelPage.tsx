import { useEffect, useMemo, useRef, useState } from 'react';
import type { Channel } from '../../../contract/channel.ts';
import { Failure, PostSkeletons } from '../../components/States.tsx';
import { Toast } from '../../components/Toast.tsx';
import { ServicesContext, type Site, useServices } from '../../context/services.ts';
import { useLazy } from '../../hooks/use-lazy-component.ts';
import { useReadable } from '../../hooks/use-signal-value.ts';
import { useToast } from '../../hooks/use-toast.ts';
import { channelPath } from '../../lib/links.ts';
import { useDrafts } from '../search/use-search-draft.ts';
import { BackLink, ChannelBar } from './ChannelBar.tsx';
import { ChannelHead } from './ChannelHeader.tsx';
import { ChannelStream } from './ChannelPosts.tsx';
import { ChannelTools } from './ChannelToolbar.tsx';
import { isSearch, readView, type View, viewQuery } from './channel-params.ts';
import { PinnedLine } from './PinnedLine.tsx';

interface ChannelPageProps {
  /** Id or username of the channel. */
  readonly channelId?: string;
  /** Posts per page. */
  readonly limit?: number;
  readonly params?: Readonly<Record<string, string>>;
}

const loadSearch = () => import('../search/ChannelSearch.tsx').then((part) => part.ChannelSearch);
const loadNoChannel = () => import('./ChannelNotFound.tsx').then((part) => part.NoChannel);
const NO_PARAMS: Readonly<Record<string, string>> = {};

/** Channel page: header, posts, search in the channel, and the post that the URL names. */
export function ChannelPage({ channelId, limit, params = NO_PARAMS }: ChannelPageProps) {
  const idOrUsername = channelId ?? params.id ?? '';
  const services = useServices();
  const own = useMemo(() => ({ ...services, site: { ...services.site, ownTags: true } }), [services]);
  return (
    <ServicesContext value={own}>
      <div className="page channel-page">
        <div className="column">
          {idOrUsername === '' ? <Nothing /> : <KnownChannel key={idOrUsername} {...{ idOrUsername, limit, params }} />}
        </div>
      </div>
    </ServicesContext>
  );
}

interface KnownChannelProps {
  readonly idOrUsername: string;
  readonly limit: number | undefined;
  readonly params: Readonly<Record<string, string>>;
}

function KnownChannel({ idOrUsername, limit, params }: KnownChannelProps) {
  const { channels, site } = useServices();
  const { toast, show } = useToast();
  const found = useReadable(channels.channel(idOrUsername));
  const channel = found.type === 'loaded' ? found.value : null;
  const [view, setView] = useView(site, params, channel);
  const drafts = useDrafts(view, (next, replace) => setView({ ...view, ...next, post: null }, replace), false);
  const searching = isSearch(view);
  const ChannelSearch = useLazy(loadSearch, searching);
  useTitle(site, channel);
  const head = useRef<HTMLElement>(null);
  const field = useRef<HTMLInputElement>(null);
  if (found.type === 'failed') {
    return found.status === 404 ? <Nothing /> : <Failure failed={found} alone onRetry={() => void channels.refresh()} />;
  }
  if (channel === null) return <Loading />;
  return (
    <>
      {!site.embedded && <ChannelBar channel={channel} head={head} onSearch={() => field.current?.focus()} />}
      <ChannelHead channel={channel} show={show} head={head} />
      {!searching && <PinnedLine channel={channel} named={view.post} />}
      <ChannelTools view={view} drafts={drafts} field={field} onView={setView} />
      {!searching && <ChannelStream key={String(view.grid)} {...{ idOrUsername, channel, view, limit, show }} onView={setView} />}
      {searching && (ChannelSearch === null ? <PostSkeletons plain /> : <ChannelSearch {...{ channel, view, drafts, limit }} />)}
      <Toast toast={toast} />
    </>
  );
}

function Nothing() {
  const NoChannel = useLazy(loadNoChannel, true);
  return NoChannel && <NoChannel />;
}

function Loading() {
  return (
    <>
      <div className="channel-head bones">
        <BackLink />
        <span className="bone avatar l" />
        <span className="bone" />
      </div>
      <PostSkeletons plain />
    </>
  );
}

/**
 * In the app the URL holds the view. A tag on a third-party page holds the view in its own state, because the URL belongs to
 * that page.
 */
function useView(
  site: Site,
  params: Readonly<Record<string, string>>,
  channel: Channel | null,
): [View, (view: View, replace?: boolean) => void] {
  const [own, setOwn] = useState<View | null>(null);
  const given = useMemo(() => readView(params), [params]);
  if (site.embedded) return [own ?? given, setOwn];
  return [
    given,
    (next, replace = false) => {
      if (channel === null) return;
      const query = viewQuery(next);
      site.navigate(channelPath(channel) + (query && `?${query}`), { replace });
    },
  ];
}

function useTitle(site: Site, channel: Channel | null): void {
  const title = channel?.title;
  useEffect(() => {
    if (title !== undefined) site.setTitle?.(title);
  }, [site, title]);
}
