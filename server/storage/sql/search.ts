// Full-text search: builds search expressions for the index, and reads pages of matching posts.

import type { PostsQuery } from '../../domain/model.ts';
import { loosenQueryTerms, MAX_COMPLETIONS, type QueryTerm } from '../../domain/search.ts';
import { buildQueryTerms, channelTerm, containsQueryRuns } from '../../domain/search-terms.ts';
import type { Dialect, PostRowPosition } from './dialect.ts';
import { scanByDate, sortPage } from './paging.ts';
import { bodyOf, readRowsOfPost } from './post-index.ts';
import { inParallel, integer, type Operation, queryAll, type Row, text, textOrNull } from './statements.ts';

const END_OF_TEXT = '\u{10ffff}';

/** Returns a term and, where the term may be a prefix, the words with the shortest spellings that start with it. */
function* expandTerm({ term, prefix }: QueryTerm): Operation<string[]> {
  if (prefix === undefined) return [term];
  const rows = yield* queryAll(
    'SELECT word FROM spellings WHERE part >= ? AND part < ? ORDER BY length(part), part LIMIT ?',
    prefix,
    `${prefix}${END_OF_TEXT}`,
    MAX_COMPLETIONS,
  );
  return [term, ...rows.map((row) => text(row, 'word'))];
}

const anyTerm = ({ quoteTerm, or }: Dialect, words: readonly string[]): string =>
  `(${[...new Set(words)].map(quoteTerm).join(or)})`;

/** Adds the channels to a search expression: the channels to include or, if that list is shorter, the channels to exclude. */
const scopeToChannels = (
  dialect: Dialect,
  groups: readonly string[],
  channels: readonly string[] | null,
  excludedIds: readonly string[],
): string => {
  const found = groups.join(dialect.and);
  if (excludedIds.length === 0 && found !== '') return found;
  if (channels === null || (excludedIds.length < channels.length && found !== ''))
    return `(${found})${dialect.butNot}${anyTerm(dialect, excludedIds.map(channelTerm))}`;
  return [anyTerm(dialect, channels.map(channelTerm)), ...groups].join(dialect.and);
};

/** Walks the search index by date, with more posts at each step. A driver may bind large row ids as REAL, which do not match. */
const indexScanSql = ({ matches }: Dialect, order: 'ASC' | 'DESC'): string => `
  SELECT m.id, m.channel, m.date, m.message, m.album FROM (
    SELECT w.rowid AS id FROM words w
    WHERE ${matches} AND w.rowid BETWEEN CAST(? AS BIGINT) AND CAST(? AS BIGINT) ORDER BY w.rowid ${order} LIMIT ?
  ) found JOIN messages m ON m.id = found.id ORDER BY m.id ${order}`;

/**
 * Maximum number of posts per page whose text is read, to check that the characters are adjacent. Each takes some 50 µs. Later
 * posts count as matches without the check.
 */
const MAX_VERIFIED_POSTS = 1000;

/** Checks in the text of a post that was found by pairs of characters whether these characters are adjacent. */
function* hasTermsTogether(row: Row, runs: readonly QueryTerm[]): Operation<boolean> {
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
  let read = 0;
  function* isMatch(row: Row): Operation<boolean> {
    return runs.length === 0 || read++ >= MAX_VERIFIED_POSTS || (yield* hasTermsTogether(row, runs));
  }
  return (yield* scanByDate((low, high, step) => queryAll(sql, expression, low, high, step), isMatch, query, Infinity)) ?? [];
}

/**
 * Reads a page of matching posts in these channels, or in all channels with null; `excludedIds` are the remaining channels. It walks
 * the index by date. The last second of the page is read completely, to sort within it.
 */
export function* readPageOfMatches(
  dialect: Dialect,
  channels: readonly string[] | null,
  excludedIds: readonly string[],
  query: PostsQuery,
): Operation<PostRowPosition[]> {
  const queryTerms = buildQueryTerms(query);
  if (queryTerms === null || channels?.length === 0) return [];
  const find = (groups: readonly (readonly QueryTerm[])[], pageQuery: PostsQuery): Operation<PostRowPosition[]> =>
    pageOfTerms(dialect, channels, excludedIds, groups, pageQuery);
  const found = yield* find(queryTerms, query);
  const looser = found.length > 0 ? null : loosenQueryTerms(queryTerms);
  if (looser === null) return found;
  // Uses the looser query only if the caller finds nothing at all. A page may also be empty because it is after the last match.
  const { before, after, ...filters } = query;
  const isPastEnd =
    (before !== undefined || after !== undefined) && (yield* find(queryTerms, { ...filters, limit: 1 })).length > 0;
  return isPastEnd ? [] : yield* find(looser, query);
}

function* pageOfTerms(
  dialect: Dialect,
  channels: readonly string[] | null,
  excludedIds: readonly string[],
  queryTerms: readonly (readonly QueryTerm[])[],
  query: PostsQuery,
): Operation<PostRowPosition[]> {
  const groups = yield* inParallel(queryTerms.map((group) => inParallel(group.map(expandTerm))));
  const expressions = [...new Set(groups.map((words) => anyTerm(dialect, words.flat())))];
  const runs = queryTerms.flat().filter(({ run }) => run !== undefined);
  return sortPage(yield* findMatches(dialect, scopeToChannels(dialect, expressions, channels, excludedIds), runs, query), query);
}
