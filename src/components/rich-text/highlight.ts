import type { TextRun } from '../../../contract/runs.ts';

/** Search highlighting: returns the hits of a search in a text. */
export type HighlightFinder = (text: string) => readonly TextRun[];

const WORD_PATTERN = /[\p{L}\p{N}\p{M}]+/gu;
/** Number of letters at the end of a query word that may differ, because the search itself matches word stems. */
const MAX_ENDING_LENGTH = 2;
/** Number of letters at the start of a query word that must match in any case. */
const MIN_PREFIX_LENGTH = 3;

/** Creates a function that finds the words of a text that begin like a word of the query, except for its ending. */
export function createHighlightFinder(query: string): HighlightFinder {
  const prefixes = [...query.toLowerCase().matchAll(WORD_PATTERN)].map(([word]) =>
    word.slice(0, Math.max(MIN_PREFIX_LENGTH, word.length - MAX_ENDING_LENGTH)),
  );
  return (text) =>
    [...text.matchAll(WORD_PATTERN)]
      .filter(([word]) => prefixes.some((prefix) => word.toLowerCase().startsWith(prefix)))
      .map((match) => ({ type: 'hit', start: match.index, end: match.index + match[0].length, entity: null }));
}
