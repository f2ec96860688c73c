// Examples page of the custom elements: its language and the path of its file.

import { type Locale, pickLocale } from '../../../src/i18n/locale.ts';
import { sourceLocale } from '../../../src/i18n/locales/codes.ts';
import { parseAcceptLanguage } from '../../http/content-negotiation.ts';

/** Returns the language of the page: the one in its address, or else the first supported language of the browser. */
export const examplesLocale = (selected: string | undefined, acceptLanguage: string | undefined): Locale =>
  pickLocale(selected === undefined ? parseAcceptLanguage(acceptLanguage) : [selected]);

/** Returns the path of the page's file in a language, as the build writes it. */
export const examplesPath = (locale: Locale): string => `/elements/index${locale === sourceLocale ? '' : `.${locale}`}.html`;
