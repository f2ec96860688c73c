import { useEffect, useRef, useState } from 'react';
import { isSameSearch, type SearchParams } from './search-params.ts';

/** Shows a view. `replace` replaces the current history entry; otherwise a new entry is added. */
export type ShowView = (view: SearchParams, replace: boolean) => void;

/** Debounce time after the last key, ms. */
const TYPING_DEBOUNCE_MS = 250;

export interface SearchDrafts {
  /** Text for the field after Back, a link or a button changed it; a new object for each change. */
  readonly fieldValue: { readonly q: string };
  /** Shows the typed text after a pause; it replaces the previous draft in the history. */
  type(q: string): void;
  /** Shows a view at once, as a draft that the next one replaces. */
  draft(view: SearchParams): void;
  /** Shows a view at once, as a separate history entry; without one, turns the current draft into such an entry. */
  commit(view?: SearchParams): void;
}

interface DraftState {
  view: SearchParams;
  show: ShowView;
  isDraft: boolean;
  /** Views that were shown but are not in the URL yet. */
  pending: SearchParams[];
  timer: ReturnType<typeof setTimeout> | undefined;
}

/**
 * Search drafts: limits the history to the steps that a reader expects: sent searches and chosen filters. `isDraft` is
 * true if the initial view may be replaced.
 */
export function useSearchDrafts(view: SearchParams, show: ShowView, isDraft: boolean): SearchDrafts {
  const stateRef = useRef<DraftState>({ view, show, isDraft, pending: [], timer: undefined });
  const [fieldValue, setFieldValue] = useState({ q: view.q });
  useEffect(() => {
    const { current } = stateRef;
    current.show = show;
    const index = current.pending.findIndex((pendingView) => isSameSearch(pendingView, view));
    if (index !== -1) current.pending.splice(0, index + 1);
    else if (current.pending.length === 0 && !isSameSearch(view, current.view)) {
      Object.assign(current, { view, isDraft: false });
      setFieldValue({ q: view.q });
    }
  });
  useEffect(() => () => clearTimeout(stateRef.current.timer), []);

  const showView = (next: SearchParams, asDraft: boolean): void => {
    const { current } = stateRef;
    clearTimeout(current.timer);
    const replaces = current.isDraft;
    current.isDraft = asDraft;
    if (isSameSearch(next, current.view)) return;
    current.view = next;
    current.pending.push(next);
    current.show(next, replaces);
  };
  const fillAndShow = (next: SearchParams, asDraft: boolean): void => {
    setFieldValue({ q: next.q });
    showView(next, asDraft);
  };
  return {
    fieldValue,
    type(q) {
      clearTimeout(stateRef.current.timer);
      stateRef.current.timer = setTimeout(
        () => showView({ ...stateRef.current.view, q: q.trim() }, true),
        q === '' ? 0 : TYPING_DEBOUNCE_MS,
      );
    },
    draft: (next) => fillAndShow(next, true),
    commit: (next) => (next === undefined ? showView(stateRef.current.view, false) : fillAndShow(next, false)),
  };
}
