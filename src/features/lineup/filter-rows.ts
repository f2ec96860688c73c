import type { LineupRow } from '../../data/model/types.ts';

/** Filters rows by name, username or number; returns all rows for an empty text. */
export function filterRows(rows: readonly LineupRow[], typed: string | null): readonly LineupRow[] {
  const query = normalizeText(typed ?? '').trim();
  if (query === '') return rows;
  return rows.filter(
    ({ channel, number }) =>
      normalizeText(channel.title).includes(query) ||
      normalizeText(channel.username ?? '').includes(query) ||
      String(number) === query,
  );
}

/** Normalizes text: without case and accents, and with Arabic and Persian digits as ASCII. */
const normalizeText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    // The last four bits of the character code are the number.
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .toLocaleLowerCase();
