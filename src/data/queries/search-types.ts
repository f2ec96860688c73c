// Types of full-text search: its query, its list of results and its history.
import type { PostKind } from '../../../contract/api.ts';
import type { Readable } from '../../lib/signal.ts';
import type { PostList } from '../model/types.ts';

/** What is looked for; what is not given leaves all. `from` and `to` are unix seconds, both within what is meant. */
export interface SearchQuery {
  readonly q?: string;
  readonly channelIds?: readonly string[];
  readonly kinds?: readonly PostKind[];
  readonly from?: number;
  readonly to?: number;
  readonly limit?: number;
}

export interface SearchList extends PostList {
  /** Where the words stand in a text, as [start, end, start, end …]; undefined where no answer said so. */
  hitsOf(text: string): readonly number[] | undefined;
  /** Searches anew and leaves nothing of what is shown, once the answer is there. */
  again(): Promise<void>;
}

/** Search over all that the reader may see, and what was searched for on this device. */
export interface Search {
  /** The same query gives the same list, so that Back finds it as it was. */
  list(query: SearchQuery): SearchList;
  /** The last first. */
  readonly recent: Readable<readonly string[]>;
  note(words: string): void;
  forget(): void;
  /** The hashtags that the posts on this device have most. */
  tags(): Promise<readonly string[]>;
}
