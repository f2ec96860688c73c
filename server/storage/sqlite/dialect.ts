import type { Dialect } from '../sql/dialect.ts';
import { pageByNarrowing } from '../sql/paging.ts';

/** How SQLite's search index is asked. */
export const SQLITE: Dialect = {
  matches: 'w.words MATCH ?',
  word: (word) => `"${word}"`,
  and: ' AND ',
  or: ' OR ',
  butNot: ' NOT ',
  pageOfChannels: pageByNarrowing,
};
