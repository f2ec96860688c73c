/* Dates and numbers as a language writes them. It imports nothing, for it is also part of an inline script. */

/** The reader's own kind of a language: en-GB for an English reader there. */
export const regional = (locale: string, languages = globalThis.navigator?.languages ?? []): string =>
  languages.find((tag) => tag.split('-')[0] === locale) ?? locale;

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
/** Gives the format of a language's numbers, made once. */
export const numberFormat = once((locale) => new Intl.NumberFormat(locale));
/** Gives the format of these options, made once. */
export const dateFormat = once((locale, options) => new Intl.DateTimeFormat(locale, options));
const relativeFormat = once((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));

/** See Messages.when; `join` says a day and a time together. */
export function relativeDate(locale: string, join: (day: string, time: string) => string, date: number, now: number): string {
  const at = new Date(date * 1000);
  const seconds = Math.round(date - now / 1000);
  const relative = relativeFormat(locale);
  if (seconds > -60 && seconds <= 60) return relative.format(0, 'second');
  if (seconds > -3600 && seconds < 0) return relative.format(Math.ceil(seconds / 60), 'minute');
  return join(dayName(locale, date, now), dateFormat(locale, { timeStyle: 'short' }).format(at));
}

/** See Messages.day. */
export function dayName(locale: string, date: number, now: number): string {
  const at = new Date(date * 1000);
  const days = Math.round((startOfDay(date * 1000) - startOfDay(now)) / 86_400_000);
  const near = days === 0 || days === -1;
  const year = at.getFullYear() === new Date(now).getFullYear() ? {} : { year: 'numeric' as const };
  return near
    ? capitalized(relativeFormat(locale).format(days, 'day'), locale)
    : dateFormat(locale, { day: 'numeric', month: 'long', ...year }).format(at);
}

/** Returns whether two dates, unix seconds, are of the same day here; false where there is no first one. */
export const isSameDay = (one: number | undefined, other: number): boolean =>
  startOfDay(Number(one) * 1000) === startOfDay(other * 1000);

/**
 * Tells the dates of drawn posts anew: the server knows neither the reader's time zone nor how long its answer was on the way.
 * `when` says a day {0} and a time {1} together.
 */
export function retellDates(posts: ParentNode, language: string, when: string): void {
  const join = (day: string, time: string) => when.replace('{0}', day).replace('{1}', time);
  for (const time of posts.querySelectorAll<HTMLTimeElement>('.post-facts time'))
    time.textContent = relativeDate(regional(language), join, Date.parse(time.dateTime) / 1000, Date.now());
}

/** Makes the formats of a date of last week: the first of their kind take longer than all that follow. */
export const readyDates = (language: string): void =>
  void relativeDate(language, (day) => day, Date.now() / 1000 - 7 * 86_400, Date.now());

/** Returns the start of the day of a time here, both in unix ms. */
const startOfDay = (time: number): number => new Date(time).setHours(0, 0, 0, 0);
/** Begins a text with a capital letter, where the language has them. */
export const capitalized = (text: string, locale: string): string => text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);
