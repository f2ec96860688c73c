import { useEffect, useState } from 'react';
import { loadMessages, type Messages, useMsg } from './i18n.ts';
import type { Locale } from './locale.ts';
import { areas } from './locales/areas.ts';
import { sourceLocale } from './locales/codes.ts';

/** A part that few readers open, whose words everybody's do not hold: scripts/i18n/generate-messages.mjs says what is in each. */
type Area = keyof typeof areas;
/** The areas whose words a language's templates hold. */
const held = new WeakMap<object, Set<Area>>();
const holds = ({ locale, templates }: Messages, area: Area): boolean =>
  locale === sourceLocale || (templates !== undefined && held.get(templates)?.has(area) === true);

/** Loads an area's words into those of a language. Rejects where either cannot be fetched. */
export async function loadWords(locale: Locale, area: Area): Promise<void> {
  if (locale === sourceLocale) return;
  const [{ templates }, more] = await Promise.all([loadMessages(locale), areas[area][locale]()]);
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
