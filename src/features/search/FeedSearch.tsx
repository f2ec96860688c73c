import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { useServices } from '../../context/services.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { Search } from './SearchPanel.tsx';
import { readSearch, searchPath } from './search-params.ts';
import { useSearchKey } from './use-search-shortcut.ts';

type Params = Readonly<Record<string, string>>;

const FEED = '/main';
const EMPTY = '/main?search';

/** Feed search: the search page that the feed's URL may request, and the key that opens it. */
export function FeedSearch({ params }: { readonly params: Params }) {
  const { site } = useServices();
  const field = useRef<HTMLInputElement>(null);
  useSearchKey(() => {
    if (field.current === null) return site.navigate(EMPTY);
    field.current.focus();
    field.current.select();
  });
  return params.search === undefined ? null : <Shown params={params} field={field} />;
}

function Shown({ params, field }: { readonly params: Params; readonly field: RefObject<HTMLInputElement | null> }) {
  const { msg } = useMsg();
  const { host, site } = useServices();
  const view = useMemo(() => readSearch(params, 'search'), [params]);
  useEffect(() => host.showBackButton(() => goBack(() => site.navigate(FEED, { replace: true }))), [host, site]);
  useTitle(msg('Search'), msg('Feed'));
  return (
    <Search
      view={view}
      show={(next, replace) => site.navigate(searchPath(next), { replace })}
      field={field}
      onLeave={() => site.navigate(FEED)}
    />
  );
}

/** Goes back one step within the app, as the router counts them; calls `otherwise` if the app was entered at this page. */
function goBack(otherwise: () => void): void {
  const state: unknown = history.state;
  if (Number(Reflect.get(Object(state), 'changerDepth')) > 0) history.back();
  else otherwise();
}

/**
 * Sets the title of the search page, and the feed's title again after the search; the shell sets the title of every other page.
 */
function useTitle(title: string, former: string): void {
  const { site } = useServices();
  useEffect(() => {
    site.setTitle?.(title);
    return () => {
      if (location.pathname === FEED) site.setTitle?.(former);
    };
  }, [site, title, former]);
}
