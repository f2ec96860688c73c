import { dateFormat, type Messages, str } from '../../i18n/i18n.ts';

const DAY_MS = 86_400_000;
/** Maximum age of a date that is shown as a weekday: a week later the weekday would be ambiguous. */
const MAX_WEEKDAY_AGE_MS = 6 * DAY_MS;
/** Maximum age of a date that is shown without a year. */
const MAX_YEARLESS_AGE_MS = 300 * DAY_MS;
/** Hour of the reader's day at which a mute "until tomorrow" ends. */
const MORNING_HOUR = 8;

/**
 * Row texts: returns a date for the narrow column of the card. It is the time for today, the weekday within the week,
 * day and month within 300 days, otherwise month and year. `date` in unix seconds, `now` in unix ms.
 */
export function shortDate({ localeTag }: Messages, date: number, now: number): string {
  const time = new Date(date * 1000);
  const format = (options: Intl.DateTimeFormatOptions) => dateFormat(localeTag(), options).format(time);
  if (time.toDateString() === new Date(now).toDateString()) return format({ timeStyle: 'short' });
  if (now - time.getTime() < MAX_WEEKDAY_AGE_MS) return format({ weekday: 'short' });
  if (now - time.getTime() < MAX_YEARLESS_AGE_MS) return format({ day: 'numeric', month: 'short' });
  return format({ year: 'numeric', month: 'short' });
}

/**
 * Returns the end of a mute, as "18:00" or "Sat 08:00"; null if the mute has no end time or has ended. `until` as in
 * LineupEntry, `now` in unix ms.
 */
export function muteEndText({ localeTag }: Messages, until: number | undefined, now: number): string | null {
  if (until === undefined || until * 1000 <= now) return null;
  const end = new Date(until * 1000);
  const isToday = end.toDateString() === new Date(now).toDateString();
  const dayOptions = isToday ? {} : { weekday: 'short' as const };
  return dateFormat(localeTag(), { hour: 'numeric', minute: '2-digit', ...dayOptions }).format(end);
}

/** Returns the text of a muted channel, with the end of the mute. */
export function mutedText(m: Messages, until: number | undefined, now: number): string {
  const end = muteEndText(m, until, now);
  return end === null ? m.msg('Muted') : m.msg(str`Muted until ${end}`);
}

/**
 * Returns the text of a paused channel, which receives no updates, with the date; `since` as in Channel, `now` in unix
 * ms, null while unknown.
 */
export function pausedText(m: Messages, since: number | undefined, now: number | null): string {
  if (since === undefined || now === null) return m.msg('Paused');
  const date = shortDate(m, since, now);
  return m.msg(str`Paused since ${date}`);
}

/** Returns eight in the morning of the next day, in unix seconds: the meaning of "until tomorrow". `now` in unix ms. */
export function tomorrowMorning(now: number): number {
  const today = new Date(now);
  const morning = new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1, MORNING_HOUR);
  return Math.floor(morning.getTime() / 1000);
}
