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
  const most = Math.min(TRUNCATED_LENGTH, lines[TRUNCATED_LINES] ?? TRUNCATED_LENGTH);
  const line = text.lastIndexOf('\n', most);
  if (line > most * 0.7) return line;
  const space = text.lastIndexOf(' ', most);
  return space > most * 0.7 ? space : most;
}

/** Returns true if all search hits are below the fold. Then the text is expanded automatically. */
export const isBelowTruncation = (found: readonly { readonly start: number }[] | undefined, fold: number): boolean =>
  found !== undefined && found.length > 0 && found.every(({ start }) => start >= fold);
