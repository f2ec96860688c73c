import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useContentReport } from '../../components/content-status.ts';
import { AnyIcon } from '../../components/icons/AnyIcon.tsx';
import { PageLink } from '../../components/Link.tsx';
import { PostSkeletons } from '../../components/States.tsx';
import sheet from '../../components/styles/sheet.css';
import { useServices } from '../../context/services.ts';
import { searchOf } from '../../data/queries/search.ts';
import { useStylesheet } from '../../hooks/use-stylesheet.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { useAreaMessages } from '../../i18n/lazy-messages.ts';
import { SearchField } from './SearchField.tsx';
import { SearchFilters } from './SearchFilters.tsx';
import { SearchResults } from './SearchResults.tsx';
import { SearchSuggestions } from './SearchSuggestions.tsx';
import styles from './search.css';
import { EMPTY_SEARCH, isSearchActive, type SearchParams } from './search-params.ts';
import { type ShowView, useSearchDrafts } from './use-search-draft.ts';

interface SearchPanelProps {
  readonly view: SearchParams;
  readonly show: ShowView;
  readonly field: RefObject<HTMLInputElement | null>;
  /** Channels to search; empty for all. */
  readonly scope?: readonly string[];
  readonly limit?: number | undefined;
  /** Called when Escape is pressed in the empty field. */
  onLeave(): void;
}

const STYLES = sheet + styles;
const ALL_CHANNELS: readonly string[] = [];

/** Search panel across channels: the field in the page header, its filters below, then the results. */
export function SearchPanel({ view, show, field, scope = ALL_CHANNELS, limit, onLeave }: SearchPanelProps) {
  const { msg } = useMsg();
  const { dataClient, environment, host } = useServices();
  const page = useStylesheet(STYLES);
  // A server-rendered page already contains its styles.
  const [isStyled, setIsStyled] = useState(typeof document === 'undefined');
  // The list restores its scroll position as soon as it is mounted, so the styles must be mounted before it. A parent's
  // effects run after those of its children; so the list is mounted only in the next render.
  useLayoutEffect(() => setIsStyled(true), []);
  const hasMessages = useAreaMessages('search');
  useContentReport(hasMessages ? null : 'loading');
  const search = searchOf(dataClient);
  const drafts = useSearchDrafts(view, show, !isSearchActive(view));
  const focusHeading = () => page.current?.querySelector('h1')?.focus({ preventScroll: true });
  const setInitialFocus = () => {
    if (!isSearchActive(view)) field.current?.focus();
    else if (document.activeElement === document.body) focusHeading();
  };
  useOnce(setInitialFocus, hasMessages && !environment.embedded);
  /** Moves the focus to the heading, because the pressed button is replaced by the results. */
  const showView = (next: SearchParams) => {
    focusHeading();
    drafts.commit(next);
  };
  const send = (q: string) => {
    drafts.commit({ ...view, q });
    if (q !== '' && !environment.embedded) search?.saveRecent(q);
    // Closes a phone's keyboard, so that the results are visible.
    if (q !== '') field.current?.blur();
  };
  return (
    <div className="page search-page" ref={page}>
      <header className="top">
        <h1 className="hidden" tabIndex={-1}>
          {msg('Search')}
        </h1>
        <div className="bar">
          {!environment.embedded && host.kind === 'browser' && (
            <PageLink className="icon-button" linkContext={environment} path="/main" aria-label={msg('Go to the feed')}>
              <AnyIcon name="previous" />
            </PageLink>
          )}
          {hasMessages && (
            <SearchField
              value={drafts.fieldValue}
              label={msg('Search posts')}
              field={field}
              onType={drafts.type}
              onSend={send}
              onLeave={onLeave}
            />
          )}
        </div>
        {hasMessages && <SearchFilters {...{ view, drafts, scope }} withChannels />}
      </header>
      <div className="column">
        {/* Renders no content before the filters: they may need two lines, and would move the content. */}
        {!hasMessages ? null : search === null || !isStyled ? (
          <>
            {isSearchActive(view) && <div className="search-status" />}
            <PostSkeletons />
          </>
        ) : isSearchActive(view) ? (
          <SearchResults {...{ search, view, scope, limit }} onView={showView} head="channel" />
        ) : (
          <SearchSuggestions search={search} onView={(next) => showView({ ...EMPTY_SEARCH, ...next })} />
        )}
      </div>
    </div>
  );
}

/** Calls a function once, as soon as `isReady` is true. */
function useOnce(run: () => void, isReady: boolean): void {
  const isDone = useRef(false);
  useEffect(() => {
    if (isDone.current || !isReady) return;
    isDone.current = true;
    run();
  });
}
