import type { Run } from './nest.ts';

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** Finds the words of a text that begin as a word of the query does: a stem's worth, since the search itself goes by stems. */
export function hits(text: string, query: string): Run[] {
  const starts = [...query.toLowerCase().matchAll(WORD)].map(([word]) => word.slice(0, Math.max(3, word.length - 2)));
  if (starts.length === 0) return [];
  return [...text.matchAll(WORD)]
    .filter(([word]) => starts.some((start) => word.toLowerCase().startsWith(start)))
    .map((match) => ({ type: 'hit', start: match.index, end: match.index + match[0].length, entity: null }));
}
