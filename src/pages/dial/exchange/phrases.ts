import type { Failure } from '../../../channels/link.ts';
import type { Messages } from '../../../i18n/i18n.ts';
import { failureText } from '../../../ui/failure-text.ts';

export const addedPhrase = (m: Messages, count: number): string =>
  m.plural(count, m.msg('=0: No channel was added | one: # channel added | other: # channels added'));

/** Says why a feed was not added; what has no status is said in our words already. */
export function notAddedPhrase(m: Messages, { message, status, unheard }: Failure): string {
  if (unheard) return m.msg('No answer came: there may be no network.');
  if (status === null) return message;
  if (status === 403) return m.msg('No more feeds are taken here. Ask who runs this site to add it.');
  if (status === 400 || status === 422)
    return m.msg('There is nothing to follow at this address: it may be mistyped, not public, or lead to no feed.');
  return failureText(m, status);
}

/** Gives the focus to what a step of a sheet begins with, so that it is read and the Tab key goes on from there. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus({ preventScroll: true });
