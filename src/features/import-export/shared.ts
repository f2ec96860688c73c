import { failureText } from '../../components/error-text.ts';
import type { RequestFailure } from '../../data/connection/connection.ts';
import type { LineupRow } from '../../data/model/types.ts';
import type { Messages } from '../../i18n/i18n.ts';
import type { Announce } from '../dial/UndoToast.tsx';
import type { RowActions } from '../lineup/row-actions.ts';
import { findLinkedChannel, parseWebAddress } from './model/channel-address.ts';

/** Import and export: data and actions that all ways into and out of the line-up use. */
export interface ImportExportProps {
  /** All rows, including those that are not followed. */
  readonly rows: readonly LineupRow[];
  readonly change: RowActions['change'];
  /** Announces once what was done; with `undo` it shows an undo button. */
  readonly announce: Announce;
}

/** Finds the row that a URL means: a channel of this site, or a feed that was added by this URL. */
export function findRowByAddress(address: string, rows: readonly LineupRow[]): LineupRow | null {
  const linked = findLinkedChannel(
    address,
    rows.map((row) => row.channel),
    location.origin,
  );
  const web = parseWebAddress(address);
  return rows.find(({ channel, entry }) => channel === linked || (web !== null && entry.feed === web)) ?? null;
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
