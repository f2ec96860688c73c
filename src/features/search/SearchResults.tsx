import { type ReactNode, useMemo, useState } from 'react';
import { Icon } from '../../components/icons/Icon.tsx';
import { type Find, hits } from '../../components/rich-text/highlight.ts';
import { Notice } from '../../components/States.tsx';
import { Toast } from '../../components/Toast.tsx';
import { useServices } from '../../context/services.ts';
import type { PostListState } from '../../data/model/types.ts';
import type { Search, SearchList } from '../../data/queries/search-types.ts';
import { useToast } from '../../hooks/use-toast.ts';
import { type Messages, str, useMsg } from '../../i18n/i18n.ts';
import { PostStream } from '../post-list/PostList.tsx';
import { useWhole } from '../post-list/use-complete-posts.ts';
import { NoMatch } from './NoResults.tsx';
import { type SearchView, searchQuery, toQuery } from './search-params.ts';
import { useBack } from './use-retry-online.ts';

interface ResultsProps {
  readonly search: Search;
  readonly view: SearchView;
  /** Channels to search; empty for all. */
  readonly scope: readonly string[];
  readonly limit: number | undefined;
  /** `plain` on the channel's own page. */
  readonly head: 'channel' | 'plain';
  /** Shown next to the number of posts. */
  readonly aside?: ReactNode;
  /** Further suggestions if nothing is found. */
  readonly ways?: ReactNode;
  onView(view: SearchView): void;
}

/** Search results, newest first. The previous results stay visible, dimmed, until the new ones can be rendered. */
export function Results({ search, view, scope, limit, head, aside, ways, onView }: ResultsProps) {
  const m = useMsg();
  const { site } = useServices();
  const { toast, show } = useToast();
  const asked = searchQuery(view, 'q') + scope.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` is all of the view and the scope, in words
  const list = useMemo(() => search.list(toQuery(view, scope, limit)), [search, asked, limit]);
  const standing = useStanding({ view, list, state: useWhole(list) });
  const { state } = standing;
  const find = useFind(standing.list, standing.view.q);
  const isKept = state.type === 'loaded' && state.kept !== null;
  useBack(standing.list, isKept);
  const isEmpty = state.type === 'loaded' && state.posts.length === 0;
  const isLate = standing.list !== list;
  const note = () => {
    if (view.q !== '' && !site.embedded) search.note(view.q);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only notes that a result was opened
    // biome-ignore lint/a11y/useKeyWithClickEvents: a link that is opened by key is clicked
    <div className={isLate ? 'results late' : 'results'} aria-busy={isLate} onClick={note}>
      <div className={isEmpty ? 'hidden' : 'search-status'}>
        <p role="status">{isLate ? '' : statusText(m, state)}</p>
        {!isEmpty && aside}
      </div>
      <PostStream
        list={standing.list}
        state={state}
        label={m.msg('Search results')}
        head={head}
        find={find}
        arrival={null}
        reads={false}
        show={show}
        notices={isKept && <Offline since={isEmpty ? null : state.kept} onRetry={() => void standing.list.again()} />}
        empty={<NoMatch {...{ view, onView, ways }} />}
      />
      <Toast toast={toast} />
    </div>
  );
}

interface Standing {
  readonly view: SearchView;
  readonly list: SearchList;
  readonly state: PostListState;
}

/** Returns the requested results once they are loaded; until then the previous ones. */
function useStanding(now: Standing): Standing {
  const [stood, setStood] = useState(now);
  if (now.state.type === 'loading' && stood.state.type === 'loaded' && stood.state.posts.length > 0) return stood;
  if (stood.list !== now.list || stood.state !== now.state) setStood(now);
  return now;
}

/** Highlights the hits that the server reports; without a report (cached posts), the words that begin alike. */
function useFind(list: SearchList, q: string): Find | undefined {
  return useMemo(() => {
    if (q === '') return undefined;
    const guess = hits(q);
    return (text) => {
      const told = list.hitsOf(text);
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

interface OfflineProps {
  /** Age of the results, unix ms; null if no displayed result has an age. */
  readonly since: number | null;
  onRetry(): void;
}

/** Notice of an offline search: only posts on this device are searched; shows how old they are. */
function Offline({ since, onRetry }: OfflineProps) {
  const m = useMsg();
  const { msg } = m;
  const when = since === null ? null : m.when(Math.floor(since / 1000), Date.now());
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
