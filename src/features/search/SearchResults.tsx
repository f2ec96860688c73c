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
import { type SearchView, searchQuery, toSearchQuery } from './search-params.ts';
import { useRetryOnline } from './use-retry-online.ts';

interface SearchResultsProps {
  readonly search: PostSearch;
  readonly view: SearchView;
  /** Channels to search; empty for all. */
  readonly scope: readonly string[];
  readonly limit: number | undefined;
  /** `plain` on the channel's own page. */
  readonly head: 'channel' | 'plain';
  /** Shown next to the number of posts. */
  readonly aside?: ReactNode;
  /** Further suggestions if nothing is found. */
  readonly actions?: ReactNode;
  onView(view: SearchView): void;
}

/** Search results, newest first. The previous results stay visible, dimmed, until the new ones can be rendered. */
export function SearchResults({ search, view, scope, limit, head, aside, actions: ways, onView }: SearchResultsProps) {
  const m = useMsg();
  const { environment: site } = useServices();
  const { toast, show } = useToast();
  const asked = searchQuery(view, 'q') + scope.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` is all of the view and the scope, in words
  const list = useMemo(() => search.list(toSearchQuery(view, scope, limit)), [search, asked, limit]);
  const standing = useShownResults({ view, list, state: useCompletePosts(list) });
  const { state } = standing;
  const find = useHighlightFinder(standing.list, standing.view.q);
  const isKept = state.type === 'loaded' && state.cachedAt !== null;
  useRetryOnline(standing.list, isKept);
  const isEmpty = state.type === 'loaded' && state.posts.length === 0;
  const isLate = standing.list !== list;
  const note = () => {
    if (view.q !== '' && !site.embedded) search.saveRecent(view.q);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only notes that a result was opened
    // biome-ignore lint/a11y/useKeyWithClickEvents: a link that is opened by key is clicked
    <div className={isLate ? 'results late' : 'results'} aria-busy={isLate} onClick={note}>
      <div className={isEmpty ? 'hidden' : 'search-status'}>
        <p role="status">{isLate ? '' : statusText(m, state)}</p>
        {!isEmpty && aside}
      </div>
      <PostListView
        list={standing.list}
        state={state}
        label={m.msg('Search results')}
        head={head}
        findHighlights={find}
        visitMarks={null}
        tracksReading={false}
        show={show}
        notices={
          isKept && <OfflineSearchNotice since={isEmpty ? null : state.cachedAt} onRetry={() => void standing.list.reset()} />
        }
        empty={<NoResults {...{ view, onView, actions: ways }} />}
      />
      <Toast toast={toast} />
    </div>
  );
}

interface ShownResults {
  readonly view: SearchView;
  readonly list: SearchList;
  readonly state: PostListState;
}

/** Returns the requested results once they are loaded; until then the previous ones. */
function useShownResults(now: ShownResults): ShownResults {
  const [stood, setStood] = useState(now);
  if (now.state.type === 'loading' && stood.state.type === 'loaded' && stood.state.posts.length > 0) return stood;
  if (stood.list !== now.list || stood.state !== now.state) setStood(now);
  return now;
}

/** Highlights the hits that the server reports; without a report (cached posts), the words that begin alike. */
function useHighlightFinder(list: SearchList, q: string): HighlightFinder | undefined {
  return useMemo(() => {
    if (q === '') return undefined;
    const guess = createHighlightFinder(q);
    return (text) => {
      const told = list.highlightsOf(text);
      if (told === undefined) return guess(text);
      return told.flatMap((start, at) => {
        const end = told[at + 1];
        return at % 2 === 0 && end !== undefined ? [{ type: 'hit' as const, start, end, entity: null }] : [];
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
  /** Age of the results, unix ms; null if no displayed result has an age. */
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
      {msg('No connection: only posts kept on this device were searched, and for exactly these words.')}{' '}
      {when !== null && msg(str`Kept on this device: ${when}`)}
    </Notice>
  );
}
