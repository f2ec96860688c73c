import { type Messages, str } from '../i18n.ts';

/** "6 months of Telegram Premium", to be won. */
export function premiumMonths(m: Messages, count: number): string {
  const n = m.number(count);
  return m.plural(count, {
    zero: m.msg('Telegram Premium', { id: 'months.zero' }),
    single: m.msg('1 month of Telegram Premium', { id: 'months.single' }),
    one: m.msg(str`${n} month of Telegram Premium`, { id: 'months.one' }),
    two: m.msg('2 months of Telegram Premium', { id: 'months.two' }),
    few: m.msg(str`${n} months of Telegram Premium`, { id: 'months.few' }),
    many: m.msg(str`${n} months of Telegram Premium`, { id: 'months.many' }),
    other: m.msg(str`${n} months of Telegram Premium`, { id: 'months.other' }),
  });
}
