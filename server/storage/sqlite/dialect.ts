import type { Dialect } from '../sql/dialect.ts';
import { readPageByNarrowing } from '../sql/paging.ts';

/** SQLite dialect: FTS5 search syntax and paging. */
export const SQLITE_DIALECT: Dialect = {
  matches: 'w.words MATCH ?',
  quoteTerm: (word) => `"${word}"`,
  and: ' AND ',
  or: ' OR ',
  andNot: ' NOT ',
  readPageOfChannels: readPageByNarrowing,
};
