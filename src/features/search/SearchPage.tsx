import { useRef, useState } from 'react';
import { Search } from './SearchPanel.tsx';
import { readSearch, type SearchView } from './search-params.ts';

interface SearchPageProps {
  /** Ids or usernames with commas between, to stay within; absent for every channel. */
  readonly channels?: string;
  /** The words to begin with. */
  readonly q?: string;
  /** Posts per page. */
  readonly limit?: number;
}

/** Search across channels as a tag of its own: the address is the site's, so the tag holds what is searched for itself. */
export function SearchPage({ channels, q = '', limit }: SearchPageProps) {
  const [own, setOwn] = useState<{ readonly q: string; readonly view: SearchView }>();
  const field = useRef<HTMLInputElement>(null);
  const scope = channels === undefined ? undefined : readSearch({ channels }, 'q').channels;
  return (
    <Search
      // Another `q` is another search.
      view={own?.q === q ? own.view : readSearch({ q }, 'q')}
      show={(view) => setOwn({ q, view })}
      field={field}
      {...(scope !== undefined && { scope })}
      limit={limit}
      onLeave={() => field.current?.blur()}
    />
  );
}
