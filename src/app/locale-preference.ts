import type { Messages } from '../i18n/i18n.ts';
import { createNote } from '../lib/web-storage.ts';

/** The language that the reader chose on this device; null before a choice. */
export const chosenLocale = createNote('device', 'changer_locale');

/** Gives the document the language and its direction. */
export function speak({ locale, dir }: Messages): void {
  document.documentElement.lang = locale;
  document.documentElement.dir = dir;
}
