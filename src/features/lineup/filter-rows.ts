import type { LineupRow } from '../../data/model/types.ts';

/** The rows whose name, username or number answers what is typed; all for an empty word. */
export function findRows(rows: readonly LineupRow[], typed: string | null): readonly LineupRow[] {
  const word = plain(typed ?? '').trim();
  if (word === '') return rows;
  return rows.filter(
    ({ channel, number }) =>
      plain(channel.title).includes(word) || plain(channel.username ?? '').includes(word) || String(number) === word,
  );
}

/** Without case and accents, and with digits as they are counted. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .toLocaleLowerCase();
