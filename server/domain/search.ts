// Search queries: the terms that a post must match, and the positions of the hits in a text. The tokenizer is in
// `tokenizer.ts`.

import { foldText } from '../../contract/fold.ts';
import {
  allSpans,
  HASHTAG_PATTERN,
  hashtagSpans,
  type IndexTerm,
  type Letter,
  type SelectUnspacedSpans,
  scriptOf,
  spansOfWords,
  type TextSpan,
  unspacedRuns,
} from './tokenizer.ts';

/**
 * Term that a post must match: `term` itself or, with a `prefix`, any word that has a spelling with this prefix; of
 * these, the MAX_COMPLETIONS with the shortest spellings. `run` is the complete sequence of characters that a pair is
 * part of: it must occur without interruption.
 */
export interface QueryTerm {
  readonly term: string;
  readonly prefix?: string;
  readonly run?: string;
  /**
   * Prefix to look up if no post matches. Stemmers return different stems for some forms of a word ("люди", "людьми").
   */
  readonly fallbackPrefix?: string;
}

/** Maximum number of words that an unfinished word expands to: each costs a search about 30 µs. */
export const MAX_COMPLETIONS = 100;

/** Maximum length of a query, UTF-16 code units. The rest is ignored. */
const MAX_QUERY_LENGTH = 400;

/** Minimum length, in letters, of an unfinished word, and of a part of a word in scripts where any part matches. */
const MIN_PREFIX_LETTERS = { unfinishedWord: 3, partOfWord: 2 };

/**
 * Maximum length of an ending, minimum length of the prefix before it, and minimum length of both together, in letters.
 */
const ENDING_LETTERS = { maxEnding: 3, minPrefix: 3, minWord: 5 };

/** Creates the term of a word. `mayBeUnfinished`: nothing follows the word, so the reader may still be typing it. */
const toQueryTerm = ({ term, spellings }: IndexTerm, mayBeUnfinished: boolean): QueryTerm => {
  const [spelling] = spellings;
  if (spelling === undefined) return { term };
  if (scriptOf(spelling) === null)
    return [...spelling].length >= MIN_PREFIX_LETTERS.partOfWord ? { term, prefix: spelling } : { term };
  const isPrefix = mayBeUnfinished && spelling.length >= MIN_PREFIX_LETTERS.unfinishedWord;
  return { term, ...(isPrefix && { prefix: spelling }), ...fallbackPrefixOf(spelling) };
};

function fallbackPrefixOf(spelling: string): Pick<QueryTerm, 'fallbackPrefix'> {
  const letters = [...spelling];
  if (letters.length < ENDING_LETTERS.minWord) return {};
  const length = Math.max(ENDING_LETTERS.minPrefix, letters.length - ENDING_LETTERS.maxEnding);
  return { fallbackPrefix: letters.slice(0, length).join('') };
}

/** Returns the terms to look up if no post matches: words with the same prefixes. Null if no term has a prefix. */
export function loosenQueryTerms(queryTerms: readonly (readonly QueryTerm[])[]): (readonly QueryTerm[])[] | null {
  if (queryTerms.every((group) => group.every(({ fallbackPrefix }) => fallbackPrefix === undefined))) return null;
  return queryTerms.map((group) =>
    group.map(({ fallbackPrefix, ...term }) => (fallbackPrefix === undefined ? term : { ...term, prefix: fallbackPrefix })),
  );
}

/**
 * Returns the pairs of a run. Pairs of three or more characters also get the complete run, because each pair might
 * occur elsewhere in the text.
 */
const selectQuerySpans: SelectUnspacedSpans = ({ characters, pairs }) => {
  if (pairs.length < 2) return pairs.length === 0 ? characters : pairs;
  const run = characters.flatMap(({ terms }) => terms.map(({ term }) => term)).join('');
  return pairs.map((pair) => ({ ...pair, run }));
};

const identityOf = ({ term, prefix, run }: QueryTerm): string => `${term} ${prefix ?? ''} ${run ?? ''}`;

