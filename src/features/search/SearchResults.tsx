import { type ReactNode, useMemo, useState } from 'react';
import { Icon } from '../../components/icons/Icon.tsx';
import { createHighlightFinder, type HighlightFinder } from '../../components/rich-text/highlight.ts';
import { Notice } from '../../components/States.tsx';
import { Toast } from '../../components/Toast.tsx';
import { useServices } from '../../context/services.ts';
import type { PostListState } from '../../data/model/types.ts';
import type { PostSearch, SearchList } from '../../data/queries/search-types.ts';
import { useToast } from '../../hooks/use-toast.ts';
import { type Messages, str, useMsg } from '../../i18n/i18n.ts';
import { PostListView } from '../post-list/PostList.tsx';
import { useCompletePosts } from '../post-list/use-complete-posts.ts';
import { NoResults } from './NoResults.tsx';
import { type SearchParams, searchQuery, toSearchQuery } from './search-params.ts';
import { useRetryOnline } from './use-retry-online.ts';

interface SearchResultsProps {
  readonly search: PostSearch;
  readonly view: SearchParams;
  /** Channels to search; empty for all. */
  readonly scope: readonly string[];
  readonly limit: number | undefined;
  /** `plain` on the channel's own page. */
  readonly head: 'channel' | 'plain';
  /** Shown next to the number of posts. */
  readonly aside?: ReactNode;
  /** Further suggestions if nothing is found. */
  readonly actions?: ReactNode;
  onView(view: SearchParams): void;
}

/** Search results, newest first. The previous results stay visible, dimmed, until the new ones can be rendered. */
export function SearchResults({ search, view, scope, limit, head, aside, actions, onView }: SearchResultsProps) {
  const m = useMsg();
  const { environment } = useServices();
  const { toast, show, hold } = useToast();
  const queryKey = searchQuery(view, 'q') + scope.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `queryKey` identifies the view and the scope
  const list = useMemo(() => search.list(toSearchQuery(view, scope, limit)), [search, queryKey, limit]);
  const shown = useShownResults({ view, list, state: useCompletePosts(list) });
  const { state } = shown;
  const findHighlights = useHighlightFinder(shown.list, shown.view.q);
  const isCached = state.type === 'loaded' && state.cachedAt !== null;
  useRetryOnline(shown.list, isCached);
  const isEmpty = state.type === 'loaded' && state.posts.length === 0;
  const isStale = shown.list !== list;
  const saveRecent = () => {
    if (view.q !== '' && !environment.embedded) search.saveRecent(view.q);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only records that a result was opened
    // biome-ignore lint/a11y/useKeyWithClickEvents: a link that is opened by key is clicked
    <div className={isStale ? 'results late' : 'results'} aria-busy={isStale} onClick={saveRecent}>
      <div className={isEmpty ? 'hidden' : 'search-status'}>
        <p role="status">{isStale ? '' : statusText(m, state)}</p>
        {!isEmpty && aside}
      </div>
      <PostListView
        list={shown.list}
        state={state}
        label={m.msg('Search results')}
        head={head}
        findHighlights={findHighlights}
        visitMarks={null}
        tracksReading={false}
        show={show}
        notices={
          isCached && <OfflineSearchNotice since={isEmpty ? null : state.cachedAt} onRetry={() => void shown.list.reset()} />
        }
        empty={<NoResults {...{ view, onView, actions }} />}
      />
      <Toast toast={toast} hold={hold} />
    </div>
  );
}

interface ShownResults {
  readonly view: SearchParams;
  readonly list: SearchList;
  readonly state: PostListState;
}

/** Returns the requested results once they are loaded; until then the previous ones. */
function useShownResults(requested: ShownResults): ShownResults {
  const [shown, setShown] = useState(requested);
  if (requested.state.type === 'loading' && shown.state.type === 'loaded' && shown.state.posts.length > 0) return shown;
  if (shown.list !== requested.list || shown.state !== requested.state) setShown(requested);
  return requested;
}

/** Highlights the hits that the server reports; without a report (cached posts), the words with the same beginning. */
function useHighlightFinder(list: SearchList, q: string): HighlightFinder | undefined {
  return useMemo(() => {
    if (q === '') return undefined;
    const findSimilar = createHighlightFinder(q);
    return (text) => {
      const hits = list.highlightsOf(text);
      if (hits === undefined) return findSimilar(text);
      // A flat list: start and end of the first hit, start and end of the second, and so on.
      return hits.flatMap((start, index) => {
        const end = hits[index + 1];
        return index % 2 === 0 && end !== undefined ? [{ type: 'hit' as const, start, end, entity: null }] : [];
      });
    };
  }, [list, q]);
}

function statusText({ msg, plural }: Messages, state: PostListState): string {
  if (state.type !== 'loaded') return '';
  if (state.posts.length === 0) return msg('Nothing found');
  return state.older === 'end'
    ? plural(state.posts.length, msg('one: # post found, newest first | other: # posts found, newest first'))
    : msg('First results, newest first');
}

interface OfflineSearchNoticeProps {
  /** Time when the results were stored, unix ms; null if there are no results. */
  readonly since: number | null;
  onRetry(): void;
}

/** Notice of an offline search: only posts on this device are searched; shows how old they are. */
function OfflineSearchNotice({ since, onRetry }: OfflineSearchNoticeProps) {
  const m = useMsg();
  const { msg } = m;
  const when = since === null ? null : m.relativeDate(Math.floor(since / 1000), Date.now());
  return (
    <Notice
      icon={<Icon name="offline" small />}
      action={
        <button type="button" className="link" onClick={onRetry}>
          {msg('Try again')}
        </button>
      }
    >
      {msg('No connection: only posts saved on this device were searched, and for exactly these words.')}{' '}
      {when !== null && msg(str`Saved on this device: ${when}`)}
    </Notice>
  );
}
