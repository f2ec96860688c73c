import { type Messages, str } from '../i18n.ts';

/** "1,204 members" in a channel's head. */
export function memberCount(m: Messages, count: number): string {
  const n = m.number(count);
  return m.plural(count, {
    zero: m.msg('No members', { id: 'members.zero' }),
    single: m.msg('1 member', { id: 'members.single' }),
    one: m.msg(str`${n} member`, { id: 'members.one' }),
    two: m.msg('2 members', { id: 'members.two' }),
    few: m.msg(str`${n} members`, { id: 'members.few' }),
    many: m.msg(str`${n} members`, { id: 'members.many' }),
    other: m.msg(str`${n} members`, { id: 'members.other' }),
  });
}
