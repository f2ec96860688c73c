/* Date and number formatting for a language. This module has no imports, because an inline script contains it too. */

const DAY_MS = 86_400_000;

/** Returns the reader's regional variant of a language, for example en-GB for a British reader. */
export const regionalLocale = (locale: string, languages = globalThis.navigator?.languages ?? []): string =>
  languages.find((tag) => tag.split('-')[0] === locale) ?? locale;

/** Caches the formatters that `createFormat` returns: creating one takes longer than rendering the rest of a post. */
// @__NO_SIDE_EFFECTS__
function memoizeFormat<Format>(
  createFormat: (locale: string, options?: Intl.DateTimeFormatOptions) => Format,
): typeof createFormat {
  const formats = new Map<string, Format>();
  return (locale, options) => {
    const key = locale + JSON.stringify(options);
    const format = formats.get(key) ?? createFormat(locale, options);
    formats.set(key, format);
    return format;
  };
}
/** Returns the cached number formatter of a language. */
export const numberFormat = memoizeFormat((locale) => new Intl.NumberFormat(locale));
/** Returns the cached date formatter for these options. */
export const dateFormat = memoizeFormat((locale, options) => new Intl.DateTimeFormat(locale, options));
const relativeFormat = memoizeFormat((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));

/**
 * Formats a relative date; see `Messages.relativeDate`. `date` in unix seconds, `now` in unix ms; `join` combines a day
 * and a time.
 */
export function relativeDate(locale: string, join: (day: string, time: string) => string, date: number, now: number): string {
  const dateObject = new Date(date * 1000);
  const seconds = Math.round(date - now / 1000);
  const relative = relativeFormat(locale);
  if (seconds > -60 && seconds <= 60) return relative.format(0, 'second');
  if (seconds > -3600 && seconds < 0) return relative.format(Math.ceil(seconds / 60), 'minute');
  return join(dayName(locale, date, now), dateFormat(locale, { timeStyle: 'short' }).format(dateObject));
}

/** Formats the day of a date; see `Messages.dayName`. `date` in unix seconds, `now` in unix ms. */
export function dayName(locale: string, date: number, now: number): string {
  const dateObject = new Date(date * 1000);
  const days = Math.round((startOfDay(date * 1000) - startOfDay(now)) / DAY_MS);
  const isTodayOrYesterday = days === 0 || days === -1;
  const yearOption = dateObject.getFullYear() === new Date(now).getFullYear() ? {} : { year: 'numeric' as const };
  return isTodayOrYesterday
    ? capitalized(relativeFormat(locale).format(days, 'day'), locale)
    : dateFormat(locale, { day: 'numeric', month: 'long', ...yearOption }).format(dateObject);
}

/**
 * Returns true if two dates, unix seconds, are on the same day in the local time zone; false if the first is undefined.
 */
export const isSameDay = (date: number | undefined, other: number): boolean =>
  startOfDay(Number(date) * 1000) === startOfDay(other * 1000);

/**
 * Formats the dates of server-rendered posts again: the server does not know the reader's time zone, nor how long the
 * response was in flight. `when` is the message that combines a day {0} and a time {1}.
 */
export function localizeDates(posts: ParentNode, language: string, when: string): void {
  const join = (day: string, time: string) => when.replace('{0}', day).replace('{1}', time);
  for (const time of posts.querySelectorAll<HTMLTimeElement>('.post-facts time'))
    time.textContent = relativeDate(regionalLocale(language), join, Date.parse(time.dateTime) / 1000, Date.now());
}

/** Warms up the formatters for a date of last week, because the first use of each is slow. */
export const warmUpDateFormats = (language: string): void =>
  void relativeDate(language, (day) => day, Date.now() / 1000 - 7 * 86_400, Date.now());

/** Returns the start of the local day of a time, both in unix ms. */
const startOfDay = (time: number): number => new Date(time).setHours(0, 0, 0, 0);
/** Capitalizes the first letter, if the language has capital letters. */
export const capitalized = (text: string, locale: string): string => text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);
