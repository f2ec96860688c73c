import { allLocales } from './locales/codes.ts';

/** The direction of the language that i18n.ts would pick from a list of BCP 47 tags, for the inline script, which loads no React. */
export function earlyDirection(wanted: readonly (string | null)[]): 'ltr' | 'rtl' {
  const languages = wanted.map((tag) => tag?.toLowerCase().split('-')[0]);
  const picked = languages.find((language) => allLocales.some((locale) => locale === language));
  return picked === 'ar' ? 'rtl' : 'ltr';
}
