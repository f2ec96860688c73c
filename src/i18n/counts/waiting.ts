import { type Messages, str } from '../i18n.ts';

/** "3 changes waiting": made offline, not yet sent. */
export function waitingChanges(m: Messages, count: number): string {
  const n = m.number(count);
  return m.plural(count, {
    zero: m.msg('Nothing waiting', { id: 'waiting.zero' }),
    single: m.msg('1 change waiting', { id: 'waiting.single' }),
    one: m.msg(str`${n} change waiting`, { id: 'waiting.one' }),
    two: m.msg('2 changes waiting', { id: 'waiting.two' }),
    few: m.msg(str`${n} changes waiting`, { id: 'waiting.few' }),
    many: m.msg(str`${n} changes waiting`, { id: 'waiting.many' }),
    other: m.msg(str`${n} changes waiting`, { id: 'waiting.other' }),
  });
}
