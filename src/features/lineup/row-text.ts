import { dateFormat, type Messages, str } from '../../i18n/i18n.ts';

const DAY = 86_400_000;

/** A date in the narrow column of the card: the time today, the weekday within the week, else day and month. `date` in unix seconds, `now` in unix ms. */
export function shortDate({ tag }: Messages, date: number, now: number): string {
  const at = new Date(date * 1000);
  const format = (options: Intl.DateTimeFormatOptions) => dateFormat(tag(), options).format(at);
  if (at.toDateString() === new Date(now).toDateString()) return format({ timeStyle: 'short' });
  if (now - at.getTime() < 6 * DAY) return format({ weekday: 'short' });
  if (now - at.getTime() < 300 * DAY) return format({ day: 'numeric', month: 'short' });
  return format({ year: 'numeric', month: 'short' });
}

/** When a mute ends, as "18:00" or "Sat 08:00"; null for one that ends by hand or has ended. `until` as in LineupEntry, `now` in unix ms. */
export function muteEnd({ tag }: Messages, until: number | undefined, now: number): string | null {
  if (until === undefined || until * 1000 <= now) return null;
  const at = new Date(until * 1000);
  const today = at.toDateString() === new Date(now).toDateString();
  const day = today ? {} : { weekday: 'short' as const };
  return dateFormat(tag(), { hour: 'numeric', minute: '2-digit', ...day }).format(at);
}

/** That a channel is muted, and until when. */
export function mutedText(m: Messages, until: number | undefined, now: number): string {
  const end = muteEnd(m, until, now);
  return end === null ? m.msg('Muted') : m.msg(str`Muted until ${end}`);
}

/** That a channel is followed no more, and since when; `since` as in Channel, `now` in unix ms, null while it is not known. */
export function pausedText(m: Messages, since: number | undefined, now: number | null): string {
  if (since === undefined || now === null) return m.msg('Paused');
  const date = shortDate(m, since, now);
  return m.msg(str`Paused since ${date}`);
}

/** Eight in the morning of the next day, in unix seconds: what "until tomorrow" means. `now` in unix ms. */
export function tomorrowMorning(now: number): number {
  const at = new Date(now);
  return Math.floor(new Date(at.getFullYear(), at.getMonth(), at.getDate() + 1, 8).getTime() / 1000);
}
