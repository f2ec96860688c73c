import { isAsking, isMedia, NOTHING, readDay, readSearch, type SearchView, searchQuery } from '../search/search-params.ts';

/** What of a channel is shown; the query of its address. */
export interface View extends SearchView {
  /** The message that the address names. */
  readonly post: number | null;
  /** The day at which the list starts, as 2026-01-31; '' for the newest posts. */
  readonly date: string;
  /** Whether files are tiles of a grid, where only posts with files are shown. */
  readonly grid: boolean;
}

/** The plain page. */
export const PLAIN: View = { ...NOTHING, post: null, date: '', grid: false };

export function readView(params: Readonly<Record<string, string>>): View {
  const post = /^[1-9]\d{0,15}$/.test(params.post ?? '') ? Number(params.post) : null;
  const search = { ...readSearch(params, 'q'), channels: [] };
  const grid = params.as === 'grid' && isGridded(search);
  return { ...search, post, date: post === null ? readDay(params.date) : '', grid };
}

/** The query of a view, '' where it is the plain page. */
export function viewQuery(view: View): string {
  const post = view.post === null ? '' : `post=${view.post}`;
  const date = view.date && !isSearch(view) ? `date=${view.date}` : '';
  const search = isAsking(view) ? searchQuery(view, 'q').replace(/^q=&/, '') : '';
  const grid = view.grid && isGridded(view) && 'as=grid';
  return [post, search, date, grid].filter(Boolean).join('&');
}

/** Whether it is more than the channel's posts with files, which are a list of their own. */
export const isSearch = (view: SearchView): boolean => isAsking({ ...view, kinds: isMedia(view.kinds) ? [] : view.kinds });

/** Whether the channel's posts with files are shown, which a grid can be made of. */
const isGridded = (view: SearchView): boolean => isMedia(view.kinds) && !isSearch(view);
