import {
  EMPTY_SEARCH,
  isMediaOnly,
  isSearchActive,
  parseDay,
  parseSearch,
  type SearchView,
  searchQuery,
} from '../search/search-params.ts';

/** Channel view: the part of a channel that is shown, as stored in the query of its URL. */
export interface ChannelView extends SearchView {
  /** Id of the message that the URL names. */
  readonly post: number | null;
  /** Day at which the list starts, as 2026-01-31; '' for the newest posts. */
  readonly date: string;
  /** True if files are shown as tiles of a grid; only for the list of posts with files. */
  readonly grid: boolean;
}

/** View of the channel page without a query. */
export const DEFAULT_VIEW: ChannelView = { ...EMPTY_SEARCH, post: null, date: '', grid: false };

export function parseChannelView(params: Readonly<Record<string, string>>): ChannelView {
  const post = /^[1-9]\d{0,15}$/.test(params.post ?? '') ? Number(params.post) : null;
  const search = { ...parseSearch(params, 'q'), channels: [] };
  const grid = params.as === 'grid' && canShowGrid(search);
  return { ...search, post, date: post === null ? parseDay(params.date) : '', grid };
}

/** Returns the query of a view; '' for the plain page. */
export function channelViewQuery(view: ChannelView): string {
  const post = view.post === null ? '' : `post=${view.post}`;
  const date = view.date && !isSearch(view) ? `date=${view.date}` : '';
  const search = isSearchActive(view) ? searchQuery(view, 'q').replace(/^q=&/, '') : '';
  const grid = view.grid && canShowGrid(view) && 'as=grid';
  return [post, search, date, grid].filter(Boolean).join('&');
}

/** Returns true for a search, that is, more than the filter for posts with files, which has its own list. */
export const isSearch = (view: SearchView): boolean =>
  isSearchActive({ ...view, kinds: isMediaOnly(view.kinds) ? [] : view.kinds });

/** Returns true if the channel's posts with files are shown, which can be displayed as a grid. */
const canShowGrid = (view: SearchView): boolean => isMediaOnly(view.kinds) && !isSearch(view);
