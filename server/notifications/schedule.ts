/** Delivery times: quiet hours, and hourly and daily digests, in the reader's time zone. */
import type { NotificationSettings } from '../../contract/notifications.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;
const HOUR_MINUTES = 60;

const formatByZone = new Map<string, Intl.DateTimeFormat>();
/** Maximum number of cached formats; there are about 600 zones and aliases. */
const MAX_FORMATS = 1000;

/** Returns whether a name is a known IANA time zone. */
export const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== '';
  } catch {
    return false;
  }
};

const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = formatByZone.get(timeZone);
  if (known) return known;
  if (formatByZone.size >= MAX_FORMATS) formatByZone.clear();
  const zone = isTimeZone(timeZone) ? timeZone : 'UTC';
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, hour: 'numeric', minute: 'numeric', hourCycle: 'h23' });
  formatByZone.set(timeZone, format);
  return format;
};

/** Returns the minute of the day in a time zone. */
export const minuteOfDay = (timeZone: string, at: number): number => {
  const parts = formatOf(timeZone).formatToParts(at);
  const numberOf = (type: string): number => Number(parts.find((part) => part.type === type)?.value ?? 0);
  return numberOf('hour') * HOUR_MINUTES + numberOf('minute');
};

/** Returns the next time after `at` at which the clock of a time zone shows a minute of the day, in unix ms. */
const nextTimeOfDay = (timeZone: string, at: number, minute: number): number => {
  const startOfMinute = Math.floor(at / MINUTE_MS) * MINUTE_MS;
  const wait = (minute - minuteOfDay(timeZone, at) + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES;
  const time = startOfMinute + wait * MINUTE_MS;
  // The clock may be changed between the two times. In a skipped hour, the time is up to an hour later.
  const difference = ((minute - minuteOfDay(timeZone, time) + DAY_MINUTES * 1.5) % DAY_MINUTES) - DAY_MINUTES / 2;
  const corrected = time + difference * MINUTE_MS;
  return corrected > at ? corrected : time;
};

const isQuietMinute = ({ from, to }: { from: number; to: number }, minute: number): boolean =>
  from <= to ? minute >= from && minute < to : minute >= from || minute < to;

/** Returns the end of the quiet hours at a time, or the time itself outside of them. */
const afterQuietHours = ({ quiet, timeZone }: NotificationSettings, at: number): number =>
  quiet !== null && isQuietMinute(quiet, minuteOfDay(timeZone, at)) ? nextTimeOfDay(timeZone, at, quiet.to) : at;

/** Returns when a digest contains a post that was matched at `at`. */
const digestTime = ({ delivery, dailyAt, timeZone }: NotificationSettings, at: number): number => {
  if (delivery === 'daily') return nextTimeOfDay(timeZone, at, dailyAt);
  if (delivery === 'immediate') return at;
  const minute = minuteOfDay(timeZone, at);
  return nextTimeOfDay(timeZone, at, (minute - (minute % HOUR_MINUTES) + HOUR_MINUTES) % DAY_MINUTES);
};

/**
 * Returns when a post may be delivered that was matched at `at`: not before `now`, and not in quiet hours. Times are
 * unix ms.
 */
export const deliveryTime = (settings: NotificationSettings, at: number, now: number): number =>
  afterQuietHours(settings, Math.max(digestTime(settings, at), now));
