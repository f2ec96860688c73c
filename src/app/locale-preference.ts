import type { Messages } from '../i18n/i18n.ts';
import { createStoredValue } from '../lib/web-storage.ts';

/** Language preference: the language that the reader chose on this device; null before a choice. */
export const chosenLocale = createStoredValue('device', 'changer_locale');

/** Sets the language and the text direction of the document. */
export function applyDocumentLanguage({ locale, dir }: Messages): void {
  document.documentElement.lang = locale;
  document.documentElement.dir = dir;
}
