import type { Dialect } from '../sql/dialect.ts';
import { pageByNarrowing } from '../sql/paging.ts';

/** SQLite dialect: FTS5 search syntax and paging. */
export const SQLITE: Dialect = {
  matches: 'w.words MATCH ?',
  word: (word) => `"${word}"`,
  and: ' AND ',
  or: ' OR ',
  butNot: ' NOT ',
  pageOfChannels: pageByNarrowing,
};
