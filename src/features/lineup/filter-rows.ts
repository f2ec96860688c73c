import type { LineupRow } from '../../data/model/types.ts';

/** Filters rows by name, username or number; returns all rows for an empty text. */
export function filterRows(rows: readonly LineupRow[], typed: string | null): readonly LineupRow[] {
  const word = normalizeText(typed ?? '').trim();
  if (word === '') return rows;
  return rows.filter(
    ({ channel, number }) =>
      normalizeText(channel.title).includes(word) ||
      normalizeText(channel.username ?? '').includes(word) ||
      String(number) === word,
  );
}

/** Normalizes text: without case and accents, and with Arabic and Persian digits as ASCII. */
const normalizeText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .toLocaleLowerCase();
