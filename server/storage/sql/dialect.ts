// SQL dialect: full-text search and paging, which differ between SQLite and PostgreSQL.

import type { PostPosition, PostsQuery } from '../../domain/model.ts';
import type { Operation } from './statements.ts';

/** Position of a post in a list, and its row id. */
export interface PostRowPosition extends PostPosition {
  readonly rowId: number;
}

/** Full-text search and paging in the form that an engine needs. */
export interface Dialect {
  /** Condition that the search terms of a post (a row `w`) match an expression. It has one `?`. */
  readonly matches: string;
  /** Syntax of a search expression: a term, and, or, and not. */
  readonly quoteTerm: (word: string) => string;
  readonly and: string;
  readonly or: string;
  readonly andNot: string;
  /** Reads a page of posts of several channels, by date. */
  readonly readPageOfChannels: (channels: readonly string[], query: PostsQuery) => Operation<PostRowPosition[]>;
}
