import { type Messages, str } from '../i18n.ts';

/** "3 winners" of a giveaway. */
export function winnerCount(m: Messages, count: number): string {
  const n = m.number(count);
  return m.plural(count, {
    zero: m.msg('No winners', { id: 'winners.zero' }),
    single: m.msg('1 winner', { id: 'winners.single' }),
    one: m.msg(str`${n} winner`, { id: 'winners.one' }),
    two: m.msg('2 winners', { id: 'winners.two' }),
    few: m.msg(str`${n} winners`, { id: 'winners.few' }),
    many: m.msg(str`${n} winners`, { id: 'winners.many' }),
    other: m.msg(str`${n} winners`, { id: 'winners.other' }),
  });
}
