import { type ReactNode, useEffect, useState } from 'react';
import { Icon } from '../../components/icons/Icon.tsx';
import { useServices } from '../../context/services.ts';
import type { PostSearch } from '../../data/queries/search-types.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { kindNames } from './filter-labels.ts';
import { SEARCH_KINDS, type SearchParams } from './search-params.ts';

interface SearchSuggestionsProps {
  readonly search: PostSearch;
  onView(view: Partial<SearchParams>): void;
}

/**
 * Search suggestions, shown before a search: recent searches, hashtags of cached posts, and the kinds of posts to
 * browse.
 */
export function SearchSuggestions({ search, onView }: SearchSuggestionsProps) {
  const m = useMsg();
  const { msg } = m;
  const tags = useHashtags(search);
  const namesByKind = kindNames(m);
  return (
    <div className="search-start">
      <RecentSearches search={search} onView={onView} />
      {tags.length > 0 && (
        <SuggestionSection title={msg('Hashtags')}>
          <div className="start-chips">
            {tags.map((tag) => (
              <button key={tag} type="button" className="chip" onClick={() => onView({ q: tag })}>
                <bdi>{tag}</bdi>
              </button>
            ))}
          </div>
        </SuggestionSection>
      )}
      <SuggestionSection title={msg('Browse by kind')}>
        <div className="start-chips">
          {SEARCH_KINDS.map((kind) => (
            <button key={kind} type="button" className="chip" onClick={() => onView({ kinds: [kind] })}>
              {namesByKind[kind]}
            </button>
          ))}
        </div>
      </SuggestionSection>
      <p className="start-tip">
        {msg('A word is found in all its forms, in Russian, English and Arabic. Several words must all be there.')}
      </p>
    </div>
  );
}

/** Recent searches on this device; a third-party page stores none. */
function RecentSearches({ search, onView }: SearchSuggestionsProps) {
  const { msg } = useMsg();
  const { environment } = useServices();
  const recent = useSignalValue(search.recent);
  if (environment.embedded || recent.length === 0) return null;
  const clearButton = (
    <button type="button" className="link" onClick={search.clearRecent}>
      {msg('Clear')}
    </button>
  );
  return (
    <SuggestionSection title={msg('Recent searches')} action={clearButton}>
      <ul className="recent">
        {recent.map((query) => (
          <li key={query}>
            <button type="button" onClick={() => onView({ q: query })}>
              <Icon name="search" small />
              <bdi>{query}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </SuggestionSection>
  );
}

interface SuggestionSectionProps {
  readonly title: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

const SuggestionSection = ({ title, action, children }: SuggestionSectionProps) => (
  <section>
    <header>
      <h2>{title}</h2>
      {action}
    </header>
    {children}
  </section>
);

function useHashtags(search: PostSearch): readonly string[] {
  const [tags, setTags] = useState<readonly string[]>([]);
  useEffect(() => {
    let isCurrent = true;
    void search.hashtags().then((found) => isCurrent && setTags(found));
    return () => {
      isCurrent = false;
    };
  }, [search]);
  return tags;
}
