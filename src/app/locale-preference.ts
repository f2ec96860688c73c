import type { Messages } from '../i18n/i18n.ts';
import { type Locale, pickLocale } from '../i18n/locale.ts';
import { LOCALE_KEY } from '../lib/storage-keys.ts';
import { createStoredValue } from '../lib/web-storage.ts';

/** Language preference: the language that the reader chose on this device; null before a choice. */
export const chosenLocale = createStoredValue('device', LOCALE_KEY);

/** Sets the language and the text direction of the document. */
export function applyDocumentLanguage({ locale, dir }: Messages): void {
  document.documentElement.lang = locale;
  document.documentElement.dir = dir;
}

/** Returns the language of the app at its start: that of the reader's choice, of the container, or of the browser. */
export const initialLocale = (containerLanguage: string | null | undefined): Locale =>
  pickLocale([chosenLocale.read(), containerLanguage, ...navigator.languages]);
