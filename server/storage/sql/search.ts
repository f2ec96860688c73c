// Full-text search: builds search expressions for the index, and reads pages of matching posts.

import type { PostsQuery } from '../../domain/model.ts';
import { COMPLETIONS, loosened, type Wanted } from '../../domain/search.ts';
import { channelWord, standsTogether, wantedBy } from '../../domain/search-terms.ts';
import type { Dialect, Place } from './dialect.ts';
import { inOrder, inPlaces } from './paging.ts';
import { bodyOf, rowsOfPost } from './post-index.ts';
import { all, integer, type Row, text, textOrNull, together, type Work } from './statements.ts';

const END_OF_TEXT = '\u{10ffff}';

/** Returns a term and, where the term may be a prefix, the words with the shortest spellings that start with it. */
export function* alternatives({ word, part }: Wanted): Work<string[]> {
  if (part === undefined) return [word];
  const rows = yield* all(
    'SELECT word FROM spellings WHERE part >= ? AND part < ? ORDER BY length(part), part LIMIT ?',
    part,
    `${part}${END_OF_TEXT}`,
    COMPLETIONS,
  );
  return [word, ...rows.map((row) => text(row, 'word'))];
}

export const anyOf = ({ word, or }: Dialect, words: readonly string[]): string => `(${[...new Set(words)].map(word).join(or)})`;

/** Adds the channels to a search expression: the channels to include or, if that list is shorter, the channels to exclude. */
export const scoped = (
  dialect: Dialect,
  groups: readonly string[],
  channels: readonly string[] | null,
  others: readonly string[],
): string => {
  const found = groups.join(dialect.and);
  if (others.length === 0 && found !== '') return found;
  if (channels === null || (others.length < channels.length && found !== ''))
    return `(${found})${dialect.butNot}${anyOf(dialect, others.map(channelWord))}`;
  return [anyOf(dialect, channels.map(channelWord)), ...groups].join(dialect.and);
};

/** Walks the search index by date, with more posts at each step. A driver may bind large row ids as REAL, which do not match. */
const walk = ({ matches }: Dialect, order: 'ASC' | 'DESC'): string => `
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
function* isTogether(row: Row, runs: readonly Wanted[]): Work<boolean> {
  const bodies = yield* rowsOfPost(text(row, 'channel'), integer(row, 'message'), textOrNull(row, 'album'));
  return standsTogether(bodies.map(bodyOf), runs);
}

/** Returns the positions of matching posts, enough for a page. */
export function* matching(dialect: Dialect, expression: string, runs: readonly Wanted[], query: PostsQuery): Work<Place[]> {
  const sql = walk(dialect, query.after ? 'ASC' : 'DESC');
  let read = 0;
  function* takes(row: Row): Work<boolean> {
    return runs.length === 0 || read++ >= MAX_VERIFIED_POSTS || (yield* isTogether(row, runs));
  }
  return (yield* inOrder((low, high, step) => all(sql, expression, low, high, step), takes, query, Infinity)) ?? [];
}

/**
 * Reads a page of matching posts in these channels, or in all channels with null; `others` are the remaining channels. It walks
 * the index by date. The last second of the page is read completely, to sort within it.
 */
export function* pageOfMatches(
  dialect: Dialect,
  channels: readonly string[] | null,
  others: readonly string[],
  query: PostsQuery,
): Work<Place[]> {
  const wanted = wantedBy(query);
  if (wanted === null || channels?.length === 0) return [];
  const find = (groups: readonly (readonly Wanted[])[], asked: PostsQuery): Work<Place[]> =>
    pageOfWanted(dialect, channels, others, groups, asked);
  const found = yield* find(wanted, query);
  const looser = found.length > 0 ? null : loosened(wanted);
  if (looser === null) return found;
  // Uses the looser query only if the caller finds nothing at all. A page may also be empty because it is after the last match.
  const { before, after, ...all } = query;
  const isPastEnd = (before !== undefined || after !== undefined) && (yield* find(wanted, { ...all, limit: 1 })).length > 0;
  return isPastEnd ? [] : yield* find(looser, query);
}

export function* pageOfWanted(
  dialect: Dialect,
  channels: readonly string[] | null,
  others: readonly string[],
  wanted: readonly (readonly Wanted[])[],
  query: PostsQuery,
): Work<Place[]> {
  const groups = yield* together(wanted.map((group) => together(group.map(alternatives))));
  const expressions = [...new Set(groups.map((words) => anyOf(dialect, words.flat())))];
  const runs = wanted.flat().filter(({ run }) => run !== undefined);
  return inPlaces(yield* matching(dialect, scoped(dialect, expressions, channels, others), runs, query), query);
}
