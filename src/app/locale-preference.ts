import type { Messages } from '../i18n/i18n.ts';
import { LOCALE_KEY } from '../lib/storage-keys.ts';
import { createStoredValue } from '../lib/web-storage.ts';

/** Language preference: the language that the reader chose on this device; null before a choice. */
export const chosenLocale = createStoredValue('device', LOCALE_KEY);

/** Sets the language and the text direction of the document. */
export function applyDocumentLanguage({ locale, dir }: Messages): void {
  document.documentElement.lang = locale;
  document.documentElement.dir = dir;
}
