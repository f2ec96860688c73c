// Types of full-text search: its query, its list of results and its history.
import type { PostKind } from '../../../contract/api.ts';
import type { Signal } from '../../lib/signal.ts';
import type { PostList } from '../model/types.ts';

/** Search filter. An absent field does not filter. `from` and `to` are unix seconds, both inclusive. */
export interface SearchQuery {
  readonly q?: string;
  readonly channelIds?: readonly string[];
  readonly kinds?: readonly PostKind[];
  readonly from?: number;
  readonly to?: number;
  readonly limit?: number;
}

export interface SearchList extends PostList {
  /** Returns the matched ranges in a text, as [start, end, start, end …]; undefined if no response contained them. */
  highlightsOf(text: string): readonly number[] | undefined;
  /** Searches again. The previous results are discarded when the response arrives. */
  reset(): Promise<void>;
}

/** Search over all channels that the reader may see, and the search history of this device. */
export interface PostSearch {
  /** Returns the same list for the same query, so that Back shows it unchanged. */
  list(query: SearchQuery): SearchList;
  /** Search history, latest first. */
  readonly recent: Signal<readonly string[]>;
  saveRecent(text: string): void;
  clearRecent(): void;
  /** Returns the most frequent hashtags in the posts on this device. */
  hashtags(): Promise<readonly string[]>;
}