/**
 * Returns the terms that a text must all contain to match a reader's query; an empty list if the query contains no
 * word. A last word that nothing follows is still being typed, so it matches as a prefix. A hashtag matches only
 * completely.
 */
export const parseSearchQuery = (query: string): QueryTerm[] => {
  const text = query.slice(0, MAX_QUERY_LENGTH);
  const tagSpans = hashtagSpans(text);
  const wordSpans = spansOfWords(
    text.replace(HASHTAG_PATTERN, (tag) => ' '.repeat(tag.length)),
    selectQuerySpans,
  );
  const queryTerms = [...tagSpans, ...wordSpans].flatMap(({ terms, end, run }) =>
    terms.map((word) => (run === undefined ? toQueryTerm(word, end === query.length) : { term: word.term, run })),
  );
  return [...new Map(queryTerms.map((queryTerm) => [identityOf(queryTerm), queryTerm])).values()];
};

const joinLetters = (letters: readonly Letter[]): string => letters.map(({ letter }) => letter).join('');

const runsOfQuery = (queryTerms: readonly QueryTerm[]): string[] => [...new Set(queryTerms.flatMap(({ run }) => run ?? []))];

/** Returns whether the runs of a query occur without interruption in a text that contains all their pairs. */
export const containsRuns = (text: string, queryTerms: readonly QueryTerm[]): boolean => {
  const missing = runsOfQuery(queryTerms).filter((run) => !text.includes(run));
  if (missing.length === 0) return true;
  const folded = foldText(text);
  return missing.every((run) => folded.includes(foldText(run)));
};

/** Returns the positions of runs in a text, as spans. */
const findRuns = (text: string, runs: readonly string[]): Pick<TextSpan, 'start' | 'end'>[] =>
  unspacedRuns(text).flatMap((letters) => {
    // A letter may be two code units; each unit maps to its letter.
    const letterByUnit = letters.flatMap((letter) => letter.letter.split('').map(() => letter));
    const runText = joinLetters(letters);
    return runs.flatMap((run) =>
      findOccurrences(runText, run).flatMap((offset) => {
        const [first, last] = [letterByUnit[offset], letterByUnit[offset + run.length - 1]];
        return first && last ? [{ start: first.start, end: last.end }] : [];
      }),
    );
  });

const findOccurrences = (text: string, part: string): number[] => {
  const offsets: number[] = [];
  for (let offset = text.indexOf(part); offset !== -1; offset = text.indexOf(part, offset + 1)) offsets.push(offset);
  return offsets;
};

const matchesTerm = (span: TextSpan, { term, prefix }: QueryTerm): boolean =>
  span.terms.some(
    (word) => word.term === term || (prefix !== undefined && word.spellings.some((spelling) => spelling.startsWith(prefix))),
  );

/** Returns the spans of a text that match a term; if there are none, those with the same prefix. */
const findMatchingSpans = (spans: readonly TextSpan[], queryTerm: QueryTerm): TextSpan[] => {
  const found = spans.filter((span) => matchesTerm(span, queryTerm));
  if (found.length > 0 || queryTerm.fallbackPrefix === undefined) return found;
  return findMatchingSpans(spans, { term: queryTerm.term, prefix: queryTerm.fallbackPrefix });
};

/**
 * Returns the positions of a query's hits in a text: UTF-16 offsets [start, end, start, end …], ordered and not
 * overlapping.
 */
export const findHits = (text: string, queryTerms: readonly QueryTerm[]): number[] => {
  const runs = runsOfQuery(queryTerms);
  const wordTerms = queryTerms.filter(({ run }) => run === undefined);
  const spans = allSpans(text);
  const wordHits = wordTerms.flatMap((term) => findMatchingSpans(spans, term));
  const found = [...wordHits, ...(runs.length > 0 ? findRuns(text, runs) : [])];
  const hits: number[] = [];
  for (const { start, end } of found.sort((one, other) => one.start - other.start)) {
    const last = hits.at(-1);
    if (last === undefined || start > last) hits.push(start, end);
    else hits[hits.length - 1] = Math.max(last, end);
  }
  return hits;
};
