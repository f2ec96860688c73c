import { capitalized } from './format.ts';
import type { Locale } from './locale.ts';

/** Returns a language's own name, as in a list of languages: "Русский". */
export const languageName = (locale: Locale): string =>
  capitalized(new Intl.DisplayNames([locale], { type: 'language' }).of(locale) ?? locale, locale);
