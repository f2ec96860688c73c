import type { TextRun } from '../../../contract/runs.ts';

/** Search highlighting: returns the hits of a search in a text. */
export type HighlightFinder = (text: string) => readonly TextRun[];

const WORD_PATTERN = /[\p{L}\p{N}\p{M}]+/gu;

/**
 * Finds the words of a text that begin like a word of the query. The last two letters of a query word may differ, since the
 * search itself matches word stems.
 */
export function createHighlightFinder(query: string): HighlightFinder {
  const starts = [...query.toLowerCase().matchAll(WORD_PATTERN)].map(([word]) => word.slice(0, Math.max(3, word.length - 2)));
  return (text) =>
    [...text.matchAll(WORD_PATTERN)]
      .filter(([word]) => starts.some((start) => word.toLowerCase().startsWith(start)))
      .map((match) => ({ type: 'hit', start: match.index, end: match.index + match[0].length, entity: null }));
}
