import { useEffect, useRef, useState } from 'react';
import { isSame, type SearchView } from './search-params.ts';

/** Shows a view; `replace` in place of the present one, else as a step that Back leads out of. */
export type ShowView = (view: SearchView, replace: boolean) => void;

/** While the reader types, so long after the last key, ms. */
const REST = 250;

export interface Drafts {
  /** The words that the field should hold, which somebody else than its reader wrote: Back, a link, a button. */
  readonly given: { readonly q: string };
  /** Shows what was typed, once the reader pauses; it replaces what was typed before. */
  type(q: string): void;
  /** Shows a view at once, as a draft that the next one replaces. */
  draft(view: SearchView): void;
  /** Shows a view at once, as a step of its own; without one, makes the present draft such a step. */
  settle(view?: SearchView): void;
}

interface Standing {
  view: SearchView;
  show: ShowView;
  isDraft: boolean;
  /** Shown, and not arrived yet. */
  sent: SearchView[];
  timer: ReturnType<typeof setTimeout> | undefined;
}

/**
 * Keeps the history to what a reader would call steps: a search that was sent, a filter that was chosen. `isDraft` says whether
 * the view that is there at first may be replaced.
 */
export function useDrafts(view: SearchView, show: ShowView, isDraft: boolean): Drafts {
  const now = useRef<Standing>({ view, show, isDraft, sent: [], timer: undefined });
  const [given, setGiven] = useState({ q: view.q });
  useEffect(() => {
    const { current } = now;
    current.show = show;
    const at = current.sent.findIndex((sent) => isSame(sent, view));
    if (at !== -1) current.sent.splice(0, at + 1);
    else if (current.sent.length === 0 && !isSame(view, current.view)) {
      Object.assign(current, { view, isDraft: false });
      setGiven({ q: view.q });
    }
  });
  useEffect(() => () => clearTimeout(now.current.timer), []);

  const go = (next: SearchView, toDraft: boolean): void => {
    const { current } = now;
    clearTimeout(current.timer);
    const replaces = current.isDraft;
    current.isDraft = toDraft;
    if (isSame(next, current.view)) return;
    current.view = next;
    current.sent.push(next);
    current.show(next, replaces);
  };
  const put = (next: SearchView, toDraft: boolean): void => {
    setGiven({ q: next.q });
    go(next, toDraft);
  };
  return {
    given,
    type(q) {
      clearTimeout(now.current.timer);
      now.current.timer = setTimeout(() => go({ ...now.current.view, q: q.trim() }, true), q === '' ? 0 : REST);
    },
    draft: (next) => put(next, true),
    settle: (next) => (next === undefined ? go(now.current.view, false) : put(next, false)),
  };
}
