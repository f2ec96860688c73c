import { isAsking, isMedia, NOTHING, readDay, readSearch, type SearchView, searchQuery } from '../search/view.ts';

/** What of a channel is shown; the query of its address. */
export interface View extends SearchView {
  /** The message that the address names. */
  readonly post: number | null;
  /** The day at which the list starts, as 2026-01-31; '' for the newest posts. */
  readonly date: string;
}

/** The plain page. */
export const PLAIN: View = { ...NOTHING, post: null, date: '' };

export function readView(params: Readonly<Record<string, string>>): View {
  const post = /^[1-9]\d{0,15}$/.test(params.post ?? '') ? Number(params.post) : null;
  return { ...readSearch(params, 'q'), channels: [], post, date: post === null ? readDay(params.date) : '' };
}

/** The query of a view, '' where it is the plain page. */
export function viewQuery(view: View): string {
  const post = view.post === null ? '' : `post=${view.post}`;
  const date = view.date && !isSearch(view) ? `date=${view.date}` : '';
  const search = isAsking(view) ? searchQuery(view, 'q').replace(/^q=&/, '') : '';
  return [post, search, date].filter(Boolean).join('&');
}

/** Whether it is more than the channel's posts with files, which are a list of their own. */
export const isSearch = (view: View): boolean => isAsking({ ...view, kinds: isMedia(view.kinds) ? [] : view.kinds });
