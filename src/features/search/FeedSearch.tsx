import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { useServices } from '../../context/services.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { Search } from './SearchPanel.tsx';
import { readSearch, searchPath } from './search-params.ts';
import { useSearchKey } from './use-search-shortcut.ts';

type Params = Readonly<Record<string, string>>;

const FEED = '/main';
const EMPTY = '/main?search';

/** The search that the feed's address may ask for, and the key that leads to it. */
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

/** One step back within the app, as the router counts them; where the app was entered here, `otherwise`. */
function goBack(otherwise: () => void): void {
  const state: unknown = history.state;
  if (Number(Reflect.get(Object(state), 'changerDepth')) > 0) history.back();
  else otherwise();
}

/** Names the page, and the feed again when the search has made way for it; the shell names every other page. */
function useTitle(title: string, former: string): void {
  const { site } = useServices();
  useEffect(() => {
    site.setTitle?.(title);
    return () => {
      if (location.pathname === FEED) site.setTitle?.(former);
    };
  }, [site, title, former]);
}
