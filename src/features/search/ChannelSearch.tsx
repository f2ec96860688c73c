import { useLayoutEffect, useState } from 'react';
import type { Channel } from '../../../contract/channel.ts';
import { To } from '../../components/Link.tsx';
import { PostSkeletons } from '../../components/States.tsx';
import sheet from '../../components/styles/sheet.css';
import { useServices } from '../../context/services.ts';
import { searchOf } from '../../data/queries/search.ts';
import { useStyle } from '../../hooks/use-stylesheet.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { useWords } from '../../i18n/lazy-messages.ts';
import { Filters } from './SearchFilters.tsx';
import { Results } from './SearchResults.tsx';
import styles from './search.css';
import { NOTHING, type SearchView, searchPath } from './search-params.ts';
import type { Drafts } from './use-search-draft.ts';

interface ChannelSearchProps {
  readonly channel: Channel;
  readonly view: SearchView;
  readonly drafts: Drafts;
  readonly limit: number | undefined;
}

const STYLES = sheet + styles;
const NO_SCOPE: readonly string[] = [];

/** Channel search: a search in one channel, with its filters, its results, and a link to search in all channels. */
export function ChannelSearch({ channel, view, drafts, limit }: ChannelSearchProps) {
  const { msg } = useMsg();
  const { channels, site } = useServices();
  const box = useStyle(STYLES);
  const [styled, setStyled] = useState(false);
  // As in SearchPanel.tsx: the styles mount before the list.
  useLayoutEffect(() => setStyled(true), []);
  const worded = useWords('search');
  const search = searchOf(channels);
  const everywhere = searchPath(view);
  return (
    <div ref={box} className="channel-search">
      {worded && styled && search !== null ? (
        <>
          <Filters view={view} drafts={drafts} scope={NO_SCOPE} />
          <Results
            {...{ search, limit }}
            view={{ ...view, channels: [] }}
            scope={[channel.id]}
            onView={drafts.settle}
            head="plain"
            aside={
              <To place={site} path={everywhere}>
                {msg('Search in all channels')}
              </To>
            }
            ways={
              <>
                <To className="button" place={site} path={everywhere}>
                  {msg('Search in all channels')}
                </To>
                <button type="button" className="button quiet" onClick={() => drafts.settle(NOTHING)}>
                  {msg('Show all posts')}
                </button>
              </>
            }
          />
        </>
      ) : (
        <PostSkeletons plain />
      )}
    </div>
  );
}
