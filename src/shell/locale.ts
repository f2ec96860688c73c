import type { Messages } from '../i18n/i18n.ts';

const KEPT = 'changer_locale';

/** The language that the reader chose on this device; null before a choice, and where storage is refused. */
export function chosenLocale(): string | null {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

/** Keeps the reader's choice; where storage is refused it lasts as long as the page. */
export function chooseLocale(locale: string): void {
  try {
    localStorage.setItem(KEPT, locale);
  } catch {
    // The page has the language; only the next load will ask again.
  }
}

/** Gives the document the language and its direction. */
export function speak({ locale, dir }: Messages): void {
  document.documentElement.lang = locale;
  document.documentElement.dir = dir;
}
