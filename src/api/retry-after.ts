import { property } from '../lib/property.ts';
import { ApiError } from './api-error.ts';

/** Default wait for a 429 response without a usable Retry-After header, s. */
const DEFAULT_RETRY_AFTER_SECONDS = 30;

/**
 * Parses Retry-After: returns the number of seconds after which the server accepts another request, for a 429 response.
 * Returns null for every other failure.
 */
export function retryAfterSeconds(thrown: unknown): number | null {
  if (!(thrown instanceof ApiError) || thrown.status !== 429) return null;
  const headers = property(property(thrown.cause, 'response'), 'headers');
  const seconds = Number(property(headers, 'retry-after'));
  return seconds > 0 ? Math.ceil(seconds) : DEFAULT_RETRY_AFTER_SECONDS;
}
