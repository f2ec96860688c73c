import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { useServices } from '../../context/services.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { historyDepth } from '../../lib/history-state.ts';
import { SearchPanel } from './SearchPanel.tsx';
import { parseSearch, searchPath } from './search-params.ts';
import { useSearchShortcut } from './use-search-shortcut.ts';

type Params = Readonly<Record<string, string>>;

const FEED_PATH = '/main';
const EMPTY_SEARCH_PATH = '/main?search';

/** Feed search: the search page that the feed's URL may request, and the key that opens it. */
export function FeedSearch({ params }: { readonly params: Params }) {
  const { environment } = useServices();
  const field = useRef<HTMLInputElement>(null);
  useSearchShortcut(() => {
    if (field.current === null) return environment.navigate(EMPTY_SEARCH_PATH);
    field.current.focus();
    field.current.select();
  });
  return params.search === undefined ? null : <FeedSearchContent params={params} field={field} />;
}

function FeedSearchContent({ params, field }: { readonly params: Params; readonly field: RefObject<HTMLInputElement | null> }) {
  const { msg } = useMsg();
  const { host, environment } = useServices();
  const view = useMemo(() => parseSearch(params, 'search'), [params]);
  useEffect(
    () => host.showBackButton(() => goBack(() => environment.navigate(FEED_PATH, { replace: true }))),
    [host, environment],
  );
  useSearchTitle(msg('Search'), msg('Feed'));
  return (
    <SearchPanel
      view={view}
      show={(next, replace) => environment.navigate(searchPath(next), { replace })}
      field={field}
      onLeave={() => environment.navigate(FEED_PATH)}
    />
  );
}

/**
 * Goes back one step within the app, as the router counts them; calls `fallback` if the app was entered at this page.
 */
function goBack(fallback: () => void): void {
  if (historyDepth() > 0) history.back();
  else fallback();
}

/**
 * Sets the title of the search page, and the feed's title again after the search; the shell sets the title of every
 * other page.
 */
function useSearchTitle(title: string, previousTitle: string): void {
  const { environment } = useServices();
  useEffect(() => {
    environment.setTitle?.(title);
    return () => {
      if (location.pathname === FEED_PATH) environment.setTitle?.(previousTitle);
    };
  }, [environment, title, previousTitle]);
}
