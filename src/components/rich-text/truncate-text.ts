// Text truncation: where a long post is cut until the reader expands it.

/** A text with more characters than the first number is truncated to the second. */
const MAX_LENGTH = 900;
const TRUNCATED_LENGTH = 640;
/** A text with more lines than the first number is truncated to the second. */
const MAX_LINES = 18;
const TRUNCATED_LINES = 12;
/** A text is truncated at the end of a line or word, unless that makes it shorter than this share of its maximum length. */
const MIN_BREAK_RATIO = 0.7;

/**
 * Returns the offset at which a long post is truncated until the reader expands it: after a line or a word. Null if it is short
 * enough.
 */
export function findTruncationPoint(text: string): number | null {
  const lineBreaks = [...text.matchAll(/\n/g)].map((match) => match.index);
  if (text.length <= MAX_LENGTH && lineBreaks.length < MAX_LINES) return null;
  const maxEnd = Math.min(TRUNCATED_LENGTH, lineBreaks[TRUNCATED_LINES - 1] ?? TRUNCATED_LENGTH);
  const lineBreak = text.lastIndexOf('\n', maxEnd);
  if (lineBreak > maxEnd * MIN_BREAK_RATIO) return lineBreak;
  const space = text.lastIndexOf(' ', maxEnd);
  return space > maxEnd * MIN_BREAK_RATIO ? space : maxEnd;
}

/** Returns true if all search hits are below the fold. Then the text is expanded automatically. */
export const isBelowTruncation = (hits: readonly { readonly start: number }[] | undefined, truncation: number): boolean =>
  hits !== undefined && hits.length > 0 && hits.every(({ start }) => start >= truncation);
