import { capitalized } from './format.ts';
import type { Locale } from './locale.ts';

/** Gives a language's name in itself, as lists of languages write it: "Русский". */
export const languageName = (locale: Locale): string =>
  capitalized(new Intl.DisplayNames([locale], { type: 'language' }).of(locale) ?? locale, locale);
