import { type msg as litMsg, str } from '@lit/localize';
import { generateMsgId } from '@lit/localize/internal/id-generation.js';
import { createContext, useContext } from 'react';
import { directionOf, type Locale } from './locale.ts';
import { sourceLocale } from './locales/codes.ts';
import { words } from './locales/words.ts';

export { str };

/** A language's texts by their keys, with {0}, {1}… where the values of the source stand: what launch/words.mjs generates. */
export type Templates = Record<string, string>;

/** The words, numbers and dates of one language. */
export interface Messages {
  readonly locale: Locale;
  readonly dir: 'ltr' | 'rtl';
  /** The reader's own kind of the language, by which numbers and dates are written: en-GB for an English reader there. */
  tag(): string;
  /** lit-localize's `msg`, bound to this language; the extraction finds the calls by its type. */
  readonly msg: typeof litMsg;
  /** What `msg` looks up, undefined where English stands; words.ts adds those of parts that load later. */
  readonly templates: Templates | undefined;
  /**
   * Picks from `msg('one: # post | other: # posts')` the form for this number, and puts it in place of `#`. A language writes
   * each form that CLDR says it has, and may add `=1: …` for one number alone. Above `most` "99+" stands for the number.
   */
  plural(count: number, forms: string, most?: number): string;
  number(value: number): string;
  /** A date as readers say it: "now", "8 minutes ago", "Today, 11:05", "12 March 2025, 09:00". `date` in unix seconds, `now` in unix ms. */
  when(date: number, now: number): string;
  /** The whole date and time, for titles and permalinks. */
  fullDate(date: number): string;
}

/** Makes the messages of a language from its templates; `templates` is undefined for the source language. */
export function createMessages(locale: Locale, templates: Templates | undefined): Messages {
  const plurals = new Intl.PluralRules(locale);
  const tag = () => regional(locale);
  const number = (value: number) => numberFormat(tag()).format(value);
  const msg = ((template: string | ReturnType<typeof str>, options?: { readonly id?: string }) => {
    const { strings, values } = typeof template === 'string' ? { strings: template, values: [] } : template;
    const text = templates?.[options?.id ?? keyOf(strings)];
    if (text === undefined) return String.raw({ raw: strings }, ...values);
    return text.replace(/\{(\d)\}/g, (_, at: number) => String(values[at]));
  }) as typeof litMsg;
  return {
    locale,
    tag,
    dir: directionOf(locale),
    msg,
    templates,
    plural(count, forms, most = count) {
      const all = forms.split(' | ');
      const form = (name: string) => all.find((each) => each.startsWith(`${name}: `))?.slice(name.length + 2);
      const shown = count > most ? `${number(most)}+` : number(count);
      const counted = Math.min(count, most + 1);
      return (form(`=${counted}`) ?? form(plurals.select(counted)) ?? form('other') ?? forms).replace('#', shown);
    },
    number,
    when: (date, now) => relativeDate(tag(), msg, date, now),
    fullDate: (date) => dateFormat(tag(), { dateStyle: 'long', timeStyle: 'short' }).format(date * 1000),
  };
}

/** Gives a message's key: the end of lit-localize's id, as launch/words.mjs cuts it. It is the same for every reader, and hashed once. */
function keyOf(strings: string | TemplateStringsArray): string {
  const key = keys.get(strings) ?? generateMsgId(strings, false).slice(-6);
  keys.set(strings, key);
  return key;
}
const keys = new Map<string | TemplateStringsArray, string>();

/** A server has no reader: there the language itself stands. */
const regional = (locale: Locale): string =>
  (typeof window === 'undefined' ? [] : navigator.languages).find((tag) => tag.split('-')[0] === locale) ?? locale;

/** Making a format takes longer than drawing the rest of a post: each is made once. */
function once<Format>(make: (locale: string, options?: Intl.DateTimeFormatOptions) => Format): typeof make {
  const made = new Map<string, Format>();
  return (locale, options) => {
    const key = locale + JSON.stringify(options);
    const format = made.get(key) ?? make(locale, options);
    made.set(key, format);
    return format;
  };
}
const numberFormat = once((locale) => new Intl.NumberFormat(locale));
/** Gives the format of these options, made once. */
export const dateFormat = once((locale, options) => new Intl.DateTimeFormat(locale, options));
const relativeFormat = once((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));

function relativeDate(locale: string, msg: typeof litMsg, date: number, now: number): string {
  const at = new Date(date * 1000);
  const seconds = Math.round(date - now / 1000);
  const relative = relativeFormat(locale);
  if (seconds > -60 && seconds <= 60) return relative.format(0, 'second');
  if (seconds > -3600 && seconds < 0) return relative.format(Math.ceil(seconds / 60), 'minute');
  const time = dateFormat(locale, { timeStyle: 'short' }).format(at);
  const days = Math.round((startOfDay(at) - startOfDay(new Date(now))) / 86_400_000);
  const near = days === 0 || days === -1;
  const year = at.getFullYear() === new Date(now).getFullYear() ? {} : { year: 'numeric' as const };
  const day = near
    ? capitalized(relative.format(days, 'day'), locale)
    : dateFormat(locale, { day: 'numeric', month: 'long', ...year }).format(at);
  return msg(str`${day}, ${time}`);
}

const startOfDay = (date: Date): number => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
/** Begins a text with a capital letter, where the language has them. */
export const capitalized = (text: string, locale: string): string => text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);

/** Loads a language's templates, once; each target language is a chunk of its own. */
export async function loadMessages(locale: Locale): Promise<Messages> {
  const messages = heldMessages(locale) ?? (await importMessages(locale));
  held.set(locale, messages);
  return messages;
}

/** Gives a language that has been loaded, so that a tag can render it at once. */
export const heldMessages = (locale: Locale): Messages | undefined => (locale === sourceLocale ? english : held.get(locale));
const held = new Map<Locale, Messages>();

const importMessages = async (locale: Locale): Promise<Messages> =>
  locale === sourceLocale ? english : createMessages(locale, (await words[locale]()).templates);

export const english = createMessages('en', undefined);
export const MessagesContext = createContext<Messages>(english);

/** The messages of the tag this component lives in. */
export const useMsg = (): Messages => useContext(MessagesContext);
