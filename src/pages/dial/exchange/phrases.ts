import type { Messages } from '../../../i18n/i18n.ts';

export const addedPhrase = (m: Messages, count: number): string =>
  m.plural(count, m.msg('=0: No channel was added | one: # channel added | other: # channels added'));

/** Gives the focus to what a step of a sheet begins with, so that it is read and the Tab key goes on from there. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus({ preventScroll: true });
