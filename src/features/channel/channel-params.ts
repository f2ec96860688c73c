import { isAsking, isMedia, NOTHING, readDay, readSearch, type SearchView, searchQuery } from '../search/search-params.ts';

/** Channel view: the part of a channel that is shown, as stored in the query of its URL. */
export interface View extends SearchView {
  /** Id of the message that the URL names. */
  readonly post: number | null;
  /** Day at which the list starts, as 2026-01-31; '' for the newest posts. */
  readonly date: string;
  /** True if files are shown as tiles of a grid; only for the list of posts with files. */
  readonly grid: boolean;
}

/** View of the channel page without a query. */
export const PLAIN: View = { ...NOTHING, post: null, date: '', grid: false };

export function readView(params: Readonly<Record<string, string>>): View {
  const post = /^[1-9]\d{0,15}$/.test(params.post ?? '') ? Number(params.post) : null;
  const search = { ...readSearch(params, 'q'), channels: [] };
  const grid = params.as === 'grid' && isGridded(search);
  return { ...search, post, date: post === null ? readDay(params.date) : '', grid };
}

/** Returns the query of a view; '' for the plain page. */
export function viewQuery(view: View): string {
  const post = view.post === null ? '' : `post=${view.post}`;
  const date = view.date && !isSearch(view) ? `date=${view.date}` : '';
  const search = isAsking(view) ? searchQuery(view, 'q').replace(/^q=&/, '') : '';
  const grid = view.grid && isGridded(view) && 'as=grid';
  return [post, search, date, grid].filter(Boolean).join('&');
}

/** Returns true for a search, that is, more than the filter for posts with files, which has its own list. */
export const isSearch = (view: SearchView): boolean => isAsking({ ...view, kinds: isMedia(view.kinds) ? [] : view.kinds });

/** Returns true if the channel's posts with files are shown, which can be displayed as a grid. */
const isGridded = (view: SearchView): boolean => isMedia(view.kinds) && !isSearch(view);
