import { type ReactNode, useEffect, useState } from 'react';
import { Icon } from '../../components/icons/Icon.tsx';
import { useServices } from '../../context/services.ts';
import type { Search } from '../../data/queries/search-types.ts';
import { useReadable } from '../../hooks/use-signal-value.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { kindNames } from './filter-labels.ts';
import { KINDS, type SearchView } from './search-params.ts';

interface StartProps {
  readonly search: Search;
  onView(view: Partial<SearchView>): void;
}

/** Search suggestions before a search: recent searches, hashtags of cached posts, and the kinds of posts to browse. */
export function Start({ search, onView }: StartProps) {
  const m = useMsg();
  const { msg } = m;
  const tags = useTags(search);
  const kinds = kindNames(m);
  return (
    <div className="search-start">
      <Recent search={search} onView={onView} />
      {tags.length > 0 && (
        <Section title={msg('Hashtags')}>
          <div className="start-chips">
            {tags.map((tag) => (
              <button key={tag} type="button" className="chip" onClick={() => onView({ q: tag })}>
                <bdi>{tag}</bdi>
              </button>
            ))}
          </div>
        </Section>
      )}
      <Section title={msg('Browse by kind')}>
        <div className="start-chips">
          {KINDS.map((kind) => (
            <button key={kind} type="button" className="chip" onClick={() => onView({ kinds: [kind] })}>
              {kinds[kind]}
            </button>
          ))}
        </div>
      </Section>
      <p className="start-tip">
        {msg('A word is found in all its forms, in Russian, English and Arabic. Several words must all be there.')}
      </p>
    </div>
  );
}

/** Recent searches on this device; a third-party page stores none. */
function Recent({ search, onView }: StartProps) {
  const { msg } = useMsg();
  const { site } = useServices();
  const recent = useReadable(search.recent);
  if (site.embedded || recent.length === 0) return null;
  const forget = (
    <button type="button" className="link" onClick={search.forget}>
      {msg('Clear')}
    </button>
  );
  return (
    <Section title={msg('Searched lately')} action={forget}>
      <ul className="recent">
        {recent.map((words) => (
          <li key={words}>
            <button type="button" onClick={() => onView({ q: words })}>
              <Icon name="search" small />
              <bdi>{words}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

interface SectionProps {
  readonly title: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

const Section = ({ title, action, children }: SectionProps) => (
  <section>
    <header>
      <h2>{title}</h2>
      {action}
    </header>
    {children}
  </section>
);

function useTags(search: Search): readonly string[] {
  const [tags, setTags] = useState<readonly string[]>([]);
  useEffect(() => {
    let current = true;
    void search.tags().then((found) => current && setTags(found));
    return () => {
      current = false;
    };
  }, [search]);
  return tags;
}
