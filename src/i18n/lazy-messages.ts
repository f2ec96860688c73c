import { useEffect, useState } from 'react';
import { loadMessages, type Messages, useMsg } from './i18n.ts';
import type { Locale } from './locale.ts';
import { areas } from './locales/areas.ts';
import { sourceLocale } from './locales/codes.ts';

/**
 * Lazy messages: an area is a part of the app that few readers open. Its messages are not in the main chunk of a
 * language. scripts/i18n/generate-messages.mjs defines the contents of each area.
 */
type MessageArea = keyof typeof areas;
/** The areas whose messages were added to a language's templates. */
const loadedAreas = new WeakMap<object, Set<MessageArea>>();
const hasArea = ({ locale, templates }: Messages, area: MessageArea): boolean =>
  locale === sourceLocale || (templates !== undefined && loadedAreas.get(templates)?.has(area) === true);

/** Loads the messages of an area into the templates of a language. Rejects if either cannot be fetched. */
export async function loadAreaMessages(locale: Locale, area: MessageArea): Promise<void> {
  if (locale === sourceLocale) return;
  const [{ templates }, areaModule] = await Promise.all([loadMessages(locale), areas[area][locale]()]);
  if (templates === undefined) return;
  Object.assign(templates, areaModule.templates);
  loadedAreas.set(templates, (loadedAreas.get(templates) ?? new Set()).add(area));
}

/**
 * Loads the messages of an area. Returns true when the component can render: they are loaded, or loading failed and the
 * English messages are used.
 */
export function useAreaMessages(area: MessageArea): boolean {
  const m = useMsg();
  const [settledMessages, setSettledMessages] = useState<Messages>();
  useEffect(() => {
    if (hasArea(m, area)) return;
    let isCurrent = true;
    const done = () => isCurrent && setSettledMessages(m);
    loadAreaMessages(m.locale, area).then(done, done);
    return () => {
      isCurrent = false;
    };
  }, [m, area]);
  return settledMessages === m || hasArea(m, area);
}
