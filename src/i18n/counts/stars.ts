import { type Messages, str } from '../i18n.ts';

/** "250 stars": what something costs, in Telegram’s stars. */
export function starCount(m: Messages, count: number): string {
  const n = m.number(count);
  return m.plural(count, {
    zero: m.msg('No stars', { id: 'stars.zero' }),
    single: m.msg('1 star', { id: 'stars.single' }),
    one: m.msg(str`${n} star`, { id: 'stars.one' }),
    two: m.msg('2 stars', { id: 'stars.two' }),
    few: m.msg(str`${n} stars`, { id: 'stars.few' }),
    many: m.msg(str`${n} stars`, { id: 'stars.many' }),
    other: m.msg(str`${n} stars`, { id: 'stars.other' }),
  });
}
