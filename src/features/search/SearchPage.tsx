import { useRef, useState } from 'react';
import { SearchPanel } from './SearchPanel.tsx';
import { parseSearch, type SearchParams } from './search-params.ts';

interface SearchPageProps {
  /** Ids or usernames of the channels to search, separated by commas; absent for every channel. */
  readonly channels?: string;
  /** Initial search text. */
  readonly q?: string;
  /** Posts per page. */
  readonly limit?: number;
}

/**
 * Search page as a separate tag on a third-party page: the URL belongs to that page, so the tag stores the search in
 * its own state.
 */
export function SearchPage({ channels, q = '', limit }: SearchPageProps) {
  const [localSearch, setLocalSearch] = useState<{ readonly q: string; readonly view: SearchParams }>();
  const field = useRef<HTMLInputElement>(null);
  const scope = channels === undefined ? undefined : parseSearch({ channels }, 'q').channels;
  return (
    <SearchPanel
      // Another `q` starts another search.
      view={localSearch?.q === q ? localSearch.view : parseSearch({ q }, 'q')}
      show={(view) => setLocalSearch({ q, view })}
      field={field}
      {...(scope !== undefined && { scope })}
      limit={limit}
      onLeave={() => field.current?.blur()}
    />
  );
}
