import { sourceLocale, targetLocales } from './locales/codes.ts';

/** A language of the interface. */
export type Locale = typeof sourceLocale | (typeof targetLocales)[number];
export const LOCALES: readonly Locale[] = [sourceLocale, ...targetLocales];

const RIGHT_TO_LEFT: readonly Locale[] = ['ar'];

export const directionOf = (locale: Locale): 'ltr' | 'rtl' => (RIGHT_TO_LEFT.includes(locale) ? 'rtl' : 'ltr');

/** Picks the first language we have from a list of BCP 47 tags, else English. */
export function pickLocale(wanted: readonly (string | null | undefined)[]): Locale {
  for (const tag of wanted) {
    const language = tag?.toLowerCase().split('-')[0];
    const found = LOCALES.find((locale) => locale === language);
    if (found !== undefined) return found;
  }
  return sourceLocale;
}
