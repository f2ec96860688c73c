import { type Messages, str } from './i18n.ts';

/** "12 unread"; 100 stands for "99+". */
export function unreadCount(m: Messages, count: number): string {
  const n = count > 99 ? `${m.number(99)}+` : m.number(count);
  return m.plural(count, {
    zero: m.msg(str`${n} unread`, { id: 'unread.zero' }),
    one: m.msg(str`${n} unread`, { id: 'unread.one' }),
    two: m.msg(str`${n} unread`, { id: 'unread.two' }),
    few: m.msg(str`${n} unread`, { id: 'unread.few' }),
    many: m.msg(str`${n} unread`, { id: 'unread.many' }),
    other: m.msg(str`${n} unread`, { id: 'unread.other' }),
  });
}

/** "3 changes waiting": made offline, not yet sent. */
export function waitingChanges(m: Messages, count: number): string {
  const n = m.number(count);
  return m.plural(count, {
    zero: m.msg(str`${n} changes waiting`, { id: 'waiting.zero' }),
    one: m.msg(str`${n} change waiting`, { id: 'waiting.one' }),
    two: m.msg(str`${n} changes waiting`, { id: 'waiting.two' }),
    few: m.msg(str`${n} changes waiting`, { id: 'waiting.few' }),
    many: m.msg(str`${n} changes waiting`, { id: 'waiting.many' }),
    other: m.msg(str`${n} changes waiting`, { id: 'waiting.other' }),
  });
}

/** The dial's first words: "You get all 7. Turn off what you don't want." */
export function getAll(m: Messages, count: number): string {
  const n = m.number(count);
  return m.plural(count, {
    zero: m.msg(str`You get all ${n}. Turn off what you don’t want.`, { id: 'get-all.zero' }),
    one: m.msg('You get the one channel there is.', { id: 'get-all.one' }),
    two: m.msg(str`You get all ${n}. Turn off what you don’t want.`, { id: 'get-all.two' }),
    few: m.msg(str`You get all ${n}. Turn off what you don’t want.`, { id: 'get-all.few' }),
    many: m.msg(str`You get all ${n}. Turn off what you don’t want.`, { id: 'get-all.many' }),
    other: m.msg(str`You get all ${n}. Turn off what you don’t want.`, { id: 'get-all.other' }),
  });
}

/** "214 votes" under a poll. */
export function voteCount(m: Messages, count: number): string {
  const n = m.number(count);
  return m.plural(count, {
    zero: m.msg(str`${n} votes`, { id: 'votes.zero' }),
    one: m.msg(str`${n} vote`, { id: 'votes.one' }),
    two: m.msg(str`${n} votes`, { id: 'votes.two' }),
    few: m.msg(str`${n} votes`, { id: 'votes.few' }),
    many: m.msg(str`${n} votes`, { id: 'votes.many' }),
    other: m.msg(str`${n} votes`, { id: 'votes.other' }),
  });
}

/** "1,204 members" in a channel's head. */
export function memberCount(m: Messages, count: number): string {
  const n = m.number(count);
  return m.plural(count, {
    zero: m.msg(str`${n} members`, { id: 'members.zero' }),
    one: m.msg(str`${n} member`, { id: 'members.one' }),
    two: m.msg(str`${n} members`, { id: 'members.two' }),
    few: m.msg(str`${n} members`, { id: 'members.few' }),
    many: m.msg(str`${n} members`, { id: 'members.many' }),
    other: m.msg(str`${n} members`, { id: 'members.other' }),
  });
}
