import {
  EMPTY_SEARCH,
  isMediaOnly,
  isSearchActive,
  parseDay,
  parseSearch,
  type SearchParams,
  searchQuery,
} from '../search/search-params.ts';

/** Channel view: state of a channel's page in the query of its URL. It consists of the search, position and display. */
export interface ChannelView extends SearchParams {
  /** Id of the post to scroll to (`post=`); null if there is none. */
  readonly postId: number | null;
  /** Day at which the list starts (`date=`), such as 2026-01-31; '' for the newest posts. */
  readonly date: string;
  /** True if files are shown as tiles of a grid (`as=grid`). Only the list of posts with files has a grid. */
  readonly grid: boolean;
}

/** View of the channel page without a query. */
export const DEFAULT_VIEW: ChannelView = { ...EMPTY_SEARCH, postId: null, date: '', grid: false };

/** Id of a post in a URL: a positive integer with at most 16 digits. */
const POST_ID_PATTERN = /^[1-9]\d{0,15}$/;

/** Parses the query of a channel's URL. Invalid values are ignored; `post` takes precedence over `date`. */
export function parseChannelView(params: Readonly<Record<string, string>>): ChannelView {
  const postId = POST_ID_PATTERN.test(params.post ?? '') ? Number(params.post) : null;
  const search = { ...parseSearch(params, 'q'), channels: [] };
  const grid = params.as === 'grid' && canShowGrid(search);
  return { ...search, postId, date: postId === null ? parseDay(params.date) : '', grid };
}

/** Returns the query of a view; '' for the default view. */
export function channelViewQuery(view: ChannelView): string {
  const post = view.postId === null ? '' : `post=${view.postId}`;
  const date = view.date && !isSearch(view) ? `date=${view.date}` : '';
  // A search without a text has an empty `q=`, which is removed.
  const search = isSearchActive(view) ? searchQuery(view, 'q').replace(/^q=&/, '') : '';
  const grid = view.grid && canShowGrid(view) && 'as=grid';
  return [post, search, date, grid].filter(Boolean).join('&');
}

/**
 * Returns true if the page shows search results: the view has a text or a filter. The filter for all posts with files
 * (`media=1`) alone does not count, because these posts have a list of their own.
 */
export const isSearch = (view: SearchParams): boolean =>
  isSearchActive({ ...view, kinds: isMediaOnly(view.kinds) ? [] : view.kinds });

/** Returns true if the page shows the list of posts with files, the only list that can be a grid. */
const canShowGrid = (view: SearchParams): boolean => isMediaOnly(view.kinds) && !isSearch(view);
