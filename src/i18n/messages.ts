/*
 * Messages of one language: translated texts, plurals, numbers and dates. This module does not depend on React, because the
 * page of examples is built without it.
 */
import { type msg as litMsg, str } from '@lit/localize';
import { generateMsgId } from '@lit/localize/internal/id-generation.js';
import { dateFormat, dayName, numberFormat, regionalLocale, relativeDate } from './format.ts';
import { directionOf, type Locale } from './locale.ts';

export { str };

/**
 * Translated texts of a language by their keys, with {0}, {1}… for the values in the source.
 * scripts/i18n/generate-messages.mjs generates them.
 */
export type Templates = Record<string, string>;

/** Translated texts, numbers and dates of one language. */
export interface Messages {
  readonly locale: Locale;
  readonly dir: 'ltr' | 'rtl';
  /** Returns the reader's regional variant of the language, which formats numbers and dates: en-GB for a British reader. */
  localeTag(): string;
  /** `msg` of lit-localize, bound to this language. The message extraction finds the calls by this type. */
  readonly msg: typeof litMsg;
  /** Templates that `msg` looks up; undefined for English. lazy-messages.ts adds those of parts that load later. */
  readonly templates: Templates | undefined;
  /**
   * Selects the plural form for a number from `msg('one: # post | other: # posts')`, and inserts the number for `#`. A
   * translation contains each form that CLDR defines for its language, and may add `=1: …` for a single number. Above `most`,
   * the text is "99+" instead of the number.
   */
  plural(count: number, forms: string, most?: number): string;
  number(value: number): string;
  /**
   * Formats a date as readers say it: "now", "8 minutes ago", "Today, 11:05", "12 March 2025, 09:00". `date` in unix seconds,
   * `now` in unix ms.
   */
  relativeDate(date: number, now: number): string;
  /**
   * Formats the day of a date: "Today", "Yesterday", "12 November", "12 March 2025". `date` in unix seconds, `now` in unix
   * ms.
   */
  dayName(date: number, now: number): string;
  /** Formats the complete date and time, for titles and permalinks. */
  fullDate(date: number): string;
}

/**
 * Creates the messages of a language from its templates; `templates` is undefined for the source language. `languages` are
 * the reader's languages; by default, those of the browser.
 */
export function createMessages(locale: Locale, templates: Templates | undefined, languages?: readonly string[]): Messages {
  const plurals = new Intl.PluralRules(locale);
  const tag = () => regionalLocale(locale, languages);
  const number = (value: number) => numberFormat(tag()).format(value);
  const msg = ((template: string | ReturnType<typeof str>, options?: { readonly id?: string }) => {
    const { strings, values } = typeof template === 'string' ? { strings: template, values: [] } : template;
    const text = templates?.[options?.id ?? messageKey(strings)];
    if (text === undefined) return String.raw({ raw: strings }, ...values);
    return text.replace(/\{(\d)\}/g, (_, at: number) => String(values[at]));
  }) as typeof litMsg;
  return {
    locale,
    localeTag: tag,
    dir: directionOf(locale),
    msg,
    templates,
    plural(count, forms, most = count) {
      const all = forms.split(' | ');
      const form = (name: string) => all.find((candidate) => candidate.startsWith(`${name}: `))?.slice(name.length + 2);
      const shown = count > most ? `${number(most)}+` : number(count);
      const counted = Math.min(count, most + 1);
      return (form(`=${counted}`) ?? form(plurals.select(counted)) ?? form('other') ?? forms).replace('#', shown);
    },
    number,
    relativeDate: (date, now) => relativeDate(tag(), (day, time) => msg(str`${day}, ${time}`), date, now),
    dayName: (date, now) => dayName(tag(), date, now),
    fullDate: (date) => dateFormat(tag(), { dateStyle: 'long', timeStyle: 'short' }).format(date * 1000),
  };
}

/**
 * Returns a message's key: the last 6 characters of lit-localize's id, as in scripts/i18n/generate-messages.mjs. It depends
 * only on the text, and is computed once.
 */
function messageKey(strings: string | TemplateStringsArray): string {
  const key = messageKeys.get(strings) ?? generateMsgId(strings, false).slice(-6);
  messageKeys.set(strings, key);
  return key;
}
const messageKeys = new Map<string | TemplateStringsArray, string>();

/** English, the language of the source. */
export const english = createMessages('en', undefined);
