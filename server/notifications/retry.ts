/** Retry rules: what a failed attempt means for a queued notification. */
import type { NotificationResult, QueuedNotification } from '../storage/ports/notifications.ts';

const FIRST_DELAY_MS = 30_000;
const MAX_DELAY_MS = 3_600_000;
/** Number of attempts: the last one is about four hours after the first. */
const MAX_ATTEMPTS = 10;
/** Maximum time that a push service may ask for, in ms. */
const MAX_RETRY_AFTER_MS = 86_400_000;

/** Parses the header Retry-After: seconds, or a date. Returns ms; null without a valid value. */
export function parseRetryAfter(value: string | undefined, now: number): number | null {
  if (value === undefined) return null;
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 1000), MAX_RETRY_AFTER_MS) : null;
}

/**
 * Returns the result of an attempt after which the items may be sent again: they wait for `retryAfterMs`, or else for a
 * growing delay. After MAX_ATTEMPTS they failed.
 */
export function retryLater(
  recipient: string,
  items: readonly QueuedNotification[],
  now: number,
  retryAfterMs: number | null,
): NotificationResult {
  const attempts = Math.max(0, ...items.map((item) => item.attempts));
  if (attempts + 1 >= MAX_ATTEMPTS) return { recipient, items, type: 'failed' };
  const delayMs = retryAfterMs ?? Math.min(FIRST_DELAY_MS * 2 ** attempts, MAX_DELAY_MS);
  return { recipient, items, type: 'postpone', due: now + delayMs, isRetry: true };
}
