import type { Position, PostsQuery } from '../../domain/model.ts';
import type { Work } from './statements.ts';

/** A post's place and its row. */
export interface Place extends Position {
  readonly key: number;
}

/** What an engine says in its own way. */
export interface Dialect {
  /** The condition that a post's words, a row `w`, match an expression; one `?`. */
  readonly matches: string;
  /** How an expression says a word, and, or, and but not. */
  readonly word: (word: string) => string;
  readonly and: string;
  readonly or: string;
  readonly butNot: string;
  /** Pages over several channels by their dates. */
  readonly pageOfChannels: (channels: readonly string[], query: PostsQuery) => Work<Place[]>;
}
