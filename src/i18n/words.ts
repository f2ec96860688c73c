import { useEffect, useState } from 'react';
import { loadMessages, type Messages, useMsg } from './i18n.ts';
import type { Locale } from './locale.ts';
import { sourceLocale, type targetLocales } from './locales/codes.ts';

/** The words of parts that few readers open, which everybody's do not hold: launch/words.mjs says what is in them. */
const AREAS = {
  operator: { ru: () => import('./locales/operator/ru.ts'), ar: () => import('./locales/operator/ar.ts') },
  'self-test': { ru: () => import('./locales/self-test/ru.ts'), ar: () => import('./locales/self-test/ar.ts') },
} satisfies Record<string, Record<(typeof targetLocales)[number], () => Promise<unknown>>>;

type Area = keyof typeof AREAS;
/** The areas whose words a language's templates hold. */
const held = new WeakMap<object, Set<Area>>();
const holds = ({ locale, templates }: Messages, area: Area): boolean =>
  locale === sourceLocale || (templates !== undefined && held.get(templates)?.has(area) === true);

/** Loads an area's words into those of a language. Rejects where either cannot be fetched. */
export async function loadWords(locale: Locale, area: Area): Promise<void> {
  if (locale === sourceLocale) return;
  const [{ templates }, more] = await Promise.all([loadMessages(locale), AREAS[area][locale]()]);
  if (templates === undefined) return;
  Object.assign(templates, more.templates);
  held.set(templates, (held.get(templates) ?? new Set()).add(area));
}

/** Loads an area's words and says whether to render it: they are there, or will not come and English ones stand. */
export function useWords(area: Area): boolean {
  const m = useMsg();
  const [settled, settle] = useState<Messages>();
  useEffect(() => {
    if (holds(m, area)) return;
    let current = true;
    const done = () => current && settle(m);
    loadWords(m.locale, area).then(done, done);
    return () => {
      current = false;
    };
  }, [m, area]);
  return settled === m || holds(m, area);
}
