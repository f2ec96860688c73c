const MAX_LENGTH = 900;
const TRUNCATED_LENGTH = 640;
const MAX_LINES = 18;
const TRUNCATED_LINES = 12;

/**
 * Returns the offset at which a long post is truncated until the reader expands it: after a line or a word. Null if it is short
 * enough.
 */
export function findTruncationPoint(text: string): number | null {
  const lines = [...text.matchAll(/\n/g)].map((match) => match.index);
  if (text.length <= MAX_LENGTH && lines.length < MAX_LINES) return null;
  const maxEnd = Math.min(TRUNCATED_LENGTH, lines[TRUNCATED_LINES] ?? TRUNCATED_LENGTH);
  const line = text.lastIndexOf('\n', maxEnd);
  if (line > maxEnd * 0.7) return line;
  const space = text.lastIndexOf(' ', maxEnd);
  return space > maxEnd * 0.7 ? space : maxEnd;
}

/** Returns true if all search hits are below the fold. Then the text is expanded automatically. */
export const isBelowTruncation = (hits: readonly { readonly start: number }[] | undefined, truncation: number): boolean =>
  hits !== undefined && hits.length > 0 && hits.every(({ start }) => start >= truncation);
