import { rightToLeft, sourceLocale, targetLocales } from './locales/codes.ts';

/** Locale: a supported language of the interface. */
export type Locale = typeof sourceLocale | (typeof targetLocales)[number];
/** Supported languages; English is the first. */
export const LOCALES: readonly Locale[] = [sourceLocale, ...targetLocales];

/** Returns the text direction of a language. */
export const directionOf = (locale: Locale): 'ltr' | 'rtl' => (rightToLeft.includes(locale) ? 'rtl' : 'ltr');

/**
 * Returns the first supported language from a list of BCP 47 tags, the preferred one first; English if none is
 * supported. A tag with an unsupported region, such as `ru-KZ`, matches its language.
 */
export function pickLocale(preferred: readonly (string | null | undefined)[]): Locale {
  for (const tag of preferred) {
    const language = languageOf(tag ?? '');
    const found = LOCALES.find((locale) => locale === tag) ?? LOCALES.find((locale) => languageOf(locale) === language);
    if (found !== undefined) return found;
  }
  return sourceLocale;
}

const languageOf = (tag: string): string | undefined => tag.toLowerCase().split('-')[0];
