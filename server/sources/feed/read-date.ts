/** Dates before 1980 are what programs write that know none. */
const EARLIEST = 315_532_800;

const ZONED = /(?:Z|[+-]\d{2}:?\d{2}|\b[A-Z]{2,4})(?:\s*\(.*\))?$/i;

/** Longer than any date: on what goes on, the patterns would work for the square of its length. */
const LONGEST = 100;

/** A time without its zone is read as UTC, so that every machine reads the same. */
const inZone = (text: string): string => {
  if (!/\d:\d/.test(text) || ZONED.test(text)) return text;
  return /^\d{4}-\d{2}-\d{2}[T ]/.test(text) ? `${text.replace(' ', 'T')}Z` : `${text} UTC`;
};

/** Reads a feed's date as unix seconds; null for none, or one that cannot be. */
export function readDate(text: string | undefined): number | null {
  const told = text?.trim() ?? '';
  if (told === '' || told.length > LONGEST) return null;
  const seconds = Math.floor(Date.parse(inZone(told)) / 1000);
  return seconds >= EARLIEST ? seconds : null;
}
