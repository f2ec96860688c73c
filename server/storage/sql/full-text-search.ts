// Full-text search: builds search expressions for the index, and reads pages of matching posts.

import type { PostsQuery } from '../../domain/model.ts';
import { loosenQueryTerms, MAX_COMPLETIONS, type QueryTerm } from '../../domain/search.ts';
import { buildQueryTerms, channelTerm, containsQueryRuns } from '../../domain/search-terms.ts';
import type { Dialect, PostRowPosition } from './dialect.ts';
import { scanByDate, sortPage } from './paging.ts';
import { bodyOf, readRowsOfPost } from './post-index.ts';
import { inParallel, integer, type Operation, queryAll, type Row, text, textOrNull } from './statements.ts';

/** Last Unicode character: an upper bound for all texts with a prefix. */
const LAST_CHARACTER = '\u{10ffff}';

/**
 * Returns a term. If it may be a prefix, also returns the indexed terms with the shortest spellings that start with it.
 */
function* expandTerm({ term, prefix }: QueryTerm): Operation<string[]> {
  if (prefix === undefined) return [term];
  const rows = yield* queryAll(
    'SELECT word FROM spellings WHERE part >= ? AND part < ? ORDER BY length(part), part LIMIT ?',
    prefix,
    `${prefix}${LAST_CHARACTER}`,
    MAX_COMPLETIONS,
  );
  return [term, ...rows.map((row) => text(row, 'word'))];
}

/** Returns an expression that matches posts with at least one of the terms. */
const matchAnyTerm = ({ quoteTerm, or }: Dialect, terms: readonly string[]): string =>
  `(${[...new Set(terms)].map(quoteTerm).join(or)})`;

/**
 * Combines the expressions of all groups with AND, and limits them to the channels: with the list of channels to
 * include or, if it is shorter, the list of channels to exclude.
 */
const scopeToChannels = (
  dialect: Dialect,
  groups: readonly string[],
  channels: readonly string[] | null,
  excludedIds: readonly string[],
): string => {
  const matchGroups = groups.join(dialect.and);
  if (excludedIds.length === 0 && matchGroups !== '') return matchGroups;
  if (channels === null || (excludedIds.length < channels.length && matchGroups !== ''))
    return `(${matchGroups})${dialect.andNot}${matchAnyTerm(dialect, excludedIds.map(channelTerm))}`;
  return [matchAnyTerm(dialect, channels.map(channelTerm)), ...groups].join(dialect.and);
};

/**
 * Returns the query that scans a range of the search index by date. The row ids are cast, because a driver may bind
 * large ones as REAL, which do not match.
 */
const indexScanSql = ({ matches }: Dialect, order: 'ASC' | 'DESC'): string => `
  SELECT m.id, m.channel, m.date, m.message, m.album FROM (
    SELECT w.rowid AS id FROM words w
    WHERE ${matches} AND w.rowid BETWEEN CAST(? AS BIGINT) AND CAST(? AS BIGINT) ORDER BY w.rowid ${order} LIMIT ?
  ) found JOIN messages m ON m.id = found.id ORDER BY m.id ${order}`;

/**
 * Maximum number of posts per page whose text is read, to check that the characters are adjacent. Each takes about 50
 * µs. Later posts count as matches without the check.
 */
const MAX_VERIFIED_POSTS = 1000;

/**
 * Returns true if the text of a post, which the index found by pairs of characters, has these characters next to each
 * other.
 */
function* hasAdjacentCharacters(row: Row, runs: readonly QueryTerm[]): Operation<boolean> {
  const bodies = yield* readRowsOfPost(text(row, 'channel'), integer(row, 'message'), textOrNull(row, 'album'));
  return containsQueryRuns(bodies.map(bodyOf), runs);
}

/** Returns the positions of matching posts, enough for a page. */
function* findMatches(
  dialect: Dialect,
  expression: string,
  runs: readonly QueryTerm[],
  query: PostsQuery,
): Operation<PostRowPosition[]> {
  const sql = indexScanSql(dialect, query.after ? 'ASC' : 'DESC');
  let verifiedCount = 0;
  function* isMatch(row: Row): Operation<boolean> {
    return runs.length === 0 || verifiedCount++ >= MAX_VERIFIED_POSTS || (yield* hasAdjacentCharacters(row, runs));
  }
  return (yield* scanByDate((low, high, step) => queryAll(sql, expression, low, high, step), isMatch, query, Infinity)) ?? [];
}

/**
 * Reads a page of matching posts in these channels, or in all channels with null; `excludedIds` are the remaining
 * channels. It scans the index by date. The last second of the page is read completely, to sort within it. If nothing
 * matches, looser terms are used.
 */
export function* readPageOfMatches(
  dialect: Dialect,
  channels: readonly string[] | null,
  excludedIds: readonly string[],
  query: PostsQuery,
): Operation<PostRowPosition[]> {
  const queryTerms = buildQueryTerms(query);
  if (queryTerms === null || channels?.length === 0) return [];
  const readPage = (terms: readonly (readonly QueryTerm[])[], pageQuery: PostsQuery): Operation<PostRowPosition[]> =>
    readPageOfTerms(dialect, channels, excludedIds, terms, pageQuery);
  const matches = yield* readPage(queryTerms, query);
  const looserTerms = matches.length > 0 ? null : loosenQueryTerms(queryTerms);
  if (looserTerms === null) return matches;
  // The looser terms are used only if no post at all matches. A page may also be empty because it is after the last
  // match.
  const { before, after, ...filters } = query;
  const isPastEnd =
    (before !== undefined || after !== undefined) && (yield* readPage(queryTerms, { ...filters, limit: 1 })).length > 0;
  return isPastEnd ? [] : yield* readPage(looserTerms, query);
}

function* readPageOfTerms(
  dialect: Dialect,
  channels: readonly string[] | null,
  excludedIds: readonly string[],
  queryTerms: readonly (readonly QueryTerm[])[],
  query: PostsQuery,
): Operation<PostRowPosition[]> {
  const expandedGroups = yield* inParallel(queryTerms.map((group) => inParallel(group.map(expandTerm))));
  const expressions = [...new Set(expandedGroups.map((terms) => matchAnyTerm(dialect, terms.flat())))];
  const runs = queryTerms.flat().filter(({ run }) => run !== undefined);
  return sortPage(yield* findMatches(dialect, scopeToChannels(dialect, expressions, channels, excludedIds), runs, query), query);
}
