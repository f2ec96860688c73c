import type { Messages } from '../i18n/i18n.ts';

/**
 * Says in the reader's words why the server gave nothing, by the status of its answer: its own sentences are English, and for
 * those who run it.
 */
export function failureText({ msg }: Messages, status: number): string {
  if (status === 404 || status === 410) return msg('This is not here, or not any more.');
  if (status === 429) return msg('That was too much at once. Wait a moment, then try again.');
  if (status === 408 || status >= 500) return msg('The server cannot answer just now. Try again in a moment.');
  return msg('The server did not accept this. Reload the page, then try again.');
}
