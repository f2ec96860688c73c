import { type Messages, str } from '../i18n.ts';

/** "214 votes" under a poll. */
export function voteCount(m: Messages, count: number): string {
  const n = m.number(count);
  return m.plural(count, {
    zero: m.msg('No votes', { id: 'votes.zero' }),
    single: m.msg('1 vote', { id: 'votes.single' }),
    one: m.msg(str`${n} vote`, { id: 'votes.one' }),
    two: m.msg('2 votes', { id: 'votes.two' }),
    few: m.msg(str`${n} votes`, { id: 'votes.few' }),
    many: m.msg(str`${n} votes`, { id: 'votes.many' }),
    other: m.msg(str`${n} votes`, { id: 'votes.other' }),
  });
}
