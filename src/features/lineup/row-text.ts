import { dateFormat, type Messages, str } from '../../i18n/i18n.ts';

const DAY_MS = 86_400_000;

/**
 * Row texts: returns a date for the narrow column of the card: the time for today, the weekday within the week, otherwise day
 * and month. `date` in unix seconds, `now` in unix ms.
 */
export function shortDate({ localeTag }: Messages, date: number, now: number): string {
  const at = new Date(date * 1000);
  const format = (options: Intl.DateTimeFormatOptions) => dateFormat(localeTag(), options).format(at);
  if (at.toDateString() === new Date(now).toDateString()) return format({ timeStyle: 'short' });
  if (now - at.getTime() < 6 * DAY_MS) return format({ weekday: 'short' });
  if (now - at.getTime() < 300 * DAY_MS) return format({ day: 'numeric', month: 'short' });
  return format({ year: 'numeric', month: 'short' });
}

/**
 * Returns the end of a mute, as "18:00" or "Sat 08:00"; null if the mute has no end time or has ended. `until` as in
 * LineupEntry, `now` in unix ms.
 */
export function muteEndText({ localeTag }: Messages, until: number | undefined, now: number): string | null {
  if (until === undefined || until * 1000 <= now) return null;
  const at = new Date(until * 1000);
  const today = at.toDateString() === new Date(now).toDateString();
  const day = today ? {} : { weekday: 'short' as const };
  return dateFormat(localeTag(), { hour: 'numeric', minute: '2-digit', ...day }).format(at);
}

/** Returns the text of a muted channel, with the end of the mute. */
export function mutedText(m: Messages, until: number | undefined, now: number): string {
  const end = muteEndText(m, until, now);
  return end === null ? m.msg('Muted') : m.msg(str`Muted until ${end}`);
}

/**
 * Returns the text of a channel that is no longer followed, with the date; `since` as in Channel, `now` in unix ms, null while
 * unknown.
 */
export function pausedText(m: Messages, since: number | undefined, now: number | null): string {
  if (since === undefined || now === null) return m.msg('Paused');
  const date = shortDate(m, since, now);
  return m.msg(str`Paused since ${date}`);
}

/** Returns eight in the morning of the next day, in unix seconds: the meaning of "until tomorrow". `now` in unix ms. */
export function tomorrowMorning(now: number): number {
  const at = new Date(now);
  return Math.floor(new Date(at.getFullYear(), at.getMonth(), at.getDate() + 1, 8).getTime() / 1000);
}
