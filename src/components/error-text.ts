import type { Messages } from '../i18n/i18n.ts';

/**
 * Error texts: returns why a request failed, in the reader's language, by the status of the response. The server's own
 * messages are in English and meant for operators.
 */
export function failureText({ msg }: Messages, status: number): string {
  if (status === 404 || status === 410) return msg('Not found. It may have been removed.');
  if (status === 429) return msg('That was too much at once. Wait a moment, then try again.');
  if (status === 408 || status >= 500) return msg('The server cannot answer just now. Try again in a moment.');
  return msg('The server did not accept this. Reload the page, then try again.');
}
