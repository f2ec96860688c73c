/*
 * Phrases with a number. `single` is for exactly 1, which Russian's `one` (1, 21, 31…) is not; `zero` and `two` are Arabic's.
 * These three hold no number, so that a translation may say it in words.
 */
import { type Messages, str } from './i18n.ts';

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

/** The dial's first words: "You get all 7. Turn off what you don't want." */
export function getAll(m: Messages, count: number): string {
  const n = m.number(count);
  return m.plural(count, {
    zero: m.msg('There is no channel yet.', { id: 'get-all.zero' }),
    single: m.msg('You get the one channel there is.', { id: 'get-all.single' }),
    one: m.msg(str`You get all ${n}. Turn off what you don’t want.`, { id: 'get-all.one' }),
    two: m.msg('You get both. Turn off what you don’t want.', { id: 'get-all.two' }),
    few: m.msg(str`You get all ${n}. Turn off what you don’t want.`, { id: 'get-all.few' }),
    many: m.msg(str`You get all ${n}. Turn off what you don’t want.`, { id: 'get-all.many' }),
    other: m.msg(str`You get all ${n}. Turn off what you don’t want.`, { id: 'get-all.other' }),
  });
}

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
