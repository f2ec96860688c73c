import { failureText } from '../../components/error-text.ts';
import type { RequestFailure } from '../../data/connection/connection.ts';
import type { LineupRow } from '../../data/model/types.ts';
import type { Messages } from '../../i18n/i18n.ts';
import type { Announce } from '../dial/UndoToast.tsx';
import type { RowActions } from '../lineup/row-actions.ts';
import { findLinkedChannel, parseWebAddress } from './model/channel-address.ts';

/** Import and export: props that all components of import and export share. */
export interface ImportExportProps {
  /** All rows, including those that are not followed. */
  readonly rows: readonly LineupRow[];
  readonly change: RowActions['change'];
  /** Announces the result of an action once; with `undo` it shows an undo button. */
  readonly announce: Announce;
}

/**
 * Returns the row that a URL refers to, a channel of this site or a feed that was added by this URL; null if there is
 * none.
 */
export function findRowByAddress(address: string, rows: readonly LineupRow[]): LineupRow | null {
  const linkedChannel = findLinkedChannel(
    address,
    rows.map((row) => row.channel),
    location.origin,
  );
  const feedUrl = parseWebAddress(address);
  return rows.find(({ channel, entry }) => channel === linkedChannel || (feedUrl !== null && entry.feed === feedUrl)) ?? null;
}

export const addedText = (m: Messages, count: number): string =>
  m.plural(count, m.msg('=0: No channel was added | one: # channel added | other: # channels added'));

/** Returns the reason why a feed was not added. A failure without a status already has a translated message. */
export function notAddedText(m: Messages, { message, status, unreachable }: RequestFailure): string {
  if (unreachable) return m.msg('No answer: you may be offline.');
  if (status === null) return message;
  if (status === 403) return m.msg('This site accepts no more feeds. Ask who runs it to add this one.');
  if (status === 400 || status === 422)
    return m.msg('There is nothing to follow at this address: it may be mistyped, not public, or lead to no feed.');
  return failureText(m, status);
}

/** Focuses the first element of a sheet's step, so that it is announced and the Tab key continues from there. */
export const focusOnMount = (element: HTMLElement | null): void => element?.focus({ preventScroll: true });
