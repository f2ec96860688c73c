/* Messages: the words, numbers and dates of one language. It knows nothing of React: the page of examples is made without it. */
import { type msg as litMsg, str } from '@lit/localize';
import { generateMsgId } from '@lit/localize/internal/id-generation.js';
import { dateFormat, dayName, numberFormat, regional, relativeDate } from './format.ts';
import { directionOf, type Locale } from './locale.ts';

export { str };

/** A language's texts by their keys, with {0}, {1}… where the values of the source stand: what scripts/i18n/generate-messages.mjs generates. */
export type Templates = Record<string, string>;

/** The words, numbers and dates of one language. */
export interface Messages {
  readonly locale: Locale;
  readonly dir: 'ltr' | 'rtl';
  /** The reader's own kind of the language, by which numbers and dates are written: en-GB for an English reader there. */
  tag(): string;
  /** lit-localize's `msg`, bound to this language; the extraction finds the calls by its type. */
  readonly msg: typeof litMsg;
  /** Templates that `msg` looks up, undefined for English; words.ts adds those of parts that load later. */
  readonly templates: Templates | undefined;
  /**
   * Picks from `msg('one: # post | other: # posts')` the form for this number, and puts it in place of `#`. A language writes
   * each form that CLDR says it has, and may add `=1: …` for one number alone. Above `most` "99+" stands for the number.
   */
  plural(count: number, forms: string, most?: number): string;
  number(value: number): string;
  /** A date as readers say it: "now", "8 minutes ago", "Today, 11:05", "12 March 2025, 09:00". `date` in unix seconds, `now` in unix ms. */
  when(date: number, now: number): string;
  /** The day of a date: "Today", "Yesterday", "12 November", "12 March 2025". `date` in unix seconds, `now` in unix ms. */
  day(date: number, now: number): string;
  /** The whole date and time, for titles and permalinks. */
  fullDate(date: number): string;
}

/**
 * Makes the messages of a language from its templates; `templates` is undefined for the source language. `languages` are the
 * reader's; the browser's where they are not given.
 */
export function createMessages(locale: Locale, templates: Templates | undefined, languages?: readonly string[]): Messages {
  const plurals = new Intl.PluralRules(locale);
  const tag = () => regional(locale, languages);
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
    when: (date, now) => relativeDate(tag(), (day, time) => msg(str`${day}, ${time}`), date, now),
    day: (date, now) => dayName(tag(), date, now),
    fullDate: (date) => dateFormat(tag(), { dateStyle: 'long', timeStyle: 'short' }).format(date * 1000),
  };
}

/** Returns a message's key: the end of lit-localize's id, as cut by scripts/i18n/generate-messages.mjs. It depends on the text alone and is hashed once. */
function keyOf(strings: string | TemplateStringsArray): string {
  const key = keys.get(strings) ?? generateMsgId(strings, false).slice(-6);
  keys.set(strings, key);
  return key;
}
const keys = new Map<string | TemplateStringsArray, string>();

/** English: what stands in the source. */
export const english = createMessages('en', undefined);
