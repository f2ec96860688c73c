import { type Messages, str } from '../i18n.ts';

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
