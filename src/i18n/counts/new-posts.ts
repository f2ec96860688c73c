import { type Messages, str } from '../i18n.ts';

/** "2 new posts", which wait above a list; above 99, "99+ new posts". */
export function newPosts(m: Messages, count: number): string {
  const n = count > 99 ? `${m.number(99)}+` : m.number(count);
  return m.plural(Math.min(count, 100), {
    zero: m.msg('No new posts', { id: 'new-posts.zero' }),
    single: m.msg('1 new post', { id: 'new-posts.single' }),
    one: m.msg(str`${n} new post`, { id: 'new-posts.one' }),
    two: m.msg('2 new posts', { id: 'new-posts.two' }),
    few: m.msg(str`${n} new posts`, { id: 'new-posts.few' }),
    many: m.msg(str`${n} new posts`, { id: 'new-posts.many' }),
    other: m.msg(str`${n} new posts`, { id: 'new-posts.other' }),
  });
}
