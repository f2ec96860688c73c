import { type msg as litMsg, str } from '@lit/localize';
import { runtimeMsg } from '@lit/localize/internal/runtime-msg.js';
import type { TemplateMap } from '@lit/localize/internal/types.js';
import { createContext, useContext } from 'react';
import { directionOf, type Locale } from './locale.ts';
import { sourceLocale } from './locales/codes.ts';

export { str };

/**
 * A form for each category of CLDR that some language needs. `single` is for exactly 1, which Russian's `one` (1, 21, 31…) is
 * not; `zero` and `two` are Arabic's. These three hold no number, so that a translation may say it in words.
 */
type Plurals = Partial<Record<Intl.LDMLPluralRule | 'single', string>> & { readonly other: string };

/** The words, numbers and dates of one language. */
export interface Messages {
  readonly locale: Locale;
  readonly dir: 'ltr' | 'rtl';
  /** The reader's own kind of the language, by which numbers and dates are written: en-GB for an English reader there. */
  tag(): string;
  /** lit-localize's `msg`, bound to this language; `lit-localize extract` finds the calls by its type. */
  readonly msg: typeof litMsg;
  /** What `msg` looks up, undefined where English stands; words.ts adds those of parts that load later. */
  readonly templates: TemplateMap | undefined;
  /** Picks the form that the language uses for this number. */
  plural(count: number, forms: Plurals): string;
  number(value: number): string;
  /** A date as readers say it: "now", "8 minutes ago", "Today, 11:05", "12 March 2025, 09:00". `date` in unix seconds, `now` in unix ms. */
  when(date: number, now: number): string;
  /** The whole date and time, for titles and permalinks. */
  fullDate(date: number): string;
}

/** Makes the messages of a language from its templates; `templates` is undefined for the source language. */
export function createMessages(locale: Locale, templates: TemplateMap | undefined): Messages {
  const plurals = new Intl.PluralRules(locale);
  const tag = () => regional(locale);
  let numbers: Intl.NumberFormat | undefined;
  return {
    locale,
    tag,
    dir: directionOf(locale),
    msg: ((template: Parameters<typeof runtimeMsg>[1], options?: Parameters<typeof runtimeMsg>[2]) =>
      runtimeMsg(templates, template, options)) as typeof litMsg,
    templates,
    plural: (count, forms) => (count === 1 ? forms.single : undefined) ?? forms[plurals.select(count)] ?? forms.other,
    number(value) {
      numbers ??= new Intl.NumberFormat(tag());
      return numbers.format(value);
    },
    when: (date, now) => relativeDate(tag(), date, now),
    fullDate: (date) => new Intl.DateTimeFormat(tag(), { dateStyle: 'long', timeStyle: 'short' }).format(date * 1000),
  };
}

/** A server has no reader: there the language itself stands. */
const regional = (locale: Locale): string =>
  (typeof window === 'undefined' ? [] : navigator.languages).find((tag) => tag.split('-')[0] === locale) ?? locale;

function relativeDate(locale: string, date: number, now: number): string {
  const at = new Date(date * 1000);
  const seconds = Math.round(date - now / 1000);
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  if (seconds > -60 && seconds <= 60) return relative.format(0, 'second');
  if (seconds > -3600 && seconds < 0) return relative.format(Math.ceil(seconds / 60), 'minute');
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(at);
  const days = Math.round((startOfDay(at) - startOfDay(new Date(now))) / 86_400_000);
  const comma = locale.startsWith('ar') ? '،' : ',';
  if (days === 0 || days === -1) return `${capitalized(relative.format(days, 'day'), locale)}${comma} ${time}`;
  const sameYear = at.getFullYear() === new Date(now).getFullYear();
  const day = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'long',
    ...(sameYear ? {} : { year: 'numeric' as const }),
  });
  return `${day.format(at)}${comma} ${time}`;
}

const startOfDay = (date: Date): number => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
const capitalized = (text: string, locale: string): string => text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);

/** Loads a language's templates, once; each target language is a chunk of its own. */
export async function loadMessages(locale: Locale): Promise<Messages> {
  const messages = heldMessages(locale) ?? (await importMessages(locale));
  held.set(locale, messages);
  return messages;
}

/** Gives a language that has been loaded, so that a tag can render it at once. */
export const heldMessages = (locale: Locale): Messages | undefined => (locale === sourceLocale ? english : held.get(locale));
const held = new Map<Locale, Messages>();

async function importMessages(locale: Locale): Promise<Messages> {
  switch (locale) {
    case 'ru':
      return createMessages(locale, (await import('./locales/ru.ts')).templates);
    case 'ar':
      return createMessages(locale, (await import('./locales/ar.ts')).templates);
    default:
      return english;
  }
}

export const english = createMessages('en', undefined);
export const MessagesContext = createContext<Messages>(english);

/** The messages of the tag this component lives in. */
export const useMsg = (): Messages => useContext(MessagesContext);
