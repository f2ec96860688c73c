import { type Messages, str } from '../i18n.ts';

/** "12 unread"; above 99, "99+ unread". */
export function unreadCount(m: Messages, count: number): string {
  const n = count > 99 ? `${m.number(99)}+` : m.number(count);
  return m.plural(Math.min(count, 100), {
    zero: m.msg('Nothing unread', { id: 'unread.zero' }),
    single: m.msg('1 unread', { id: 'unread.single' }),
    one: m.msg(str`${n} unread`, { id: 'unread.one' }),
    two: m.msg('2 unread', { id: 'unread.two' }),
    few: m.msg(str`${n} unread`, { id: 'unread.few' }),
    many: m.msg(str`${n} unread`, { id: 'unread.many' }),
    other: m.msg(str`${n} unread`, { id: 'unread.other' }),
  });
}
