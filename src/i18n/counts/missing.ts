import { type Messages, str } from '../i18n.ts';

/** "3 posts may be missing here", between two posts of a channel. */
export function missingPosts(m: Messages, count: number): string {
  const n = m.number(count);
  return m.plural(count, {
    zero: m.msg('No post is missing here', { id: 'missing.zero' }),
    single: m.msg('1 post may be missing here', { id: 'missing.single' }),
    one: m.msg(str`${n} post may be missing here`, { id: 'missing.one' }),
    two: m.msg('2 posts may be missing here', { id: 'missing.two' }),
    few: m.msg(str`${n} posts may be missing here`, { id: 'missing.few' }),
    many: m.msg(str`${n} posts may be missing here`, { id: 'missing.many' }),
    other: m.msg(str`${n} posts may be missing here`, { id: 'missing.other' }),
  });
}
