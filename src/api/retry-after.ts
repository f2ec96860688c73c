import { ApiError } from './api-error.ts';

/** Wait where the server asks for one and gives no time, s. */
const DEFAULT_WAIT = 30;

/** Returns the seconds after which the server accepts another try, where it answered 429; null for every other failure. */
export function retryAfter(thrown: unknown): number | null {
  if (!(thrown instanceof ApiError) || thrown.status !== 429) return null;
  const headers = property(property(thrown.cause, 'response'), 'headers');
  const seconds = Number(property(headers, 'retry-after'));
  return seconds > 0 ? Math.ceil(seconds) : DEFAULT_WAIT;
}

const property = (of: unknown, name: string): unknown =>
  typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined;
