import { useLayoutEffect, useState } from 'react';
import type { Channel } from '../../../contract/channel.ts';
import { PageLink } from '../../components/Link.tsx';
import { PostSkeletons } from '../../components/States.tsx';
import sheet from '../../components/styles/sheet.css';
import { useServices } from '../../context/services.ts';
import { searchOf } from '../../data/queries/search.ts';
import { useStylesheet } from '../../hooks/use-stylesheet.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { useAreaMessages } from '../../i18n/lazy-messages.ts';
import { SearchFilters } from './SearchFilters.tsx';
import { SearchResults } from './SearchResults.tsx';
import styles from './search.css';
import { EMPTY_SEARCH, type SearchParams, searchPath } from './search-params.ts';
import type { SearchDrafts } from './use-search-draft.ts';

interface ChannelSearchProps {
  readonly channel: Channel;
  readonly view: SearchParams;
  readonly drafts: SearchDrafts;
  readonly limit: number | undefined;
}

const STYLES = sheet + styles;
const NO_SCOPE: readonly string[] = [];

/** Channel search: a search in one channel, with its filters, its results, and a link to search in all channels. */
export function ChannelSearch({ channel, view, drafts, limit }: ChannelSearchProps) {
  const { msg } = useMsg();
  const { dataClient, environment } = useServices();
  const container = useStylesheet(STYLES);
  const [isStyled, setIsStyled] = useState(false);
  // As in SearchPanel.tsx: the styles mount before the list.
  useLayoutEffect(() => setIsStyled(true), []);
  const hasMessages = useAreaMessages('search');
  const search = searchOf(dataClient);
  const allChannelsPath = searchPath(view);
  return (
    <div ref={container} className="channel-search">
      {hasMessages && isStyled && search !== null ? (
        <>
          <SearchFilters view={view} drafts={drafts} scope={NO_SCOPE} />
          <SearchResults
            {...{ search, limit }}
            view={{ ...view, channels: [] }}
            scope={[channel.id]}
            onView={drafts.commit}
            head="plain"
            aside={
              <PageLink linkContext={environment} path={allChannelsPath}>
                {msg('Search in all channels')}
              </PageLink>
            }
            actions={
              <>
                <PageLink className="button" linkContext={environment} path={allChannelsPath}>
                  {msg('Search in all channels')}
                </PageLink>
                <button type="button" className="button quiet" onClick={() => drafts.commit(EMPTY_SEARCH)}>
                  {msg('Show all posts')}
                </button>
              </>
            }
          />
        </>
      ) : (
        <PostSkeletons withoutHeader />
      )}
    </div>
  );
}
