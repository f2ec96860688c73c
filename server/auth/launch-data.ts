/** Launch data validation: checks `initData` by Telegram's published rules for the bot's own server. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseLaunchData, type UnverifiedLaunchData, type UnverifiedUser } from '../../contract/launch-data.ts';

/**
 * Maximum age of launch data, s: a day. A reload sends the same launch data again, so reuse within a day is allowed.
 */
const MAX_AGE_SECONDS = 86_400;
/** Tolerance for clocks that differ, s: a minute. */
const MAX_CLOCK_SKEW_SECONDS = 60;

/** Result of the check. `detail` is a sentence for the reader. */
export type CheckedLaunchData =
  /** `authDate` is the time of the launch, unix seconds. */
  | { readonly type: 'genuine'; readonly user: UnverifiedUser; readonly authDate: number; readonly startParam: string | null }
  | { readonly type: 'rejected'; readonly detail: string };

/** Checks the signature and the age of launch data. `now` is unix milliseconds. Never throws. */
export function checkLaunchData(raw: string, botToken: string, now: number): CheckedLaunchData {
  const data = parseLaunchData(raw);
  if (data.type === 'malformed') return rejectLaunchData(data.detail);
  if (!isSigned(data, botToken)) return rejectLaunchData("The launch data was not signed for this app's bot.");
  const age = now / 1000 - data.authDate;
  if (age > MAX_AGE_SECONDS) return rejectLaunchData('The launch data is older than a day: open the app again.');
  if (age < -MAX_CLOCK_SKEW_SECONDS) return rejectLaunchData('The launch data is from the future: check the clock.');
  return { type: 'genuine', user: data.user, authDate: data.authDate, startParam: data.startParam };
}

function isSigned(data: UnverifiedLaunchData, botToken: string): boolean {
  return timingSafeEqual(computeLaunchSignature(data.fields, botToken), Buffer.from(data.hash, 'hex'));
}

/** Computes the HMAC of all launch data fields except `hash` (`signature` included), sorted. */
export function computeLaunchSignature(fields: Iterable<readonly [string, string]>, botToken: string): Buffer {
  const lines = [...fields].map(([name, value]) => `${name}=${value}`).sort();
  const key = createHmac('sha256', 'WebAppData').update(botToken).digest();
  return createHmac('sha256', key).update(lines.join('\n')).digest();
}

const rejectLaunchData = (detail: string): CheckedLaunchData => ({ type: 'rejected', detail });
