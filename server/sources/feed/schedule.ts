import type { IncomingHttpHeaders } from 'node:http';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** No feed is asked more often, or less. */
const SHORTEST = 10 * MINUTE;
const LONGEST = DAY;

/** A quiet feed that does not say how often it changes is asked at least this often. */
const LONGEST_UNTOLD = 6 * HOUR;

/** The pause before anything is known of a feed. */
export const FIRST_INTERVAL = 30 * MINUTE;

/** A feed that fails for this long is paused: readers are told that it is not followed. */
export const PAUSED_AFTER = 3 * DAY;

const within = (seconds: number, least: number, most: number) => Math.round(Math.min(Math.max(seconds, least), most));

const maxAge = (headers: IncomingHttpHeaders): number =>
  Number(/(?:^|[\s,])max-age\s*=\s*"?(\d{1,9})/i.exec(headers['cache-control'] ?? '')?.[1] ?? 0);

/**
 * Decides the pause in seconds after an answer: shorter where there was news, longer where not, and never below what the feed
 * (`told`) or its server (max-age) asks for.
 */
export function nextInterval(held: number, isNews: boolean, told: number | null, headers: IncomingHttpHeaders): number {
  const asked = within(Math.max(told ?? 0, maxAge(headers)), SHORTEST, LONGEST);
  // An answer without the feed (304) does not repeat what it told: without news a pause never shrinks.
  return isNews
    ? within(held / 2, asked, Math.max(asked, LONGEST_UNTOLD))
    : within(held * 1.25, asked, Math.max(asked, LONGEST_UNTOLD, held));
}

const retryAfter = (headers: IncomingHttpHeaders, now: number): number => {
  const told = headers['retry-after']?.trim() ?? '';
  if (/^\d{1,9}$/.test(told)) return Number(told);
  const date = Date.parse(told);
  return Number.isNaN(date) ? 0 : date / 1000 - now;
};

/** Decides the pause in seconds after the nth failure in a row: twice as long each time, and as long as the server asks for. */
export function retryDelay(interval: number, failures: number, headers: IncomingHttpHeaders, now: number): number {
  const doubled = interval * 2 ** Math.min(failures - 1, 10);
  return within(Math.max(doubled, retryAfter(headers, now)), SHORTEST, LONGEST);
}

/** Moves a pause by up to a tenth, so that feeds added together are not asked together for ever; `random` is from 0 to 1. */
export const spread = (seconds: number, random: number): number => Math.round(seconds * (1 + random / 10));
